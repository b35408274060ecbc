"""A mean of what others share: `average salary of the district of the client` is over districts, or over clients."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import one_of, rows_word
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import singular

_BY_ROWS = ("avg", "median", "sum", "stddev", "variance", "cv")  # figures that change where a row counts twice


def no_mean_of_parents(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """Refuse a figure of `the district of the client`, where a district has many clients.

    Raises:
        Unread: it counts each district once, and may be meant to count each client.
    """
    figures = [m for m in reading.measures if m.function in _BY_ROWS and m.column is not None]
    if reading.kind != "aggregate" or reading.keys or not figures:
        return
    for link in reading.links:
        plain = not (link.negated or link.op or link.filters)
        if not plain or not index.joins.up(link.table, reading.table):
            continue
        for one, other in pairwise(items):
            if grammar.OF & {*other.gap} and _one(one) and _names(one, reading.table) and _names(other, link.table):
                many, each = rows_word(reading.table), rows_word(link.table, 1)
                told = f"Over {many}, each once, or once for each {each}?"
                way = f"I tell only the first: ask for '{many} with {one_of(link.table)}'."
                raise Unread(Declined(f"{told} {way}", (other.words,)))


def _one(m: Mention) -> bool:
    return m.words.casefold() == singular(m.words.casefold())


def _names(m: Mention, table: str) -> bool:
    return table in {e.table for e in m.of("table")}
