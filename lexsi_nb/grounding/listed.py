"""The values of text columns: those listed of columns that have few, and single ones looked up in columns of many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from lexsi_nb.grounding.names import quote
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.reads import Reads

SHORT = 1_000  # rows of a table that are read as they are
TOGETHER = 25  # of those, read in one query
VALUE_LIMIT = 300  # distinct values a text column may have and still be listed
MOST_VALUES = 200_000  # values listed of all columns together
SAMPLE = 20_000  # rows that tell whether a column of a long table has few values
LOOKED_IN = 12  # columns one name is looked up in
MOST_ROWS = 1_000_000  # rows of a table that names are looked up in


Lists = dict[str, list[str]]  # column -> its different values, sorted


def value_lists(reads: Reads, wanted: Mapping[str, tuple[int | None, list[Column]]]) -> Iterator[tuple[str, Lists]]:
    """Give (table, values by column) of the text columns that have few values; `wanted`: table -> (rows, columns).

    Short tables are read as they are, several in one query. Of a long one, a sample tells the columns that have many;
    the others are grouped in one query.
    """
    filled = {t: (rows, [c.name for c in columns]) for t, (rows, columns) in wanted.items() if columns and rows != 0}
    short = [t for t, (rows, _) in filled.items() if rows is not None and rows <= SHORT]
    fresh = [t for t in short if not reads.holds(_key(t, filled[t][1]))]
    for at in range(0, len(fresh), TOGETHER):
        some = {t: filled[t][1] for t in fresh[at : at + TOGETHER]}
        for table, lists in _read_whole(reads, some).items():
            reads.made(_key(table, some[table]), (table,), lambda found=lists: found)
    for table, (rows, names) in filled.items():
        make = lambda t=table, n=rows, c=names: _grouped(reads, t, n or 0, c)  # noqa: E731
        yield table, reads.made(_key(table, names), (table,), make)


def _key(table: str, names: Sequence[str]) -> str:
    return f"values of {', '.join(map(quote, names))} in {quote(table)}"


def _read_whole(reads: Reads, tables: Mapping[str, list[str]]) -> dict[str, Lists]:
    """Return the values of short tables, which are read in one query: every row, filled up with nulls."""
    wide, order = max(map(len, tables.values())), list(tables)
    parts = [
        f"SELECT {i} AS i, {', '.join(f'CAST({quote(c)} AS VARCHAR) AS c{k}' for k, c in enumerate(tables[t]))}"
        f"{', NULL' * (wide - len(tables[t]))} FROM {quote(t)}"
        for i, t in enumerate(order)
    ]
    held: dict[str, list[set[Any]]] = {t: [set() for _ in names] for t, names in tables.items()}
    for i, rows in groupby(reads.passing("\nUNION ALL\n".join(parts)), key=itemgetter(0)):
        for kinds, column in zip(held[order[i]], list(zip(*rows, strict=True))[1:], strict=False):
            kinds.update(column)
    return {
        t: {
            c: sorted(v) for c, kinds in zip(names, held[t], strict=True) if 0 < len(v := kinds - {None}) <= VALUE_LIMIT
        }
        for t, names in tables.items()
    }


def _grouped(reads: Reads, table: str, rows: int, names: Sequence[str]) -> Lists:
    source, few = quote(table), list(names)
    if rows > SAMPLE:
        counts = ", ".join(f"approx_count_distinct({quote(c)}) AS n{i}" for i, c in enumerate(few))
        row = reads.one(f"SELECT {counts} FROM (SELECT * FROM {source} LIMIT {SAMPLE}) AS s", table)
        few = [c for c, n in zip(few, row, strict=True) if n <= VALUE_LIMIT * 1.2]
    if not few:
        return {}
    parts = [
        f"(SELECT {i} AS i, CAST({quote(c)} AS VARCHAR) AS v FROM {source}"
        f" WHERE {quote(c)} IS NOT NULL GROUP BY 2 LIMIT {VALUE_LIMIT + 1})"
        for i, c in enumerate(few)
    ]
    out: Lists = {}
    for at, value in reads.passing("\nUNION ALL\n".join(parts)):
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
