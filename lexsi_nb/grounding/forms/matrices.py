"""How many numbers go together: a correlation matrix, the strongest correlations, and those with one column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.looks import made, picked, rows_of, where_said
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.rendering.coefficients import coefficients
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.schema.naming import year_like
from lexsi_nb.grounding.words import singular

MOST_COLUMNS = 20  # of a matrix: 190 pairs
SHOWN = 10  # of the strongest, where nobody says how many
MOST_BESIDE = 100  # that one column is held against
MOST_RANKED = 30_000_000  # rows times pairs that are ranked
PEARSON = "Pearson's coefficient; it says how well a straight line fits, not what causes what"
SPEARMAN = "Spearman's coefficient, of the ranks; it says how well one grows with the other, not what causes what"
PAIRS = "pairs: rows that have both values"


@dataclass(frozen=True)
class _Facts:
    """What decides whether a column can be correlated: its different values, gaps and infinite values."""

    kinds: int
    gaps: int
    infinite: int


def matrix(ask: Ask, columns: Sequence[Column], rest: Sequence[Mention], *, strongest: bool) -> Reading:
    """Return the correlations of each two columns, the strongest first: of those named, or of all of one table.

    strongest: they are listed alone, without a picture of all.
    """
    ranks = any("correlation:rank" in m.tags for m in ask.items)
    rest, limit = _limited(rest)
    table = columns[0].table if columns else _only_table(ask, rest)
    if any(c.table != table for c in columns):
        refuse("I correlate more than two numbers where they are of one table.", *map(str, columns))
    every, keys = (list(columns), []) if columns else of_measures(table, ask.index)
    if len(every) < 2:
        refuse(f"A correlation needs two numbers, and {table} has {_listed(every) or 'none'}" + _but(keys) + ".")
    rows = _rows(ask, table, every, rest)
    kept, dropped = _fit(rows, every, ask.index)
    beyond, kept = kept[MOST_COLUMNS:], kept[:MOST_COLUMNS]
    if len(kept) < 2:
        there = _listed([c for c, _ in kept]) or "none"
        refuse(f"A correlation needs two numbers with several values, and there is {there}.")
    pairs = list(combinations([c for c, _ in kept], 2))
    limit = limit or (SHOWN if strongest and len(pairs) > 2 * SHOWN else None)
    gaps = {c for c, f in kept if f.gaps}
    sql = coefficients(picked(rows), pairs, gaps, ranks=ranks) + _first(limit)
    if ranks and gaps:
        _bounded(table, len(pairs), ask.index)
    names = f"{'rank ' * ranks}correlations of {_listed([c for c, _ in kept]) if columns else 'the numbers'}"
    notes = [SPEARMAN if ranks else PEARSON, PAIRS, *_left_out(keys, dropped, [c for c, _ in beyond])]
    text = f"{'strongest ' * strongest}{names}{where_said(rows)}" + (
        f", the first {limit} of {len(pairs)}" if limit else ""
    )
    found = replace(rows, columns=tuple(c for c, _ in kept))
    return made("correlation", found, sql, text, tuple(notes), "" if strongest or limit else "heat")


def beside(ask: Ask, column: Column, rest: Sequence[Mention]) -> Reading:
    """Return the correlation of one column with each other number of its table, the strongest first."""
    ranks = any("correlation:rank" in m.tags for m in ask.items)
    rest, limit = _limited(rest)
    every, keys = of_measures(column.table, ask.index)
    others = [c for c in every if c != column][:MOST_BESIDE]
    if not others:
        refuse(f"{column.table} has no other number that {column.name} can be correlated with" + _but(keys) + ".")
    rows = _rows(ask, column.table, [column, *others], rest)
    kept, dropped = _fit(rows, [column, *others], ask.index)
    if column not in [c for c, _ in kept]:
        refuse(f"{column.name} has {dropped[column]}, so nothing is correlated with it.", column.name)
    pairs = [(column, c) for c, _ in kept if c != column]
    if not pairs:
        refuse(f"No other number of {column.table} has several values to correlate {column.name} with.", column.name)
    gaps = {c for c, f in kept if f.gaps}
    if ranks and gaps:
        _bounded(column.table, len(pairs), ask.index)
    sql = coefficients(picked(rows), pairs, gaps, ranks=ranks, one=True) + _first(limit)
    notes = [SPEARMAN if ranks else PEARSON, PAIRS, *_left_out([k for k in keys if k != column], dropped, [])]
    text = f"{'rank ' * ranks}correlations of {column.name} with the other numbers{where_said(rows)}"
    return made("correlation", rows, sql, text + (f", the first {limit}" if limit else ""), tuple(notes))


def of_measures(table: str, index: SchemaIndex) -> tuple[list[Column], list[Column]]:
    """Return the number columns of a table that measure or flag something, and those that are keys, ids or codes."""
    every = [c for n, c in index.columns[table].items() if c.type == "number" and not c.sql]
    every = [c for c in every if not index.facts.column(table, c.name).alias_of]
    pointing = {j.child_column for j in index.joins.touching(table) if j.child == table}
    measures = set(index.numeric(table))

    def flags(c: Column) -> bool:
        key = c == index.key_of(table) or c.name in pointing or index.facts.column(table, c.name).key
        return not key and (index.is_zero_or_one(c) or year_like(c.name))

    rows = singular(table.casefold())  # a flight's `flight` is its number
    kept = [c for c in every if (c in measures or flags(c)) and singular(c.name.casefold()) != rows]
    return kept, [c for c in every if c not in kept]


def one_value(rows: Reading, columns: Sequence[Column], index: SchemaIndex) -> None:
    """Refuse a correlation with a column that has one value alone, or infinite ones.

    Raises:
        Unread: says which column it is.
    """
    _, dropped = _fit(rows, columns, index)
    for c, why in dropped.items():
        refuse(f"{c.name} has {why} in these rows, so nothing is correlated with it.", c.name)


# -- the columns ------------------------------------------------------------------------------------------------------


def _only_table(ask: Ask, rest: Sequence[Mention]) -> str:
    tables = list(dict.fromkeys(e.table for m in rest for e in m.of("table") if not m.of("value"))) or ask.only_table()
    if len(tables) != 1:
        several = f" ({', '.join(tables)})" if tables else ""
        refuse(f"A correlation needs two numbers of the data, or one table{several} whose numbers are correlated.")
    return tables[0]


def _rows(ask: Ask, table: str, columns: Sequence[Column], rest: Sequence[Mention]) -> Reading:
    if by := [m for m in rest if m.tag("by") is not None and not m.entries]:
        refuse("I correlate over all rows together, or over those of one condition, not by groups.", by[0].words)
    return rows_of(ask, columns, [m for m in rest if table not in {e.table for e in m.of("table")}], table)


def _fit(
    rows: Reading, columns: Sequence[Column], index: SchemaIndex
) -> tuple[list[tuple[Column, _Facts]], dict[Column, str]]:
    """Return the columns that can be correlated with what is known of them, and why the others cannot."""
    names = [quote(c.name) for c in columns]
    parts = [
        f"count(DISTINCT {x}), count(*) - count({x}), count(*) FILTER (WHERE isinf(CAST({x} AS DOUBLE)))" for x in names
    ]
    found = [int(n) for n in index.engine.query(f"{picked(rows)}SELECT {', '.join(parts)}\nFROM picked").iloc[0]]
    facts = [_Facts(*found[at : at + 3]) for at in range(0, len(found), 3)]
    kept, dropped = [], {}
    for c, f in zip(columns, facts, strict=True):
        if f.kinds < 2 or f.infinite:
            dropped[c] = "infinite values" if f.infinite else "one value alone" if f.kinds else "no values"
        else:
            kept.append((c, f))
    return kept, dropped


def _bounded(table: str, pairs: int, index: SchemaIndex) -> None:
    """Refuse ranks of so many pairs of rows that they would take minutes: with gaps, each pair is ranked by itself."""
    n = index.rows.get(table) or 0
    if n * pairs > MOST_RANKED:
        refuse(f"Ranks of {pairs:,} pairs of columns over {n:,} rows with gaps take too long; name fewer columns.")


def _limited(rest: Sequence[Mention]) -> tuple[list[Mention], int | None]:
    """Return the mentions without `top 5`, and how many are wanted; a year that opens a question is no number."""
    at = next((i for i, m in enumerate(rest) if m.tag("top") is not None and not m.entries), -1)
    first = rest[at + 1] if at + 1 < len(rest) else None
    number = first.number if first is not None and not first.entries and isinstance(first.number, int) else None
    if number is not None and 0 < number <= MOST_BESIDE:
        return [m for i, m in enumerate(rest) if i not in (at, at + 1)], number
    if at >= 0:
        refuse("Say how many correlations, as in 'the 5 strongest correlations'.", rest[at].words)
    return list(rest), None


def _first(limit: int | None) -> str:
    return f"\nLIMIT {limit}" if limit else ""


# -- what is left out -------------------------------------------------------------------------------------------------


def _left_out(keys: Sequence[Column], dropped: dict[Column, str], beyond: Sequence[Column]) -> list[str]:
    notes = [f"left out as keys or codes: {_listed(keys)}"] if keys else []
    for why in dict.fromkeys(dropped.values()):
        notes.append(f"left out with {why}: {_listed([c for c, w in dropped.items() if w == why])}")
    return [*notes, *([f"left out beyond the first {MOST_COLUMNS}: {_listed(beyond)}"] if beyond else [])]


def _but(keys: Sequence[Column]) -> str:
    return f" beside its keys and codes ({_listed(keys)})" if keys else ""


def _listed(columns: Sequence[Column]) -> str:
    return ", ".join(c.name for c in columns)
