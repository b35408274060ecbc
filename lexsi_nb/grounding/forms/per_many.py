"""Figures for so many of something: `cards per 100 members`, `thefts per 1000 inhabitants in Ash`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import COUNT, Ask, refuse
from lexsi_nb.grounding.forms.comparing import compared
from lexsi_nb.grounding.forms.looks import made, picked, rows_of, trimmed, where_said
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.schema.names import quote

FEWEST = 10  # so many of something at least


def per_many(ask: Ask) -> Reading | None:
    """Return the reading of a figure for so many of something, None for another question."""
    items = ask.items
    at = next((i for i, m in enumerate(items) if _opens(m) and _many(items[i + 1 : i + 2])), None)
    if at is None or at + 2 >= len(items):
        return None
    many, left, right = int(items[at + 1].number or 0), [*items[:at]], items[at + 2]
    left = [m for m in left if m.entries or (m.tag("list") is None and m.tag("count") is None)]
    if len(left) != 1:
        return None
    if right.of("table") and left[0].of("table") and at + 3 == len(items):
        return _of_rows(ask, left[0], right, many)
    columns = _pair(left[0], right, ask)
    return _of_columns(ask, columns, items[at + 3 :], many) if columns is not None else None


def _opens(m: Mention) -> bool:
    return m.tag("by") is not None and not m.entries and m.words.casefold() in grammar.BY_PER


def _many(items: Sequence[Mention]) -> bool:
    return bool(items) and isinstance(items[0].number, int) and items[0].number >= FEWEST and not items[0].entries


def _of_rows(ask: Ask, left: Mention, right: Mention, many: int) -> Reading | None:
    """The rows of one table for so many of another."""
    opened, to = Mention("ratio", tags=("ratio",)), Mention("to", tags=("to",))
    found = compared(replace(ask, items=(opened, COUNT, left, to, COUNT, right), first=""))
    if found is None or found.sql.count("1.0 * ") != 1 or found.sql.count(" AS ratio") != 1:
        return None
    sql = found.sql.replace("1.0 * ", f"{many}.0 * ").replace(" AS ratio", f" AS per_{many}")
    return replace(found, sql=sql, text=f"{left.words} per {many:,} {right.words}")


def _pair(left: Mention, right: Mention, ask: Ask) -> tuple[Column, Column] | None:
    """Return the two numbers of a row: the one that is told, of the year that is said, and the one it is told for."""
    whole = [e.column for e in right.of("column") if e.column is not None and e.column.type == "number"]
    parts = [e.column for e in left.of("column") if e.column is not None and e.column.type == "number"]
    years = [str(m.number) for m in ask.items if isinstance(m.number, int)]
    dated = [c for c in parts if any(c.name.endswith(f"_{y}") for y in years)]
    parts = [c for c in dated or parts if whole and c.table == whole[0].table]
    if len(parts) != 1 or len(whole) != 1 or any(f"_{y}" in parts[0].name for y in years if parts[0] not in dated):
        return None
    return parts[0], whole[0]


def _of_columns(ask: Ask, columns: tuple[Column, Column], rest: Sequence[Mention], many: int) -> Reading:
    """A number of a row for so many of another number of it: of one row, or of every row by name."""
    told, of = columns
    key, label = ask.index.key_of(told.table), ask.index.label_of(told.table)
    years = [m for m in rest if isinstance(m.number, int) and told.name.endswith(f"_{m.number}")]
    kept = trimmed([m for m in rest if m not in years])
    while kept and kept[-1].tag("in") is not None and not kept[-1].entries:
        kept.pop()
    each = len(kept) == 2 and kept[0].tag("by") is not None and any(e.table == told.table for e in kept[1].entries)
    names = {c for c in (key, label) if c is not None}
    each = each and (bool(kept[1].of("table")) or any(e.column in names for e in kept[1].of("column")))
    shown = [c for c in dict.fromkeys((key, label, told, of)) if c is not None]
    rows = rows_of(ask, shown, [] if each else kept, told.table)
    if not each and len(ask.index.engine.query(f"SELECT * FROM (\n{rows.sql}\n) AS r LIMIT 2")) != 1:
        refuse(f"{told.name} per {many:,} {of.name} of which row of {told.table}, or of each?", told.name)
    share = f"{many}.0 * {quote(told.name)} / nullif({quote(of.name)}, 0)"
    names_shown = [quote(c.name) for c in ((label or key) if each else None, told, of) if c is not None]
    sql = f"{picked(rows)}SELECT {share} AS per_{many}, {', '.join(names_shown)}\nFROM picked"
    sql += "\nORDER BY 1 DESC NULLS LAST" if each else ""
    return made("list" if each else "comparison", rows, sql, f"{told.name} per {many:,} {of.name}{where_said(rows)}")
