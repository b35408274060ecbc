"""A model's SQL held against the data: literals that occur nowhere, joins on no key, rows counted twice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from lexsi_nb.errors import LexsiError, nearest
from lexsi_nb.grounding.for_models.sql_sources import Scopes, Sources, repeating
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

if TYPE_CHECKING:
    from sqlglot import exp

ProblemKind = Literal["literal", "join", "fan-out", "name"]
_SHOWN = 8
_WILD = {"%": ".*", "_": "."}  # of LIKE
SHARED = 0.8  # share of the rows whose value the other side of a join must have
PROBE_SECONDS = 10.0


@dataclass(frozen=True)
class Problem:
    """Something in a statement that the data do not bear out, in words a model can act on.

    `values` are what the data have instead: the policy may keep them from a model that is not on this machine.
    """

    kind: ProblemKind
    text: str
    values: tuple[str, ...] = ()
    column: Column | None = None  # whose values they are

    @property
    def whole(self) -> str:
        """The text with the values."""
        return f"{self.text} There is: {', '.join(map(repr, self.values))}." if self.values else self.text


def check_sql(sql: str, index: SchemaIndex) -> list[Problem]:
    """Return what is wrong with a statement, most telling first; empty when nothing is.

    Only what the index knows is judged: labels pass, and so does what a sub-query makes anew.
    """
    import sqlglot
    from sqlglot import exp

    tree = sqlglot.parse_one(sql, read="duckdb")
    scopes = Scopes(tree, index)
    found: list[Problem] = []
    for select in tree.find_all(exp.Select):
        sources = scopes.of(select)
        found += _literals(select, sources, index)
        found += _joins(select, sources, index)
        found += _fan_out(select, sources, index)
    return list(dict.fromkeys(found))


def _own_nodes(select: exp.Select, *kinds: Any) -> list[Any]:
    """Return the nodes of some kinds that are of a SELECT itself, not of one inside it."""
    return [n for n in select.find_all(*kinds) if n.parent_select is select]


def _literals(select: exp.Select, sources: Sources, index: SchemaIndex) -> list[Problem]:
    """Text compared with a column whose values are all known, and that is none of them."""
    from sqlglot import exp

    pairs: list[tuple[Any, Any]] = []
    for e in _own_nodes(select, exp.EQ, exp.NEQ):
        pairs += [(e.this, e.expression), (e.expression, e.this)]
        listed = e.expression.find(exp.Array) if isinstance(e.expression, exp.Any) else None
        pairs += [(e.this, v) for v in (listed.expressions if listed is not None else ())]
    pairs += [(e.this, v) for e in _own_nodes(select, exp.In) for v in e.expressions]
    pairs += [(e.this, e.expression) for e in _own_nodes(select, exp.Like, exp.ILike)]
    pairs += [(e.this, w.this) for e in _own_nodes(select, exp.Case) if e.this is not None for w in e.args["ifs"]]
    found: list[Problem] = []
    for left, right in pairs:
        column = sources.column(_bare(left))
        if column is None or not isinstance(right, exp.Literal) or not right.is_string:
            continue
        values = sorted({str(v) for v in index.values.get(column, {}).values()})
        if not values or any(_fits(right, left, v) for v in values):
            continue
        near = nearest(right.this.strip("%"), values) or values[:_SHOWN]
        found.append(Problem("literal", f"{right.this!r} does not occur in {column}.", tuple(near), column))
    return found


def _bare(node: Any) -> Any:
    """Return what stands inside lower(), upper(), trim() and a cast to text."""
    from sqlglot import exp

    while isinstance(node, exp.Lower | exp.Upper | exp.Trim | exp.Cast | exp.TryCast | exp.Paren):
        node = node.this
    return node


def _fits(right: Any, left: Any, value: str) -> bool:
    """Whether a value can meet a literal, as the comparison has it: by case, by pattern, trimmed."""
    from sqlglot import exp

    said, node = right.this, left
    while isinstance(node, exp.Lower | exp.Upper | exp.Trim | exp.Cast | exp.TryCast | exp.Paren):
        make = {exp.Lower: str.lower, exp.Upper: str.upper, exp.Trim: str.strip}.get(type(node), str)
        value, node = make(value), node.this
    if isinstance(right.parent, exp.Like | exp.ILike):
        pattern = "".join(_WILD.get(ch) or re.escape(ch) for ch in said)
        flags = re.DOTALL | (re.IGNORECASE if isinstance(right.parent, exp.ILike) else 0)
        return re.fullmatch(pattern, value, flags) is not None
    return value == said


def _joins(select: exp.Select, sources: Sources, index: SchemaIndex) -> list[Problem]:
    """Base tables joined without a condition, on columns of which neither is a key, or on two different keys."""
    from sqlglot import exp

    found: list[Problem] = []
    for join in select.args.get("joins") or []:
        table = sources.tables.get(join.this.alias_or_name.casefold()) if isinstance(join.this, exp.Table) else None
        if table is None:
            continue
        using = [str(getattr(u, "name", u)) for u in join.args.get("using") or []]
        if str(join.args.get("method") or "").upper() == "NATURAL":
            others = {n.casefold() for t in sources.tables.values() if t != table for n in index.columns[t]}
            using = [n for n in index.columns[table] if n.casefold() in others]
        condition = join.args.get("on")
        if not using and condition is None:
            where = select.args.get("where")
            equal = _own_nodes(select, exp.EQ) if where is not None else []
            if not any(_crosses(e, sources, table) for e in equal):  # an older way of joining
                found.append(Problem("join", f"{table} is joined without a condition: every row meets every row."))
                continue
            pairs = [(sources.column(e.this), sources.column(e.expression)) for e in equal]
        elif using:
            others = [t for t in sources.tables.values() if t != table]
            pairs = [(_own(t, u, index), _own(table, u, index)) for u in using for t in others]
        else:
            pairs = [(sources.column(e.this), sources.column(e.expression)) for e in condition.find_all(exp.EQ)]
        tied = [(a, b) for a, b in pairs if a is not None and b is not None and a.table != b.table]
        if tied and not any(index.unique(c.table, c.name) for pair in tied for c in pair):
            a, b = tied[0]
            said = f"{a} = {b} joins on no key: neither side is unique. {_right_join(a, b, index)}"
            found.append(Problem("join", said))
        else:
            found += [
                Problem("join", f"{a} = {b} joins values that do not belong together. {_right_join(a, b, index)}")
                for a, b in tied if len(tied) == 1 and not _belong(a, b, index)
            ]  # fmt: skip
    return found


def _belong(a: Column, b: Column, index: SchemaIndex) -> bool:
    """Whether two columns hold the same things: by a join of the data, or because the values of one are the other's."""
    held = [_held_by(c, index) for c in (a, b)]
    if held[0] & held[1]:
        return True
    if all((c.table, c.name) not in keys for c, keys in zip((a, b), held, strict=True)):
        return False  # each refers to something else
    if index.unique(a.table, a.name) and index.unique(b.table, b.name):
        return _within(a, b, index) and (a.name == b.name or _within(b, a, index))
    return _within(a, b, index) if index.unique(b.table, b.name) else _within(b, a, index)


