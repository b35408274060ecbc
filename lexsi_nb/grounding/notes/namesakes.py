"""Several rows that share a name: a figure of "Ann Lee" is of every row that is called so, and says how many are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lexsi_nb.grounding.mentions import describe
from lexsi_nb.grounding.reading import Filter, Measure, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote


def several_of_a_name(reading: Reading, index: SchemaIndex) -> tuple[str, ...]:
    """Return the notes on names in a reading's conditions and groups that more than one row of their table has."""
    conditions = [f for m in reading.measures for f in m.where]
    conditions += [f for link in reading.links for f in link.filters if not link.negated]
    found = [*_notes([*reading.filters, *conditions], reading, index), *_grouped(reading, index)]
    return tuple(dict.fromkeys(found))


def _notes(filters: Sequence[Filter], reading: Reading, index: SchemaIndex) -> Iterable[str]:
    measures = reading.measures
    for f in filters:
        c = f.column
        if c is None or c.sql or f.negated or f.op != "in" or c.type != "text" or c != index.label_of(c.table):
            continue
        own = c.table == reading.table  # rows that are counted or shown one by one tell how many they are
        counted = own and not reading.shown and not reading.distinct and all(m.function == "count" for m in measures)
        if counted or index.key_of(c.table) is None or index.unique(c.table, c.name):
            continue
        others = [x for x in filters if x.home == c.table and x.column != c and x.op != "any"]
        for value in f.values:
            n = _called(Filter(c, "in", (value,)), others, index)
            if n > 1:
                yield f"{n:,} {rows_word(c.table, n)} are called {describe(value)}: all of them are meant"


def _grouped(reading: Reading, index: SchemaIndex) -> Iterable[str]:
    """Say how many names stand for several rows, where rows of another table are grouped by a name alone."""
    columns = [k.column for k in reading.keys]
    for c in columns:
        key = index.key_of(c.table)
        if c.sql or c.table == reading.table or c != index.label_of(c.table) or key is None or key in columns:
            continue
        if index.unique(c.table, c.name):
            continue
        name, table = quote(c.name), quote(c.table)
        sql = f"SELECT count(*) FROM (SELECT {name} FROM {table} GROUP BY {name} HAVING count(*) > 1 AND {name} <> '')"
        if c.type == "text" and (n := int(index.reads.one(sql, c.table)[0])):
            rows = rows_word(c.table)
            said = f"1 value of {c.name} is" if n == 1 else f"{n:,} values of {c.name} are"
            yield f"{said} of several {rows}: those are taken together"


def _called(name: Filter, others: Sequence[Filter], index: SchemaIndex) -> int:
    table = name.home
    rows = Reading("count", table, measures=(Measure("count", table=table),), filters=(name, *others))
    try:
        return int(index.reads.one(ReadingSQL(rows, index).text(), table)[0])
    except Unread:
        return 0
