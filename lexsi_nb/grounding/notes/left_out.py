"""What a figure leaves out or sets apart: rows without a value, a group or a match, and copies of rows; said of each.

One rule: a null is a missing value, and so is empty text, which is counted with them and said apart. A share is of all
rows that were asked about, those without a value among them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from lexsi_nb.grounding.reading import Column, Filter, Key, Measure, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import Builder
from lexsi_nb.grounding.rendering.phrasing import FIGURES, figure_of, rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

_OVER_VALUES = frozenset({"avg", "sum", "median", "stddev", "variance", "iqr", "cv"})
_OF_NULLS = ("null", "notnull")
_FEW_COPIES = 0.2  # of the rows: where more are copies, they are no slip but what the table holds
_MOST_ROWS = 2_000_000  # rows among which copies are looked for


@dataclass(frozen=True)
class _Part:
    """Rows told apart: `sql` is their condition, `said` what they are, with `{rows}` for the noun."""

    sql: str
    said: str
    dropped: bool = False  # by the join, where all rows that have a key find their match


def left_out(reading: Reading, index: SchemaIndex) -> tuple[str, ...]:
    """Return the notes on the rows that a reading leaves out or sets apart; none where every row has all it needs."""
    if not reading.table or reading.table not in index.columns or reading.kind in ("tables", "schema", "vintage"):
        return ()
    try:
        notes = [*_of_groups(reading, index), *_of_values(reading, index)]
        notes += [*_of_conditions(reading, index), *_copies(reading, index)]
    except Unread:  # what has no rows of its own grain has none to tell apart
        return ()
    return tuple(dict.fromkeys(notes))


def left_out_of_best(reading: Reading, by: Column, index: SchemaIndex, every: str) -> tuple[str, ...]:
    """Return the notes on the first rows of each group: rows of no group or without what they are ordered by, copies.

    `every` is the SQL that shows these rows with all columns of their table.
    """
    counted = replace(reading, kind="count", measures=(Measure("count", table=reading.table),), columns=())
    notes = [*_of_groups(counted, index), *_gaps(counted, by, index)]
    if _has_copies(reading.table, index):
        twice = f"SELECT count(*) AS n, (SELECT count(*) FROM (SELECT DISTINCT * FROM (\n{every}\n) AS r) AS o) AS once"
        n, once = index.reads.one(f"{twice}\nFROM (\n{every}\n) AS every", *reading.tables)
        notes += [_copies_said(reading.table, int(n - once), "shown again")] if n > once else []
    return tuple(dict.fromkeys(notes))


# -- groups -----------------------------------------------------------------------------------------------------------


def _of_groups(reading: Reading, index: SchemaIndex) -> Iterable[str]:
    """`12 orders have no customer`: rows whose key to group by is missing, and why it is."""
    ranked = bool(reading.limit and reading.order and reading.order.measure)
    for key in reading.keys if reading.measures else ():
        found = _counted(reading, index, lambda w, key=key: _without_group(w, key, index))
        total = sum(n for n, _ in found)
        if not total:
            continue
        rows, c = rows_word(reading.table, total), key.column
        named = c.table != reading.table and c in (index.key_of(c.table), index.label_of(c.table))
        name = rows_word(c.table, 1) if named else c.name
        kept = not all(p.dropped for n, p in found if n)
        fate = "left out" if reading.named_groups or not kept else "not ranked" if ranked else "set apart"
        told = "; ".join(f"{n:,} {p.said}" for n, p in found if n and p.said)
        yield f"{total:,} {rows} without {name}: {fate}" + (f" ({told})" if told else "")


def _without_group(w: ReadingSQL, key: Key, index: SchemaIndex) -> list[_Part]:
    """Return the ways in which a row can be without a group: no key, a key that matches nothing, no value there."""
    column, parts = key.column, []
    path = w.up(column.table)
    if path is None:
        return []
    there = ""
    for n, step in enumerate(path):
        start = w.b.node(path[:n]) + quote(step.start[1])
        end = w.b.node(path[: n + 1]) + quote(step.end[1])
        of = f"of {rows_word(step.start[0], 2)} " if n else ""
        parts.append(_Part(f"{there}{start} IS NULL", f"{of}without {step.start[1]}", step.join.complete))
        if not step.join.complete:
            said = f"{of}whose {step.start[1]} is in no row of {step.end[0]}"
            parts.append(_Part(f"{there}{start} IS NOT NULL AND {end} IS NULL", said))
        there = f"{end} IS NOT NULL AND "
    own = w.place(column)
    of = f"of {rows_word(column.table, 2)} " if path else ""
    parts.append(_Part(f"{there}{own} IS NULL", f"{of}without {column.name}"))
    if index.blank(column):
        parts[-1] = _Part(parts[-1].sql, f"{of}with null for {column.name}" if path else "null")
        parts.append(_Part(f"trim({own}) = ''", f"{of}with empty text for {column.name}" if path else "empty text"))
    elif not path:
        parts[-1] = _Part(parts[-1].sql, "")
    return parts


# -- values and conditions --------------------------------------------------------------------------------------------


def _of_values(reading: Reading, index: SchemaIndex) -> Iterable[str]:
    """`18 orders without Total are left out`: a mean or a sum is of the rows that have a value."""
    for m in reading.measures:
        c = m.column
        if c is None or (m.function not in _OVER_VALUES and not m.function.startswith("q0")):
            continue
        rows = replace(reading, filters=(*reading.filters, *m.where), links=(*reading.links, *m.links))
        yield from _gaps(rows, c, index, _figure(m, reading))
        yield from _infinite(rows, c, index)


def _infinite(reading: Reading, c: Column, index: SchemaIndex) -> Iterable[str]:
    """`2 rides with an infinite fare`: such values make a mean or a sum infinite, or leave it without a value."""
    span = index.span(c) if c.type == "number" and not c.sql else None
    if span is None or all(map(math.isfinite, span)):
        return
    for n, _ in _counted(reading, index, lambda w: [_Part(f"isinf({w.place(c)})", "")]):
        if n:
            yield f"{n:,} {rows_word(reading.table, n)} with infinite {c.name}: taken as they are, not left out"


def _figure(m: Measure, reading: Reading) -> str:
    """Return what rows are left out of, where not of every figure: the number of them counts those without a value."""
    if m.column is None or all(x.column == m.column and x.function != "count" for x in reading.measures):
        return ""
    own = [x.function for x in reading.measures if x.column == m.column]
    said = [figure_of(f, m.column.name) if f in FIGURES else f"quantile of {m.column.name}" for f in own]
    return f" of the {' and '.join(dict.fromkeys(said))}"


def _gaps(reading: Reading, c: Column, index: SchemaIndex, figure: str = "") -> Iterable[str]:
    if c.sql or index.has_gaps(c):
        for n, _ in _counted(reading, index, lambda w: [_Part(f"{w.place(c)} IS NULL", "")]):
            if n:
                yield f"{n:,} {rows_word(reading.table, n)} without {c.name}: left out{figure}"


def _of_conditions(reading: Reading, index: SchemaIndex) -> Iterable[str]:
    """Rows for which a condition can't be told: `not cancelled` leaves out those without a status."""
    negated = {f.column for f in reading.filters if f.negated and f.op not in _OF_NULLS}
    for f in reading.filters:
        c = f.column
        if c is None or c.sql:
            continue
        if f.op in _OF_NULLS and c not in negated:
            yield from _null_or_empty(_less(reading, lambda x, f=f: x == f), c, index)
        elif f.negated:  # the other negations of the column, and that it is filled, leave out the same rows
            others = _less(reading, lambda x, c=c: x.column == c and (x.negated or x.op == "notnull"))
            n, said = _lacking(others, c, index)
            if n:
                yield f"{n:,} {rows_word(reading.table, n)} without {c.name}{said}: not counted"
    for m in reading.measures:
        for f in m.where if m.share else ():
            if f.column is None or f.column.sql:
                continue
            if f.op in _OF_NULLS:
                yield from _null_or_empty(reading, f.column, index)
                continue
            n, said = _lacking(reading, f.column, index)
            if n:
                yield f"a share of all {rows_word(reading.table)}, also of the {n:,} without {f.column.name}{said}"


