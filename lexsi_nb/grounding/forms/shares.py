"""Shares: what percentage of the rows, or of a sum, a condition or a group holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding import lexicon_en as lexicon
from lexsi_nb.grounding.forms.asking import COUNT, SUM, Ask, figure, refuse, split_by
from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.phrasing import phrasing
from lexsi_nb.grounding.reading import Choice, Filter, Link, Measure, Reading, Unread
from lexsi_nb.grounding.sql import ReadingSQL


def share(ask: Ask) -> Reading | None:
    """Return the reading of a question for a share, None when it asks for none."""
    if ask.at("share") is None or ask.at("growth") is not None:
        return None
    items = [m for m in ask.items if m.tag("share") is None]
    while items and (items[0].tag("list") is not None or items[0].tag("count") is not None):
        items.pop(0)
    while items and items[-1].tag("in") is not None:
        items.pop()
    if not items:
        refuse("A percentage of what?")
    within = next((i for i, m in enumerate(items) if m.tag("among") is not None), None)
    if within:
        items = [*items[within + 1 :], *items[:within]]
        return _of(ask, items[: len(items) - within], items[len(items) - within :], ())
    head, by = split_by(items)
    split = _predicate(head)
    return _of(ask, head[:split], head[split:], by)


def _predicate(items: Sequence[Mention]) -> int:
    """Return where the condition begins: at the main verb, else at a relative word, else after the first noun."""
    verbs = [i for i in range(1, len(items)) if set(items[i].gap) & lexicon.MAIN_VERBS]
    if verbs:
        return verbs[-1]
    loose = [
        i for i in range(1, len(items)) if set(items[i].gap) & lexicon.VERBS or items[i].tag("without") is not None
    ]
    if loose:
        return loose[0]
    first = next((i for i, m in enumerate(items) if m.of("table", "column", "value", "condition", "outcome")), 0)
    return min(len(items), first + 1)


def measured(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with what is counted or summed said: a count of rows, a sum of a number."""
    first = items[0] if items else None
    if first is None:
        return [COUNT]
    if first.tag("agg") is not None or first.tag("count") is not None:
        return list(items)
    numeric = any(e.column and e.column.type == "number" for e in first.of("column"))
    table_first = bool(first.of("table"))
    if numeric and not table_first:
        return [figure(first), *items]
    after = items[1] if len(items) > 1 else None
    if table_first and after is not None and not after.gap:
        owned = [e for e in after.of("column") if e.table in {t.table for t in first.of("table")}]
        if any(e.column and e.column.type == "number" for e in owned):
            return [SUM, *items]
    return [COUNT, *items]


def _of(ask: Ask, base: Sequence[Mention], held: Sequence[Mention], by: Sequence[Mention]) -> Reading:
    held = [m for m in held if m.tag("to") is None and m.tag("total") is None]
    whole = ask.read(measured(base))
    if not held:
        if by and (whole.filters or whole.links):
            raise Unread(_which_share(whole))
        return _by_group(ask, base, by)
    verb = bool(set(held[0].gap) & lexicon.VERBS) or any(m.of("condition", "outcome") for m in held)
    if by and not verb:
        raise Unread(_which_share(whole))
    part = ask.read([*measured(base), *held, *by])
    return part_of(part, whole, ask.index, alone=len(base) > 1 or bool(set(held[0].gap) & lexicon.VERBS))


def _which_share(whole: Reading) -> Choice:
    """Return the question whether a share is of each group or of all groups together."""
    ways = (f"of the {whole.table} rows in each group, how many fit", "of all that fit, how many are in each group")
    return Choice("A percentage of which rows?", ways)


def part_of(part: Reading, whole: Reading, index: SchemaIndex, *, alone: bool = True) -> Reading:
    """Return the reading of the share that the rows of `part` have in those of `whole`."""
    where, links = beyond(part, whole)
    if len(part.measures) != 1 or part.order or part.limit or part.having:
        refuse("I read a share of one count or sum only.")
    if not where and not links:
        refuse("I can't tell which part is meant: no condition tells it from the whole.")
    if len(where) + len(links) > 1 and not alone:
        ways = tuple(f"of all {part.table} rows" if i == 0 else f"of those with {where[0].words}" for i in range(2))
        raise Unread(Choice("A percentage of which rows?", ways if where else ways[:1]))
    return with_measures(part, (replace(part.measures[0], where=where, links=links, share=True),), whole, index)


def beyond(part: Reading, whole: Reading) -> tuple[tuple[Filter, ...], tuple[Link, ...]]:
    """Return the conditions that `part` has beyond `whole`.

    Raises:
        Unread: the two are not about the same rows.
    """
    same = part.table == whole.table and all(f in part.filters for f in whole.filters)
    if not same or not all(k in part.links for k in whole.links):
        refuse("I can't tell the part from the whole here.")
    return tuple(f for f in part.filters if f not in whole.filters), tuple(
        k for k in part.links if k not in whole.links
    )


def with_measures(part: Reading, measures: tuple[Measure, ...], whole: Reading, index: SchemaIndex) -> Reading:
    """Return a reading of measures that carry their own conditions, over the rows of `whole`."""
    counted = Measure("count", table=part.table)
    shown = measures if any(m == counted for m in measures) else (*measures, counted)
    made = replace(
        part, kind="share", measures=shown, filters=whole.filters, links=whole.links, order=None, limit=None, sql=""
    )
    made = replace(made, sql=ReadingSQL(made, index).text())
    return replace(made, text=phrasing(replace(made, measures=measures)))


def _by_group(ask: Ask, base: Sequence[Mention], by: Sequence[Mention]) -> Reading:
    if not by:
        refuse("A percentage of what, and with which condition?")
    found = ask.read([*measured(base), *by])
    if len(found.measures) != 1 or not found.keys:
        refuse("I read a percentage of one count or sum by group.")
    made = replace(found, kind="share", measures=(replace(found.measures[0], of_total=True), *found.measures), sql="")
    made = replace(made, sql=ReadingSQL(made, ask.index).text())
    return replace(made, text=phrasing(replace(made, measures=made.measures[:1])))
