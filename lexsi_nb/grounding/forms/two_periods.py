"""Rows that something happened to in two periods: `members who visited in both 2023 and 2024`, `but not in 2024`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.either_rows import alike, own_condition
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Link, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.periods import period

Items = Sequence[Mention]
_LONGEST = 3  # mentions of a period


def in_two_periods(items: Items, index: SchemaIndex, plain: Callable[[Items], Reading]) -> Reading | None:
    """Return the reading of rows with related rows in each of two periods, or in the first and not in the second.

    No one row is in both, so each period is looked at by itself. None where the periods are of the rows asked for
    themselves, or may be one span: `in 2023 and 2024`.
    """
    for at, joint in enumerate(items):
        if joint.entries or joint.tag("and") is None or (spans := _spans(list(items), at)) is None:
            continue
        start, second, end = spans
        before, after = items[: start - 1], items[end:]
        lacks = items[second - 1].tag("not") is not None and second - 1 > at
        lead = replace(items[start - 1], gap=tuple(g for g in items[start - 1].gap if g not in grammar.BOTH))
        try:
            periods = [list(items[start:at]), list(items[second:end])]
            periods[0][0] = replace(periods[0][0], gap=tuple(g for g in periods[0][0].gap if g not in grammar.BOTH))
            one, two = (plain([*before, lead, *p, *after]) for p in periods)
        except Unread:
            return None
        first, other = own_condition(one, two), own_condition(two, one)
        if not isinstance(first, Link) or not isinstance(other, Link) or first.table != other.table:
            return None
        if not alike(one, two) or first.negated or first.op:
            return None
        made = replace(one, links=(*(k for k in one.links if k in two.links), first, replace(other, negated=lacks)))
        notes = tuple(dict.fromkeys((*one.notes, *two.notes)))
        return replace(made, sql=ReadingSQL(made, index).text(), text=phrasing(made), notes=notes)
    return None


def _spans(items: list[Mention], at: int) -> tuple[int, int, int] | None:
    """Return where the periods on both sides of a joint begin and where the second ends; None where they are one span.

    Each is told for itself where `both` stands before them, or `in` and `not in` before the second.
    """
    starts = [s for s in range(max(1, at - _LONGEST), at) if (p := period(items, s)) is not None and s + p[2] == at]
    if not starts or items[starts[0] - 1].tag("in") is None:
        return None
    start, second = starts[0], at + 1
    told = second < len(items) and not items[second].entries and _leads(items[second])
    second += told
    span = period(items, second) if second < len(items) else None
    each = told or bool(grammar.BOTH & {*items[start].gap, *items[start - 1].gap})
    return (start, second, second + span[2]) if span is not None and each else None


def _leads(m: Mention) -> bool:
    return m.tag("in") is not None or m.tag("not") is not None
