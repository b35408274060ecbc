"""What each word of a question was taken for, as a person reads it."""

from __future__ import annotations

from lexsi_nb.grounding.mentions import Mention, mentions
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.index import SchemaIndex

MOST = 3  # meanings of one word that are named


def words_read(question: str, index: SchemaIndex) -> list[tuple[str, str]]:
    """Return (words, what they can be in these data) of a question, in its order; filling words are left out."""
    return [(m.words, _told(m)) for m in mentions(question, index).items]


def _told(m: Mention) -> str:
    said = list(dict.fromkeys(_meaning(e) for e in m.entries))
    if said:
        more = f" or {len(said) - MOST} more" if len(said) > MOST else ""
        return " or ".join(said[:MOST]) + more
    if m.number is not None:
        return "a number"
    if m.day is not None:
        return "a day"
    if m.literal is not None:
        return "a text"
    return "an operation" if m.tags else "nothing in the data"


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
