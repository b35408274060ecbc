"""Conditions on related rows that hang on other related rows: `towns with women who have a loan` are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Link, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex


def told_of_whom(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> Reading:
    """Return the reading with rows that are told of other related rows looked for among those alone.

    Raises:
        Unread: they may be told of either, and only one way is known to join them.
    """
    if reading.kind not in ("list", "topk", "count", "aggregate", "groupby") or not reading.sql:
        return reading
    for m in reading.measures:
        _hung(m.links, m.table or reading.table, items, index, open_only=True)
    links = _hung(reading.links, reading.table, items, index)
    if links == reading.links:
        return reading
    nested = replace(reading, links=links)
    nested = replace(nested, sql=ReadingSQL(nested, index).text())
    return replace(nested, text=phrasing(nested))


def _hung(
    links: tuple[Link, ...], base: str, items: Sequence[Mention], index: SchemaIndex, *, open_only: bool = False
) -> tuple[Link, ...]:
    held = [k for k in links if not (k.negated or k.op or index.joins.up(base, k.table))]
    for one in held:
        for other in held:
            at, to = _said_at(one, items), _said_at(other, items)
            if one is other or at < 0 or to <= at or any(m.tag("and") is not None for m in items[at:to]):
                continue
            first, theirs = (
                next(iter(index.joins.any(*ends)), ()) for ends in ((base, one.table), (one.table, other.table))
            )
            straight = next(iter(index.joins.any(base, other.table)), ())
            if not theirs or one.table in {s.end[0] for s in straight}:
                continue
            passed = [base, *(s.end[0] for s in (*first, *theirs))]
            if base in passed[1:]:
                continue
            if open_only or len(set(passed)) < len(passed) or any(f.negated for f in (*one.filters, *other.filters)):
                told = f"'{items[to].words}' may be told of '{items[at].words}' or of {base}, and these are other rows"
                raise Unread(Declined(f"{told}. Ask for the {one.table} rows first.", (items[to].words,)))
            nested = replace(other, filters=(*one.filters, *other.filters), through=one.table)
            return tuple(nested if k is other else k for k in links if k is not one)
    return links


def _said_at(link: Link, items: Sequence[Mention]) -> int:
    """Return the place of the first words that a link was made of; -1 where none name it."""
    said = (i for i, m in enumerate(items) if link.table in {e.table for e in m.entries})
    return next(said, -1)
