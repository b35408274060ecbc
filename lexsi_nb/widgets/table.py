"""A frame as an HTML table and as aligned text; long ones are cut and say so."""

from __future__ import annotations

from html import escape
from typing import Any, Literal

from lexsi_nb.artifacts.results import Table
from lexsi_nb.widgets.cell import named_cell

ROWS = 20
COLUMNS = 30
CHARS = 20_000  # of the cells; columns beyond are left out, as a notebook keeps what it shows
FOLDED = 32  # characters after which a cell of a terminal's table goes on in the next line
CELL = "padding:2px 10px 2px 0;vertical-align:top"
HEAD = f"{CELL};font-weight:600;border-bottom:1px solid #8888"


def table_html(table: Table, *, then: str = "") -> str:
    """Return the first rows and columns as HTML, and of how many they are; `then`: what is said there instead of where.

    A wide one scrolls by itself.
    """
    names, rows = _cut(table)
    head = "".join(f'<th scope="col" style="{HEAD};text-align:{_side(table, i)}">{escape(n)}</th>' for i, n in names)
    body = "\n".join(
        "<tr>"
        + "".join(f'<td style="{CELL};text-align:{_side(table, i)}">{escape(v)}</td>' for i, v in enumerate(row))
        + "</tr>"
        for row in rows
    )
    more = _more(table, len(names), then)
    note = f'<div style="opacity:.75;font-size:90%">{escape(more)}</div>' if more else ""
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:.5em 0"><thead><tr>{head}</tr>'
        f"</thead><tbody>{body}</tbody></table></div>{note}"
    )


def table_text(table: Table) -> str:
    """Return the first rows and columns as aligned text, and how many more there are."""
    names, rows = _cut(table)
    more = _more(table, len(names))
    return aligned([n for _, n in names], rows, left=0) + (f"\n{more}" if more else "")


def aligned(head: list[str], rows: list[list[str]], *, left: int) -> str:
    """Return rows under their heads; the columns before `left` are numbers, the others where all cells are."""
    widths = [max(len(h), *(len(r[i]) for r in rows)) if rows else len(h) for i, h in enumerate(head)]
    numeric = [i < left or all(_is_number(r[i]) for r in rows) for i in range(len(head))]

    def line(cells: list[str]) -> str:
        return "  ".join(
            c.rjust(w) if n else c.ljust(w) for c, w, n in zip(cells, widths, numeric, strict=True)
        ).rstrip()

    return "\n".join([line(head), *(line(r) for r in rows)])


def first_cells(table: Table, *, width: int) -> tuple[list[str], list[list[str]], str]:
    """Return the columns' names, the rows, and how many more there are: as many columns as `width` characters hold."""
    names, rows = _cut(table)
    room, fit = width, 0
    for column in zip((n for _, n in names), *rows, strict=True):
        room -= min(FOLDED, max(map(len, column))) + 2
        if room < 0:
            break
        fit += 1
    fit = max(1, fit)
    return [n for _, n in names[:fit]], [row[:fit] for row in rows], _more(table, min(fit, len(names)))


def sides(table: Table) -> list[Literal["left", "right"]]:
    """Return the side that each column's cells stand on: numbers right."""
    return [_side(table, i) for i in range(min(COLUMNS, table.frame.shape[1]))]


def _cut(table: Table) -> tuple[list[tuple[int, str]], list[list[str]]]:
    frame = _pandas(table.frame)
    labels = [str(c) for c in frame.columns[:COLUMNS]]
    names = [f"{n} ({table.units[n]})" if n in table.units else n for n in labels]
    head = frame.iloc[: min(table.limit, ROWS), :COLUMNS]
    rows = [
        [named_cell(c, v) for c, v in zip(labels, row, strict=True)] for row in head.itertuples(index=False, name=None)
    ]
    fit = _fitting(names, rows)
    return list(enumerate(names[:fit])), [row[:fit] for row in rows]


def _fitting(names: list[str], rows: list[list[str]]) -> int:
    """Return how many columns have room together; at least one."""
    room, count = CHARS, 0
    for column in zip(names, *rows, strict=True):
        room -= sum(map(len, column))
        if room < 0:
            break
        count += 1
    return max(1, count)


def _more(table: Table, shown: int, then: str = "") -> str:
    """Return how much of the frame is shown, as in `First 20 of 200 rows; all in orders.`; "" for all of it."""
    (rows, columns), limit = table.frame.shape, min(table.limit, ROWS)
    parts = [f"{limit} of {rows:,} rows"] if rows > limit else []
    if columns > shown:
        parts.append(f"{shown} of {columns:,} columns")
    where = f"; all in {table.name or 'run.frame'}."
    return f"First {' and '.join(parts)}{then or where}" if parts else ""


def _side(table: Table, at: int) -> Literal["left", "right"]:
    frame = _pandas(table.frame)
    return "right" if frame.dtypes.iloc[at].kind in "iuf" else "left"


def _pandas(frame: Any) -> Any:
    """Return the first rows of any library's frame as pandas."""
    if hasattr(frame, "iloc"):
        return frame
    head = frame.head(ROWS + 1) if hasattr(frame, "head") else frame.slice(0, ROWS + 1)
    return head.to_pandas()


def _is_number(text: str) -> bool:
    return text == "" or text.replace(",", "").replace(".", "", 1).lstrip("-").isdigit()
