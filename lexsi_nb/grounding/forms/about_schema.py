"""Questions about columns and how tables hang together: types, keys, units, joins. Told in words, from the schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.meanings import explained_code, what_it_means
from lexsi_nb.grounding.language import vocabulary
from lexsi_nb.grounding.mentions import Mention, mentions
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.joins import Path

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
        if m is None:
            continue
        groups = m.groupdict()
        if any(groups.get(g) for g in ("code", "most", "least")):
            if (told := _OF_ALL[kind](groups, index)) is not None:
                return told
            continue
        named = [_named(said, index) for g in ("what", "other") if (said := groups.get(g))]
        if any(n is None for n in named):
            continue
        found = [n for n in named if n is not None]
        if sort := next((g for g in ("number", "date", "text") if groups.get(g)), ""):
            tables = found[0].tables if found else tuple(index.columns)
            said = _typed(tables, sort, index) if len(found) == 0 or not (found[0].columns or found[0].values) else None
        else:
            said = _TELL[kind](found, index)
        if said is not None:
            return said
    return None


def _named(words: str, index: SchemaIndex) -> Named | None:
    """Return what some words name, None where one of them names nothing."""
    items = mentions(words, index).items
    years = {str(m.number) for m in items if isinstance(m.number, int)}
    loose = [m for m in items if not m.entries and str(m.number) not in years]
    if all(not m.entries for m in items) or any(not {t.partition(":")[0] for t in m.tags} & _FRAME for m in loose):
        return None
    tables = dict.fromkeys(e.table for m in items for e in m.of("table"))
    owned = [e.column for m in items for e in m.of("column") if e.column is not None and not e.column.sql]
    columns = [c for c in owned if c.table in tables] or owned
    if years and not (columns := [c for c in columns if any(c.name.endswith(y) for y in years)]):
        return None
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


def _coded(groups: Mapping[str, str | None], index: SchemaIndex) -> Reading | None:
    """What one code of a column that is named stands for: `what is grade A`."""
    words = groups["code"] or ""
    items = [m for m in mentions(words, index).items if not (m.of("table") and not m.of("value", "column"))]
    columns = [m for m in items if m.of("column") and not m.of("value")]
    said = explained_code(words, index) if len(items) == 2 and len(columns) == 1 else None
    return _told(f"what {words} means", [said]) if said else None


def _own_type(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """The type of a column, where its table has no column that is called a type itself."""
    found = named[0]
    if len(found.columns) != 1 or found.tables:
        return None
    own = {n.casefold() for n in index.columns[found.columns[0].table]}
    return None if vocabulary.KINDS & own else _types(named, index)


def _typed(tables: Sequence[str], sort: str, index: SchemaIndex) -> Reading | None:
    """The columns of one table, or of all, that are numbers, dates or texts."""
    what = {"number": "numbers", "date": "dates", "text": "texts"}[sort]
    told = []
    for t in index.engine.tables():
        types = {c.name: c.type for c in t.columns}
        own = [
            f"{c.name} ({types[c.name]})" for c in index.columns[t.name].values() if c.type == sort and c.name in types
        ]
        if t.name in tables and (own or len(tables) == 1):
            told.append(f"columns of {t.name} that are {what}: {', '.join(own) or 'none'}")
    return _told(f"the columns that are {what}", told)


def _extent(groups: Mapping[str, str | None], index: SchemaIndex) -> Reading:
    """The table with the most or the fewest rows, or columns."""
    by_columns = bool(groups.get("columns"))
    what = "columns" if by_columns else "rows"
    sizes = {t.name: len(t.columns) if by_columns else t.rows for t in index.engine.tables()}
    known = {t: n for t, n in sizes.items() if n is not None}
    if not known:
        refuse("Nothing tells how many rows the tables have.")
    end = (max if groups.get("most") else min)(known.values())
    said = " and ".join(f"{t}, with {n:,} {what}" for t, n in known.items() if n == end)
    text = f"the table with the {'most' if groups.get('most') else 'fewest'} {what}"
    return Reading("schema", text=text, notes=(f"{text} is {said}",))


def _foreign(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """The columns of a table that point at rows of others."""
    table = named[0].tables[0] if len(named[0].tables) == 1 and not named[0].columns else ""
    if not table:
        return None
    said = [
        f"{j.child}.{j.child_column} points at {j.parent}.{j.parent_column}"
        for c in index.columns[table].values()
        for j in index.joins.leaving(table, c.name)
    ]
    return _told(f"the foreign keys of {table}", said or [f"no column of {table} points at another table"])


def _joinable(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """The tables that are joined with one directly."""
    table = named[0].tables[0] if len(named[0].tables) == 1 and not named[0].columns else ""
    if not table:
        return None
    out = [j for c in index.columns[table].values() for j in index.joins.leaving(table, c.name)]
    said = [f"{j.parent} (by {j.child}.{j.child_column})" for j in out]
    said += [f"{j.child} (by {j.child}.{j.child_column})" for j in index.joins.into(table)]
    told = f"{table} is joined with {', '.join(dict.fromkeys(said))}" if said else f"no table is joined with {table}"
    return Reading("schema", text=f"what {table} is joined with", notes=(told,))


def _described(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """Every column of a table with what the knowledge graph says of it."""
    table = named[0].tables[0] if len(named[0].tables) == 1 and not (named[0].columns or named[0].values) else ""
    if not table:
        return None
    facts = {c: index.facts.column(table, c) for c in index.columns[table]}
    if not any(f.comment for f in facts.values()):
        refuse(f"Nothing says what the columns of {table} mean.", named[0].words)
    lines = [
        f"{c} ({f.comment or 'nothing is said of it'}{': ' * bool(f.codes)}"
        f"{', '.join(f'{k} is {v[0]}' for k, v in f.codes.items())})"
        for c, f in facts.items()
        if not f.alias_of
    ]
    return Reading(
        "schema", text=f"what the columns of {table} mean", notes=(f"columns of {table}: {'; '.join(lines)}",)
    )


def _held(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """Whether a table has a column."""
    of, column = named if len(named) == 2 else (named[0], named[0])
    if len(of.tables) != 1 or of.values or column.values or not column.columns:
        return None
    table = of.tables[0]
    own = [c for c in column.columns if c.table == table]
    there = " and ".join(map(str, own or column.columns))
    answer = f"yes, there is {there}" if own else f"no, {table} has none; there is {there}"
    return Reading("schema", text=f"whether {table} has {column.words}", notes=(answer,))


def _tables_with(named: Sequence[Named], index: SchemaIndex) -> Reading | None:
    """How many tables have a column."""
    found = named[0]
    tables = list(dict.fromkeys(c.table for c in found.columns))
    if not tables or found.values:
        return None
    said = f"{len(tables)} tables have {found.words}: {', '.join(map(str, found.columns))}"
    return Reading("schema", text=f"tables with {found.words}", notes=(said,))


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
    second = {c: n for c in found.columns for n in index.columns[c.table] if _second_of(c, n, index)}
    said = [f"there is {c}{f', also called {second[c]}' if c in second else ''}" for c in found.columns]
    return None if found.values else _told(f"where {found.words} is", said)


def _second_of(column: Column, name: str, index: SchemaIndex) -> bool:
    return index.facts.column(column.table, name).alias_of == column.name


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


_OF_ALL: dict[str, Callable[[Mapping[str, str | None], SchemaIndex], Reading | None]] = {
    "extent": _extent,
    "coded": _coded,
}
_TELL: dict[str, Callable[[Sequence[Named], SchemaIndex], Reading | None]] = {
    "type": _types, "key": _key, "unit": _unit, "join": _joined, "span": _span, "where": _where, "meaning": _meaning,
    "joinable": _joinable, "described": _described, "foreign": _foreign, "held": _held, "tables": _tables_with,
    "own type": _own_type,
}  # fmt: skip
