"""The age of people of whom the data tell the day of birth: in whole years, on the last day that the data tell."""

from __future__ import annotations

from datetime import date

from lexsi_nb.grounding.everyday.rows import Anew
from lexsi_nb.grounding.language import everyday, grammar, lexicon, schema_words
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words


def births(index: SchemaIndex) -> list[Column]:
    """Return the dates of birth, one of each table that has one and no age of its own."""
    return index.reads.made("births", index.columns, lambda: _births(index))


def _births(index: SchemaIndex) -> list[Column]:
    found = []
    for columns in index.columns.values():
        dates = [c for c in columns.values() if c.type == "date" and set(name_words(c.name)) & lexicon.BIRTH]
        aged = any(set(name_words(n)) & set(schema_words.AGE) for n in columns) if dates else False
        found += dates if len(dates) == 1 and not aged else []
    return found


def with_ages(index: SchemaIndex) -> None:
    """Let questions say `age` of people with a date of birth, where no knowledge graph says what their age is."""
    words = [(w,) for w in schema_words.AGE]
    if any(e.column is not None and e.column.sql for w in words for e in index.entries.get(w, ())):
        return
    if not (born := births(index)):
        return
    day = last_day(index)
    for c in born:
        column = Column(c.table, "age", "number", f"date_sub('year', {named(c, '{p}')}, DATE '{day}')")
        for w in words:
            index.entries.setdefault(w, []).append(Entry("column", c.table, column))


def oldest_on_average(question: str, index: SchemaIndex) -> Anew | None:
    """`which country has the oldest guests on average`: the one with the highest average age of them."""
    for p, way in everyday.OLDEST:
        m = p.search(question)
        if m is not None and any(e.kind == "column" for w in schema_words.AGE for e in index.entries.get((w,), ())):
            return Anew(question[: m.start()] + m.expand(way) + question[m.end() :])
    return None


def last_day(index: SchemaIndex) -> str:
    """Return the last day up to today that the data tell of anything but births and ends; today without one."""
    today, days = date.today().isoformat(), []
    passing = lexicon.BIRTH | grammar.ENDED_ON
    for columns in index.columns.values():
        for c in columns.values():
            if c.type != "date" or set(name_words(c.name)) & passing:
                continue
            sql = named(c, "")
            row = index.reads.one(
                f"SELECT CAST(max(CAST({sql} AS DATE)) AS VARCHAR) AS d FROM {quote(c.table)}", c.table
            )
            days += [row[0][:10]] if row[0] else []
    return max((d for d in days if d <= today), default=today)


def age_told(reading: Reading, index: SchemaIndex) -> tuple[str, ...]:
    """Return a note on the day that an age is told of."""
    if "date_sub('year'" not in reading.sql:
        return ()
    for c in births(index):
        for w in schema_words.AGE:
            for e in index.entries.get((w,), ()):
                own = e.column is not None and e.column.sql and e.table == c.table
                day = e.column.sql.rpartition("DATE '")[2][:10] if own and e.column is not None else ""
                if day and f"DATE '{day}')" in reading.sql:
                    return (f"ages are in whole years on {day}, from {c}",)
    return ()
