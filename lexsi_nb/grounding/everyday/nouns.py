"""Rows that are named by a number of theirs: `scores below 50`, `out of stock`, `average visits per member`."""

from __future__ import annotations

from lexsi_nb.grounding.everyday.rows import (
    Anew,
    date_called,
    dated_rows,
    known,
    people_of,
    rows_of,
    said_as,
    tables_called,
)
from lexsi_nb.grounding.language import everyday, retold
from lexsi_nb.grounding.reading import Column, Declined, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.who import of_people
from lexsi_nb.grounding.words import name_words, singular


def _numbers(word: str, index: SchemaIndex) -> list[Column]:
    """Return the numbers that a word names and nothing else of the data."""
    found = index.lookup([word.casefold()])
    columns = [e.column for e in found if e.kind == "column" and e.column is not None and e.column.type == "number"]
    return columns if len(columns) == len(found) else []


def rows_of_a_number(question: str, index: SchemaIndex) -> Anew | None:
    """`scores below 50`: the rows that have such a number."""
    m = everyday.BARE_NUMBER.search(question)
    columns = _numbers(m["col"], index) if m is not None else []
    if m is None or len(columns) != 1:
        return None
    c = columns[0]
    asked = f"{m['lead'] or ''}{everyday.WITH_MANY.format(said_as(c.table), said_as(c.name), m['cmp'])} {m['rest']}"
    return Anew(asked, f"'{m['col']} {m['cmp']}' read as {c.table} with {c.name} {m['cmp']}")


def counted_for_each(question: str, index: SchemaIndex) -> Anew | None:
    """`average visits per member`: of their number."""
    m = everyday.AVERAGE_COUNT.search(question)
    if m is None or any(e.kind != "table" for e in index.lookup([m["rows"].casefold()])):
        return None
    rows, noun = m["rows"].casefold(), m["noun"].casefold()
    if singular(rows) == rows or len(tables_called(rows, index)) != 1:
        return None
    if not tables_called(noun, index) and noun not in everyday.PERIODS:
        return None
    asked = question[: m.start("rows")] + everyday.NUMBER_OF.format(m["rows"]) + question[m.end("rows") :]
    return Anew(asked, f"'average {m['rows']}' read as the average number of {m['rows']}")


def in_stock(question: str, index: SchemaIndex) -> Anew | None:
    """`products out of stock`: those whose number in stock is 0."""
    for p, way in everyday.STOCK:
        m = p.search(question)
        if m is None:
            continue
        tables = tables_called(m["noun"], index)
        held = [c for t in tables for c in index.numeric(t) if m["what"].casefold() in name_words(c.name)]
        if len(held) == 1:
            asked = question[: m.start()] + way.format(m["noun"], said_as(held[0].name)) + question[m.end() :]
            return Anew(asked, f"'{m[0]}' is told by {held[0]}")
        if tables:
            told = f"I can't tell what '{m['said']}' is told by."
            raise Unread(Declined(f"{told} Name the column and its number, such as 'with stock 0'.", (m["said"],)))
    return None


def value_of(question: str, index: SchemaIndex) -> Anew | None:
    """Refuse `stock value`, where a number of pieces and a price would have to be multiplied.

    Raises:
        Unread: with the two columns.
    """
    m = everyday.VALUE_OF.search(question)
    columns = _numbers(m["col"], index) if m is not None and not index.lookup([*name_words(m[0])]) else []
    prices = [p for c in columns[:1] for p in index.numeric(c.table) if set(name_words(p.name)) & everyday.PAYMENTS]
    if m is None or len(columns) != 1 or columns[0] in prices or not prices:
        return None
    told = f"No column holds the {m[0]}: it would be {columns[0].name} times {prices[0].name}, which I don't work out."
    raise Unread(Declined(f"{told} Ask for the total {columns[0].name}, or write the SQL.", (m[0],)))


def who_did(question: str, index: SchemaIndex) -> Anew | None:
    """`who hired the Calypso`: which of the people that the rows belong to."""
    m = everyday.WHO_DID.search(question)
    tables = tables_called(m["verb"], index) if m is not None else []
    people = people_of(tables[0], index) if len(tables) == 1 else []
    if m is None or len(people) != 1:
        return None
    who, verb = retold.WHICH.format(said_as(people[0])), m["verb"]
    asked = f"{who} {verb} {m['rest']}"
    return did(asked, index) or Anew(asked)


def did(question: str, index: SchemaIndex) -> Anew | None:
    """`riders who rented a race bike`: with a rental of one, where no word but the verb says what was done."""
    for p, way in everyday.DID:
        m = p.search(question)
        if m is None or index.lookup([m["verb"].casefold()]):
            continue
        tables, done = tables_called(m["head"], index), tables_called(m["verb"], index)
        rows = [t for h in tables for t in rows_of(h, index) if t in done]
        if len(tables) == len(rows) == 1:
            asked = question[: m.start()] + way.format(m["head"], said_as(rows[0]), m["rest"])
            return Anew(asked, f"'{m['verb']}' read as with {rows[0]}")
    return None


def times_done(question: str, index: SchemaIndex) -> Anew | None:
    """`how many times was Red rented`: the number of its rentals."""
    m = everyday.TIMES_DONE.search(question)
    done = tables_called(m["verb"], index) if m is not None else []
    if m is None or len(done) != 1 or not dated_rows(index):
        return None
    rest = m["rest"] or ""
    return Anew(everyday.ROWS_OF.format(said_as(done[0]), m["what"]) + rest, f"'{m['verb']}' read as {done[0]}")


def did_last(question: str, index: SchemaIndex) -> Anew | None:
    """`who joined last`, `which member joined first`: by the date that the verb names."""
    for p, way in everyday.DID_LAST:
        m = p.search(question)
        if m is None or (known(m["verb"], index) and not _dates(m["verb"], index)):
            continue
        noun = m.groupdict().get("noun")
        tables = tables_called(noun, index) if noun else [t for t in index.columns if of_people(t, index)]
        dates = [d for t in tables for d in date_called(m["verb"], t, index)]
        if len(dates) == 1:
            d = dates[0]
            return Anew(way.format(rows_word(d.table, 1), said_as(d.name), said_as(d.table)), f"told by {d}")
    return None


def _dates(word: str, index: SchemaIndex) -> bool:
    return any(e.column is not None and e.column.type == "date" for e in index.lookup([word.casefold()]))


def costs_most(question: str, index: SchemaIndex) -> Anew | None:
    """`which plan costs the most`: the most expensive one."""
    for p, way in everyday.COSTS:
        m = p.search(question)
        if m is not None and not known(m["verb"], index):
            return Anew(question[: m.start()] + m.expand(way) + question[m.end() :])
    return None
