"""What each word of a question was taken for, as a person reads it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from lexsi_nb.grounding.mentions import Mention, mentions
from lexsi_nb.grounding.reading import Column, Filter, Measure, Reading
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import name_words

MOST = 3  # meanings of one word that are named


@dataclass(frozen=True)
class _Used:
    """What a reading rests on: its columns, its tables, and the conditions that it sets."""

    columns: Collection[Column]
    tables: Collection[str]
    filters: tuple[Filter, ...]

    def rests_on(self, e: Entry) -> bool:
        """Whether one meaning of a word is the one that was taken."""
        if e.kind == "table":
            return e.table in self.tables
        if e.kind == "value":
            return any(f.column == e.column and e.value in f.values for f in self.filters)
        if e.kind in ("column", "unit"):
            return e.column in self.columns
        return any(f.sql == e.sql for f in self.filters) or e.kind == "metric"

    def holds(self, words: str) -> str:
        """Return the condition whose value is written so; an empty text where there is none."""
        said = words.casefold()
        for f in self.filters:
            if f.column is not None and f.op in ("in", "=") and said in {str(v).casefold() for v in f.values}:
                return f"{f.column} = {next(v for v in f.values if str(v).casefold() == said)!r}"
        return ""

    def counted(self, number: Any) -> str:
        """Return the column that a number is compared with, or whose time it names; an empty text for none."""
        for f in self.filters:
            if f.column is not None and f.column.type == "number" and number in f.values:
                return f"a number of {f.column}"
            if f.column is not None and any(getattr(v, "year", None) == number for v in f.values):
                return f"a time of {f.column}"
        return ""

    def named(self, words: str) -> str:
        """Return the column whose whole name is among some words; an empty text where there is none."""
        said = set(name_words(words))
        found = [str(c) for c in self.columns if (parts := name_words(c.name)) and set(parts) <= said]
        return f"column {found[0]}" if len(found) == 1 else ""


def words_read(question: str, index: SchemaIndex, reading: Reading | None = None) -> list[tuple[str, str]]:
    """Return (words, what they are taken for) of a question, in its order; filling words are left out.

    Without a reading, what they can be in these data.
    """
    used = _used(reading) if reading is not None else None
    items = [m for m in mentions(question, index).items if any(c.isalnum() for c in m.words) and not _joint(m)]
    return [(m.words, _told(m, used)) for m in items]


def _used(r: Reading) -> _Used:
    filters = tuple(_filters(r))
    measures = [
        *r.measures,
        *([r.order.measure] if r.order and r.order.measure else []),
        *(h.measure for h in r.having),
    ]
    columns = {*_columns(measures), *(k.column for k in r.keys), *r.shown, *(f.column for f in filters if f.column)}
    columns |= set(r.columns) if r.kind != "list" or r.distinct else set()
    if r.order and r.order.column:
        columns.add(r.order.column)
    tables = {r.table, *(k.table for k in r.links), *(k.table for m in measures for k in m.links)}
    return _Used(columns, tables | {m.table for m in measures if m.table}, filters)


def _columns(measures: list[Measure]) -> Iterator[Column]:
    for m in measures:
        if m.column is not None:
            yield m.column


def _filters(r: Reading) -> Iterator[Filter]:
    links = [*r.links, *(k for m in r.measures for k in m.links)]
    for f in (*r.filters, *(f for k in links for f in k.filters), *(f for m in r.measures for f in m.where)):
        yield f
        yield from f.inside()


def _told(m: Mention, used: _Used | None) -> str:
    taken = [e for e in m.entries if used is not None and used.rests_on(e)]
    nearest = [e for e in taken if e.kind != "table"] or taken
    if m.entries and not taken and used is not None and (column := used.named(m.words)):
        return column
    said = list(dict.fromkeys(_meaning(e) for e in nearest or m.entries))
    if said:
        more = f" or {len(said) - MOST} more" if len(said) > MOST else ""
        return " or ".join(said[:MOST]) + more
    if m.number is not None:
        return (used.counted(m.number) if used is not None else "") or "a number"
    if m.day is not None:
        return "a day"
    if used is not None and (value := used.holds(m.literal or m.words)):
        return value
    if m.literal is not None:
        return "a text"
    if m.tags:
        return _done(m)
    return "read with the words beside it" if used is not None else "nothing in the data"


_JOINTS = frozenset({"in", "and", "or", "list", "question"})
_DOES = {
    "agg": "a figure of a column", "count": "a number of rows", "by": "groups", "grain": "a period",
    "cmp": "a comparison", "share": "a percentage", "not": "a condition turned round", "super": "a ranking",
    "most": "a ranking", "top": "a ranking",
}  # fmt: skip


def _joint(m: Mention) -> bool:
    """Whether a word only joins others: it means nothing by itself."""
    return not m.entries and m.number is None and m.day is None and bool(m.tags) and set(m.tags) <= _JOINTS


def _done(m: Mention) -> str:
    """Return what a word of the language does, as far as that is said in a word or two."""
    said = dict.fromkeys(_DOES[t] for tag in m.tags if (t := tag.partition(":")[0]) in _DOES)
    return next(iter(said), "an operation")


def _meaning(e: Entry) -> str:
    if e.kind == "value":
        return f"{e.column} = {e.value!r}"
    if e.kind in ("column", "unit"):
        return f"column {e.column}" if e.kind == "column" else f"the unit of {e.column}"
    if e.kind == "table":
        return f"table {e.table}"
    if e.kind == "term":
        return "a word that needs a choice"
    return f"{e.kind} of {e.table}: {e.sql}"
