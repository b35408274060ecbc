"""The joins of a statement held against the data: on no key, of values that do not belong together, on nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.grounding.for_models.sql_problems import Problem
from lexsi_nb.grounding.for_models.sql_sources import Sources
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

if TYPE_CHECKING:
    from sqlglot import exp

SHARED = 0.8  # share of the rows whose value the other side of a join must have
Side = tuple[str, Column]  # an alias and a column of it
Tie = tuple[Side, Side]


def join_problems(select: exp.Select, sources: Sources, index: SchemaIndex) -> list[Problem]:
    """Return what is wrong with how a SELECT joins what it reads."""
    joins = [j for j in select.args.get("joins") or [] if j.this.alias_or_name.casefold() in sources.names]
    ties = {j.this.alias_or_name.casefold(): _ties(j, sources) for j in joins}
    where = [e for e in _equal(select.args.get("where")) if e.parent_select is select]
    older = _pairs(where, sources)  # an older way of joining
    keyed = [t for held in [*ties.values(), older] for t in held if _sound(t, sources, index)]
    found: list[Problem] = []
    for join in joins:
        alias = join.this.alias_or_name.casefold()
        table = sources.tables.get(alias) or sources.rows.get(alias, "")
        tied = ties[alias] or [t for t in older if alias in (t[0][0], t[1][0])]
        if table and not tied and _on_nothing(join, alias, sources) and not _linked(alias, sources, older):
            found.append(Problem("join", f"{table} is joined without a condition: every row meets every row."))
        open_ = [t for t in tied if t[0][1] != t[1][1] and not _together(t[0][0], t[1][0], keyed)]
        if open_ and len(open_) == len(tied):  # rows beside others of the same column are pairs that are meant
            found += _wrong(open_, sources, index)
    return found


def _wrong(tied: Sequence[Tie], sources: Sources, index: SchemaIndex) -> list[Problem]:
    """Return why none of the pairs that join an alias is sound."""
    (_, a), (_, b) = tied[0]
    if not any(_unique(side, sources, index) for tie in tied for side in tie):
        said = f"{a} = {b} joins on no key: neither side is unique. {_right_join(a, b, index)}"
        return [Problem("join", said)]
    if any(belong(x, y, index) for (_, x), (_, y) in tied):
        return []
    text = f"{a} = {b} joins values that do not belong together. {_right_join(a, b, index)}"
    return [Problem("join", text, sure=not any(_may_meet(x, y, index) for (_, x), (_, y) in tied))]


def semi_joins(select: exp.Select, sources: Sources, scopes: Any, index: SchemaIndex) -> list[Problem]:
    """Return the conditions that look into other rows by values that do not belong together, or by none at all."""
    from sqlglot import exp

    found: list[Problem] = []
    for e in select.find_all(exp.In):
        query = e.args.get("query")
        inner = query.this if isinstance(query, exp.Subquery) else query
        if e.parent_select is select and isinstance(inner, exp.Select) and len(inner.expressions) == 1:
            a, b = sources.column(bare(e.this)), scopes.of(inner).column(bare(inner.expressions[0].unalias()))
            found += _apart(a, b, index)
    if isinstance(select.parent, exp.Exists) and sources.outer is not None and sources.outer.names:
        looks = [c for c in select.find_all(exp.Column) if not sources.alias(c)]
        if not looks and sources.rows:
            table = next(iter(sources.rows.values()))
            text = f"EXISTS over {table} does not depend on the row: it is the same for every one."
            found.append(Problem("join", text))
        for e in (x for x in _equal(select.args.get("where")) if x.parent_select is select):
            for here, there in ((e.this, e.expression), (e.expression, e.this)):
                if not sources.alias(bare(there)):
                    found += _apart(sources.column(bare(here)), sources.outer.column(bare(there)), index)
    return found


def _apart(a: Column | None, b: Column | None, index: SchemaIndex) -> list[Problem]:
    """Return the problem of two columns that are compared and hold other things."""
    if a is None or b is None or a == b or belong(a, b, index):
        return []
    text = f"{a} is looked up among {b}: values that do not belong together."
    told = f"{text} {_right_join(a, b, index)}" if a.table != b.table else text
    return [Problem("join", told, sure=not _may_meet(a, b, index))]


def bare(node: Any) -> Any:
    """Return what stands inside lower(), upper(), trim(), a cast, or one value picked of a group."""
    from sqlglot import exp

    inside = (exp.Lower, exp.Upper, exp.Trim, exp.Cast, exp.TryCast, exp.Paren, exp.AnyValue, exp.IgnoreNulls)
    while isinstance(node, inside):
        node = node.this
    return node


def _equal(condition: Any) -> list[Any]:
    from sqlglot import exp

    return list(condition.find_all(exp.EQ, exp.NullSafeEQ)) if condition is not None else []


def _ties(join: Any, sources: Sources) -> list[Tie]:
    """Return the pairs of columns that a JOIN holds equal."""
    alias = join.this.alias_or_name.casefold()
    using = [str(getattr(u, "name", u)).casefold() for u in join.args.get("using") or []]
    before = [a for a in sources.names if a != alias]
    if str(join.args.get("method") or "").upper() == "NATURAL":
        using = [n for n in sources.names[alias] if any(n in sources.names[a] for a in before)]
    found: list[Tie] = []
    for name in using:
        own = sources.names[alias].get(name)
        other = next((a for a in before if name in sources.names[a]), "")
        if own is not None and other:
            found.append(((other, sources.names[other][name].column), (alias, own.column)))
    return found + _pairs(_equal(join.args.get("on")), sources)


def _pairs(equal: Iterable[Any], sources: Sources) -> list[Tie]:
    """Return the pairs of columns of two aliases that equations hold equal."""
    found: list[Tie] = []
    for e in equal:
        sides = [(sources.alias(bare(x)), sources.column(bare(x))) for x in (e.this, e.expression)]
        (a, x), (b, y) = sides
        if a and b and a != b and x is not None and y is not None:
            found.append(((a, x), (b, y)))
    return found


def _on_nothing(join: Any, alias: str, sources: Sources) -> bool:
    """Whether a JOIN has no condition that reads what it joins."""
    from sqlglot import exp

    if join.args.get("using") or str(join.args.get("method") or "").upper() in ("NATURAL", "POSITIONAL"):
        return False
    condition = join.args.get("on")
    if condition is None:
        return True
    return not any(alias == sources.alias(c) or not sources.alias(c) for c in condition.find_all(exp.Column))


def _linked(alias: str, sources: Sources, older: Sequence[Tie]) -> bool:
    """Whether nothing can be said of an alias: it is the only one, or a WHERE ties it."""
    return len(sources.names) < 2 or any(alias in (a, b) for (a, _), (b, _) in older)


def _together(a: str, b: str, keyed: Sequence[Tie]) -> bool:
    """Whether sound joins tie two aliases, also by way of others."""
    reached, front = {a}, {a}
    while front:
        front = {
            y
            for (left, _), (right, _) in keyed
            for x, y in ((left, right), (right, left))
            if x in front and y not in reached
        }
        reached |= front
    return b in reached


def _unique(side: Side, sources: Sources, index: SchemaIndex) -> bool:
    alias, c = side
    alone = any(o.alone and o.column == c for o in sources.names[alias].values())
    return alone or index.unique(c.table, c.name)


def _sound(tie: Tie, sources: Sources, index: SchemaIndex) -> bool:
    (_, a), (_, b) = tie
    return any(_unique(side, sources, index) for side in tie) and (a == b or belong(a, b, index))


def belong(a: Column, b: Column, index: SchemaIndex) -> bool:
    """Whether two columns hold the same things: by a join of the data, or because the values of one are the other's."""
    held = [_held_by(c, index) for c in (a, b)]
    if held[0] & held[1] or _joined(a, b, index):
        return True
    if all((c.table, c.name) not in keys for c, keys in zip((a, b), held, strict=True)):
        return False  # each refers to something else
    if index.unique(a.table, a.name) and index.unique(b.table, b.name):
        return _within(a, b, index) and (a.name == b.name or _within(b, a, index))
    return _within(a, b, index) if index.unique(b.table, b.name) else _within(b, a, index)


