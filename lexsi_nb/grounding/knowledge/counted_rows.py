"""A meaning that bounds rows by a bare number, `visits > 15`: how many of them something has, or a column of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexsi_nb.grounding.language import retold
from lexsi_nb.grounding.mentions import Mention, mentions
from lexsi_nb.grounding.reading import Choice, Reading
from lexsi_nb.grounding.rendering.phrasing import filter_said, rows_word

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

_BOUNDS = ("cmp", "post", "between", "and")


def by_their_number(meaning: str, found: object, grounder: Grounder) -> Reading | Choice | None:
    """Return what a bare number of rows can mean, None for another meaning.

    `more than 15 visits` is of the rows that have so many. Where a column of the rows can hold the number as well, as
    `found` reads it, and nothing names that column, it is asked which is meant.
    """
    items = mentions(meaning, grounder.index).items
    table = _bounded(items)
    if table is None:
        return None
    said = " ".join(m.words for m in items if not m.of("table"))
    rows = next(m.words for m in items if m.of("table"))
    ways: dict[str, Reading] = {}
    parents = dict.fromkeys(s.end[0] for s in grounder.index.joins.parents(table))
    for parent in parents:
        asked = retold.WITH.format(_called(parent), f"{said} {rows}")
        reading = grounder.read(asked)
        if isinstance(reading, Reading) and reading.kind == "list" and reading.table == parent:
            counts = len(reading.links) == 1 and reading.links[0].op and reading.links[0].table == table
            if counts and not reading.links[0].filters and not reading.filters:
                ways[asked] = reading
    own = []
    if isinstance(found, Reading) and found.table == table and len(found.filters) == 1 and not found.links:
        own = [retold.WITH.format(_called(table), filter_said(found.filters[0]))]
    if own and parents:
        return Choice(f"'{meaning}' names no column.", (*ways, *own), meaning)
    if len(ways) > 1:
        return Choice(f"'{meaning}' can be of more than one thing.", tuple(ways), meaning)
    return next(iter(ways.values()), None)


def _bounded(items: list[Mention]) -> str | None:
    """Return the table of the rows that a bare number bounds, None where more is said."""
    named = [m for m in items if m.entries]
    numbers = [m for m in items if m.number is not None]
    bounds = [m for m in items if {t.partition(":")[0] for t in m.tags} & set(_BOUNDS)]
    tables = {e.table for m in named for e in m.entries if e.kind == "table"}
    whole = len(named) == 1 and len(named[0].of("table")) == len(named[0].entries)
    fits = whole and len(tables) == 1 and bool(numbers) and bool(bounds)
    return next(iter(tables)) if fits and len(items) == 1 + len(numbers) + len(bounds) else None


def _called(table: str) -> str:
    """Return what rows of a table are called in a question: its noun, or its name where that is none."""
    word = rows_word(table)
    return word if word != rows_word("") else table