def _less(reading: Reading, out: Callable[[Filter], bool]) -> Reading:
    """Return a reading without some of its conditions."""
    return replace(reading, filters=tuple(f for f in reading.filters if not out(f)))


def _null_or_empty(rows: Reading, c: Column, index: SchemaIndex) -> Iterable[str]:
    if index.blank(c):
        yield " and ".join(f"{n:,} {p.said}" for n, p in _counted(rows, index, lambda w: _missing(w, c, index)))


def _lacking(rows: Reading, c: Column, index: SchemaIndex) -> tuple[int, str]:
    """Return how many rows have no value of a column, and in words how many of them are null and how many empty."""
    if not index.blank(c) and not index.has_gaps(c) and c.table == rows.table:
        return 0, ""
    found = _counted(rows, index, lambda w: _missing(w, c, index))
    told = f" ({' and '.join(f'{n:,} {p.said}' for n, p in found if n)})" if len(found) > 1 else ""
    return sum(n for n, _ in found), told


def _missing(w: ReadingSQL, c: Column, index: SchemaIndex) -> list[_Part]:
    own = w.place(c)
    empty = [_Part(f"trim({own}) = ''", "empty text")] if index.blank(c) else []
    return [_Part(f"{own} IS NULL", "null"), *empty]


# -- copies -----------------------------------------------------------------------------------------------------------


