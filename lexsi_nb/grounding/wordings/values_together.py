"""Words that name a table and a value, beside another value of the same column: `refunds and sales` are two values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.words import singular

_JOINTS = ("and", "or", "vs")
_FIGURES = ("count", "agg")


def values_together(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions, each that stands for a table as a value where another of its column is joined to it."""
    out = list(items)
    for at, m in enumerate(out):
        word = singular(m.words.casefold())
        own = any(singular(e.table.casefold()) == word for e in m.of("table"))  # rows of that very name
        if not (m.of("table") and m.of("value")) or own:
            continue
        columns = {e.column for e in m.of("value")}
        if any(columns & {e.column for e in other.of("value")} for other in _joined(out, at)):
            out[at] = replace(m, entries=tuple(m.of("value")))
    return out


def _joined(items: Sequence[Mention], at: int) -> list[Mention]:
    """Return the mentions that a joint puts beside the one at a place, words for a figure passed over; no tables."""
    found: list[Mention] = []
    for step in (1, -1):
        i, joints = at + step, 0
        while 0 <= i < len(items) and _passed(items[i]):
            joints += any(items[i].tag(t) is not None for t in _JOINTS)
            i += step
        if joints and 0 <= i < len(items) and not items[i].of("table"):
            found.append(items[i])
    return found


def _passed(m: Mention) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in (*_JOINTS, *_FIGURES))
