"""How many periods something happened in: `on how many different days`, `in how many months of 2020`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.grains import period_of
from lexsi_nb.grounding.language import schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex

# Figures that a number of periods is no count for: "how many months on average".
_OTHERS = ("agg", "by", "super", "most", "mode", "top", "share", "ratio", "difference", "growth", "running", "between")


def periods_counted(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions with the period that is counted as a column made of the date of the only rows named."""
    at = next((i for i, m in enumerate(items) if m.tag("grain") and not m.entries), 0)
    before = list(items[:at])
    distinct = bool(before) and before[-1].tag("distinct") is not None
    counted = before[-2:-1] if distinct else before[-1:]
    opens = before[: -2 if distinct else -1]
    placed = bool(opens) and opens[-1].tag("in") is not None and not opens[-1].entries
    if not counted or counted[0].tag("count") is None or counted[0].entries or not (distinct or placed):
        return list(items)
    rest = list(items[at + 1 :])
    if any(m.tag(t) is not None for m in rest for t in _OTHERS if not m.entries):
        return list(items)
    tables = {e.table for m in rest for e in m.of("table")}
    times = index.time_of(next(iter(tables))) if len(tables) == 1 else []
    if len(times) != 1 or (not placed and _last(items[at], times[0], index)):
        return list(items)
    day, grain = times[0], items[at].tag("grain") or "day"
    column = Column(day.table, grain, "date", period_of(named(day, "{p}"), grain))
    period = replace(items[at], tags=(), entries=(Entry("column", day.table, column),))
    return [*before[:-1], *(before[-1:] if distinct else [counted[0], _DISTINCT]), period, *_any(rest)]


_DISTINCT = Mention("different", tags=("distinct",))


def _last(m: Mention, day: Column, index: SchemaIndex) -> bool:
    """Whether the rows have a number of such periods of their own: how many months a loan runs."""
    units = {index.facts.column(day.table, n).unit for n in index.columns[day.table]}
    return m.tag("grain") == "month" and bool(units & schema_words.MONTHS)


def _any(rest: list[Mention]) -> list[Mention]:
    """Leave out `at least one` before the rows: a period that is counted has one."""
    for at in range(len(rest) - 2):
        least, one, noun = rest[at : at + 3]
        if least.tag("cmp") == ">=" and one.number == 1 and noun.of("table") and not one.entries:
            return [*rest[:at], replace(noun, gap=least.gap), *rest[at + 3 :]]
    return rest
