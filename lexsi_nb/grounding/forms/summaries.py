"""The SQL of a summary of every column of a table."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.forms.asking import refuse
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.rendering.clauses import literal
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

MOST_ANYWHERE = 300  # columns of all tables together that are looked at in one question


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


def missing_anywhere(index: SchemaIndex) -> Reading:
    """Return the reading of `which columns have missing values`: those of every table, with how many are missing.

    Raises:
        Unread: there are too many columns to look at all of them.
    """
    columns = [
        c for t, cs in index.columns.items() for c in cs.values() if not index.facts.column(t, c.name).alias_of
    ]  # fmt: skip
    if len(columns) > MOST_ANYWHERE:
        refuse(f"There are {len(columns):,} columns; say of which table.")
    lines = [
        f"SELECT {literal(c.table)} AS table_name, {literal(c.name)} AS column_name,"
        f" count(*) - count({index.filled(c)}) AS missing, count(*) AS number_of_rows FROM {quote(c.table)}"
        for c in columns
    ]
    body = "\nUNION ALL\n".join(lines).replace("\n", "\n    ")
    sql = (
        f"SELECT *\nFROM (\n    {body}\n) AS counted\nWHERE missing > 0\nORDER BY table_name, missing DESC, column_name"
    )
    return Reading("missing", columns[0].table, sql=sql, text="columns of every table that have missing values")
