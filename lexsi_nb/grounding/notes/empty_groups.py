"""Groups without a row, said of each figure: customers who never ordered, months in which nothing happened."""

from __future__ import annotations

from collections.abc import Iterable

from lexsi_nb.grounding.grains import STEPS
from lexsi_nb.grounding.reading import Choice, Column, Filter, Key, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, measure_name, unique_names
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Join
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words, singular


def empty_groups(reading: Reading, index: SchemaIndex) -> tuple[str, ...]:
    """Return the notes on groups that a list of groups does not show, as they have no row."""
    plain = reading.kind in ("groupby", "share", "series") and not (reading.having or reading.limit)
    if not plain or not reading.measures or not reading.keys or "calendar AS" in reading.sql:
        return ()
    try:
        return tuple(_notes(reading, index))
    except Unread:
        return ()


def _notes(reading: Reading, index: SchemaIndex) -> Iterable[str]:
    key = reading.keys[0]
    if len(reading.keys) > 1:
        yield from _of_namesakes(reading, index)
        return
    if key.grain:
        all_, none = periods(reading, key, index)
        if none:
            have = "has" if none == 1 else "have"
            yield f"{none:,} of the {all_:,} {key.grain}s from the first to the last {have} none: not shown"
        return
    thing = of_things(reading, index)
    if thing is None:
        column = key.column
        none = [] if column.sql or index.unique(column.table, column.name) else groups_of_none(reading, index)
        if none:
            yield f"{column.name} {few(none)} with no such {rows_word(reading.table)}: not shown"
        return
    table, column = thing
    groups = things(reading, table, (column,), index)
    none = lost(reading, groups, index)
    if none:
        of_some = any(not index.joins.up(table, f.home) for f in reading.filters) or bool(reading.links)
        such = "such " if of_some else ""
        yield f"{none:,} {rows_word(table, none)} with no {such}{rows_word(reading.table)}: not shown"


def of_things(reading: Reading, index: SchemaIndex) -> tuple[str, Column] | None:
    """Return the table whose rows are the groups of a reading, and the column that tells them; None for others."""
    key = reading.keys[0]
    table, column = key.column.table, key.column
    pointing = index.joins.leaving(table, column.name) if table == reading.table and not column.sql else []
    if len(pointing) == 1:  # "invoices per subscription", by the column that points at subscriptions
        table = pointing[0].parent
        column = index.columns[table][pointing[0].parent_column]
    elif table == reading.table or column not in (index.key_of(table), index.label_of(table)):
        return None
    return (table, column) if index.joins.up(reading.table, table) else None


def _of_namesakes(reading: Reading, index: SchemaIndex) -> Iterable[str]:
    """Things told apart by their key beside their name, as some have one name."""
    columns, table = tuple(k.column for k in reading.keys), reading.keys[0].column.table
    named = {index.key_of(table), index.label_of(table)}
    if len(columns) == 2 and set(columns) == named and table != reading.table and index.joins.up(reading.table, table):
        none = lost(reading, things(reading, table, columns, index), index)
        if none:
            yield f"{none:,} {rows_word(table, none)} with no {rows_word(reading.table)}: not shown"


def periods(reading: Reading, key: Key, index: SchemaIndex) -> tuple[int, int]:
    """Return how many periods lie between the first and the last one, and how many of them have no row."""
    if key.grain not in STEPS:
        return 0, 0
    name, inner = quote(key_name(key)), _unordered(ReadingSQL(reading, index).text())
    ends = f"min({name})::TIMESTAMP, max({name})::TIMESTAMP"
    span = f"len(generate_series({ends}, INTERVAL {STEPS[key.grain]}))"
    if key.grain == "year":
        span = f"max({name}) - min({name}) + 1"
    sql = f"SELECT {span} AS spanned, count({name}) AS held\nFROM (\n{inner}\n) AS periods"
    spanned, held = index.reads.one(sql, *_tables(reading))
    return (0, 0) if spanned is None else (int(spanned), int(spanned) - int(held))


def things(reading: Reading, table: str, columns: tuple[Column, ...], index: SchemaIndex) -> Reading:
    """Return the reading of every row of a table that could be a group: those that fit the conditions on it."""
    own = [f for f in reading.filters if f.op != "any" and index.joins.up(table, f.home)]
    own += [Filter(c, "notnull") for c in columns if index.has_gaps(c)]
    return Reading("list", table, columns=columns, filters=tuple(own), distinct=True)


