"""Conditions on related rows that hang on other related rows: `towns with women who have a loan` are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar
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
    if reading.kind not in ("list", "topk", "count", "aggregate", "groupby", "share") or not reading.sql:
        return reading
    for m in reading.measures:
        _hung(m.links, m.table or reading.table, items, index, open_only=True)
    links = _hung(_denied(reading.links, reading.table, items, index), reading.table, items, index)
    measures = tuple(
        replace(m, links=_denied(m.links, m.table or reading.table, items, index)) if m.links else m
        for m in reading.measures
    )
    if (links, measures) == (reading.links, reading.measures):
        return reading
    nested = replace(reading, links=links, measures=measures)
    nested = replace(nested, sql=ReadingSQL(nested, index).text())
    told = replace(nested, measures=measures[:1]) if nested.kind == "share" else nested
    return replace(nested, text=phrasing(told))


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


def _denied(links: tuple[Link, ...], base: str, items: Sequence[Mention], index: SchemaIndex) -> tuple[Link, ...]:
    """Return the links, a verb of having that is a value as well denied together with what it has.

    `clients who do not own a card`, `clients who own no card`: without a card of their own, and not with a card
    and owners of nothing.
    """
    for i, m in enumerate(items[:-1]):
        if m.words.casefold() not in grammar.HOLDS or not m.of("value"):
            continue
        after = items[i + 1].tag("without") is not None and not items[i + 1].entries
        thing = items[i + 1 + after] if i + 1 + after < len(items) else m
        denied = i > 0 and items[i - 1].tag("not") is not None
        columns = {e.column for e in m.of("value")}
        how = [k for k in links if len(k.filters) == 1 and not k.op and k.filters[0].column in columns]
        what = [k for k in links if k.table in {e.table for e in thing.of("table", "value")} and not k.op]
        if denied == after or len(how) != 1 or len(what) != 1 or how[0] is what[0]:
            continue
        way = next(iter(index.joins.any(base, what[0].table)), ())
        if how[0].negated != denied or what[0].negated != after or how[0].table not in {s.end[0] for s in way[:-1]}:
            continue
        none = replace(what[0], filters=(*what[0].filters, *how[0].filters), negated=True)
        links = tuple(none if k is what[0] else k for k in links if k is not how[0])
    return links


def _said_at(link: Link, items: Sequence[Mention]) -> int:
    """Return the place of the first words that a link was made of; -1 where none name it."""
    said = (i for i, m in enumerate(items) if link.table in {e.table for e in m.entries})
    return next(said, -1)
