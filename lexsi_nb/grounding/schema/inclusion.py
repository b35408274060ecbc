"""Joins that the values prove where names don't say them: every buyer is a customer's number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lexsi_nb.grounding.language import schema_words, vocabulary
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.joins import Join, key_like
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words

if TYPE_CHECKING:
    from lexsi_nb.grounding.schema.index import SchemaIndex

MOST_TABLES = 60
MOST_ROWS = 2_000_000
HELD = 0.95  # share of the rows whose value must be in the key
FROM = 1_000  # lowest key number that is no mere count: below it, any small number would fit
LOOKED_AT = 500  # rows that rule most pairs out
SHORT_CODES = 20  # different short codes that are enough to be no coincidence


def joins_by_values(index: SchemaIndex, known: Sequence[Join]) -> list[Join]:
    """Return many-to-one joins proved by their values alone, for columns that no known join leaves from.

    A column must lie wholly (or nearly) within exactly one key. Small numbers prove nothing, unless the column's name
    means the same as the table's: vendor and suppliers.
    """
    if not 1 < len(index.columns) <= MOST_TABLES or any((n or 0) > MOST_ROWS for n in index.rows.values()):
        return []
    keys = [c for t, cols in index.columns.items() for i, c in enumerate(cols.values()) if _may_be_key(c, i, index)]
    spans = {c: s for c in keys if (s := _span(c, index)) is not None}
    left = {(j.child, j.child_column) for j in known}
    parents = {(j.parent, j.parent_column) for j in known}
    found: list[Join] = []
    for table, columns in index.columns.items():
        free = [c for c in columns.values() if (table, c.name) not in left and c.type in ("number", "text")]
        free = [c for c in free if c not in index.key_columns(table)]
        pairs = [(c, k) for c in free for k in spans if k.table != table and _possible(c, k, spans[k])]
        held = [j for c, k in _sampled(table, pairs, index) if (j := _held(c, k, spans[k], index)) is not None]
        for c in free:
            mine = [j for j in held if j.child_column == c.name]
            own = [j for j in mine if (j.parent, j.parent_column) in parents] if len(mine) > 1 else mine
            found += own if len(own) == 1 else []
        found += _siblings(table, pairs, found, index)
    return found


def _siblings(
    table: str, pairs: Sequence[tuple[Column, Column]], found: Sequence[Join], index: SchemaIndex
) -> list[Join]:
    """Return the joins of further columns of a table into a key that one of them joins: from and to the same places."""
    taken = {(j.child, j.child_column) for j in found}
    into = {(j.parent, j.parent_column) for j in found if j.child == table}
    more = []
    for c, k in pairs:
        open_ = (k.table, k.name) in into and (table, c.name) not in taken
        if open_ and (j := _contained(c, k, index)) is not None and j.complete:
            more.append(j)
            taken.add((table, c.name))
    return more


def _possible(c: Column, key: Column, span: tuple[str, str, int]) -> bool:
    return c.type == key.type and (c.type != "number" or _same_thing(c.name, key.table) or float(span[0]) >= FROM)


def _sampled(table: str, pairs: Sequence[tuple[Column, Column]], index: SchemaIndex) -> list[tuple[Column, Column]]:
    """Return the pairs that a look at some rows does not rule out; one query a table."""
    if not pairs:
        return []
    parts = [
        f"count({quote(c.name)}) AS n{i},"
        f" count(*) FILTER (WHERE {quote(c.name)} IN (SELECT {quote(k.name)} FROM {quote(k.table)})) AS h{i}"
        for i, (c, k) in enumerate(pairs)
    ]
    rows = f"SELECT * FROM {quote(table)} LIMIT {LOOKED_AT}"
    sql = f"SELECT {', '.join(parts)} FROM ({rows}) AS looked"
    row = index.reads.one(sql, table, *dict.fromkeys(k.table for _, k in pairs))
    return [p for i, p in enumerate(pairs) if row[2 * i + 1] and row[2 * i + 1] >= HELD * 0.9 * row[2 * i]]


def _may_be_key(c: Column, at: int, index: SchemaIndex) -> bool:
    named = at == 0 or key_like("_".join(name_words(c.name))) or bool(set(name_words(c.name)[-1:]) & schema_words.CODE)
    return (
        named and c.type in ("number", "text") and (index.rows.get(c.table) or 0) > 1 and index.unique(c.table, c.name)
    )


def _span(c: Column, index: SchemaIndex) -> tuple[str, str, int] | None:
    """Return the lowest and the highest value as text, and the longest text."""
    q = quote(c.name)
    low, high, longest = index.reads.one(
        f"SELECT CAST(min({q}) AS VARCHAR) AS lo, CAST(max({q}) AS VARCHAR) AS hi,"
        f" max(length(CAST({q} AS VARCHAR))) AS longest FROM {quote(c.table)}",
        c.table,
    )
    return (str(low), str(high), int(longest)) if low is not None else None


def _held(c: Column, key: Column, span: tuple[str, str, int], index: SchemaIndex) -> Join | None:
    """Return the join of a column into a key, None where the values do not prove it."""
    made = _contained(c, key, index)
    if made is None or _same_thing(c.name, key.table) or c.type == "number" or span[2] > 3:
        return made
    (kinds,) = index.reads.one(f"SELECT count(DISTINCT {quote(c.name)}) AS n FROM {quote(c.table)}", c.table)
    return made if int(kinds) >= min(SHORT_CODES, (index.rows.get(key.table) or 0) // 2) else None


def _contained(c: Column, key: Column, index: SchemaIndex) -> Join | None:
    a, b = quote(c.name), quote(key.name)
    sql = (
        f"SELECT count(*) AS n, count(DISTINCT c.{a}) AS kinds,"
        f" count(*) FILTER (WHERE c.{a} IN (SELECT {b} FROM {quote(key.table)})) AS hit"
        f" FROM {quote(c.table)} AS c WHERE c.{a} IS NOT NULL"
    )
    n, kinds, hit = index.reads.one(sql, c.table, key.table)
    return Join(c.table, c.name, key.table, key.name, complete=hit == n) if kinds > 1 and hit >= HELD * n else None


def _same_thing(name: str, table: str) -> bool:
    """Whether a column's name means the same as a table's: the word itself, or a synonym."""
    words, mine = set(name_words(name)), name_words(table)[-1:]
    if set(mine) & words:
        return True
    return any(set(mine) & group and words & group for group in vocabulary.SYNONYMS)
