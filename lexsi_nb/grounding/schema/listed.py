"""The values of text columns: those listed of columns that have few, and single ones looked up in columns of many."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.names import Phrase, quote
from lexsi_nb.grounding.schema.reads import Reads

SHORT = 1_000  # rows of a table that are read as they are
TOGETHER = 25  # of those, read in one query
VALUE_LIMIT = 300  # distinct values a text column may have and still be listed
MOST_VALUES = 200_000  # values listed of all columns together
MOST_LETTERS = 200  # of a value; a column with longer texts holds prose
SAMPLE = 20_000  # rows that tell whether a column of a long table has few values
LOOKED_IN = 12  # columns one name is looked up in
MOST_ROWS = 1_000_000  # rows of a table that names are looked up in


@dataclass(frozen=True)
class Values:
    """How many different values a column has, and these in order: none once MOST_VALUES are held already."""

    different: int
    values: tuple[str, ...] = ()


Lists = dict[str, Values]  # column -> its values


class Room:
    """How many more values may be held."""

    def __init__(self, held: int) -> None:
        self._left = MOST_VALUES - held

    def kept(self, found: Mapping[str, Collection[str]]) -> Lists:
        """Return the values by column; of columns that no room is left for, and of prose, none."""
        out: Lists = {}
        for column, values in found.items():
            if not 0 < len(values) <= VALUE_LIMIT or max(map(len, values)) > MOST_LETTERS:
                continue
            fits = len(values) <= self._left
            self._left -= len(values) if fits else 0
            out[column] = Values(len(values), tuple(sorted(values)) if fits else ())
        return out


def alike(said: Iterable[tuple[Phrase, str]]) -> dict[Phrase, list[str]]:
    """Return the values that are read as one phrase, where they are several: `A`, `a` and `A ` of one column."""
    together: dict[Phrase, list[str]] = {}
    for key, value in said:
        together.setdefault(key, []).append(value)
    return {key: values for key, values in together.items() if key and len(values) > 1}


def value_lists(reads: Reads, wanted: Mapping[str, tuple[int | None, list[str]]]) -> Iterator[tuple[str, Lists]]:
    """Give (table, values by column) of the text columns that have few values; `wanted`: table -> (rows, columns).

    Short tables are read as they are, several in one query. Of a long one, a sample tells the columns that have many;
    the others are grouped in one query.
    """
    filled = {t: (rows, names) for t, (rows, names) in wanted.items() if names and rows != 0}
    known = {t: reads.made(k, (), dict) for t, (_, names) in filled.items() if reads.holds(k := _key(t, names))}
    room = Room(sum(len(v.values) for lists in known.values() for v in lists.values()))
    fresh = [t for t, (rows, _) in filled.items() if t not in known and rows is not None and rows <= SHORT]
    for at in range(0, len(fresh), TOGETHER):
        some = {t: filled[t][1] for t in fresh[at : at + TOGETHER]}
        for table, found in _read_whole(reads, some).items():
            reads.made(_key(table, some[table]), (table,), lambda found=found: room.kept(found))
    for table, (rows, names) in filled.items():
        make = lambda t=table, n=rows, c=names: room.kept(_grouped(reads, t, n or 0, c))  # noqa: E731
        yield table, reads.made(_key(table, names), (table,), make)


def _key(table: str, names: Sequence[str]) -> str:
    return f"values of {', '.join(names)} in {table}"


def _read_whole(reads: Reads, tables: Mapping[str, list[str]]) -> dict[str, dict[str, set[str]]]:
    """Return the values of short tables, which are read in one query: every row, filled up with nulls."""
    wide, order = max(map(len, tables.values())), list(tables)
    parts = [
        f"SELECT {i}, {', '.join(map(quote, tables[t]))}{', NULL' * (wide - len(tables[t]))} FROM {quote(t)}"
        for i, t in enumerate(order)
    ]
    names = [f"c{k}" for k in range(wide)]
    together = "\nUNION ALL\n".join(parts)  # cut outside of it: to bind a function for each column takes longer
    sql = f"SELECT i, {', '.join(map(_cut, names))} FROM (\n{together}\n) AS t(i, {', '.join(names)})"
    held: dict[str, dict[str, set[Any]]] = {t: {c: set() for c in names} for t, names in tables.items()}
    for i, rows in groupby(reads.passing(sql), key=itemgetter(0)):
        for kinds, column in zip(held[order[i]].values(), list(zip(*rows, strict=True))[1:], strict=False):
            kinds.update(column)
    for columns in held.values():
        for kinds in columns.values():
            kinds.discard(None)
    return held


def _cut(column: str) -> str:
    """Return a text column as SQL, long texts cut: nobody waits for documents that are no values."""
    return f"left({quote(column)}, {MOST_LETTERS + 1})"


def _grouped(reads: Reads, table: str, rows: int, names: Sequence[str]) -> dict[str, list[str]]:
    source, few = quote(table), list(names)
    if rows > SAMPLE:
        counts = ", ".join(f"approx_count_distinct({quote(c)}) AS n{i}" for i, c in enumerate(few))
        row = reads.one(f"SELECT {counts} FROM (SELECT * FROM {source} LIMIT {SAMPLE}) AS s", table)
        few = [c for c, n in zip(few, row, strict=True) if n <= VALUE_LIMIT * 1.2]
    if not few:
        return {}
    parts = [
        f"(SELECT {i} AS i, {_cut(c)} AS v FROM {source} WHERE {quote(c)} IS NOT NULL GROUP BY 2"
        f" LIMIT {VALUE_LIMIT + 1})"
        for i, c in enumerate(few)
    ]
    out: dict[str, list[str]] = {}
    for at, value in reads.passing("\nUNION ALL\n".join(parts)):
        out.setdefault(few[int(at)], []).append(value)
    return out


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
