"""What a question says its words are taken as: `taking 'contracts' as contract: how many contracts in 2022`.

So each reading of words that leave it open has a question of its own, whatever else that question says.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lexsi_nb.grounding.language import grammar, retold
from lexsi_nb.grounding.reading import Column, Declined, Reading, Unread
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import Phrase, phrase
from lexsi_nb.grounding.words import name_words, singular


@dataclass(frozen=True)
class Pinned:
    """A question without what its words are taken as, an index where they mean nothing else, and what that is."""

    question: str
    index: SchemaIndex
    said: str
    name: str  # what the SQL of a reading has to hold


class _Dated(SchemaIndex):
    """An index where the rows of one table are dated by one column."""

    def __init__(self, whole: SchemaIndex, date: Column) -> None:
        vars(self).update(vars(whole))
        self._date = date

    def time_of(self, table: str, *, loose: bool = False) -> list[Column]:
        """Return the column that dates the rows of a table."""
        return [self._date] if table == self._date.table else super().time_of(table, loose=loose)


def pinned(question: str, index: SchemaIndex) -> Pinned | None:
    """Return the question that is left and the index that takes its words as it says; None where it says nothing."""
    text = question.strip()
    m = grammar.TAKEN_AS.fullmatch(text)
    if m is None and (m := grammar.DATED_BY.fullmatch(text)) is not None:
        date = column_called(m["column"], index)
        said = f"{m['column']} taken as the date"
        return Pinned(m["question"], _Dated(index, date), said, date.name) if date is not None else None
    if m is not None and (of := _rows_of(m["words"], m["means"], index)):
        told = copy.copy(index)
        told.said_of = {**index.said_of, m["words"]: of}
        return Pinned(m["question"], told, f"'{m['words']}' said of {of}", "")
    kept = _meanings(m["words"], m["means"], index) if m is not None else []
    if m is None or not kept:
        return None
    _ = index.joins.joins  # verified once, for both
    narrowed, keys = copy.copy(index), _keys(m["words"])
    narrowed.entries = {**index.entries, **dict.fromkeys(keys, kept)}
    held = {e.column for e in kept if e.kind == "value"}
    narrowed.values = {
        c: {k: v for k, v in listed.items() if k not in keys} if c not in held and keys & listed.keys() else listed
        for c, listed in index.values.items()
    }
    first = kept[0]
    value = str(first.value) if first.kind == "value" else ""
    name = value or (first.table if first.column is None else "" if first.column.sql else first.column.name)
    return Pinned(m["question"], narrowed, f"'{m['words']}' taken as {m['means']}", name)


def as_pinned(reading: Reading, pin: Pinned) -> Reading:
    """Return the reading with what its words were taken as in its text.

    Raises:
        Unread: the reading makes no use of it.
    """
    if pin.name not in reading.sql:
        raise Unread(Declined(f"With {pin.said}, nothing here is read by it.", (pin.name,)))
    return replace(reading, text=f"{reading.text} ({pin.said})")


def parted(question: str) -> tuple[str, str, str]:
    """Return what a question says before and behind itself of how it is taken, with the question between the two."""
    m = grammar.TAKEN_AS.fullmatch(question) or grammar.DATED_BY.fullmatch(question)
    lead, plain = (question[: m.start("question")], m["question"]) if m is not None else ("", question)
    if m is not None:
        more, plain, tail = parted(plain)
        return f"{lead}{more}", plain, tail
    by = grammar.PASSING.fullmatch(plain)
    return (lead, by["question"], plain[by.end("question") :]) if by is not None else (lead, plain, "")


def taken_as(words: str, meanings: Sequence[str]) -> tuple[str, ...]:
    """Return the texts that make questions of `{}` where some words are taken as tables or columns."""
    said = [f"{words} {m}".replace("{", "{{").replace("}", "}}") for m in meanings]
    named = words.replace("{", "{{").replace("}", "}}")
    return tuple(retold.TAKEN_AS.format(named, s[len(named) + 1 :], "{}") for s in said) if retold.TAKEN_AS else ()


def dated_by(date: Column) -> str:
    """Return the text that makes a question of `{}` where a column dates the rows of its table."""
    escaped = str(date).replace("{", "{{").replace("}", "}}")
    return retold.DATED_BY.format(escaped, "{}") if retold.DATED_BY else ""


def column_called(name: str, index: SchemaIndex) -> Column | None:
    """Return the column of a name such as `loan.amount`; None where there is none."""
    return next((c for t, held in index.columns.items() for c in held.values() if f"{t}.{c.name}" == name), None)


def _rows_of(words: str, means: str, index: SchemaIndex) -> str:
    """Return the table whose rows some words are said of: of `card with Prague`; "" where they are taken otherwise."""
    table, joint, said = means.partition(retold.JOINT or "\n")
    return table if joint and said == words and table in index.columns else ""


def _keys(words: str) -> set[Phrase]:
    low = words.casefold().split()
    return {tuple(low), tuple(map(singular, low)), phrase(words)}


def _meanings(words: str, means: str, index: SchemaIndex) -> list[Entry]:
    """Return what words mean where they are taken as a table, a column, a value, or as the values of a column."""
    found = list(dict.fromkeys(e for k in _keys(words) for e in index.entries.get(k, ())))
    names = {e: f"{e.column} {e.value}" if e.kind == "value" else str(e.column) if e.column else e.table for e in found}
    kept = [e for e in found if names[e] == means]
    kept = kept or [e for e in found if e.kind == "value" and str(e.column) == means]
    if kept:
        return kept
    column = column_called(means, index)
    named = column is not None and set(name_words(column.name)) & set(name_words(words))
    return [Entry("column", column.table, column)] if column is not None and named else []