def lost(reading: Reading, groups: Reading, index: SchemaIndex) -> int:
    """Return how many groups have no row at all."""
    every = ReadingSQL(groups, index).text()
    named = ", ".join(quote(c.name) for c in groups.columns)
    shown = ", ".join(quote(n) for n in unique_names([*map(key_name, reading.keys)]))
    sql = f"SELECT count(*) AS n FROM (SELECT {named} FROM (\n{every}\n) AS g"
    sql += f" EXCEPT SELECT {shown} FROM (\n{_unordered(reading.sql)}\n) AS c) AS x"
    return int(index.reads.one(sql, *_tables(reading), groups.table)[0])


def few(names: list[str]) -> str:
    """Return some names, the first three of many."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def groups_of_none(reading: Reading, index: SchemaIndex) -> list[str]:
    """Return the groups without a row of a ranking by one column: those of its table that fit what is said of it."""
    c = reading.keys[0].column
    if reading.keys[0].grain or c.sql or not (reading.filters or reading.links or c.table != reading.table):
        return []
    if c.table == reading.table:
        own = tuple(f for f in reading.filters if f.column is not None and _told_by(c, f.column, index))
        own = (*own, *([Filter(c, "notnull")] if index.has_gaps(c) else []))
        groups = Reading("list", c.table, columns=(c,), filters=own, distinct=True)
    else:
        groups = things(reading, c.table, (c,), index)
    sql = f"{_unordered(ReadingSQL(groups, index).text())} EXCEPT SELECT {quote(key_name(reading.keys[0]))}"
    rows = index.reads.rows(f"{sql} FROM (\n{_unordered(reading.sql)}\n) AS c", *_tables(reading), c.table)
    return sorted(str(r[0]) for r in rows)


def _told_by(c: Column, other: Column, index: SchemaIndex) -> bool:
    """Whether one column tells another of its table: each town is in one region."""
    if other.table != c.table or other.sql:
        return False
    a, b = quote(c.name), quote(other.name)
    sql = f"SELECT max(n) AS n FROM (SELECT count(DISTINCT {b}) AS n FROM {quote(c.table)} GROUP BY {a}) AS t"
    return index.reads.one(sql, c.table)[0] == 1


def unmatched(reading: Reading, j: Join, index: SchemaIndex) -> tuple[str, ...]:
    """Return the note on rows that point at no row of the other table: no such thing is averaged over."""
    if j.complete or reading.measures[0].function != "count":
        return ()
    key, number = quote(key_name(reading.keys[0])), quote(measure_name(reading.measures[0]))
    there = f"SELECT {quote(j.parent_column)} FROM {quote(j.parent)}"
    sql = f"SELECT coalesce(sum({number}), 0) AS n FROM (\n{_unordered(reading.sql)}\n) AS g"
    sql += f" WHERE {key} IS NOT NULL AND {key} NOT IN ({there} WHERE {quote(j.parent_column)} IS NOT NULL)"
    n = int(index.reads.one(sql, *_tables(reading), j.parent)[0])
    said = f"{n:,} {rows_word(reading.table, n)} whose {j.child_column} is in no row of {j.parent}: left out"
    return (said,) if n else ()


def unlisted(reading: Reading, j: Join, words: str, index: SchemaIndex) -> None:
    """Ask whether groups that the table named by the words does not list are meant too.

    Raises:
        Unread: some groups are in no row of the table that the words name.
    """
    if j.complete or not {singular(w) for w in words.casefold().split()} & {singular(w) for w in name_words(j.parent)}:
        return
    key, there = quote(key_name(reading.keys[0])), quote(j.parent_column)
    sql = (
        f"SELECT count(*) AS n FROM (\n{_unordered(ReadingSQL(reading, index).text())}\n) AS g WHERE {key} IS NOT NULL"
    )
    sql += f" AND {key} NOT IN (SELECT {there} FROM {quote(j.parent)} WHERE {there} IS NOT NULL)"
    if n := int(index.reads.one(sql, *_tables(reading), j.parent)[0]):
        text = f"{n:,} {j.child_column} of {reading.table} would be among them, and {j.parent} does not list them."
        raise Unread(Choice(text, (f"only those that {j.parent} lists", f"all {j.child_column}"), words))


def _unordered(sql: str) -> str:
    return "\n".join(x for x in sql.split("\n") if not x.startswith(("ORDER BY", "LIMIT")))


def _tables(reading: Reading) -> list[str]:
    return list(dict.fromkeys([*reading.tables, *(m.column.table for m in reading.measures if m.column)]))
