"""`The names of the franchises`: a name that is said of a noun is the name of its rows, not another table's column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar, schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.words import singular


def named_rows(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, `names of the X` read as the column that names the rows of X."""
    out = list(items)
    for i, m in enumerate(items):
        noun = (_before(items, i) or owner(items, i)) if singular(m.words.casefold()) in schema_words.TITLE else None
        if noun is None or m.literal is not None:
            continue
        tables = list(dict.fromkeys(e.table for e in noun.of("table")))
        label = index.label_of(tables[0]) if len(tables) == 1 else None
        if label is not None and not any(e.column and e.column.table == tables[0] for e in m.of("column")):
            out[i] = replace(m, tags=(), entries=(Entry("column", label.table, label),))
    return out


def _before(items: Sequence[Mention], at: int) -> Mention | None:
    """Return the noun right before a name: the franchises in `franchise names`."""
    before = items[at - 1] if at and not items[at].gap else None
    return before if before is not None and before.of("table") and not before.of("column", "value") else None


def owner(items: Sequence[Mention], at: int) -> Mention | None:
    """Return the noun after "of" that a name is said of: the franchises in `names of all active franchises`."""
    said = False
    for m in items[at + 1 :]:
        said = said or bool(grammar.OF & set(m.gap))
        if m.of("table"):
            return m if said else None
        joined = m.tag("and") is not None and not m.entries
        if not joined and (m.tags or not m.entries):
            return None
    return None
