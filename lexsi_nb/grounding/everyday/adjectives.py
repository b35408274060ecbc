"""Adjectives of a price, a weight, a height, said of rows whose one such number is called a little otherwise."""

from __future__ import annotations

import re

from lexsi_nb.grounding.everyday.rows import Anew, said_as, tables_called
from lexsi_nb.grounding.language import everyday, lexicon
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import name_words, singular


def said_of_a_number(question: str, index: SchemaIndex) -> Anew | None:
    """`cheapest boat`, `boats dearer than 50`: by the one price of boats, price_per_day."""
    for said, (what, way) in sorted(lexicon.SIZED.items(), key=lambda item: -len(item[0])):
        m = re.search(rf"(?<![\w-]){re.escape(said)}(?![\w-])", question, re.IGNORECASE)
        if m is None or way not in everyday.COMPARED:
            continue
        if any(e.kind == "column" and e.column and e.column.type == "number" for e in index.entries.get((what,), ())):
            return None
        column = _only(what, re.findall(r"\w+", question), index)
        if column is None:
            return None
        plain = everyday.COMPARED[way].format(said_as(column.name))
        return Anew(question[: m.start()] + plain + question[m.end() :], f"'{said}' is told by {column}")
    return None


def _only(what: str, words: list[str], index: SchemaIndex) -> Column | None:
    """Return the one number of such a kind of the rows named."""
    names = everyday.ALIKE.get(what, frozenset((what,)))
    tables = dict.fromkeys(t for w in words for t in tables_called(w, index))
    found = [c for t in tables for c in index.numeric(t) if set(name_words(c.name)) & set(names)]
    return found[0] if len(found) == 1 else None


def price_of(question: str, index: SchemaIndex) -> Anew | None:
    """`average price`, `boats sorted by price`: by price_per_day, where that is the one price of the rows."""
    m = everyday.PRICE.search(question)
    words = re.findall(r"\w+", question)
    if m is None or index.lookup([m["what"].casefold()]):
        return None
    what = singular(m["what"].casefold())
    tables = list(dict.fromkeys(t for w in words for t in tables_called(w, index))) or list(index.columns)
    found = [c for t in tables for c in index.numeric(t) if what in name_words(c.name)]
    if len(found) != 1 or any(w.casefold() in name_words(found[0].name) for w in words if w != m["what"]):
        return None
    return Anew(
        question[: m.start()] + said_as(found[0].name) + question[m.end() :], f"'{m['what']}' is told by {found[0]}"
    )


def longest_on_average(question: str, index: SchemaIndex) -> Anew | None:
    """`which class has the longest lessons on average`: by the one length of time of lessons."""
    m = next((m for p in everyday.LONGEST_AVERAGE if (m := p.search(question)) is not None), None)
    tables = tables_called(m["rows"], index) if m is not None else []
    found = [c for t in tables for c in index.numeric(t) if set(name_words(c.name)) & everyday.LENGTHS]
    if m is None or len(tables) != 1 or len(found) != 1:
        return None
    way = everyday.ENDS[m["way"].casefold()]
    asked = everyday.HAS_AVERAGE.format(m["noun"], way, said_as(found[0].name))
    return Anew(asked, f"'{m['way']}' is told by {found[0]}")
