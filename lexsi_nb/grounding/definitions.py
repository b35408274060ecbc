"""Meanings that a person gives to words, and a first draft of a dataset's knowledge, inferred and marked so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.grounding.clauses import condition
from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.mentions import mentions
from lexsi_nb.grounding.names import quote
from lexsi_nb.grounding.reading import Choice, Declined, Reading
from lexsi_nb.grounding.sql import ReadingSQL

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

_QUOTED = r"""['"‘“](?P<term>[^'"’”]+)['"’”]"""
_MEANS = re.compile(rf"^\s*(?:here,?\s+)?{_QUOTED}\s+(?:means?|is|are)\s+(?P<meaning>.+?)\s*\.?\s*$", re.I)
FEW_CODES = 12


@dataclass(frozen=True)
class Definition:
    """Words and the condition they stand for; `of` is the table whose rows the words name, where it is another."""

    term: str
    table: str
    sql: str
    text: str
    of: str = ""

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
        if self.of:
            said["of"] = self.of
        return {**said, "reading": {"table": self.table, "sql": self.sql}, "source": "user"}


def definition_said(text: str) -> tuple[str, str] | None:
    """Return (words, meaning) of a sentence such as `here, 'late' means status B or D`; None for another."""
    found = _MEANS.match(text)
    return (found["term"].strip(), found["meaning"]) if found else None


def define(term: str, meaning: str, grounder: Grounder) -> Definition | Declined | Choice:
    """Return what words are to stand for, grounded in the data; or why the meaning cannot be told."""
    found = grounder.read(meaning)
    if isinstance(found, Declined):
        found = _of_rows(term, meaning, grounder) or found
    if not isinstance(found, Reading):
        return found
    if found.measures or found.order or found.limit or found.kind != "list" or not (found.filters or found.links):
        return Declined(f"'{meaning}' is no condition on rows.", (meaning,))
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
    return Definition(term, found.table, sql, found.text, of)


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


def draft(index: SchemaIndex) -> dict[str, Any]:
    """Return a first draft of a dataset's knowledge: keys, times, verified joins, code books. All marked inferred."""
    tables: dict[str, Any] = {}
    for name, columns in index.columns.items():
        key, times = index.key_of(name), index.time_of(name, loose=True)
        entry: dict[str, Any] = {"inferred": True, "names": [name.casefold().replace("_", " ")]}
        if key is not None:
            entry["entity"] = key.name
        entry["time"] = times[0].name if len(times) == 1 else None
        if len(times) > 1:
            entry["dates"] = [t.name for t in times]
        described: dict[str, Any] = {}
        for c in columns.values():
            values = sorted(set(map(str, (index.values.get(c) or {}).values())))
            if 0 < len(values) <= FEW_CODES:
                described[c.name] = {"inferred": True, "codes": {v: "" for v in values}}
        if described:
            entry["columns"] = described
        tables[name] = entry
    joins = [
        {
            "from": f"{j.child}.{j.child_column}", "to": f"{j.parent}.{j.parent_column}", "many_to_one": True,
            "inferred": True, "text": "every value occurs" if j.complete else "most values occur",
        }
        for j in index.joins.joins
    ]  # fmt: skip
    return {"tables": tables, "join_paths": joins}
