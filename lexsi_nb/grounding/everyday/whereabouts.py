"""What is asked of named people and of places: `when did Gia Rossi join?`, `how many towns do riders live in?`."""

from __future__ import annotations

from lexsi_nb.grounding.everyday.rows import Anew, date_called, said_as, tables_called
from lexsi_nb.grounding.language import everyday
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex


def when_done(question: str, index: SchemaIndex) -> Anew | None:
    """`when did Gia Rossi join?`: the day of the one row, or of the rows, that are called so."""
    m = everyday.WHEN_DONE.search(question)
    if m is None:
        return None
    held = [(c, v) for c, v in _called(m["name"], index) if c == index.label_of(c.table)]
    if held:
        found = [(d, everyday.NAMED.format(said_as(c.table), said_as(c.name), f'"{v}"')) for c, v in held
                 for d in date_called(m["verb"], c.table, index)]  # fmt: skip
    else:
        labelled = [t for t in index.columns if m["name"].isalpha() and index.label_of(t) is not None]
        found = [(d, everyday.CALLED.format(said_as(t), m["name"])) for t in labelled
                 for d in date_called(m["verb"], t, index)]  # fmt: skip
    if len(found) != 1:
        return None
    day, rows = found[0]
    return Anew(everyday.DAY_OF.format(said_as(day.name), rows), f"'{m['verb']}' is told by {day}")


def _called(name: str, index: SchemaIndex) -> list[tuple[Column, str]]:
    """Return the columns that hold a name, with how it is spelt there."""
    listed = [(e.column, str(e.value)) for e in index.lookup(name.casefold().split()) if e.kind == "value" and e.column]
    whole = [(c, v) for c, v in listed if v.casefold() == name.casefold()]
    return list(dict.fromkeys([*whole, *index.holding(name)]))


def how_many_places(question: str, index: SchemaIndex) -> Anew | None:
    """`how many different towns do riders live in?`: those that have one, each once."""
    m = everyday.LIVE_IN.search(question)
    rows = tables_called(m["rows"], index) if m is not None else []
    if m is None or len(rows) != 1:
        return None
    places = tables_called(m["what"], index)
    ways = [j for c in index.columns[rows[0]] for j in index.joins.leaving(rows[0], c) if [j.parent] == places]
    if len(ways) != 1:
        return None
    return Anew(everyday.PLACES_HAVE.format(m["what"], m["rows"]), f"read as the {m['what']} that have {m['rows']}")
