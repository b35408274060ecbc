"""Which of several equals is the first: all of a few that share it, or a choice; and those that have none at all."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.language import grammar, retold
from lexsi_nb.grounding.mentions import Mention, describe
from lexsi_nb.grounding.notes.empty_groups import few, groups_of_none, lost, of_things, things
from lexsi_nb.grounding.reading import Choice, Declined, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, measure_name
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words

FEW = 5  # equals that are shown together
MOST_EQUAL = 12
MIDNIGHT = "T00:00:00"
MOST_TIED = 100  # rows of a ranking up to which equal places are looked for


def every_first(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> Reading:
    """Return the reading of a superlative with all that share the first place, where they are few.

    Raises:
        Unread: many share it, or have none at all, and each of these has the fewest.
    """
    if reading.kind != "topk" or reading.limit != 1 or not reading.sql.endswith("LIMIT 1"):
        return reading
    if (none := _with_none(reading, index)) is not None:
        return none
    return _equals(reading, items, index)


def tie_note(r: Reading, sql: str, index: SchemaIndex) -> list[str]:
    """Return a note where what comes after the last row shown is ordered equal to it, else none."""
    limit = f"LIMIT {r.limit}"
    if r.limit is None or r.order is None or r.limit > MOST_TIED or not sql.endswith(limit):
        return []
    frame = index.engine.query(f"{sql.removesuffix(limit)}LIMIT {r.limit + 1}")
    at = len(r.keys) if r.measures else next((i for i, c in enumerate(r.columns) if c == r.order.column), None)
    if at is None or len(frame) <= r.limit:
        return []
    last, after = frame.iloc[r.limit - 1, at], frame.iloc[r.limit, at]
    return [f"more share the last place ({last}) than are shown"] if str(last) == str(after) else []


def cut_or_all(question: str, index: SchemaIndex) -> tuple[str, SchemaIndex, bool] | None:
    """Return (the question, an index that asks nothing of ties, whether all are shown); None where it says neither."""
    m = grammar.LAST_PLACE.fullmatch(question.strip())
    if m is None:
        return None
    told = copy.copy(index)
    told.ties_told = True
    return m["question"], told, m["all"] is not None


def by_cut_or_all(reading: Reading, *, every: bool) -> Reading:
    """Return a ranking with all that share its last place, or with the first of them by key, which its text says.

    Raises:
        Unread: it is no ranking of a number of rows.
    """
    order, number = reading.order, reading.limit
    lines = reading.sql.split("\n")
    if order is None or number is None or reading.kind != "topk" or lines[-1] != f"LIMIT {number}":
        raise Unread(Declined("There is no last place here that others could share."))
    if not every:
        return replace(reading, text=f"{reading.text}; of those that share the last place the first by key")
    name = order.column.name if order.column is not None else measure_name(order.measure or reading.measures[0])
    text = f"{reading.text}, and all that share the last place"
    notes = tuple(n for n in reading.notes if "share the last" not in n)
    made = replace(reading, sql=_ranked(lines[:-1], name, reading, number), text=text, notes=notes)
    return replace(made, limit=None)


def _ranked(lines: Sequence[str], name: str, reading: Reading, places: int) -> str:
    """Return the SQL of the rows that have one of the first places, equals all of them; `lines`: without the limit."""
    order = next(i for i in range(len(lines) - 1, -1, -1) if lines[i].startswith("ORDER BY"))
    inner = "\n    ".join(lines[:order])
    way = f"{quote(name)}{' DESC' if reading.order is not None and reading.order.descending else ''} NULLS LAST"
    rest = lines[order].removeprefix("ORDER BY ")
    first = "= 1" if places == 1 else f"<= {places}"
    return f"SELECT *\nFROM (\n    {inner}\n) AS ranked\nQUALIFY rank() OVER (ORDER BY {way}) {first}\nORDER BY {rest}"


# -- equals -----------------------------------------------------------------------------------------------------------


def _equals(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> Reading:
    """`the fastest plane`, where several are as fast: one of them stands for none of the others."""
    column = reading.order.column if reading.order else None
    noted = any("share the last" in n for n in reading.notes) or (column is not None and bool(column.sql))
    if not noted or not index.facts.empty:
        return reading
    rows = any(
        reading.table in {e.table for e in m.of("table")} and column not in {e.column for e in m.of("column")}
        for m in items
    )
    if not (reading.keys or reading.shown or rows):
        return reading
    body = reading.sql
    if column is not None and column.sql and column not in reading.columns:
        body = ReadingSQL(replace(reading, columns=(*reading.columns, column)), index).text()
    body = body.removesuffix("LIMIT 1").rstrip()
    frame = index.engine.query(f"{body}\nLIMIT {MOST_EQUAL + 1}")
    name = column.name if column is not None else frame.columns[-1]
    if name not in frame.columns:
        return reading
    equal = frame[frame[name] == frame[name].iloc[0]]
    asked = [c.name for c in reading.shown if c.name in frame.columns and c.name != name]
    label = index.label_of(reading.table) if reading.table in index.columns and not reading.keys else None
    first = label.name if label is not None and label.name in frame.columns else frame.columns[0]
    told = equal[asked or [first]].drop_duplicates().astype(str)
    if len(told) < 2:
        return reading
    dated = column is not None and column.type == "date"  # of one day, one still was the last
    if len(equal) <= FEW and not dated:
        return _all_of(reading, body, str(name), len(equal), frame[name].iloc[0])
    raise Unread(_many(reading, str(name), len(equal), frame[name].iloc[0]))


def _many(reading: Reading, name: str, number: int, value: Any) -> Choice | Declined:
    """Return what can be asked of many equals: for all of them or for their number, where conditions tell them."""
    said = describe(value.item() if hasattr(value, "item") else value)
    said = said.removesuffix(MIDNIGHT)
    some = f"{number}" if number <= MOST_EQUAL else f"More than {MOST_EQUAL}"
    text = f"{some} share the same {name}, {said}"
    if reading.keys or reading.measures:
        by = " and ".join(k.column.name for k in reading.keys)
        return Declined(f"{text}: no one of them is first. Ask for the figures by {by}, which shows all of them.")
    plain = all(
        f.column and f.op in ("=", "in") and len(f.values) == 1 and f.home == reading.table and not f.negated
        for f in reading.filters
    )
    if reading.links or not plain or (reading.order and reading.order.column and reading.order.column.sql):
        return Declined(f"{text}: no one of them is first. Say {name} {said} as a condition, which gives all of them.")
    told = [(f.column.name, describe(f.values[0])) for f in reading.filters if f.column]
    told = [f"{' '.join(name_words(c))} {v}" for c, v in (*told, (name, said))]
    rows = retold.WITH.format(reading.table, told[0])
    for more in told[1:]:
        rows = retold.AND.format(rows, more)
    number_of = retold.HOW_MANY.format(rows)
    return Choice(f"{text}; what is wanted of them?", (rows, number_of), questions=(rows, number_of), lasting=False)


def _all_of(reading: Reading, body: str, name: str, number: int, value: Any) -> Reading:
    """Return the reading of all rows that share the first place."""
    down = reading.order is not None and reading.order.descending
    sql = _ranked(body.split("\n"), name, reading, 1)
    said = describe(value.item() if hasattr(value, "item") else value)
    note = f"{number} share the {'highest' if down else 'lowest'} {name}, {said}: all of them are shown"
    notes = (*(n for n in reading.notes if "share the last" not in n), note)
    text = reading.text.replace(", one row", f", the {number} that share the first place")
    return replace(reading, sql=sql, text=text, notes=notes, limit=number)


# -- none at all ------------------------------------------------------------------------------------------------------


def _with_none(reading: Reading, index: SchemaIndex) -> Reading | None:
    """Return those that have none, of which no group is ever shown: `the cell with the fewest calls`.

    Raises:
        Unread: there are many of them, or it cannot be told which they are.
    """
    order, first = reading.order, next(iter(reading.measures), None)
    if first is None or first.function != "count" or order is None or order.descending:
        return None
    if len(reading.keys) != 1 or reading.keys[0].grain:
        return None
    thing, grouped = of_things(reading, index), reading.keys[0].column
    if thing is None:
        names = groups_of_none(reading, index)
        if names:
            text = f"{grouped.name} {few(names)}: no such {reading.table} at all, the fewest there can be."
            raise Unread(Declined(f"{text} Ask for the number by {grouped.name}.", ("fewest",)))
        return None
    table, column = thing
    groups = things(reading, table, (column,), index)
    none = lost(reading, groups, index)
    if not none:
        return None
    if reading.links or none > FEW or len(reading.measures) > 1 or any(f.home == table for f in reading.filters):
        text = f"{none:,} {rows_word(table, none)} without any {reading.table} have the fewest: one is none of them."
        ask = f"Ask for '{table} without {reading.table}' first."
        raise Unread(Declined(f"{text} {ask}", ("fewest",)))
    key, number = key_name(reading.keys[0]), measure_name(first)
    every = ReadingSQL(groups, index).text().split("\n")
    every = "\n    ".join(x for x in every if not x.startswith("ORDER BY"))
    counted = "\n    ".join(x for x in reading.sql.split("\n") if not x.startswith(("ORDER BY", "LIMIT")))
    sql = (
        f"WITH counted AS (\n    {counted}\n), every AS (\n    {every}\n)\n"
        f"SELECT {quote(column.name)} AS {quote(key)}, 0 AS {quote(number)}\nFROM every\n"
        f"WHERE {quote(column.name)} NOT IN (SELECT {quote(key)} FROM counted WHERE {quote(key)} IS NOT NULL)\n"
        f"ORDER BY {quote(key)}"
    )
    text = reading.text.replace(", one row", "")
    note = f"{none} {rows_word(table, none)} {'has' if none == 1 else 'have'} none at all, the fewest there can be"
    notes = (*(n for n in reading.notes if "share the last" not in n), note)
    return replace(reading, sql=sql, text=text, notes=notes, limit=none)
