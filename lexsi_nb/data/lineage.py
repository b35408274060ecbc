"""What the selects of a read take their rows from, and which table a column comes from through them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Columns = Callable[[str], list[str]]  # table -> its column names

_DEPTH = 4  # of subqueries that a column is followed through
_FIGURES = frozenset(
    """sum avg mean count count_if countif median stddev stddev_pop stddev_samp variance variance_pop var_pop var_samp
    quantile quantile_cont quantile_disc approx_quantile percentile_cont percentile_disc fsum kahan_sum sumkahan favg
    product geomean geometric_mean mad skewness kurtosis sem""".split()
)


@dataclass(frozen=True)
class Source:
    """A name that a select reads from: the node, and the select behind it where that is a subquery or a WITH."""

    alias: str
    node: Any
    table: str
    select: Any = None


def sources_of(select: Any) -> list[Source]:
    """Return what a select reads from, in order; none where a part has no name of its own."""
    from sqlglot import exp

    start = select.args.get("from_") or select.args.get("from")
    first = start.this if start is not None else None
    if first is None:
        return []
    found = []
    for node in [*_parts(first), *(p for j in _joins(select) for p in _parts(j.this))]:
        alias = node.alias_or_name
        if not alias:
            return []
        if isinstance(node, exp.Subquery):
            inner = node.this if isinstance(node.this, exp.Select) else None
            found.append(Source(alias, node, alias, inner))
        elif isinstance(node, exp.Table):
            cte = None if node.text("db") else _cte(node)
            inner = cte.this if cte is not None and isinstance(cte.this, exp.Select) else None
            found.append(Source(alias, node, node.name, inner))
        else:
            inner = node.this.this if isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery) else None
            found.append(Source(alias, node, alias, inner if isinstance(inner, exp.Select) else None))
    return found


def _parts(node: Any) -> list[Any]:
    """Return a part of FROM with what hangs on it; one in brackets by its own parts."""
    from sqlglot import exp

    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table) and not node.alias:
        return [*_parts(node.this), *(p for j in node.args.get("joins") or () for p in _parts(j.this))]
    return [node, *(p for j in node.args.get("joins") or () for p in _parts(j.this))]


def _joins(select: Any) -> list[Any]:
    return list(select.args.get("joins") or ()) + list(select.args.get("laterals") or ())


def is_numbered(source: Source) -> bool:
    """Return whether rows of a source can be numbered: those of a table or subquery."""
    from sqlglot import exp

    return isinstance(source.node, (exp.Table, exp.Subquery)) and not source.node.args.get("pivots")


def _cte(table: Any) -> Any:
    """Return the CTE that a name stands for, None for a table."""
    inside, node = None, table
    while node is not None:
        if type(node).__name__ == "CTE":
            inside = node
        listed = node.args.get("with_")
        if listed is not None:
            ctes = list(listed.expressions)
            reach = ctes[: ctes.index(inside)] if inside in ctes else ctes
            for cte in reversed(reach):
                if cte.alias.casefold() == table.name.casefold():
                    return None if listed.args.get("recursive") else cte
        node = node.parent
    return None


def in_recursion(select: Any) -> bool:
    node = select
    while node is not None:
        if type(node).__name__ == "With" and node.args.get("recursive"):
            return True
        node = node.parent
    return False


def figures_of(select: Any) -> Iterator[Any]:
    """Yield the aggregates of a select that repetition changes; what is distinct, extreme or a window is safe."""
    from sqlglot import exp

    for node in select.find_all(exp.AggFunc, exp.Anonymous, exp.AnonymousAggFunc):
        name = node.name if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)) else node.sql_names()[0]
        if str(name).lower() not in _FIGURES or node.find_ancestor(exp.Select) is not select:
            continue
        if isinstance(node.this, exp.Distinct) or isinstance(node.parent, exp.Window):
            continue
        if isinstance(node.parent, exp.Filter) and isinstance(node.parent.parent, exp.Window):
            continue
        yield node


def columns_of(node: Any) -> Iterator[Any]:
    from sqlglot import exp

    return (c for c in node.find_all(exp.Column) if not isinstance(c.this, exp.Star))


def names_of(source: Source, columns: Columns, depth: int = 0) -> list[str] | None:
    """Return the names of a source's columns, None where they are not known."""
    alias = source.node.args.get("alias")
    given = [c.name for c in alias.args.get("columns") or ()] if alias is not None else []
    own = _own_names(source, columns, depth)
    return own if own is None else [*given, *own[len(given) :]]


