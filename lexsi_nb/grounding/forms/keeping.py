"""Questions about where things are kept: `which table has the wind gusts`, `which table is the price in`."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Reading

_FRAME = ("tables", "list", "in", "columns")


def where_kept(items: Sequence[Mention]) -> Reading | None:
    """Return the reading of a question for the table that has a column, None for another question."""
    asked = [m for m in items if m.tag("tables") is not None and not m.entries]
    nouns = [m for m in items if m.entries]
    rest = [m for m in items if m not in nouns and not any(m.tag(t) is not None for t in _FRAME)]
    if len(asked) != 1 or asked[0].words.casefold() not in grammar.TABLE or len(nouns) != 1 or rest:
        return None
    first = items[0].tag("list") is not None and items[1:2] and items[1] in asked
    owners = list(dict.fromkeys(e.table for e in nouns[0].of("column")))
    if not first or not owners or nouns[0].of("table"):
        return None
    names = list(dict.fromkeys(f"{e.column}" for e in nouns[0].of("column")))
    return Reading("schema", owners[0] if len(owners) == 1 else "", text=f"where {nouns[0].words} is kept",
                   notes=(f"{nouns[0].words}: {', '.join(names)}",))  # fmt: skip
