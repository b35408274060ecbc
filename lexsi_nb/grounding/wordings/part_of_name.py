"""A word that names are made of, said as what rows are called: `members called Ana` are those named Ana Moro too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.rendering.clauses import literal
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import quote


def called_so(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, one word that rows are called by read as a whole word of their names."""
    out = list(items)
    for i, m in enumerate(out):
        if m.known or not set(m.gap) & grammar.CALLED or not m.words.isalpha():
            continue
        tables = next(({e.table for e in b.of("table")} for b in reversed(out[:i]) if b.of("table")), set())
        column = index.label_of(next(iter(tables))) if len(tables) == 1 else None
        if column is None or column.type != "text" or column.sql:
            continue
        has = f"list_contains(string_split(lower({quote(column.name)}), ' '), {literal(m.words.casefold())})"
        if _held(column, has, index):
            entry = Entry("condition", column.table, sql=has, text=f"{column.name} that has the word {m.words}")
            out[i] = replace(m, entries=(entry,))
    return out


def _held(column: Column, has: str, index: SchemaIndex) -> bool:
    sql = f"SELECT count(*) AS n FROM {quote(column.table)} WHERE {has}"
    return bool(index.reads.one(sql, column.table)[0])
