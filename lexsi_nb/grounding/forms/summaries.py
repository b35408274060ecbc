"""The SQL of a summary of every column of a table."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.clauses import literal
from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.reading import Column


def each_column(columns: Sequence[Column], index: SchemaIndex) -> str:
    """Return a row for each column of the picked rows: how many, gaps, values, range and, of numbers, the mean."""
    lines = []
    for c in columns:
        x = index.filled(c)
        mean = f"avg({x})" if c.type == "number" else "NULL"
        lines.append(
            f"SELECT {literal(c.name)} AS column_name, count(*) AS number_of_rows, count(*) - count({x}) AS missing, "
            f"count(DISTINCT {x}) AS distinct_values, CAST(min({x}) AS VARCHAR) AS min, "
            f"CAST(max({x}) AS VARCHAR) AS max, {mean} AS mean FROM picked"
        )
    return "\nUNION ALL\n".join(lines)