def _copies(reading: Reading, index: SchemaIndex) -> Iterable[str]:
    """`5 rows of orders are exact copies of others`: of a figure's own rows, each of them counted once more."""
    told = any(m.function not in ("min", "max", "distinct") for m in reading.measures)
    if not told or not _has_copies(reading.table, index):
        return
    table, w = reading.table, ReadingSQL(reading, index)
    for key in reading.keys:
        w.place(key.column, route=True)
    where = w.conditions([*w.named_groups(), *_of_measures(w)])
    if w.fan_out:
        return
    listed = ", ".join(w.place(c) for c in own_columns(table, index))
    rows = "\n    ".join([f"SELECT {listed}", *w.b.source(), *where])
    sql = f"SELECT count(*) AS n, (SELECT count(*) FROM (SELECT DISTINCT * FROM (\n    {rows}\n) AS r) AS o) AS once"
    tables = {table, *(s.end[0] for path in w.b.alias for s in path), *(k.table for k in reading.links)}
    n, once = index.reads.one(f"{sql}\nFROM (\n    {rows}\n) AS every", *tables)
    if n > once:
        yield _copies_said(table, int(n - once), "counted again")


def _copies_said(table: str, copies: int, fate: str) -> str:
    """Return the note on rows that are exact copies of others, and what became of them."""
    are = "row of {} is an exact copy of another" if copies == 1 else "rows of {} are exact copies of others"
    return f"{copies:,} {are.format(table)}: {fate}"


def own_columns(table: str, index: SchemaIndex) -> list[Column]:
    return [replace(c, zone="") for c in index.columns[table].values() if not c.sql]


def _has_copies(table: str, index: SchemaIndex) -> bool:
    """Whether a table without a key holds a few rows twice: where many are, that is what the table holds."""
    columns, rows = own_columns(table, index), index.rows.get(table) or 0
    if len(columns) < 2 or index.key_of(table) is not None or not 1 < rows <= _MOST_ROWS:
        return False
    listed = ", ".join(quote(c.name) for c in columns)
    sql = f"SELECT count(*) AS n FROM (SELECT DISTINCT {listed} FROM {quote(table)}) AS once"
    return 0 < rows - int(index.reads.one(sql, table)[0]) <= _FEW_COPIES * rows


def _of_measures(w: ReadingSQL) -> list[str]:
    """Return the condition of the rows that at least one measure is of; empty where one is of all rows."""
    ways = []
    for m in w.r.measures:
        parts = [] if m.share else [*(w.cond(f) for f in m.where), *(w.linked(k) for k in m.links)]
        parts += [f"{w.place(m.column, route=True)} IS NOT NULL"] if m.column is not None else []
        if not parts:
            return []
        ways.append(" AND ".join(parts))
    return [f"({' OR '.join(ways)})"]


# -- counting ---------------------------------------------------------------------------------------------------------


def _counted(
    reading: Reading, index: SchemaIndex, parts_of: Callable[[ReadingSQL], Sequence[_Part]]
) -> list[tuple[int, _Part]]:
    """Return how many of a reading's rows each part has; rows without a match are among them."""
    w = ReadingSQL(reading, index)
    w.b = Builder(reading.table, index)
    w.b.keep = True
    parts, where = parts_of(w), w.conditions()
    if not parts or w.fan_out:
        return []
    counts = ",\n       ".join(f"count(*) FILTER (WHERE {p.sql}) AS n{i}" for i, p in enumerate(parts))
    sql = "\n".join([f"SELECT {counts}", *w.b.source(), *where])
    tables = {reading.table, *(s.end[0] for path in w.b.alias for s in path), *(k.table for k in reading.links)}
    return list(zip(map(int, index.reads.one(sql, *tables)), parts, strict=True))
