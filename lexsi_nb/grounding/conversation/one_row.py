"""The one row that an answer was about, which a follow-up points back at: `which town ...`, `who lives there?`."""

from __future__ import annotations

from typing import Any

from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.schema.index import SchemaIndex


def only_row(found: Reading, index: SchemaIndex, *, named: bool) -> tuple[Column | None, Any]:
    """Return (the column that tells the one row of the reading before, its value there); (None, None) without one."""
    if found.limit != 1:
        told = [f for f in found.filters if f.op in ("=", "in") and len(f.values) == 1 and not f.negated and f.column]
        told = [f for f in told if f.column and (named or _tells_rows(f.column, index))]
        one = len(told) == 1 and told[0].column is not None and (not named or told[0].column.type == "text")
        return (told[0].column, told[0].values[0]) if one else (None, None)
    if found.keys:
        shown = found.keys[0].column if len(found.keys) == 1 and not found.keys[0].grain else None
    else:
        label = index.label_of(found.table) if named or index.facts.table(found.table).label else None
        shown = label or (None if named else index.key_of(found.table))
    frame = index.engine.query(found.sql)
    if shown is None or len(frame) != 1 or shown.name not in frame or (named and shown.type != "text"):
        return None, None
    value = frame[shown.name].iloc[0]
    return _parent(shown, index), value.item() if hasattr(value, "item") else value


def _parent(column: Column, index: SchemaIndex) -> Column:
    """Return the key that a column points at; the column itself where it points at none."""
    joins = index.joins.leaving(column.table, column.name)
    return index.columns[joins[0].parent][joins[0].parent_column] if len(joins) == 1 else column


def _tells_rows(column: Column, index: SchemaIndex) -> bool:
    return column in (index.key_of(column.table), index.label_of(column.table))
