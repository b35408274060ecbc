"""What everyday words point at in a dataset: rows that happen on a day, whose they are, what was paid, their end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lexsi_nb.grounding.language import everyday, grammar, lexicon, vocabulary
from lexsi_nb.grounding.reading import Choice, Column, Unread
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.who import of_people
from lexsi_nb.grounding.words import name_words, singular

MOST_TABLES = 100  # of so many, an everyday word does not tell which is meant, and their joins take long to verify


@dataclass(frozen=True)
class Anew:
    """A question asked anew, and what is said of it."""

    question: str
    note: str = ""


def said_as(name: str) -> str:
    """Return a name of the data as a question may have it."""
    return name if quote(name) == name else f"`{name}`"


def let_stand(column: Column, index: SchemaIndex) -> Column:
    """Let the name of a column that is worked out of others stand in questions, and return the column."""
    entry, held = Entry("column", column.table, column), index.entries.setdefault((column.name,), [])
    if entry not in held:
        held.append(entry)
    return column


def tables_called(word: str, index: SchemaIndex) -> list[str]:
    """Return the tables that a noun, or a verb of their name, may mean: `hired` of hires."""
    low = word.casefold()
    found = [e.table for e in index.lookup([low]) if e.kind == "table" and not e.weak]
    for noun in vocabulary.NOUNS.get(low, ()) if not found else ():
        found += [e.table for e in index.lookup([noun]) if e.kind == "table" and not e.weak]
    if not found and not index.lookup([low]):
        found = [t for t in index.columns if stems(name_words(t)[-1]) & stems(low)]
    return list(dict.fromkeys(found))


def known(word: str, index: SchemaIndex) -> bool:
    """Whether a word names something of the data."""
    return bool(index.lookup([word.casefold()])) or index.holds((singular(word.casefold()),))


def dated_rows(index: SchemaIndex, among: Iterable[str] | None = None) -> list[str]:
    """Return the tables whose rows happened on a day and belong to rows of another table, of those given."""
    dated = [t for t in (index.columns if among is None else among) if index.time_of(t)]
    if len(dated) > MOST_TABLES:
        return []
    owned = [
        t for t in dated
        if index.joins.parents(t) and not any(index.time_of(s.end[0]) for s in index.joins.children(t))
    ]  # fmt: skip
    return owned if owned else dated if len(index.columns) == 1 else []


def rows_of(table: str, index: SchemaIndex) -> list[str]:
    """Return the tables of dated rows that belong to the rows of a table."""
    children = dict.fromkeys(s.end[0] for s in index.joins.children(table))
    return [t for t in children if t != table and index.time_of(t)]


def people_of(table: str, index: SchemaIndex) -> list[str]:
    """Return the tables of people that the rows of a table belong to."""
    return [p for p in index.columns if p != table and of_people(p, index) and index.joins.up(table, p)]


def payments_of(table: str, index: SchemaIndex) -> list[Column]:
    """Return the numbers of a table that tell what was paid for a row."""
    return [c for c in index.numeric(table) if set(name_words(c.name)) & everyday.PAYMENTS]


def ends_of(table: str, index: SchemaIndex) -> tuple[Column, Column] | None:
    """Return the dates on which the rows of a table began and ended; None where it is open which these are."""
    dates = spanning(table, index)
    return (dates[0], dates[1]) if len(dates) == 2 else None


def spanning(table: str, index: SchemaIndex) -> list[Column]:
    """Return the dates of a table that a time may pass between, in the order of the columns."""
    columns = [c for c in index.columns[table].values() if c.type == "date"]
    return [c for c in columns if not set(name_words(c.name)) & everyday.NO_SPAN]


def date_called(word: str, table: str, index: SchemaIndex) -> list[Column]:
    """Return the dates of a table that a word or a verb may mean: `returned` of return_date, `hire` of hire_date."""
    words = [w for w in name_words(word) if w not in lexicon.DATE_NOUNS] or list(name_words(word))
    said = stems(words[0]) if words else frozenset()
    dates = [c for c in index.columns[table].values() if c.type == "date"]
    return [c for c in dates if any(said & stems(w) for w in name_words(c.name) if w not in lexicon.DATE_NOUNS)]


def stems(word: str) -> frozenset[str]:
    """Return what may be left of a word without the ending of a verb or of its noun: `return` of returned."""
    low = singular(word.casefold())
    cut = [low, *(low.removesuffix(e) for e in everyday.STEM_ENDS if low.endswith(e) and len(low) - len(e) > 2)]
    bare = {re.sub(r"(.)\1$", r"\1", w.rstrip("".join(grammar.VOWELS))) for w in cut}
    return frozenset(w for w in bare if len(w) > 2)


def one_of(prompt: str, ways: Sequence[tuple[str, str]], words: str) -> str:
    """Return the question of the one way there is.

    Raises:
        Unread: there are several, each with its question.
    """
    if len(ways) == 1:
        return ways[0][1]
    raise Unread(Choice(prompt, tuple(w for w, _ in ways), words, questions=tuple(q for _, q in ways), lasting=False))
