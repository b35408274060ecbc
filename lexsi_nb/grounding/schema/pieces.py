"""The date of a table that holds year, month and day in number columns of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words

if TYPE_CHECKING:
    from lexsi_nb.grounding.schema.index import SchemaIndex


def pieced_date(table: str, index: SchemaIndex) -> list[Column]:
    """Return the date put together from the columns year, month and day; nothing where one of them lacks."""
    held = {name_words(n): c for n, c in index.columns[table].items() if c.type == "number"}
    parts = [held.get((p,)) for p in ("year", "month", "day")]
    if any(c is None for c in parts) or (span := index.span(parts[1])) is None or not 1 <= span[0] <= span[1] <= 12:
        return []
    pieces = ", ".join("{p}" + quote(c.name) for c in parts if c is not None)
    return [Column(table, "date", "date", f"make_date({pieces})")]
