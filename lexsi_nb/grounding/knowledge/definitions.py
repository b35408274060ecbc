"""Meanings that a person gives to words, and a first draft of a dataset's knowledge, inferred and marked so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.grounding.knowledge.counted_rows import by_their_number
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import mentions
from lexsi_nb.grounding.reading import Choice, Declined, Reading
from lexsi_nb.grounding.rendering.clauses import condition
from lexsi_nb.grounding.rendering.phrasing import rows_named
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.names import phrase, quote

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@dataclass(frozen=True)
class Definition:
    """Words and the condition they stand for; `of` is the table whose rows the words name, where it is another."""

    term: str
    table: str
    sql: str
    text: str
    of: str = ""
    said: str = ""  # in the words of the person who said it

    @property
    def name(self) -> str:
        """The entry's name in a file."""
        return "_".join(self.term.casefold().split())

    @property
    def entry(self) -> dict[str, Any]:
        """The entry as a file holds it."""
        said: dict[str, Any] = {
            "text": f"'{self.term}' means {self.text}",
            "names": [self.term],
            "triggers": [self.term],
        }
        if self.said and self.said != self.text:
            said["said"] = self.said
        if self.of:
            said["of"] = self.of
        return {**said, "reading": {"table": self.table, "sql": self.sql}, "source": "user"}


@dataclass(frozen=True)
class Naming:
    """Words that are another name of a table, a column (`table.column`) or a figure of the data."""

    term: str
    text: str
    reading: dict[str, str]  # of a table or a column; empty for a figure, which `text` says in a question's words

    @property
    def name(self) -> str:
        """The entry's name in a file."""
        return "_".join(self.term.casefold().split())

    @property
    def entry(self) -> dict[str, Any]:
        """The entry as a file holds it."""
        said: dict[str, Any] = {"text": f"'{self.term}' means {self.text}", "triggers": [self.term], "source": "user"}
        if self.reading:
            return {**said, "names": [self.term], "reading": self.reading}
        return {**said, "reads": {"words": self.term, "as": self.text}}


def definition_said(text: str) -> tuple[str, str] | None:
    """Return (words, meaning) of a sentence such as `here, 'late' means status B or D`; None for another."""
    found = grammar.DEFINED.match(text)
    return (found["term"].strip(), found["meaning"]) if found else None


def define(term: str, meaning: str, grounder: Grounder) -> Definition | Naming | Declined | Choice:
    """Return what words are to stand for, grounded in the data; or why the meaning cannot be told."""
    named = _named(term, meaning, grounder)
    if named is not None:
        return named
    found = grounder.read(meaning)
    if isinstance(found, Declined):
        found = _of_rows(term, meaning, grounder) or found
    counted = by_their_number(meaning, found, grounder)
    if counted is not None:
        found = _taken(term, grounder) or counted
    if not isinstance(found, Reading):
        return found
    if found.kind in ("aggregate", "count") and len(found.measures) == 1 and not found.keys and not found.having:
        return _figure(term, meaning, found, grounder)
    if found.measures or found.order or found.limit or found.kind != "list" or not (found.filters or found.links):
        return Declined(f"'{meaning}' is no condition on rows.", (meaning,))
    if (taken := _taken(term, grounder)) is not None:
        return taken
    index = grounder.index
    if not found.links and all(f.home == found.table and f.op != "any" for f in found.filters):
        sql = " AND ".join(condition(f, "") for f in found.filters)
    else:
        key = index.key_of(found.table)
        if key is None:
            return Declined(f"{found.table} has no key, so this condition cannot be kept.", (meaning,))
        rows = Reading("list", found.table, columns=(key,), filters=found.filters, links=found.links)
        inner = " ".join(x for x in ReadingSQL(rows, index).text().split("\n") if not x.startswith("ORDER BY"))
        sql = f"{quote(key.name)} IN ({' '.join(inner.split())})"
    last = [e.table for e in index.lookup([term.casefold().split()[-1]]) if e.kind == "table"]
    of = last[0] if last and last[0] != found.table else ""
    return Definition(term, found.table, sql, rows_named(found.text), of, meaning)


def _figure(term: str, meaning: str, found: Reading, grounder: Grounder) -> Naming | Declined:
    """Return the name of a figure; with a condition, in words that name its rows, so that more can be said of it."""
    taken = _taken(term, grounder) if found.filters or found.links else None
    if taken is not None:
        return taken
    plain = grounder.read(found.text)
    whole = (found.filters or found.links) and isinstance(plain, Reading) and plain.sql == found.sql
    return Naming(term, found.text if whole else meaning, {})


def _taken(term: str, grounder: Grounder) -> Declined | None:
    """Return why a name of the data can't stand for a condition: it would be kept and never read so."""
    own = [e for e in grounder.index.entries.get(phrase(term), ()) if e.kind in ("table", "column") and not e.weak]
    place = own[0].column or own[0].table if own else ""
    return Declined(f"'{term}' is a name of the data already: {place}.", (term,)) if own else None


def _named(term: str, meaning: str, grounder: Grounder) -> Naming | Choice | None:
    """Return another name of the one table or column that a meaning names and says no more of."""
    items = mentions(meaning, grounder.index).items
    if len(items) == 2 and items[0].of("table") and items[1].of("column"):  # `ord amt`, `ord.amt`
        tables = {e.table for e in items[0].of("table")}
        columns = [e for e in items[1].of("column") if e.table in tables]
    elif len(items) == 1 and not items[0].tags:
        columns = items[0].of("column", "table")
    else:
        return None
    whole = [e for e in columns if e.column is None or (not e.weak and not e.column.sql)]
    places = list(dict.fromkeys((e.table, e.column.name if e.column else "") for e in whole))
    if len(places) > 1:
        said = tuple(f"{t} {c}".strip() for t, c in places)
        return Choice(f"'{meaning}' can be {' or '.join(said)}.", said, meaning)
    if not places:
        return None
    table, column = places[0]
    place = f"{table}.{column}" if column else table
    return Naming(term, place, {"column": place} if column else {"table": table})


def _of_rows(term: str, meaning: str, grounder: Grounder) -> Reading | Choice | None:
    """Return the reading of a condition that names no rows, `status B or D`: of the table that has such a column."""
    items = mentions(meaning, grounder.index).items
    tables = dict.fromkeys(e.table for m in items for e in m.of("column", "value") if not m.of("table"))
    ways = {t: grounder.read(f"list {t} with {meaning}") for t in tables}
    fits = {t: r for t, r in ways.items() if isinstance(r, Reading) and r.kind == "list" and (r.filters or r.links)}
    named = [e.table for e in grounder.index.lookup([term.casefold().split()[-1]]) if e.kind == "table"]
    fits = {t: r for t, r in fits.items() if t in named} or fits
    if len(fits) > 1:
        return Choice(f"'{meaning}' of which rows?", tuple(f"{t} with {meaning}" for t in fits), meaning)
    return next(iter(fits.values()), None)
