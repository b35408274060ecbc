"""Both ends of one order: `the largest and the smallest loan`, `the region with the most and the fewest members`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.ranked import ranked
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.ties import every_first
from lexsi_nb.grounding.reading import Order, Reading
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import Entry
from lexsi_nb.grounding.words import singular

_ENDS = ("super", "most", "top")
_OPPOSITE = ({"asc", "desc"}, {"first", "last"})


def both_ends(ask: Ask) -> Reading | None:
    """Return the reading of a question for the first and the last of one order, None for another question.

    Raises:
        Unread: one of the two ends has no reading, or they are ends of two orders.
    """
    found = next((e for i in range(len(ask.items)) if (e := _ends(ask.items[i:])) is not None), None)
    if found is None:
        return None
    first, joint, last = found
    at = next(i for i, m in enumerate(ask.items) if m is first[0])
    before, after = [_one(m) for m in ask.items[:at]], ask.items[at + len(first) + 1 + len(last) :]
    words = f"{first[0].words} {joint.words} {last[0].words}"
    ends = [_end(replace(ask, items=(*before, *end, *after))) for end in (first, last)]
    if len({_what(end) for end in ends}) > 1:
        if not before and (figures := _of_unnamed(ask, first, last[0], after)) is not None:
            return figures  # one end is shared by many rows, and so is told by its figure
        refuse(f"I can't tell what '{words}' are the two ends of.", words)
    if all(end.measures and end.order is None for end in ends):
        return _figures(ends, ask)
    if not before and (figures := _of_unnamed(ask, first, last[0], after)) is not None:
        return figures
    return _rows(ends, [(*end, *after) for end in (first, last)], ask)


def _ends(items: Sequence[Mention]) -> tuple[Sequence[Mention], Mention, Sequence[Mention]] | None:
    """Return (first, joint, last) where these mentions begin with the two ends of an order, each with its column."""
    joint = next((i for i, m in enumerate(items[:3]) if m.tag("and") is not None), None)
    if not joint or len(items) < 2 * joint + 1:
        return None
    first, last = items[:joint], items[joint + 1 : 2 * joint + 1]
    bare = not first[0].entries and not last[0].entries
    same = [m.entries for m in first[1:]] == [m.entries for m in last[1:]] and all(m.entries for m in first[1:])
    opposite = any({first[0].tag(tag), last[0].tag(tag)} in _OPPOSITE for tag in _ENDS)
    return (first, items[joint], last) if bare and same and opposite else None


def _one(m: Mention) -> Mention:
    """`districts with the highest and the lowest rate`: one of each."""
    return replace(m, words=singular(m.words)) if m.of("table") and " " not in m.words else m


def _end(ask: Ask) -> Reading:
    return ranked(ask) or ask.read(ask.items)


def _what(end: Reading) -> Reading:
    """Return the reading with nothing that the two ends may differ in."""
    order = replace(end.order, descending=True) if end.order else None
    told = tuple(replace(m, function="") for m in end.measures) if order is None else end.measures
    return replace(end, measures=told, order=order, sql="", text="", notes=(), apart=())


def _figures(ends: Sequence[Reading], ask: Ask) -> Reading:
    """`the longest and shortest stay by ward`: two figures of each group."""
    measures = tuple(dict.fromkeys(m for end in ends for m in end.measures))
    order = Order(measure=measures[0]) if ends[0].keys else None
    made = replace(ends[0], measures=measures, order=order, notes=())
    made = replace(made, sql=ReadingSQL(made, ask.index).text())
    return replace(made, order=None, text=phrasing(replace(made, order=None)))


def _of_unnamed(ask: Ask, first: Sequence[Mention], last: Mention, after: Sequence[Mention]) -> Reading | None:
    """`the smallest and largest order by bank`: the two figures, where the rows have no names to be told by."""
    by = next((i for i, m in enumerate(after) if m.tag("by") is not None and not m.entries), len(after))
    end = ask.tried((*first, *after[:by]))
    column = end.order.column if end is not None and end.order is not None else None
    if end is None or column is None or column.type != "number" or ask.index.label_of(end.table) is not None:
        return None
    said = [
        replace(m, tags=(f"agg:{'max' if m.tag('super') in ('desc', 'last') else 'min'}",)) for m in (first[0], last)
    ]
    measured = Mention(column.name, entries=(Entry("column", column.table, column),))
    rest = [m for m in after if column not in {e.column for e in m.of("column")}]
    return ask.tried((said[0], Mention("and", tags=("and",)), said[1], measured, *rest))


def _rows(ends: Sequence[Reading], items: Sequence[Sequence[Mention]], ask: Ask) -> Reading:
    """The rows or groups of one end above those of the other."""
    full = [every_first(end, said, ask.index) for end, said in zip(ends, items, strict=True)]
    if any(end.order is not None and end.limit is None for end in full):
        refuse("I read the two ends of an order only where it is said how many of each.")
    parts = ["(\n    " + end.sql.replace("\n", "\n    ") + "\n)" for end in full]
    notes = dict.fromkeys(n for end in full for n in end.notes)
    text = f"{full[0].text}; and {full[1].text}"
    return replace(ends[0], text=text, sql="\nUNION ALL\n".join(parts), notes=tuple(notes), order=None, limit=None)
