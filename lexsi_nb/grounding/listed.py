"""The values of text columns: those listed of columns that have few, and single ones looked up in columns of many."""

from __future__ import annotations

from typing import Any

from lexsi_nb.grounding.names import quote
from lexsi_nb.grounding.reading import Column

VALUE_LIMIT = 300  # distinct values a text column may have and still be listed
MOST_VALUES = 200_000  # values listed of all columns together
SAMPLE = 20_000  # rows that tell whether a column of a long table has few values
LOOKED_IN = 12  # columns one name is looked up in
MOST_ROWS = 1_000_000  # rows of a table that names are looked up in


def value_lists(engine: Any, table: str, rows: int | None, columns: list[Column]) -> dict[Column, list[Any]]:
    """Return the distinct values of the text columns that have few.

    Of a long table, a sample tells the columns that have many; the others are grouped in one query.
    """
    if not columns or rows == 0:
        return {}
    source, few = quote(table), columns
    if (rows or 0) > SAMPLE:
        counts = ", ".join(f"approx_count_distinct({quote(c.name)}) AS n{i}" for i, c in enumerate(columns))
        row = engine.query(f"SELECT {counts} FROM (SELECT * FROM {source} LIMIT {SAMPLE}) AS s").iloc[0]
        few = [c for i, c in enumerate(columns) if row[f"n{i}"] <= VALUE_LIMIT * 1.2]
    if not few:
        return {}
    parts = [
        f"(SELECT {i} AS i, CAST({quote(c.name)} AS VARCHAR) AS v FROM {source}"
        f" WHERE {quote(c.name)} IS NOT NULL GROUP BY 2 LIMIT {VALUE_LIMIT + 1})"
        for i, c in enumerate(few)
    ]
    out: dict[Column, list[Any]] = {}
    got = engine.query("\nUNION ALL\n".join(parts))
    for at, value in zip(got["i"], got["v"], strict=True):
        out.setdefault(few[int(at)], []).append(value)
    return {c: sorted(v) for c, v in out.items() if len(v) <= VALUE_LIMIT}


def holding(engine: Any, columns: list[Column], text: str) -> list[tuple[Column, str]]:
    """Return (column, value) of the columns that hold a text, whatever its case; each of them is read once."""
    if not columns:
        return []
    said = "'" + text.casefold().replace("'", "''") + "'"
    parts = [
        f"(SELECT {i} AS i, min({quote(c.name)}) AS v, count(DISTINCT {quote(c.name)}) AS n FROM {quote(c.table)}"
        f" WHERE lower({quote(c.name)}) = {said})"
        for i, c in enumerate(columns[:LOOKED_IN])
    ]
    got = engine.query("\nUNION ALL\n".join(parts))
    rows = zip(got["i"], got["v"], got["n"], strict=True)
    return [(columns[int(i)], str(v)) for i, v, n in rows if int(n) == 1]
