"""A sign and a number behind rows of another table: `members with visits > 15` counts them, or bounds a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexsi_nb.grounding.language import retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Filter, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import filter_said

_SIGNS = frozenset(("<", ">", "<=", ">=", "="))


def no_bare_bound(reading: Reading, said: Sequence[Mention], question: str) -> None:
    """Ask whether so many rows are meant, or a number of theirs that the words do not name.

    Raises:
        Unread: with both, each as a question.
    """
    for rows, sign, number in zip(said, said[1:], said[2:], strict=False):
        tables = {e.table for e in rows.of("table")}
        if sign.words not in _SIGNS or number.number is None or len(tables) != 1 or reading.table in tables:
            continue
        bound = _bound(reading, tables.pop(), number)
        words = re.search(r"\s*".join(map(re.escape, (rows.words, sign.words, number.words))), question)
        if bound is None or words is None:
            continue
        before, after = question[: words.start()], question[words.end() :]
        ways = (
            f"{before}{sign.words} {number.words} {rows.words}{after}",
            f"{before}{retold.WITH.format(rows.words, filter_said(bound))}{after}",
        )
        raise Unread(Choice(f"'{words[0]}' names no column.", ways, words[0], questions=ways))


def _bound(reading: Reading, table: str, number: Mention) -> Filter | None:
    """Return the condition on a column of the rows that the number was taken for."""
    linked = [f for link in reading.links if link.table == table for f in link.filters]
    own = [f for f in reading.filters if f.column is not None and f.column.table == table]
    return next((f for f in (*linked, *own) if number.number in f.values), None)