def _own_names(source: Source, columns: Columns, depth: int) -> list[str] | None:
    from sqlglot import exp

    if source.select is None:
        return columns(source.table) if isinstance(source.node, exp.Table) else None
    if depth > _DEPTH:
        return None
    out: list[str] = []
    for part in source.select.expressions:
        if part.is_star:
            inner = [names_of(s, columns, depth + 1) for s in sources_of(source.select)]
            if not inner or any(n is None for n in inner):
                return None
            out += [n for names in inner for n in names or ()]
        else:
            out.append(part.alias_or_name)
    return out


def owner_of(column: Any, sources: list[Source], columns: Columns) -> Source | None:
    """Return the source that a column is of, None where that is open."""
    from sqlglot import exp

    if column.table:
        named = next((s for s in sources if s.alias.casefold() == column.table.casefold()), None)
        if named is not None or column.text("db"):
            return named
        column = exp.column(column.table)  # a field of a struct
    if len(sources) == 1:
        return sources[0]
    known = [(s, names_of(s, columns)) for s in sources]
    if any(names is None for _, names in known):
        return None
    having = [s for s, names in known if column.name.casefold() in {n.casefold() for n in names or ()}]
    return having[0] if len(having) == 1 else None


def path_of(figure: Any, select: Any, sources: list[Source], columns: Columns) -> list[tuple[Any, Source]] | None:
    """Return the selects and sources through which a figure's columns come, outermost first; all from one table."""
    paths = [_follow(c, select, sources, columns) for c in columns_of(figure)]
    if not paths or any(not p for p in paths):
        return None
    shortest = min(len(p) for p in paths)
    shared = [p for at, p in enumerate(paths[0][:shortest]) if all(other[at][1].node is p[1].node for other in paths)]
    return shared or None


def _follow(column: Any, select: Any, sources: list[Source], columns: Columns) -> list[tuple[Any, Source]]:
    from sqlglot import exp

    path: list[tuple[Any, Source]] = []
    while len(path) <= _DEPTH:
        source = owner_of(column, sources, columns)
        if source is None:
            return path
        path.append((select, source))
        inner = source.select
        if inner is None or not _is_plain(inner) or not is_numbered(source) or renames(source):
            return path
        named = [p for p in inner.expressions if p.alias_or_name.casefold() == column.name.casefold()]
        made = list(columns_of(named[0])) if len(named) == 1 and not named[0].is_star else []
        below = sources_of(inner)
        if made and _one([owner_of(c, below, columns) for c in made]) and not named[0].find(exp.Select):
            column = made[0]
        elif not named and any(p.is_star for p in inner.expressions):
            column = exp.column(column.name)
        else:
            return path
        select, sources = inner, below
    return path


def renames(source: Source) -> bool:
    alias = source.node.args.get("alias")
    return bool(alias is not None and alias.args.get("columns"))


def _one(owners: list[Source | None]) -> bool:
    return all(o is not None and o.node is owners[0].node for o in owners if owners[0] is not None)


def _is_plain(select: Any) -> bool:
    """Return whether a select hands its rows on one by one."""
    if any(select.args.get(k) for k in ("group", "distinct", "having", "limit", "offset", "qualify", "sample")):
        return False
    return not list(figures_of(select)) and not any(
        type(n).__name__ in ("Window", "AggFunc", "Max", "Min", "Unnest", "Explode")
        for p in select.expressions
        for n in p.walk()
    )
