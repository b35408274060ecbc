"""Two things of the data that one word can name, where a reading took one of them without a word for it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.asked_for import means, named_tables, tables_in, yes_or_no
from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Reading, Unread
from lexsi_nb.grounding.scruples import conditions
from lexsi_nb.grounding.words import name_words


def no_rival(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """Hold what a reading took against what else the words can name.

    Raises:
        Unread: with the choice.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    _value_for_a_table(reading, items)
    _figure_of_another(reading, items, index)
    _big_by_number(reading, items, index)
    _flagged_rows(reading, items, index)


def _value_for_a_table(reading: Reading, items: Sequence[Mention]) -> None:
    """`without any adverse event`: a row of the table of that name, or the value of a column elsewhere?"""
    used = {f.column for f in conditions(reading) if f.column is not None}
    for m, noun in pairwise([*items, Mention("")]):
        tables = [e.table for e in m.of("table") if not e.weak]
        if {e.table for e in noun.of("table", "column")} & {c.table for c in used} and not noun.gap:
            continue  # "credit transactions"
        columns = [e.column for e in m.of("value") if e.column in used]
        if tables and columns and not m.upper and not set(tables) & tables_in(reading):
            ways = (f"rows of {tables[0]}", f"{columns[0]} {m.words}")
            raise Unread(Choice(f"'{m.words}' names a table and a value.", ways, m.words))


def _figure_of_another(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`average price`, with nothing said of which rows, where another table has a price of a longer name."""
    if reading.keys or reading.links or conditions(reading) or named_tables(items) or not index.facts.empty:
        return
    for measure in reading.measures:
        c = measure.column
        said = next((m for m in items if c is not None and means(m, c)), None)
        if c is None or said is None or c.type != "number":
            continue
        last = name_words(said.words)[-1:]
        others = [
            x for t, columns in index.columns.items() if t != c.table
            for x in columns.values() if x.type == "number" and name_words(x.name)[-1:] == last
        ]  # fmt: skip
        if others:
            ways = (str(c), *map(str, others[:5]))
            raise Unread(Choice(f"'{said.words}' can be told of more than one table.", ways, said.words))


def _big_by_number(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`the biggest branch`: by its one number, or by how many rows belong to it?"""
    c = reading.order.column if reading.order else None
    ranks = [m for m in items if not m.entries and m.tag("super") in ("desc", "asc")]
    if c is None or c.type != "number" or reading.kind != "topk" or not ranks or c.table != reading.table:
        return
    declared = index.facts.table(reading.table).size
    if declared or any(means(m, c) or m.tag("sized") is not None for m in items):
        return
    below = list(dict.fromkeys(j.child for j in index.joins.into(reading.table)))
    if below and ranks[0].words.casefold().split()[-1] in _BIG:
        ways = (f"by {c.name}", *(f"by number of {t}" for t in below[:5]))
        raise Unread(Choice(f"'{ranks[0].words}' by what?", ways, ranks[0].words))


_BIG = frozenset({"biggest", "largest", "smallest", "greatest"})


def _flagged_rows(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`in the hall of fame`, of which each row says whether it came to that."""
    tables = {reading.table, *(k.table for k in reading.links)}
    for before, m in pairwise(items):
        inside = before.tag("in") is not None and not before.entries and m.gap == ("the",)
        named = [e.table for e in m.of("table") if e.table in tables and not e.weak]
        if not inside or not named or not index.facts.empty:
            continue
        at = items.index(m)
        if any(x.tag("tables") is not None for x in items[at + 1 : at + 2]):
            continue
        flags = [c for c in index.columns[named[0]].values() if c.type in ("text", "bool") and yes_or_no(c, index)]
        if len(flags) == 1 and not any(means(x, flags[0]) for x in items) and flags[0] not in _read(reading):
            ways = (f"any row of {named[0]}", *(f"{flags[0].name} {v}" for v in yes_or_no(flags[0], index)))
            raise Unread(Choice(f"Each row of {named[0]} says whether it is {flags[0].name}; which are meant?", ways))


def _read(reading: Reading) -> list[object]:
    keys = [k.column for k in reading.keys]
    return [*(f.column for f in conditions(reading)), *keys, *(m.column for m in reading.measures)]
