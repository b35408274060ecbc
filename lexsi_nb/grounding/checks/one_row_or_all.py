"""A number of rows that something has: `clubs with fees over 300` have one such fee, or fees of so much together."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.checks.asked_for import means, named_tables
from lexsi_nb.grounding.language import retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Filter, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.naming import year_like


def one_row_or_all(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`franchises with more than 5000 wins`: in one of their rows, or in all together?

    Raises:
        Unread: with the choice.
    """
    named = named_tables(items)
    for link in reading.links:
        if link.negated or link.op or link.table in named or index.joins.up(reading.table, link.table):
            continue
        for f in link.filters:
            c = f.column
            if c is not None and c.type == "number" and f.op in (">", ">=", "<", "<=", "between") and not c.sql:
                if year_like(c.name):
                    continue
                if reading.kind == "yesno" and index.facts.column(c.table, c.name).level:
                    continue  # "was any balance below zero": a level adds up to nothing
                ways = (f"in one row of {link.table}", f"the total {c.name} of all its {link.table} rows")
                prompt = f"'{f.words}' is told of {link.table}; in one row, or together?"
                raise Unread(Choice(prompt, ways, f.words, said=_said(f, link.table, items), lasting=False))


def _said(f: Filter, table: str, items: Sequence[Mention]) -> tuple[str, ...]:
    """Return the words that ask for each way; none where the number stands before what it is of."""
    at = next((i for i, m in enumerate(items) if f.column is not None and means(m, f.column)), len(items))
    bound = next((i for i, m in enumerate(items) if m.number is not None), -1)
    return tuple(w.format(f.words, table) for w in retold.ROW_OR_TOTAL) if at < bound else ("", "")
