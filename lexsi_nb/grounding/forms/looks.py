"""What looks at a column or table have in common: the rows, the columns that are named, the SQL around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Column, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.words import singular

FRAME = (
    "list",
    "summary",
    "missing",
    "duplicates",
    "outliers",
    "correlation",
    "distribution",
    "count",
    "distinct",
    "pairs",
    "boxes",
)


def rows_of(ask: Ask, columns: Sequence[Column], rest: Sequence[Mention], table: str = "") -> Reading:
    """Return the reading of the rows that the rest of a question selects, with some columns, as plain SQL."""
    base = table or columns[0].table
    noun = Mention(base, entries=tuple(e for e in ask.index.entries[(base.casefold(),)] if e.kind == "table"))
    kept = trimmed([m for m in rest if not (m.of("table") and any(e.table == base for e in m.of("table")))])
    found = ask.read([noun, *kept])
    if found.kind != "list" or found.order or (found.limit and not found.notes):
        refuse("I can't read the conditions of this question.")
    plain = Reading("list", base, columns=tuple(columns), filters=found.filters, links=found.links)
    sql = "\n".join(x for x in ReadingSQL(plain, ask.index).text().splitlines() if not x.startswith("ORDER BY"))
    return replace(plain, sql=sql, text=phrasing(plain))


def trimmed(items: list[Mention]) -> list[Mention]:
    """Drop joining words that nothing follows or precedes."""
    joining = ("and", "in", "to", "by", "or", "vs", "columns", "tables", "total", "more", "cmp")
    while items and any(items[-1].tag(t) is not None for t in joining) and not items[-1].entries:
        items.pop()
    while items and any(items[0].tag(t) is not None for t in ("and", "to", "or", "vs")) and not items[0].entries:
        items.pop(0)
    return items


def named_columns(
    ask: Ask, most: int, types: tuple[str, ...] = (), *, together: bool = False
) -> tuple[list[Column], list[Mention]]:
    """Return the columns that are named, open ones decided by the tables named, and the mentions that are left.

    together: they are drawn against each other, so an open one is of the table of one that is not open.
    """
    items = [m for m in ask.items if not any(m.tag(t) is not None for t in FRAME) or m.entries]
    tables = {e.table for m in items for e in m.of("table")}
    sure = _sure(items, types) if together else set()
    found: list[Column] = []
    rest: list[Mention] = []
    for i, m in enumerate(items):
        options = [e.column for e in m.of("column") if e.column and (not types or e.column.type in types)]
        condition = _conditioned(ask, items, i)
        if (
            not options
            or len(found) >= most
            or condition
            or (m.of("table") and (len(options) != 1 or _alone(items, i)))
        ):
            rest.append(m)
            continue
        said = [c for c in options if c.table in tables]
        said = said or [c for c in options if c.table in {f.table for f in found} | sure]
        said = said if len(said) == 1 else options
        if len(said) > 1 and (dated := _of_year(said, items, i)):
            said = [dated]
        if len(said) != 1:
            raise Unread(Choice(f"'{m.words}' can be more than one column.", tuple(map(str, said[:8])), m.words))
        found.append(said[0])
    years = {str(m.number) for m in ask.items if isinstance(m.number, int)}
    used = {y for y in years for c in found if c.name.endswith(y)}
    rest = [m for m in rest if str(m.number) not in used]
    return found, rest


def _sure(items: Sequence[Mention], types: tuple[str, ...]) -> set[str]:
    """Return the tables of columns that can be no other: `amount and duration` are of the rows with a duration."""
    sure: set[str] = set()
    for m in items:
        columns = {e.column for e in m.of("column") if e.column and (not types or e.column.type in types)}
        sure |= {c.table for c in columns} if len(columns) == 1 and not m.of("table", "value") else set()
    return sure


def of_years(ask: Ask) -> tuple[list[Column], list[Mention]] | None:
    """Return the columns of `sales in 2019 and 2020`, one for each year, and the other mentions; None for others."""
    items = [m for m in ask.items if not any(m.tag(t) is not None for t in FRAME) or m.entries]
    years = [m for m in items if isinstance(m.number, int)]
    named = [m for m in items if m.of("column")]
    if len(named) != 1:
        return None
    options = [e.column for e in named[0].of("column") if e.column is not None]
    if len(years) == 1 and len(options) == 1:
        return _sibling(ask, options[0], years[0], items)
    if len(years) != 2:
        return None
    found = [[c for c in options if c.name.endswith(str(y.number))] for y in years]
    if any(len(f) != 1 for f in found):
        return None
    at = items.index(named[0])
    rest = [m for m in items[at + 1 :] if m not in years]
    while rest and not rest[0].entries and any(rest[0].tag(t) is not None for t in ("in", "and", "vs", "to", "date")):
        rest = rest[1:]
    return [f[0] for f in found], [*items[:at], *rest]


def _sibling(
    ask: Ask, column: Column, year: Mention, items: Sequence[Mention]
) -> tuple[list[Column], list[Mention]] | None:
    """Return the columns of `sales 2019 and 2020`, where the first year is a part of the column's name already."""
    stem, own = column.name[:-4], column.name[-4:]
    other = ask.index.columns[column.table].get(f"{stem}{year.number}")
    at = items.index(year)
    joined = at > 0 and any(items[at - 1].tag(t) is not None for t in ("and", "vs", "to")) and not items[at - 1].entries
    if not own.isdigit() or other is None or other == column or not joined:
        return None
    rest = [m for m in items if m not in (year, items[at - 1]) and column not in [e.column for e in m.of("column")]]
    return [column, other], rest


def _alone(items: Sequence[Mention], at: int) -> bool:
    """Whether a word for a table and for a column of that table is the table: the only noun, or beside a column."""
    tables = {e.table for e in items[at].of("table")}
    own = singular(items[at].words.casefold()) in {singular(t.casefold()) for t in tables}
    others = [m for i, m in enumerate(items) if i != at and m.of("table", "column")]
    return own and (not others or any(not m.of("table") for m in others))


def _conditioned(ask: Ask, items: Sequence[Mention], at: int) -> bool:
    after = items[at + 1] if at + 1 < len(items) else None
    if after is None:
        return False
    return after.tag("cmp") is not None or bool(
        {e.column for e in items[at].of("column")} & {e.column for e in after.of("value")}
    )


def _of_year(options: Sequence[Column], items: Sequence[Mention], at: int) -> Column | None:
    """Return the one column whose name ends in the year that follows."""
    after, every = items[at + 1 : at + 3], [m for m in items if isinstance(m.number, int)]
    years = [str(m.number) for m in (after if len(every) > 1 else every) if isinstance(m.number, int)]
    hits = [c for c in options if any(c.name.endswith(y) for y in years)]
    return hits[0] if len(hits) == 1 else None


def made(kind: Any, rows: Reading, sql: str, text: str, notes: tuple[str, ...] = (), chart: str = "") -> Reading:
    return Reading(kind, rows.table, columns=rows.columns, filters=rows.filters, links=rows.links, text=text, sql=sql,
                   notes=notes, chart=chart)  # fmt: skip


def picked(rows: Reading) -> str:
    return "WITH picked AS (\n    " + rows.sql.replace("\n", "\n    ") + "\n)\n"


def where_said(rows: Reading) -> str:
    head, _, tail = rows.text.partition(" with ")
    return f" of {head.removeprefix('rows of ')}" + (f" with {tail}" if tail else "")
