"""`Distribution of loan payments`: a number of a table's rows, where the words name a value of another table too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.schema.index import SchemaIndex

_LOOKS = ("summary", "distribution", "outliers", "correlation", "pairs", "chart")
_TIMES = ("grain", "date", "half", "quarter", "monthname")
_FIGURES = frozenset({"avg", "median", "min", "max", "stddev", "variance", "range", "iqr"})


def own_columns(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, a value's words split into a table and its number where a figure of numbers is asked for."""
    out: list[Mention] = []
    for m in _named_numbers(items):
        out += _split(m, index) if m.of("value") and _wants_number(items) else [m]
    return out


def _named_numbers(items: Sequence[Mention]) -> list[Mention]:
    """`correlation of the number of inhabitants and ...`: the number is the column, and nothing is counted."""
    if not any(m.tag("correlation") is not None and not m.entries for m in items):
        return list(items)
    out: list[Mention] = []
    for i, m in enumerate(items):
        after = items[i + 1] if i + 1 < len(items) else None
        number = (
            after is not None
            and not after.of("table")
            and any(e.column and e.column.type == "number" for e in after.of("column"))
        )
        if not (m.tag("count") is not None and not m.entries and number):
            out.append(m)
    return out


def _wants_number(items: Sequence[Mention]) -> bool:
    loose = [m for m in items if not m.entries]
    if any(m.tag(t) is not None for m in loose for t in _LOOKS):
        return True
    dated = any(m.day or m.number is not None or any(m.tag(t) is not None for t in _TIMES) for m in items)
    return not dated and any((m.tag("agg") or "") in _FIGURES for m in loose)  # a payment in 1997 has a day of its own


def _split(m: Mention, index: SchemaIndex) -> list[Mention]:
    *head, last = m.words.casefold().split() or [""]
    if not head or m.tags or m.literal is not None or len(m.of("value")) != len(m.entries):
        return [m]
    tables = [e for e in index.lookup(head) if e.kind == "table"]
    numbers = [e for e in index.lookup([last]) if e.kind == "column" and e.column and e.column.type == "number"]
    own = [e for e in numbers if e.table in {t.table for t in tables}]
    if len(own) != 1 or own[0].table in {e.table for e in m.of("value")}:
        return [m]
    table = next(t for t in tables if t.table == own[0].table)
    return [replace(m, words=" ".join(head), entries=(table,)), Mention(last, entries=(own[0],))]
