"""A model's SQL held against the data: literals that occur nowhere, joins on no key, rows counted twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import nearest
from lexsi_nb.grounding.for_models.sql_joins import bare, join_problems, semi_joins
from lexsi_nb.grounding.for_models.sql_problems import Problem, ProblemKind
from lexsi_nb.grounding.for_models.sql_sources import Scopes, Sources
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Problem", "ProblemKind", "check_sql"]
_SHOWN = 8
_FEW = 31  # a column with fewer different numbers than this has them listed
_WILD = {"%": ".*", "_": "."}  # of LIKE


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
        found += join_problems(select, sources, index)
        found += semi_joins(select, sources, scopes, index)
        found += _fan_out(select, sources, scopes)
    return list(dict.fromkeys(found))


def _own_nodes(select: exp.Select, *kinds: Any) -> list[Any]:
    """Return the nodes of some kinds that are of a SELECT itself, not of one inside it."""
    return [n for n in select.find_all(*kinds) if n.parent_select is select]


def _literals(select: exp.Select, sources: Sources, index: SchemaIndex) -> list[Problem]:
    """Return texts and numbers compared with a column whose values are all known, and that are none of them."""
    from sqlglot import exp

    pairs: list[tuple[Any, Any]] = []
    for e in _own_nodes(select, exp.EQ, exp.NEQ):
        pairs += [(e.this, e.expression), (e.expression, e.this)]
        listed = e.expression.find(exp.Array) if isinstance(e.expression, exp.Any) else None
        pairs += [(e.this, v) for v in (listed.expressions if listed is not None else ())]
    pairs += [(e.this, v) for e in _own_nodes(select, exp.In) for v in e.expressions]
    pairs += [(e.this, e.expression) for e in _own_nodes(select, *_patterns())]
    pairs += [(e.this, w.this) for e in _own_nodes(select, exp.Case) if e.this is not None for w in e.args["ifs"]]
    found: list[Problem] = []
    for left, right in pairs:
        column = sources.column(bare(left))
        if column is None and isinstance(left, exp.Year) and isinstance(right, exp.Literal):
            found += _number(right, sources.column(left.this), index, "year")
        if column is None or not isinstance(right, exp.Literal):
            continue
        if not right.is_string:
            found += _number(right, column if left is bare(left) else None, index)
            continue
        values = sorted({str(v) for v in index.values.get(column, {}).values()})
        if not values or any(_fits(right, left, v) for v in values):
            continue
        if any(_fits(right, left, v) for v in _as_written(column, index)):
            continue  # the index keeps one of the spellings that are read alike
        near = nearest(right.this.strip("%"), values) or values[:_SHOWN]
        found.append(Problem("literal", f"{right.this!r} does not occur in {column}.", tuple(near), column))
    return found


def _as_written(column: Column, index: SchemaIndex) -> list[str]:
    """Return the different texts of a column as they are written; none of one that is no column of a table."""
    if column.sql:
        return []
    place = f"CAST({quote(column.name)} AS VARCHAR)"
    sql = f"SELECT DISTINCT {place} AS v FROM {quote(column.table)} WHERE {place} IS NOT NULL"
    return [str(r[0]) for r in index.reads.rows(sql, column.table)]


def _number(said: Any, column: Column | None, index: SchemaIndex, piece: str = "") -> list[Problem]:
    """Return the problem of a number that is none of the few that a column holds, or of its years."""
    if column is None or column.sql or column.type != ("date" if piece else "number"):
        return []
    place = f"year({quote(column.name)})" if piece else quote(column.name)
    sql = f"SELECT DISTINCT {place} AS n FROM {quote(column.table)} WHERE {place} IS NOT NULL ORDER BY n LIMIT {_FEW}"
    values = [r[0] for r in index.reads.rows(sql, column.table)]
    told = {float(v) for v in values}
    if len(values) == _FEW or not told or told <= {0.0, 1.0} or float(said.this) in told:
        return []
    of = f"the years of {column}" if piece else str(column)
    shown = tuple(f"{v:g}" for v in map(float, values[:_SHOWN]))
    return [Problem("literal", f"{said.this} does not occur in {of}.", shown, column)]


def _patterns() -> tuple[type, ...]:
    """Return the comparisons of a text with a part or a pattern of it."""
    from sqlglot import exp

    plain = (exp.StartsWith, exp.EndsWith, exp.Contains)
    return (exp.Like, exp.ILike, exp.SimilarTo, exp.RegexpLike, exp.RegexpFullMatch, *plain)


def _fits(right: Any, left: Any, value: str) -> bool:
    """Whether a value can meet a literal, as the comparison has it: by case, by part, by pattern, trimmed."""
    from sqlglot import exp

    said, node = right.this, left
    while node is not bare(node):
        make = {exp.Lower: str.lower, exp.Upper: str.upper, exp.Trim: str.strip}.get(type(node), str)
        value, node = make(value), node.this
    held = right.parent
    if isinstance(held, exp.Like | exp.ILike):
        pattern = "".join(_WILD.get(ch) or re.escape(ch) for ch in said)
        flags = re.DOTALL | (re.IGNORECASE if isinstance(held, exp.ILike) else 0)
        return re.fullmatch(pattern, value, flags) is not None
    if isinstance(held, exp.RegexpLike | exp.RegexpFullMatch | exp.SimilarTo):
        try:
            found = (re.search if isinstance(held, exp.RegexpLike) else re.fullmatch)(said, value, re.DOTALL)
        except re.error:
            return True  # a pattern of another kind is not judged
        return found is not None or held.args.get("flag") is not None
    if isinstance(held, exp.StartsWith):
        return value.startswith(said)
    if isinstance(held, exp.EndsWith):
        return value.endswith(said)
    return said in value if isinstance(held, exp.Contains) else value == said


def _weighed() -> tuple[type, ...]:
    """Return the functions that a row taken twice makes another figure of."""
    from sqlglot import exp

    means = (exp.Sum, exp.Avg, exp.Count, exp.CountIf, exp.Median, exp.Mode, exp.Corr, exp.CovarPop, exp.CovarSamp)
    spread = (exp.Stddev, exp.StddevPop, exp.StddevSamp, exp.Variance, exp.VariancePop, exp.Kurtosis, exp.Skewness)
    places = (exp.Quantile, exp.ApproxQuantile, exp.PercentileCont, exp.PercentileDisc, exp.ArrayAgg, exp.GroupConcat)
    return (*means, *spread, *places)


def _fan_out(select: exp.Select, sources: Sources, scopes: Scopes) -> list[Problem]:
    """A sum, mean, median or count of rows of a table that a join has repeated, here or in a sub-query."""
    from sqlglot import exp

    found: list[Problem] = []
    for call in _own_nodes(select, *_weighed()):
        if isinstance(call.this, exp.Distinct):
            continue
        whole = call.parent if isinstance(call.parent, exp.WithinGroup) else call
        for node in whole.find_all(exp.Column):
            origin, rows = sources.origin(node), sources.rows.get(node.table.casefold(), "")
            table = origin.column.table if origin is not None else rows if isinstance(node.this, exp.Star) else ""
            many = (origin.repeated if origin is not None else "") or scopes.repeated(select, table, sources)
            if many:
                said = f"{whole.sql('duckdb')} takes rows of {table} more than once: each meets several of {many}."
                found.append(Problem("fan-out", f"{said} Aggregate {many} first, or use EXISTS."))
                break
    return found
