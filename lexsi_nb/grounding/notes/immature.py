"""Periods whose outcome is not final: rows of them are still open, so what is counted of it can still rise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.reading import Filter, Measure, Reading
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, unique_names
from lexsi_nb.grounding.schema.facts import Outcome
from lexsi_nb.grounding.schema.index import SchemaIndex


def immature(reading: Reading, index: SchemaIndex) -> tuple[str, ...]:
    """Return the note on the periods of an outcome that are not final; none where all of them are."""
    open_ = open_periods(reading, index)
    if not open_:
        return ()
    grain, rows = reading.keys[0].grain, rows_word(reading.table)
    still, of = sum(n for _, n, _ in open_), sum(n for *_, n in open_)
    said = f"not final: of the {of:,} {rows} from {_said(open_[0][0], grain)} on, {still:,} are still open"
    return (f"{said}, so these {grain}s can still change, and a fall at the end is no trend",)


def open_periods(reading: Reading, index: SchemaIndex) -> list[tuple[Any, int, int]]:
    """Return (period, open rows, all rows) of each period of an outcome in which rows are still open, in order."""
    outcome = _outcome(reading, index)
    key = reading.keys[0] if len(reading.keys) == 1 else None
    if outcome is None or key is None or not key.grain or key.column.table != reading.table:
        return []
    known = Filter(None, "sql", negated=True, sql=outcome.labelled.sql, table=reading.table)
    every = Measure("count", name="of_all", table=reading.table)
    plain = Reading(
        "groupby", reading.table, (every, replace(every, name="still_open", where=(known,))), reading.keys,
        filters=tuple(f for f in reading.filters if f.sql != outcome.sql), links=reading.links,
    )  # fmt: skip
    frame = index.engine.query(ReadingSQL(plain, index).text())
    name = unique_names([key_name(key)])[0]
    rows = zip(frame[name], frame["still_open"], frame["of_all"], strict=True)
    return sorted((p, int(n), int(of)) for p, n, of in rows if n and p == p and p is not None)


def _outcome(reading: Reading, index: SchemaIndex) -> Outcome | None:
    """Return the outcome whose rows a reading counts."""
    said = {f.sql for f in reading.filters} | {f.sql for m in reading.measures for f in m.where}
    for o in index.facts.outcomes:
        metric = any(m.function == "metric" and o.sql in m.sql for m in reading.measures)
        if o.entity_table == reading.table and o.labelled.sql and (o.sql in said or metric):
            return o
    return None


def _said(period: Any, grain: str) -> str:
    return str(period)[:10] if grain != "year" else str(int(period))
