"""Which figures of a read may take one row more than once, and the query that tells whether they do.

A row of a table is numbered where it is read; the figure's own joins, filters and groups are kept, and the most often
that one number appears in one group is the answer. So a join that a filter makes harmless is seen as harmless.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lexsi_nb.data.lineage import (
    Columns,
    Source,
    columns_of,
    figures_of,
    in_recursion,
    is_numbered,
    names_of,
    owner_of,
    path_of,
    renames,
    sources_of,
)  # fmt: skip

ROW = "lexsi_row"


@dataclass(frozen=True)
class Suspect:
    """A figure, the table whose rows it may take more than once, the tables joined to it.

    `counting`: SQL, one number each: the most often one row goes into one figure. Of several the smallest counts.
    `stated`: SQL, one truth value each: whether a subquery's rows are by its own words one a row of another table.
    """

    figure: str
    table: str
    others: tuple[str, ...]
    counting: tuple[str, ...]
    stated: tuple[str, ...] = ()


def suspects(sql: str, columns: Columns) -> list[Suspect]:
    """Return the figures over joined rows in `sql`, each once a table; none where it cannot be parsed."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except SqlglotError:
        return []
    found: dict[tuple[str, ...], Suspect] = {}
    for select in tree.find_all(exp.Select):
        if in_recursion(select):
            continue
        for suspect in _of_select(select, tree, columns):
            found.setdefault(suspect.counting, suspect)
    return list(found.values())


def _of_select(select: Any, tree: Any, columns: Columns) -> Iterator[Suspect]:
    sources = sources_of(select)
    if not sources:
        return
    figures = list(figures_of(select))
    owners = [(figure, path_of(figure, select, sources, columns)) for figure in figures]
    for figure, path in owners:
        text = figure.sql(dialect="duckdb")
        if path is None:
            if len(sources) > 1 and not list(columns_of(figure)):  # count(*): right where some table is met once
                each = tuple(_counting(tree, [(select, s)], figure, columns) for s in sources if is_numbered(s))
                if len(each) == len(sources):
                    yield Suspect(text, sources[0].table, tuple(s.table for s in sources[1:]), each)
            continue
        if len(sources) > 1 and is_numbered(path[0][1]):
            mine = path[0][1]
            others = tuple(s.table for s in sources if s is not mine)
            yield Suspect(text, mine.table, others, (_counting(tree, path[:1], figure, columns),))
        inner = [(s, sources_of(s)) for s, _ in path[1:]]
        if any(len(read) > 1 for _, read in inner) and is_numbered(path[-1][1]):
            others = tuple(s.table for _, read in inner for s in read if all(s.node is not p.node for _, p in path))
            stated = _stated(path, [p for _, p in owners if p is not None], tree, columns)
            yield Suspect(text, path[-1][1].table, others, (_counting(tree, path, figure, columns),), stated)


# -- the queries that tell


def _counting(tree: Any, path: list[tuple[Any, Source]], figure: Any, columns: Columns) -> str:
    """Return the SQL of the most often one row of the last source of `path` goes into one group of the first select."""
    from sqlglot import exp

    marked = _marked(tree, path)
    select = marked.selects[0]
    row = exp.column(marked.names[0], table=path[0][1].alias)
    keys, where = _keys(select, path[0][0], columns), [row.is_(exp.Null()).not_()]
    outer = figure.parent
    if isinstance(outer, exp.Filter):
        where.append(outer.expression.this.copy())
    keys += _correlated(select, {s.alias.casefold() for s in sources_of(path[0][0])})
    for part in ("order", "limit", "offset", "having", "qualify", "distinct", "windows", "sample"):
        select.set(part, None)
    select.set("expressions", [exp.alias_(exp.Count(this=exp.Star()), "n")])
    select.set("group", exp.Group(expressions=[*keys, row]))
    for condition in where:
        select = select.where(condition, copy=False)
    inner = select.copy()
    asked = exp.select("max(n) AS n").from_(inner.subquery("counted"))
    return _with(asked, _reach(marked.selects[0])).sql(dialect="duckdb")


@dataclass
class _Marked:
    """A copy of the whole in which the rows of one source are numbered and the number is handed up."""

    selects: list[Any]
    names: list[str]  # what the number is called in the source of each select of the path


