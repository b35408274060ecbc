"""What stands in for what was asked: a namesake, the words of the question themselves, a group of missing values.

Each check stands for a kind of question that was once answered with a figure of something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.asked_for import named_tables
from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.names import quote
from lexsi_nb.grounding.reading import Choice, Column, Declined, Link, Reading, Relative, Unread
from lexsi_nb.grounding.scruples import conditions
from lexsi_nb.grounding.sql import key_name


def no_stand_in(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """Hold what a reading's values and groups are against what the words ask for.

    Raises:
        Unread: something else stands in for it.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    _inside_itself(reading, items, index)
    _named_elsewhere(reading, items, index)
    _said_back(reading, index)
    _average_beside_conditions(reading)
    _missing_group(reading, index)
    _unlisted(reading, index)
    _once_or_each_time(reading, items, index)


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _inside_itself(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`towns in Springfield` lie in it; the town of that name is none of them."""
    label = index.label_of(reading.table) if reading.table in index.columns else None
    if label is None or reading.shown or reading.table not in named_tables(items):
        return
    for before, m in pairwise([Mention(""), *items]):
        inside = _IN & set(m.gap[-2:]) or (before.words.casefold() in _IN and not before.entries)
        if not inside or m.of("column", "table"):
            continue
        for f in conditions(reading):
            if f.column == label and f.op in ("=", "in") and label in {e.column for e in m.of("value")}:
                text = f"'{m.words}' is the name of a row of {reading.table} itself; nothing is known to lie in it."
                raise _decline(text, m.words)


_IN = frozenset({"in", "within", "inside"})


def _named_elsewhere(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`area of Rome`: the town of that name has none, and the country with that capital is another thing."""
    for f in conditions(reading):
        c = f.column
        if c is None or c.type != "text" or f.op not in ("=", "in") or len(f.values) != 1 or _names(c, index):
            continue
        m = next((m for m in items if c in {e.column for e in m.of("value")}), None)
        if m is None or m.of("column", "table") or any(e.column == c for x in items for e in x.of("column")):
            continue
        held = [e.column for e in m.of("value") if e.column is not None]
        held += [x for x, _ in index.holding(str(f.values[0]))]
        rows = [x for x in held if x != c and x == index.label_of(x.table) and x.table != c.table]
        if rows:
            ways = (f"{c} {m.words}", f"the row of {rows[0].table} of that name")
            raise Unread(Choice(f"'{m.words}' names a row of {rows[0].table} too.", ways, m.words))


def _names(c: Column, index: SchemaIndex) -> bool:
    """Whether a column names rows: its own, or those that it points at."""
    if c.sql or c == index.label_of(c.table) or c == index.key_of(c.table) or index.unique(c.table, c.name):
        return c == index.label_of(c.table) or c == index.key_of(c.table)
    return bool(index.joins.leaving(c.table, c.name))


def _said_back(reading: Reading, index: SchemaIndex) -> None:
    """`state with the code TX` is not TX: the values said in the question are no answer to it."""
    if reading.kind != "list" or not reading.columns or reading.links:
        return
    said = {str(v) for f in reading.filters if f.op in ("=", "in") and not f.negated for v in f.values}
    if len(said) != 1 or any(c.type != "text" for c in reading.columns):
        return
    frame = index.engine.query(f"SELECT * FROM (\n{reading.sql}\n) AS listed LIMIT 50")
    shown = {str(v) for name in frame.columns for v in frame[name]}
    if shown and shown <= said:
        raise _decline(f"I would only say {said.pop()} back. Name what is to be listed.", reading.columns[0].name)


def _average_beside_conditions(reading: Reading) -> None:
    """`owners with a salary above average in 2016`: above that of all rows, or of those of 2016?"""
    for link in reading.links:
        relative = any(isinstance(v, Relative) and not v.whole for f in link.filters for v in f.values)
        if relative and len(reading.filters) + sum(len(k.filters) for k in reading.links) > 1:
            ways = (f"of all {link.table} rows", "of the rows that fit the other conditions")
            raise Unread(Choice("An average of which rows?", ways))


def _missing_group(reading: Reading, index: SchemaIndex) -> None:
    """`top 10 planes by number of flights`: flights without a plane are no plane."""
    if reading.kind != "topk" or not reading.keys or not reading.limit or "PARTITION BY" in reading.sql:
        return
    for key in reading.keys:
        frame, name = index.engine.query(reading.sql), key_name(key)
        missing = name in frame.columns and any(v is None or v != v or str(v) == "" for v in frame[name])
        if missing:
            ways = (f"without the rows where {name} is missing", "with them, as one group more")
            raise Unread(Choice(f"Rows without {name} would be one of the first groups.", ways, name))


def _unlisted(reading: Reading, index: SchemaIndex) -> None:
    """`planes with more than 500 flights`, where flights name planes that the table of planes does not list."""
    for link in reading.links:
        if not link.op or link.negated or link.filters:
            continue
        for j in index.joins.into(reading.table):
            if j.child == link.table and not j.complete and (n := _beyond(j.child_column, link, reading, index)):
                text = f"{n} more {j.child_column} of {link.table} would fit, and {reading.table} does not list them."
                raise Unread(
                    Choice(text, (f"only those that {reading.table} lists", f"all {j.child_column}"), link.words)
                )


def _beyond(column: str, link: Link, reading: Reading, index: SchemaIndex) -> int:
    j = next(x for x in index.joins.into(reading.table) if (x.child, x.child_column) == (link.table, column))
    sql = (
        f"SELECT count(*) AS n FROM (SELECT {quote(column)} FROM {quote(link.table)} WHERE {quote(column)} NOT IN"
        f" (SELECT {quote(j.parent_column)} FROM {quote(j.parent)} WHERE {quote(j.parent_column)} IS NOT NULL)"
        f" GROUP BY 1 HAVING count(*) {link.op} {link.number}) AS g"
    )
    return int(index.reads.one(sql, link.table, reading.table)[0])


def _once_or_each_time(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`seats flown by B6`: those of each plane once, or of each of its flights?"""
    if reading.kind != "aggregate" or not index.facts.empty or reading.table in named_tables(items):
        return
    for link in reading.links:
        many = not link.negated and not link.op and not index.joins.up(reading.table, link.table)
        figures = [m for m in reading.measures if m.function in _WEIGHED and m.column is not None]
        if many and figures and link.filters:
            name = figures[0].column.name if figures[0].column else ""
            ways = (f"{name} of each row of {reading.table} once", f"{name} of each row of {link.table}")
            raise Unread(Choice(f"Many rows of {link.table} share one {name}; counted once, or each time?", ways))


_WEIGHED = frozenset({"sum", "avg", "median", "stddev"})
