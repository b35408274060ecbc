"""What can be asked of the data at hand: a few questions about their own tables and columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lexsi_nb.grounding.everyday.rows import said_as
from lexsi_nb.grounding.language import everyday, retold
from lexsi_nb.grounding.rendering.phrasing import figure_of
from lexsi_nb.grounding.schema.index import SchemaIndex

SHOWN = 4  # questions that are shown
MOST_TABLES, MOST_KINDS = 8, 12


def examples(index: SchemaIndex) -> Iterable[str]:
    """Return questions that may be asked of the data, those that tell most first; not each of them need be read."""
    told = [t for t in index.columns if (index.rows.get(t) or 0) > 0][:MOST_TABLES]
    for table in told:
        kinds = [c for c in index.values if c.table == table and 1 < len(index.values[c]) <= MOST_KINDS]
        numbers = [c for c in index.numeric(table) if c.name]
        said = said_as(table)
        if kinds:
            yield retold.BY.format(retold.HOW_MANY.format(said), said_as(kinds[0].name))
        if numbers and kinds:
            figure = retold.OF.format(figure_of("avg", said_as(numbers[0].name)), said)
            yield retold.BY.format(figure, said_as(kinds[-1].name))
        if index.time_of(table):
            yield retold.BY.format(everyday.NUMBER_OF.format(said), everyday.PERIODS["month"])
    for table in told:
        yield retold.HOW_MANY.format(said_as(table))


def what_to_ask(tables: Sequence[str], questions: Sequence[str]) -> str:
    """Return three lines: what is there, what can be asked for instance, and how to go on."""
    more = f" and {len(tables) - MOST_TABLES} more" if len(tables) > MOST_TABLES else ""
    there = f"The tables are {', '.join(tables[:MOST_TABLES])}{more}." if tables else "There are no tables yet."
    shown = "; ".join(f"'{q}'" for q in questions)
    lines = [f"{there} Counts, averages, shares, rankings and trends of them can be asked for in plain words."]
    lines += [f"For instance: {shown}."] if questions else []
    first = f"'columns of {tables[0]}' shows what a table holds" if tables else "Make a data frame, or connect a file"
    return "\n".join([*lines, f"{first}; %lexsi help lists the commands."])