def _may_meet(a: Column, b: Column, index: SchemaIndex) -> bool:
    """Whether two columns share values, or could once cast, and no other way from one table to the other is known."""
    return not index.joins.any(a.table, b.table) and (a.type != b.type or _met(a, b, index)[1] > 0)


def _within(a: Column, b: Column, index: SchemaIndex) -> bool:
    """Whether nearly all values of a column are values of another; true where it has none."""
    n, hit = _met(a, b, index)
    return n == 0 or hit >= SHARED * n


def _met(a: Column, b: Column, index: SchemaIndex) -> tuple[int, int]:
    """Return how many rows of a column have a value, and how many of these have one of another column."""
    x, y = (f"CAST({quote(c.name)} AS VARCHAR)" for c in (a, b))
    n, hit = index.reads.one(
        f"SELECT count(*) AS n, count(*) FILTER (WHERE v IN (SELECT {y} FROM {quote(b.table)})) AS hit"
        f" FROM (SELECT {x} AS v FROM {quote(a.table)}) AS t WHERE v IS NOT NULL",
        a.table,
        b.table,
    )
    return n, hit


def _joined(a: Column, b: Column, index: SchemaIndex) -> bool:
    """Whether a join of the data is of just these two columns."""
    ends = {(a.table, a.name), (b.table, b.name)}
    routes = index.joins.any(a.table, b.table) if a.table != b.table else []
    return any(len(r) == 1 and {r[0].start, r[0].end} == ends for r in routes)


def _held_by(c: Column, index: SchemaIndex) -> set[tuple[str, str]]:
    """Return the keys that a column refers to; itself where it refers to none."""
    joins = [j for j in index.joins.touching(c.table) if (j.child, j.child_column) == (c.table, c.name)]
    return {(j.parent, j.parent_column) for j in joins} or {(c.table, c.name)}


def _right_join(a: Column, b: Column, index: SchemaIndex) -> str:
    routes = index.joins.any(a.table, b.table) if a.table != b.table else []
    if not routes:
        return f"There is no join of {a.table} and {b.table}." if a.table != b.table else ""
    steps = "; ".join(f"{s.start[0]}.{s.start[1]} = {s.end[0]}.{s.end[1]}" for s in routes[0])
    return f"They join by {steps}."
