"""Two numbers drawn against each other: `scatter of amount and duration by status`, `plot amount against duration`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask, refuse, split_by
from lexsi_nb.grounding.forms.correlations import common_rows
from lexsi_nb.grounding.forms.looks import made, named_columns, of_years, picked, rows_of
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.names import quote

MOST_COLOURS = 8  # groups that their colours tell apart
MOST_ROWS = 100_000  # that are fetched to be drawn; of more, a sample is
MOST_POINTS = 5_000


def pairs_of(ask: Ask) -> Reading | None:
    """Return the rows of two numbers, to be drawn as points: the one that is drawn against the other goes up."""
    against = any(m.tag("vs") is not None and not m.entries for m in ask.items)
    ask = replace(ask, items=tuple(m for m in ask.items if m.tag("vs") is None or m.entries))
    head, groups = split_by(ask.items)
    if any(m.tag(t) is not None for m in head for t in ("agg", "count") if not m.entries):
        refuse("A scatter plot has a point for each row, at two of its numbers, and no figures of groups.")
    columns, rest = of_years(ask) or named_columns(replace(ask, items=head), 2, ("number",), together=True)
    if len(columns) != 2:
        refuse("Points need two numbers of the data, as in 'scatter plot of one against the other'.")
    base, pair = common_rows(columns[0], columns[1], ask.index)
    if pair[0] == pair[1]:
        refuse("Points need two different numbers.", pair[0].name)
    pair = pair[::-1] if against else pair
    kinds = _kinds(replace(ask, items=groups), base) if len(groups) > 1 else []
    key = ask.index.key_of(base)
    rest = [m for m in rest if not m.of("table") and m.tag("by") is None]
    rows = rows_of(ask, [*([key] if key and key not in pair else []), *kinds, *pair], rest, base)
    n, notes = _told(ask, rows, pair, kinds)
    sql = rows.sql
    if n > MOST_ROWS:
        x, y = _names(pair)
        sql = (
            f"{picked(rows)[:-1]}, numbered AS (\n    SELECT *, row_number() OVER () AS line\n    FROM picked\n"
            f"    WHERE {x} IS NOT NULL AND {y} IS NOT NULL\n)\nSELECT * EXCLUDE (line)\nFROM numbered\n"
            f"ORDER BY hash(line), line\nLIMIT {MOST_POINTS}"
        )
        notes = (*notes, f"a sample of {MOST_POINTS:,} of {n:,} points")
    return replace(made("list", rows, sql, rows.text, notes, chart="scatter"), shown=tuple(kinds))


def _kinds(ask: Ask, base: str) -> list[Column]:
    """Return the column that colours the points: one of the rows, or of a row that each belongs to."""
    columns, rest = named_columns(ask, 1, ("text", "bool", "number"))
    rest = [m for m in rest if m.tag("by") is None or m.entries]
    if len(columns) != 1 or rest:
        refuse("Points are coloured by one column, as in 'by status'.", *(m.words for m in rest))
    if columns[0].table != base and len(ask.index.joins.up(base, columns[0].table)) != 1:
        refuse(f"A row of {base} has not one {columns[0]}, so points can't be coloured by it.", str(columns[0]))
    return columns


def _told(ask: Ask, rows: Reading, pair: Sequence[Column], kinds: Sequence[Column]) -> tuple[int, tuple[str, ...]]:
    """Return (how many points there are, a note on the rows that have none)."""
    x, y = _names(pair)
    groups = f"count(DISTINCT {quote(kinds[0].name)})" if kinds else "0"
    lost = f"count(*) FILTER (WHERE {x} IS NULL OR {y} IS NULL)"
    n, without, several = map(
        int, ask.index.engine.query(f"{picked(rows)}SELECT count(*), {lost}, {groups} FROM picked").iloc[0]
    )
    if several > MOST_COLOURS:
        name = kinds[0].name
        refuse(f"{name} has {several} values, and colours tell at most {MOST_COLOURS} apart.", name)
    return n - without, (
        f"{without:,} {rows_word(rows.table, without)} without both numbers: no point",
    ) if without else ()


def _names(pair: Sequence[Column]) -> tuple[str, str]:
    """Return what the two numbers are called in the rows."""
    a, b = (quote(c.name) if pair[0].name != pair[1].name else quote(f"{c.table}_{c.name}") for c in pair)
    return a, b
