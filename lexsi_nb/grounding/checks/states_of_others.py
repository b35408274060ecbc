"""A state that is told of other rows than those it is said of: `how many policies are open`, where claims are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.language import passed_over
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex


def no_state_of_others(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """Hold that rows said to be something are so themselves, and not by one of many rows that belong to them.

    Raises:
        Unread: only rows of another table are so.
    """
    if not index.facts.empty or not reading.links:
        return
    named = {e.table for m in items for e in m.of("table")}
    for link in reading.links:
        if link.negated or link.table in named or index.joins.up(reading.table, link.table):
            continue
        held = [f for f in link.filters if f.column is not None and f.column.table == link.table]
        for before, m in pairwise(items):
            own = reading.table in {e.table for e in before.of("table")} and bool(set(m.gap) & passed_over.COPULA)
            told = [f for f in held if own and f.column in {e.column for e in m.of("value")}]
            if told:
                said = f"'{m.words}' is told of {link.table}, and you say it of {before.words}."
                raise Unread(Declined(f"{said} Say '{before.words} with {m.words} {link.table}' if so.", (m.words,)))