def _marked(tree: Any, path: list[tuple[Any, Source]]) -> _Marked:
    from sqlglot import exp

    order = list(tree.walk())
    copy = tree.copy()
    twins = dict(zip(map(id, order), copy.walk(), strict=True))
    names = [f"{ROW}_{at}" for at in range(len(path))]
    last = twins[id(path[-1][1].node)]
    selects = [twins[id(select)] for select, _ in path]
    joins, alias = last.args.get("joins"), path[-1][1].alias
    bare = last.copy()
    for part in ("joins", "alias"):
        bare.set(part, None)
    number = exp.alias_(exp.Window(this=exp.RowNumber()), names[-1])
    numbered = exp.select("*", number).from_(bare if isinstance(bare, exp.Table) else bare.this.subquery("numbered"))
    made = numbered.subquery(exp.to_identifier(alias, quoted=True))
    if renames(path[-1][1]):
        made.set("alias", last.args["alias"].copy())
    if joins:
        made.set("joins", [j.copy() for j in joins])
    last.replace(made)
    for at in range(len(path) - 1, 0, -1):
        handed = exp.column(names[at], table=exp.to_identifier(path[at][1].alias, quoted=True))
        selects[at].append("expressions", exp.alias_(handed, names[at - 1]))
    return _Marked(selects, names)


def _keys(select: Any, original: Any, columns: Columns) -> list[Any]:
    """Return the expressions that the select groups by; none for one group, and where totals go over several."""
    from sqlglot import exp

    group = select.args.get("group")
    if group is None or any(group.args.get(k) for k in ("rollup", "cube", "grouping_sets", "totals")):
        return []
    shown = [p for p in select.expressions]
    if group.args.get("all"):
        kept = [p.unalias().copy() for p in shown if not p.find(exp.AggFunc, exp.Window) and not p.is_star]
        return [k for k in kept if not isinstance(k, exp.Literal)]
    named = {p.alias.casefold(): p.unalias() for p in shown if p.alias}
    sources = sources_of(original)
    keys = []
    for key in group.expressions:
        if isinstance(key, exp.Literal) and not key.is_string and int(key.name) <= len(shown):
            key = shown[int(key.name) - 1].unalias()
        elif isinstance(key, exp.Column) and not key.table and _is_alias(key.name, named, sources, columns):
            key = named[key.name.casefold()]
        keys.append(key.copy())
    return keys


def _is_alias(name: str, named: dict[str, Any], sources: list[Source], columns: Columns) -> bool:
    """Return whether a name is that of a shown expression; a column of that name would go first."""
    there = {n.casefold() for s in sources for n in names_of(s, columns) or ()}
    return name.casefold() in named and name.casefold() not in there


def _correlated(select: Any, own: set[str]) -> list[Any]:
    """Take conditions that tie a subquery to the query around it out of `select`; return the local sides as keys."""
    from sqlglot import exp

    where = select.args.get("where")
    if where is None:
        return []
    parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    keys, kept = [], []
    for part in parts:
        outside = [c for c in part.find_all(exp.Column) if c.table and c.table.casefold() not in own]
        if not outside or part.find(exp.Select):
            kept.append(part)
        elif isinstance(part, exp.EQ):
            local = [s for s in (part.left, part.right) if not any(c in outside for c in s.find_all(exp.Column))]
            keys += [s.copy() for s in local]
    select.set("where", exp.Where(this=exp.and_(*[k.copy() for k in kept])) if kept else None)
    return keys


def _stated(path: Any, others: list[Any], tree: Any, columns: Columns) -> tuple[str, ...]:
    """Return queries of whether the subquery names a key of another table: then that is the grain it means.

    Not where the same select has figures of that other table as well: they cannot both be right.
    """
    from sqlglot import exp

    joined = next((s for s, _ in path[1:] if len(sources_of(s)) > 1), None)
    if joined is None or any(p.is_star for p in joined.expressions):
        return ()
    mine = path[-1][1].node
    if any(p[-1][1].node is not mine for p in others):
        return ()
    out = []
    sources = sources_of(joined)
    for part in joined.expressions:
        column = part.unalias()
        if not isinstance(column, exp.Column):
            continue
        owner = owner_of(column, sources, columns)
        if owner is None or owner.node is mine:
            continue
        name = exp.column(exp.to_identifier(part.alias_or_name, quoted=True))
        asked = exp.select(
            exp.alias_(
                exp.EQ(this=exp.Count(this=exp.Star()), expression=exp.Count(this=exp.Distinct(expressions=[name]))),
                "n",
            )
        )
        asked = asked.from_(joined.copy().subquery("stated"))
        out.append(_with(asked, _reach(joined)).sql(dialect="duckdb"))
    return tuple(out)


def _reach(select: Any) -> list[Any]:
    """Return copies of the CTEs of the queries around a select that it can read, outermost first."""
    groups, inside, node = [], None, select
    while node is not None:
        if type(node).__name__ == "CTE":
            inside = node
        listed = node.args.get("with_") if node is not select else None
        if listed is not None:
            ctes = list(listed.expressions)
            groups.insert(0, ctes[: ctes.index(inside)] if inside in ctes else ctes)
        node = node.parent
    return [cte.copy() for group in groups for cte in group]


def _with(query: Any, ctes: list[Any]) -> Any:
    from sqlglot import exp

    if ctes:
        query.set("with_", exp.With(expressions=ctes))
    return query
