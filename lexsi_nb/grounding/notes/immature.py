"""Periods whose outcome is not settled yet: a rate of them can still change, so the last ones are no trend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lexsi_nb.grounding.reading import Filter, Key, Measure, Reading
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.facts import Outcome
from lexsi_nb.grounding.schema.index import SchemaIndex

_OPEN = 0.05  # the share of rows with an open outcome from which a period is told


def immature(reading: Reading, index: SchemaIndex) -> tuple[str, ...]:
    """Return a note where a figure over time is of an outcome that many rows may still come to."""
    return _said(found) if (found := _found(reading, index)) is not None else ()


def first_open(reading: Reading, index: SchemaIndex) -> tuple[object, str] | None:
    """Return (the first period that is not settled, the note on it), None where all are."""
    found = _found(reading, index)
    told = _said(found) if found is not None else ()
    return (found.late.iloc[0, 0], told[0]) if found is not None and told else None


@dataclass(frozen=True)
class _Periods:
    """The rows in each period, those of them with an open outcome, and the periods in which these are many."""

    every: Any
    late: Any
    key: Key
    outcome: Outcome
    table: str


def _found(reading: Reading, index: SchemaIndex) -> _Periods | None:
    keys = [k for k in reading.keys if k.grain and k.column.table == reading.table]
    if not keys or not reading.measures or reading.kind in ("vintage", "yesno"):
        return None
    for o in index.facts.outcomes:
        if o.entity_table == reading.table and o.scored.sql and _tells(reading, o):
            return _open_periods(reading, keys[0], o, index)
    return None


def _tells(reading: Reading, o: Outcome) -> bool:
    """Whether a measure or a condition of a reading is of an outcome."""
    conditions = [*reading.filters, *(f for m in reading.measures for f in m.where)]
    said = [*(m.sql for m in reading.measures), *(f.sql for f in conditions)]
    return any(_plain(o.sql) in _plain(sql) for sql in said if sql)


def _plain(sql: str) -> str:
    return " ".join(sql.split()).casefold()


def _open_periods(reading: Reading, key: Key, o: Outcome, index: SchemaIndex) -> _Periods:
    others = tuple(f for f in reading.filters if not (f.sql and _plain(o.sql) in _plain(f.sql)))
    still = Filter(None, "sql", (), False, o.scored.text, o.scored.sql, reading.table)
    counted = replace(
        reading, kind="groupby", keys=(key,), filters=others, order=None, limit=None, having=(), notes=(),
        measures=(Measure("count", table=reading.table), Measure("count", table=reading.table, where=(still,))),
    )  # fmt: skip
    found = index.engine.query(ReadingSQL(counted, index).text())
    rows, left = found.iloc[:, 1], found.iloc[:, 2]
    return _Periods(found, found[(left > _OPEN * rows) & rows.gt(0)], key, o, reading.table)


def _said(found: _Periods) -> tuple[str, ...]:
    late, key, o = found.late, found.key, found.outcome
    rows, left = found.every.iloc[:, 1], found.every.iloc[:, 2]
    if late.empty:
        return ()
    first, last = (_period(late.iloc[i, 0], key.grain) for i in (0, -1))
    share = 100.0 * late.iloc[-1, 2] / late.iloc[-1, 1]
    noun = rows_word(found.table, int(rows.sum()))
    return (
        f"{int(left.sum()):,} of {int(rows.sum()):,} {noun} are still {o.scored.text or 'open'}, from {first} on "
        f"({share:.0f}% in {last}): these {key.grain}s can still change, so they are no trend",
    )


def _period(value: object, grain: str) -> str:
    return str(value) if grain == "year" else str(value)[:10]
