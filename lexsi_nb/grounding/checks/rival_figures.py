"""Figures that words can ask for besides the one that was taken: people or a population, rows or their values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.checks.asked_for import named_tables
from lexsi_nb.grounding.checks.scruples import conditions
from lexsi_nb.grounding.language import grammar, lexicon, retold, schema_words, vocabulary
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Declined, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words, plural, singular


def no_rival_figure(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """Hold the figure of a reading against the others that the words can ask for.

    Raises:
        Unread: with the choice, or what is not told.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    _people_or_population(reading, items, index)
    _age_of_others(reading, items)
    _values_counted(reading, items)
    _counted_by_what_is_done(reading, items)
    _each_or_all(reading, items)
    _all_values_joined(reading, items, index)
    _in_total(reading, items)
    _share_of_a_mean(reading)


def _people_or_population(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`how many people live in Prague`: the rows of a table of persons, or the number of all who live there?"""
    if reading.links or reading.table not in index.columns:
        return
    for m in items:
        word = singular(m.words.casefold())
        named = name_words(reading.table)[-1:]
        if word not in vocabulary.HEADS or reading.table not in named_tables([m]) or word in named:
            continue
        columns = [
            e.column for e in index.entries.get((vocabulary.HEADS_COLUMN,), ()) if e.kind == "column" and e.column
        ]
        told = {c.table for c in (*(f.column for f in conditions(reading)), *(k.column for k in reading.keys)) if c}
        own = [c for c in columns if c.table != reading.table and told <= {c.table}]
        if own:
            ways = (plural(reading.table), *(c.name for c in own))
            raise Unread(Choice(f"'{m.words}' can be counted in more than one way.", ways, m.words))


def _age_of_others(reading: Reading, items: Sequence[Mention]) -> None:
    """`how old are the accounts` asks for no age of the people who have them."""
    for m, noun in pairwise(items):
        aged = [e.column for e in m.of("column") if e.column and set(name_words(e.column.name)) & {*schema_words.AGE}]
        tables = set(named_tables([noun]))
        if aged and tables and grammar.OF & set(noun.gap) and not tables & {c.table for c in aged}:
            told = f"'{noun.words}' have no age; {aged[0].table} has one. Ask for the first or the last date of theirs."
            raise Unread(Declined(told, (m.words, noun.words)))


def _values_counted(reading: Reading, items: Sequence[Mention]) -> None:
    """`how many transfers to other banks` counts transfers, and no banks."""
    if [m.function for m in reading.measures] != ["distinct"] or reading.measures[0].column is None:
        return
    counted = reading.measures[0].column
    for first, m, noun in zip(items, items[1:], items[2:], strict=False):
        values = [e.column for e in m.of("value") if e.column and e.column.table == counted.table]
        between = {*noun.gap, m.words.casefold().split()[-1]} & lexicon.JOINING
        if first.tag("count") is not None and values and between and counted in [e.column for e in noun.of("column")]:
            ways = (f"number of {counted.table} rows with {values[0].name} '{m.words}'", f"number of {counted.name}")
            raise Unread(Choice("What is counted?", ways, m.words))


def _counted_by_what_is_done(reading: Reading, items: Sequence[Mention]) -> None:
    """`how many accounts are paid to`: a verb says which are counted, and nothing tells it."""
    if reading.kind != "count" or len(items) < 2:
        return
    last = items[-1]
    if not last.entries and last.gap and last.words.casefold() in lexicon.JOINING and last.number is None:
        words = " ".join((*last.gap[-1:], last.words))
        raise Unread(Declined(f"I can't tell which are meant by '{words}'.", (words,)))


def _each_or_all(reading: Reading, items: Sequence[Mention]) -> None:
    """`number of cities`, a column that every row has one of: all together, or each?"""
    if reading.kind != "list" or len(reading.shown) != 1 or reading.order or conditions(reading) or reading.links:
        return
    c = reading.shown[0]
    counts = tuple(f"{phrase} " for phrase in lexicon.PHRASES["count"])
    if c.type == "number" and len(items) == 1 and items[0].words.casefold().startswith(counts):
        asks = (f"total {c.name} of {c.table}", f"{c.name} of each {c.table}")
        raise Unread(
            Choice(f"Every row of {c.table} has its own.", (f"total {c.name}", f"each {c.name}"), questions=asks)
        )


def _all_values_joined(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`how many men and women have a loan`, which are all there are: the number of each, or of both together?"""
    if [m.function for m in reading.measures] != ["count"]:
        return
    for lead, first, joint, second in zip(items, items[1:], items[2:], items[3:], strict=False):
        joined = lead.tag("count") is not None and joint.tag("and") is not None and not joint.entries
        columns = {e.column for e in first.of("value")} & {e.column for e in second.of("value")}
        for f in conditions(reading) if joined else ():
            c = f.column
            if c is None or c not in columns or f.op != "in" or f.negated or any(k.column == c for k in reading.keys):
                continue
            counted = f"SELECT count(DISTINCT {quote(c.name)}) AS n FROM {quote(c.table)}"
            if index.reads.one(counted, c.table)[0] == len(f.values):
                both = f"{first.words} {joint.words} {second.words}"
                ways = (f"the number of each {c.name}", "of all of them together")
                said = (retold.BY.format("{}", c.name), plural(c.table))
                raise Unread(Choice(f"'{both}' are all there are.", ways, both, said=said, lasting=False))


def _in_total(reading: Reading, items: Sequence[Mention]) -> None:
    """`with orders of more than 900 in total` holds no single order against 900."""
    said = next((m for m in items if m.tag("total") is not None and not m.entries), None)
    if said is None:
        return
    for link in reading.links:
        for f in link.filters:
            if f.column is not None and f.column.type == "number" and f.op in (">", ">=", "<", "<=", "between"):
                told = (
                    f"'{said.words}' asks for the sum of the {link.table} rows of each, and I would compare one by one."
                )
                say = f"Say '{reading.table} with a total {f.column.name} of {link.table} ...' if so."
                raise Unread(Declined(f"{told} {say}", (said.words,)))


def _share_of_a_mean(reading: Reading) -> None:
    """`average stay`, `and the share of guests of 2024?`: a mean has no parts."""
    for m in reading.measures:
        if m.share and m.function not in ("count", "distinct", "sum"):
            raise Unread(
                Declined("A percentage is a part of a number of rows or of a sum; I would take that of a mean.")
            )