def _within(a: Column, b: Column, index: SchemaIndex) -> bool:
    """Whether nearly all values of a column are values of another; true where it has none."""
    x, y = (f"CAST({quote(c.name)} AS VARCHAR)" for c in (a, b))
    n, hit = index.reads.one(
        f"SELECT count(*) AS n, count(*) FILTER (WHERE v IN (SELECT {y} FROM {quote(b.table)})) AS hit"
        f" FROM (SELECT {x} AS v FROM {quote(a.table)}) AS t WHERE v IS NOT NULL",
        a.table,
        b.table,
    )
    return n == 0 or hit >= SHARED * n


def _held_by(c: Column, index: SchemaIndex) -> set[tuple[str, str]]:
    """Return the keys that a column refers to; itself where it refers to none."""
    joins = [j for j in index.joins.touching(c.table) if (j.child, j.child_column) == (c.table, c.name)]
    return {(j.parent, j.parent_column) for j in joins} or {(c.table, c.name)}


def _own(table: str, name: str, index: SchemaIndex) -> Column | None:
    return next((c for n, c in index.columns[table].items() if n.casefold() == name.casefold()), None)


def _crosses(e: Any, sources: Sources, table: str) -> bool:
    a, b = sources.column(e.this), sources.column(e.expression)
    return a is not None and b is not None and a.table != b.table and table in (a.table, b.table)


def _right_join(a: Column, b: Column, index: SchemaIndex) -> str:
    routes = index.joins.any(a.table, b.table)
    if not routes:
        return f"There is no join of {a.table} and {b.table}."
    steps = "; ".join(f"{s.start[0]}.{s.start[1]} = {s.end[0]}.{s.end[1]}" for s in routes[0])
    return f"They join by {steps}."


def _fan_out(select: exp.Select, sources: Sources, index: SchemaIndex) -> list[Problem]:
    """A sum, mean, median or count of rows of a table that a join has repeated, here or in a sub-query."""
    from sqlglot import exp

    kinds = (exp.Sum, exp.Avg, exp.Count, exp.Median, exp.Stddev, exp.StddevSamp, exp.Variance, exp.Quantile)
    found: list[Problem] = []
    for call in _own_nodes(select, *kinds):
        if isinstance(call.this, exp.Distinct):
            continue
        for origin in (o for n in call.find_all(exp.Column) if (o := sources.origin(n)) is not None):
            table = origin.column.table
            many = origin.repeated or repeating(table, sources, index)
            if many and (origin.repeated or _repeats(select, table, sources, index)):
                said = f"{call.sql('duckdb')} takes rows of {table} more than once: each meets several of {many}."
                found.append(Problem("fan-out", f"{said} Aggregate {many} first, or use EXISTS."))
                break
    return found


def _repeats(select: exp.Select, table: str, sources: Sources, index: SchemaIndex) -> bool:
    """Whether the join of a SELECT, narrowed as it is, really repeats rows of a table; true where that is open."""
    from sqlglot import exp

    key = index.key_of(table)
    alias = next(a for a, t in sources.tables.items() if t == table)
    if (
        key is None
        or len(sources.tables) != len(sources.names)
        or len(set(sources.tables.values())) < len(sources.tables)
    ):
        return True
    name = exp.column(exp.to_identifier(key.name, quoted=True), exp.to_identifier(alias, quoted=True)).sql("duckdb")
    probe = select.copy()
    for part in ("group", "having", "order", "limit", "offset", "distinct", "qualify", "windows", "with_", "with"):
        probe.set(part, None)
    probe.set("expressions", [exp.maybe_parse(f"count({name})"), exp.maybe_parse(f"count(DISTINCT {name})")])
    try:
        n, different = index.engine.run(probe.sql("duckdb"), "fetchall", max_rows=None, timeout=PROBE_SECONDS)[0]
    except LexsiError:
        return True
    return bool(n > different)
