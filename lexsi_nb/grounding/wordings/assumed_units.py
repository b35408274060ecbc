"""A unit that is said of a column which names none: it is taken for the column's where the number fits its values."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Unread
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.schema.naming import unit_in

_EDGE = 0.01  # share of the rows at either end that a number may lie beyond
_FAR = 1.5  # how many times the highest value a number may be


def taken_unit(entries: Sequence[Entry], words: str, compared: Sequence[Mention], index: SchemaIndex) -> list[str]:
    """Return the note that a column is taken to be in the unit said; none where its name says so.

    Raises:
        Unread: the number that is compared with fits no value of the column, so its unit is likely another.
    """
    loose = [e.column for e in entries if e.column and not unit_in(e.column.name)]
    if not loose:
        return []
    c = loose[0]
    sides = [m.tag("cmp") or (m.tag("sized") or "").removeprefix("cmp:") for m in compared]
    cmp = next((s for s in reversed(sides) if s), "")
    number = next((m.number for m in reversed(compared) if m.number is not None), None)
    if number is not None and cmp[:1] in ("<", ">") and not c.sql:
        name = quote(c.name)
        sql = (
            f"SELECT min({name}) AS lo, quantile_cont({name}, {_EDGE}) AS first,"
            f" quantile_cont({name}, {1 - _EDGE}) AS last, max({name}) AS hi FROM {quote(c.table)}"
        )
        low, first, last, high = index.reads.one(sql, c.table)
        far = number < first or number > _FAR * high if cmp[0] == ">" else number < low or number > last
        if high is not None and far:
            told = f"{c} runs from {low:,.10g} to {high:,.10g}, so it is hardly told in {words}"
            raise Unread(Declined(f"{told}; give the number in its unit, without naming one.", (words,)))
    return [f"{c.name} is taken to be in {words}"]
