"""Which column tells the oldest and the youngest: an age, a day or year of birth, or the one date things came to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lexsi_nb.grounding.language import everyday, grammar, lexicon, schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Declined, Order, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.wordings.periods import period
from lexsi_nb.grounding.wordings.who import of_people
from lexsi_nb.grounding.words import name_words, singular

OLDEST = 130  # years that a person may have


def ordered_in_time(words: str, table: str, index: SchemaIndex, *, descending: bool) -> Order:
    """Return what `latest`, `earliest`, `oldest` or `youngest` orders the rows of a table by.

    Raises:
        Unread: nothing tells it, or more than one column does.
    """
    last = words.casefold().split()[-1:]
    aged = bool(set(last) & (grammar.OLDEST | grammar.YOUNGEST))
    if aged and (found := _by_age(words, table, index, oldest=bool(set(last) & grammar.OLDEST))) is not None:
        return found
    times = index.time_of(table, loose=True)
    if len(times) > 1 and not aged:
        times = [t for t in times if not _is_birth(t, index)]  # the newest guest is not the youngest
    if len(times) != 1:
        told = f"{table} has no single date to tell '{words}' by."
        raise Unread(Declined(told, (words,), tuple(t.name for t in times)))
    if aged and _other_than_age(times[0], table, index):
        told = f"{table} has neither an age nor a date of birth to tell '{words}' by, and {times[0]} is another matter."
        raise Unread(Declined(f"{told} Ask for the first or the last by {times[0].name}.", (words,)))
    return Order(times[0], descending=descending)


def aged_than(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, `older than the average` read as an age above it, of the rows said before.

    Raises:
        Unread: no one number of theirs is an age.
    """
    for i in range(1, len(items) - 1):
        way, figure = items[i].tag("age"), items[i + 1]
        tables = [e.table for m in items[:i] for e in m.of("table")]
        if (
            way is None
            or items[i].entries
            or figure.entries
            or figure.tag("agg") not in ("avg", "median")
            or not tables
        ):
            continue
        ages = [c for c in index.columns[tables[-1]].values() if c.type == "number" and _is_age(c)]
        if len(ages) != 1:
            told = f"No one number of {tables[-1]} is an age, so '{items[i].words} the {figure.words}' can't be told."
            raise Unread(Declined(told, (items[i].words,)))
        column = Mention(ages[0].name, entries=(Entry("column", tables[-1], ages[0]),), gap=("with",))
        return [*items[:i], column, Mention(items[i].words, tags=(f"cmp:{way}",)), *items[i + 1 :]]
    return items


_IN_TIME = {">": "<", ">=": "<=", "<": ">"}  # what is older than a day came before it


def older_in_time(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, `loans older than 1995` read by the one date of loans; an age is of those who have one.

    Raises:
        Unread: a day is said of people, or a number of years of rows that have a date and no age.
    """
    out = list(items)
    for i, m in enumerate(items[:-1]):
        way = m.tag("age")
        if way is None or m.entries or not i:
            continue
        before = items[:i]
        aged = {e.table for e in index.entries.get(("age",), ()) if e.column}
        people = any(e.table in aged for x in before for e in x.of("table", "value", "condition"))
        tables = [e.table for x in before for e in x.of("table")]
        times = index.time_of(tables[-1], loose=True) if tables else []
        said = f"{m.words} {items[i + 1].words}"
        day = period(items, i + 1) is not None
        if day and people:
            told = f"'{said}' names no number of years. Say 'born before ...' or 'born after ...' for a day of birth."
            raise Unread(Declined(told, (said,)))
        if day and len(times) == 1:
            out[i] = Mention(m.words, tags=(f"date:{_IN_TIME[way]}",), gap=m.gap)
        elif not people and aged and len(times) == 1 and items[i + 1].number is not None:
            rows, date = rows_word(tables[-1]), times[0].name
            told = f"{rows.capitalize()} have no age here, only '{date}', so '{said}' can't be told."
            raise Unread(Declined(f"{told} Say '{rows} with {date} before ...' and a day.", (said,)))
    return out


def _by_age(words: str, table: str, index: SchemaIndex, *, oldest: bool) -> Order | None:
    """Return the order by birth, the earliest first for the oldest, or else by age; None where a table has neither."""
    columns = [c for c in index.columns[table].values() if c.type in ("date", "number")]
    births = [c for c in columns if _is_birth(c, index)]
    ages = [c for c in columns if c.type == "number" and c not in births and _is_age(c)]
    found = births or ages
    if len(found) > 1:
        told = f"{table} has more than one column to tell '{words}' by."
        raise Unread(Declined(told, (words,), tuple(c.name for c in found)))
    return Order(found[0], descending=oldest != bool(births)) if found else None


def _is_birth(c: Column, index: SchemaIndex) -> bool:
    named = bool(set(name_words(c.name)) & lexicon.BIRTH)
    if c.type == "date":
        return named or index.facts.column(c.table, c.name).birth
    return named and bool(set(name_words(c.name)) & schema_words.YEAR)


def _is_age(c: Column) -> bool:
    return bool(set(name_words(c.name)) & set(schema_words.AGE))


def _other_than_age(c: Column, table: str, index: SchemaIndex) -> bool:
    """Whether a date says nothing of an age: people are older than their membership, things than what was done last."""
    names = (table, *index.facts.table(table).names)
    people = {singular(w) for n in names for w in name_words(n)[-1:]} & lexicon.PEOPLE
    return bool(people) or bool(set(name_words(c.name)) & (lexicon.NEWEST | grammar.ENDED_ON | grammar.CHANGED_LATER))


def bare_age(table: str, words: str, op: str, values: Sequence[Any], index: SchemaIndex) -> Column | None:
    """Return the age that `patients over 65` compares: the one that people have; None where it need be none."""
    if not _like_an_age(table, op, values, index) or not of_age(words):
        return None
    derived = [e.column for w in schema_words.AGE for e in index.entries.get((w,), ()) if e.column and e.table == table]
    ages = list(dict.fromkeys(derived)) or [
        c for c in index.columns[table].values() if c.type == "number" and _is_age(c)
    ]
    return ages[0] if len(ages) == 1 else None


def not_an_age(table: str, words: str, op: str, values: Sequence[Any], index: SchemaIndex) -> None:
    """Refuse to take `patients over 65` for another number of people than their age.

    Raises:
        Unread: the data tell no age of theirs.
    """
    if _like_an_age(table, op, values, index) and of_age(words):
        told = f"'{words} {values[0]}' may be an age, and the data tell none of {table}."
        raise Unread(Declined(f"{told} Name the column that is meant.", (words,)))


def _like_an_age(table: str, op: str, values: Sequence[Any], index: SchemaIndex) -> bool:
    years = bool(values) and all(isinstance(v, int) and 0 < v < OLDEST for v in values)
    return years and op in (">", ">=", "<", "<=", "between") and of_people(table, index)


def of_age(words: str) -> bool:
    """Whether a comparison is said of ages without saying so: `over 65`."""
    return words.casefold().split()[0] in everyday.AGED if words else False
