"""A model's SQL held against the data: literals that occur nowhere, joins on no key, rows counted twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from lexsi_nb.errors import nearest
from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.reading import Column

if TYPE_CHECKING:
    from sqlglot import exp

ProblemKind = Literal["literal", "join", "fan-out", "name"]
_SHOWN = 8


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

    Only what the index knows is judged: labels and sub-queries pass.
    """
    import sqlglot
    from sqlglot import exp

    tree = sqlglot.parse_one(sql, read="duckdb")
    found: list[Problem] = []
    for select in tree.find_all(exp.Select):
        sources = _sources(select, index)
        found += _literals(select, sources, index)
        found += _joins(select, sources, index)
        found += _fan_out(select, sources, index)
    return list(dict.fromkeys(found))


def _sources(select: exp.Select, index: SchemaIndex) -> dict[str, str]:
    """Return {alias: table} of the base tables that a SELECT reads itself."""
    from sqlglot import exp

    out: dict[str, str] = {}
    known = {t.casefold(): t for t in index.columns}
    parts: list[Any] = [select.args.get("from_") or select.args.get("from"), *(select.args.get("joins") or [])]
    for part in parts:
        table = part.this if part is not None else None
        if isinstance(table, exp.Table) and table.name.casefold() in known:
            out[table.alias_or_name.casefold()] = known[table.name.casefold()]
    return out


def _column(node: Any, sources: dict[str, str], index: SchemaIndex) -> Column | None:
    """Return the column of a base table that an expression names; None where that is open."""
    from sqlglot import exp

    if not isinstance(node, exp.Column):
        return None
    tables = [sources[node.table.casefold()]] if node.table and node.table.casefold() in sources else []
    tables = tables or ([] if node.table else list(dict.fromkeys(sources.values())))
    hits = [c for t in tables for n, c in index.columns[t].items() if n.casefold() == node.name.casefold()]
    return hits[0] if len(hits) == 1 else None


def _literals(select: exp.Select, sources: dict[str, str], index: SchemaIndex) -> list[Problem]:
    """Text compared with a column whose values are all known, and that is none of them."""
    from sqlglot import exp

    found: list[Problem] = []
    pairs: list[tuple[Any, Any]] = [(e.this, e.expression) for e in select.find_all(exp.EQ, exp.NEQ)]
    pairs += [(e.expression, e.this) for e in select.find_all(exp.EQ, exp.NEQ)]
    pairs += [(e.this, v) for e in select.find_all(exp.In) for v in e.expressions]
    for left, right in pairs:
        column = _column(left, sources, index)
        if column is None or not isinstance(right, exp.Literal) or not right.is_string:
            continue
        values = sorted({str(v) for v in index.values.get(column, {}).values()})
        if not values or right.this in values:
            continue
        near = nearest(right.this, values) or values[:_SHOWN]
        found.append(Problem("literal", f"{right.this!r} does not occur in {column}.", tuple(near), column))
    return found


def _joins(select: exp.Select, sources: dict[str, str], index: SchemaIndex) -> list[Problem]:
    """Base tables joined without a condition, or on columns of which neither is a key."""
    from sqlglot import exp

    found: list[Problem] = []
    for join in select.args.get("joins") or []:
        table = sources.get(join.this.alias_or_name.casefold()) if isinstance(join.this, exp.Table) else None
        if table is None:
            continue
        using = [str(getattr(u, "name", u)) for u in join.args.get("using") or []]
        condition = join.args.get("on")
        if not using and condition is None:
            where = select.args.get("where")
            tied = where is not None and any(
                _crosses(e, sources, index, table) for e in where.find_all(exp.EQ)
            )  # an older way of joining
            if not tied:
                found.append(Problem("join", f"{table} is joined without a condition: every row meets every row."))
            continue
        if using:
            pairs = [(_own(t, u, index), _own(table, u, index)) for u in using for t in sources.values() if t != table]
            pairs = [(a, b) for a, b in pairs if a is not None and b is not None]
        else:
            pairs = [
                (_column(e.this, sources, index), _column(e.expression, sources, index))
                for e in condition.find_all(exp.EQ)
            ]
        tied_by = [(a, b) for a, b in pairs if a is not None and b is not None and a.table != b.table]
        if tied_by and not any(index.unique(c.table, c.name) for pair in tied_by for c in pair):
            a, b = tied_by[0]
            found.append(
                Problem("join", f"{a} = {b} joins on no key: neither side is unique. {_right_join(a, b, index)}")
            )
    return found


def _own(table: str, name: str, index: SchemaIndex) -> Column | None:
    return next((c for n, c in index.columns[table].items() if n.casefold() == name.casefold()), None)


def _crosses(e: Any, sources: dict[str, str], index: SchemaIndex, table: str) -> bool:
    a, b = _column(e.this, sources, index), _column(e.expression, sources, index)
    return a is not None and b is not None and a.table != b.table and table in (a.table, b.table)


def _right_join(a: Column, b: Column, index: SchemaIndex) -> str:
    routes = index.joins.any(a.table, b.table)
    if not routes:
        return f"There is no join of {a.table} and {b.table}."
    steps = "; ".join(f"{s.start[0]}.{s.start[1]} = {s.end[0]}.{s.end[1]}" for s in routes[0])
    return f"They join by {steps}."


def _fan_out(select: exp.Select, sources: dict[str, str], index: SchemaIndex) -> list[Problem]:
    """A sum, mean or count of rows of a table that a join has repeated."""
    from sqlglot import exp

    tables = list(dict.fromkeys(sources.values()))
    found: list[Problem] = []
    for call in select.find_all(exp.Sum, exp.Avg, exp.Count):
        if call.parent_select is not select or isinstance(call.this, exp.Distinct):
            continue
        columns = [c for n in call.find_all(exp.Column) if (c := _column(n, sources, index)) is not None]
        for c in columns:
            many = [
                t for t in tables if t != c.table and not index.joins.up(c.table, t) and index.joins.any(c.table, t)
            ]
            if many:
                found.append(
                    Problem(
                        "fan-out",
                        f"{call.sql('duckdb')} takes rows of {c.table} more than once: each meets several of "
                        f"{many[0]}. "
                        f"Aggregate {many[0]} first, or use EXISTS.",
                    )
                )
                break
    return found
