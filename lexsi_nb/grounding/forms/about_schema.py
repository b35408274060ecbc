"""Questions about columns and how tables hang together: types, keys, units, joins. Told in words, from the schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.meanings import what_it_means
from lexsi_nb.grounding.index import Entry, SchemaIndex
from lexsi_nb.grounding.joins import Path
from lexsi_nb.grounding.language import vocabulary
from lexsi_nb.grounding.mentions import Mention, mentions
from lexsi_nb.grounding.reading import Column, Reading

MOST_ROUTES = 3
_FRAME = frozenset({"list", "columns", "tables", "in", "and", "to", "by"})


@dataclass(frozen=True)
class Named:
    """What the words of a question about the schema name."""

    words: str
    tables: tuple[str, ...]
    columns: tuple[Column, ...]
    values: bool = False


def about_schema(question: str, index: SchemaIndex) -> Reading | None:
    """Return the reading of a question about types, keys, units or joins, None for another question.

    Raises:
        Unread: nothing tells it.
    """
    text = " ".join(question.split()).rstrip(" ?.!")
    for kind, pattern in vocabulary.ABOUT_SCHEMA:
        m = re.fullmatch(pattern, text, re.IGNORECASE)
        named = [_named(m[g], index) for g in ("what", "other") if g in m.re.groupindex and m[g]] if m else []
        if m is None or any(n is None for n in named):
            continue
        said = _TELL[kind]([n for n in named if n is not None], index)
        if said is not None:
            return said
    return None


def _named(words: str, index: SchemaIndex) -> Named | None:
    """Return what some words name, None where one of them names nothing."""
    items = mentions(words, index).items
    loose = [m for m in items if not m.entries]
    if len(loose) == len(items) or any(not {t.partition(":")[0] for t in m.tags} & _FRAME for m in loose):
        return None
    tables = dict.fromkeys(e.table for m in items for e in m.of("table"))
    owned = [e.column for m in items for e in m.of("column") if e.column is not None and not e.column.sql]
    columns = [c for c in owned if c.table in tables] or owned
    only_tables = all(m.of("table") for m in items if m.entries)
    values = any(m.of("value") and not m.of("table", "column") for m in items)
    return Named(
        words, tuple(tables), () if only_tables and len(tables) == 1 else tuple(dict.fromkeys(columns)), values
    )


def _told(words: str, said: Sequence[str]) -> Reading | None:
    return Reading("schema", text=words, notes=("; ".join(dict.fromkeys(said)),)) if said else None


def _types(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """The type of a column, as the engine has it."""
    found = named[0]
    if not found.columns or found.values:
        return None
    types = {(t.name, c.name): c.type for t in index.engine.tables() for c in t.columns}
    said = [f"the type of {c} is {types[c.table, c.name]}" for c in found.columns if (c.table, c.name) in types]
    return _told(f"the type of {found.words}", said)


def _key(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """The column that tells the rows of a table apart."""
    table = named[0].tables[0] if len(named[0].tables) == 1 and not named[0].columns else ""
    if not table:
        return None
    key = index.key_of(table)
    if key is None:
        refuse(f"No single column of {table} tells its rows apart.", table)
    once = ": each value is there once" if index.unique(table, key.name) else ""
    return _told(f"the key of {table}", [f"the key of {table} is {key.name}{once}"])


def _unit(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """The unit of a number, where the knowledge graph has one."""
    found = named[0]
    numbers = [c for c in found.columns if c.type == "number"]
    if not numbers or found.values:
        return None
    units = {c: index.facts.column(c.table, c.name).unit for c in numbers}
    if not any(units.values()):
        refuse(f"Nothing says in which unit {numbers[0]} is.", found.words)
    return _told(f"the unit of {found.words}", [f"the unit of {c} is {unit}" for c, unit in units.items() if unit])


def _joined(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """How two tables are joined."""
    tables = list(dict.fromkeys(t for n in named for t in n.tables))
    if len(tables) != 2 or any(len(n.tables) != 1 or n.values for n in named):
        return None
    routes = index.joins.any(tables[0], tables[1])
    if not routes:
        refuse(f"I know of no join between {tables[0]} and {tables[1]}.", *tables)
    said = [_route(tables[0], route, tables[1], index) for route in routes[:MOST_ROUTES]]
    text = f"how {tables[0]} and {tables[1]} are joined"
    return Reading("schema", text=text, notes=(f"{tables[0]} and {tables[1]} are joined by {'; or by '.join(said)}",))


def _route(base: str, route: Path, target: str, index: SchemaIndex) -> str:
    """Return the pairs of columns of a route, with the rows of a table between that the graph says are meant."""
    steps = [f"{'.'.join(step.start)} = {'.'.join(step.end)}" for step in route]
    between = {step.end[0] for step in route[:-1]}
    rules = [r for r in index.facts.routes if r.through in between and {r.start, r.end} == {base, target}]
    return " and ".join(steps) + "".join(f", where {r.through}.{r.sql} ({r.text})" for r in rules)


def _where(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """Which columns hold something."""
    found = named[0]
    return None if found.values else _told(f"where {found.words} is", [f"there is {c}" for c in found.columns])


def _span(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """The first and the last day of a table's rows."""
    found = named[0]
    if len(found.tables) != 1 or found.columns or found.values:
        return None
    times = index.time_of(found.tables[0])
    if len(times) != 1:
        refuse(
            f"{found.tables[0]} has {'more than one date' if times else 'no date'}, so its span is open.", found.words
        )
    day = Mention(times[0].name, entries=(Entry("column", times[0].table, times[0]),))
    first, last = (Mention(f, tags=(f"agg:{f}",)) for f in ("min", "max"))
    return Ask((), index).read([first, day, Mention("and", tags=("and",)), last, day])


def _meaning(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """What a column or a code means."""
    if not (named[0].columns or named[0].values or named[0].tables):
        return None
    return what_it_means(named[0].words, index)


_TELL: dict[str, Callable[[Sequence[Named], SchemaIndex], Reading | None]] = {
    "type": _types, "key": _key, "unit": _unit, "join": _joined, "span": _span, "where": _where, "meaning": _meaning,
}  # fmt: skip
