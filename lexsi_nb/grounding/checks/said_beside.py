"""What stands right beside a noun is told of its rows: a judgement, a place or a year that was read of other rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Declined, Filter, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.periods import is_year
from lexsi_nb.grounding.wordings.who import of_people
from lexsi_nb.grounding.words import name_words


def said_beside(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """Hold the conditions of a reading against the nouns that they stand beside.

    Raises:
        Unread: a condition is read of other rows than those of the noun next to it.
    """
    if reading.table not in index.columns:
        return
    _judged(reading, items, index)
    _place_of_people(reading, items, index)
    _year_of_others(reading, items, index)
    _over_in(reading, items)


def _tables(m: Mention) -> set[str]:
    return {e.table for e in m.of("table")}


def _judged(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`bad towns` are no towns with one bad debt: rows that are not their own, or are theirs by way of others."""
    for link in reading.links:
        named = {f.sql for f in link.filters if f.op == "sql"}
        ways = index.joins.up(link.table, reading.table)
        if link.negated or link.op or not named or (ways and len(ways[0]) == 1):
            continue
        if of_people(reading.table, index):
            continue  # "bad clients"
        for m, noun in pairwise(items):
            if not named & {e.sql for e in m.of("condition")} or noun.gap or m.of("table"):
                continue
            if reading.table in {e.table for e in noun.of("table", "column")} and link.table not in _tables(noun):
                told = f"'{m.words}' is known of {link.table}, not of {noun.words}"
                text = f"{told}. Say '{noun.words} with {m.words} {rows_word(link.table)}' if so."
                raise Unread(Declined(text, (m.words,)))


def _place_of_people(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`loans of Paris customers`: the place is that of the customers, and the shop of a loan has one as well."""
    for f in reading.filters:
        if f.column is None or f.column.table == reading.table:
            continue
        passed = {s.end[0] for way in index.joins.up(reading.table, f.column.table) for s in way}
        for m, noun in pairwise(items):
            said = f.column in {e.column for e in m.of("value")} and not noun.gap
            others = {e.table for e in noun.of("table", "value")} - passed
            if not said or reading.table in others or len(others) != 1:
                continue
            other = next(iter(others))
            if not noun.of("column") and any(len(way) == 1 for way in index.joins.up(other, f.column.table)):
                ways = (f"{other} with {m.words}", f"{reading.table} with {m.words}")
                raise Unread(Choice(f"'{m.words}' can be said of {other} or of {reading.table}.", ways, m.words))


def _year_of_others(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`repairs of 2020 cars`: the year is that of the cars."""
    days = _days(reading)
    for m, noun in pairwise(items):
        others = {t for t in _tables(noun) if index.time_of(t) or index.year_of(t)}
        plain = is_year(m) and not noun.gap and not noun.of("value") and len(_tables(noun)) == 1
        if plain and others and days and not others & {f.home for f in days}:
            told = f"'{m.words}' stands before '{noun.words}', and I would take it of {days[0].column}"
            raise Unread(Declined(f"{told}. Say which day is meant.", (m.words,)))


def _over_in(reading: Reading, items: Sequence[Mention]) -> None:
    """`leases ended in 2020`, where the only day known is that of their beginning: no day of the end."""
    told = {(f.column, f.sql) for f in reading.filters if not (f.column and f.column.type == "date")}
    days = [f for f in _days(reading) if f.home == reading.table and f.column is not None]
    for m, joint, when in zip(items, items[1:], items[2:], strict=False):
        words = set(m.words.casefold().split())
        timed = is_year(when) or when.tag("monthname") is not None
        timed = timed and joint.tag("in") is not None and not joint.entries
        known = any((e.column, e.sql) in told for e in m.of("value", "condition"))
        if not (known and timed and days and not joint.gap and words & grammar.STATES_NOW):
            continue
        c = days[0].column
        if c is not None and not words & set(name_words(c.name)):
            told_now = f"'{m.words}' is what they are now, and {c} is no day on which they became so"
            raise Unread(
                Declined(f"{told_now}. Say '{m.words} {rows_word(reading.table)}' if now is meant.", (m.words,))
            )


def _days(reading: Reading) -> list[Filter]:
    both = [*reading.filters, *(f for link in reading.links for f in link.filters)]
    return [f for f in both if f.column is not None and f.column.type == "date" and f.op not in ("null", "notnull")]
