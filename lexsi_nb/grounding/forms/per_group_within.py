"""An average for each of some things, told within groups of these: `average number of visits per member by plan`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.notes.empty_groups import lost, things
from lexsi_nb.grounding.notes.left_out import left_out
from lexsi_nb.grounding.reading import Column, Key, Reading
from lexsi_nb.grounding.rendering.clauses import aggregate
from lexsi_nb.grounding.rendering.phrasing import FIGURES, phrasing, rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, measure_name, unique_names
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

BY = Mention("per", tags=("by",))


def each_said(rest: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions with `per` before the things that rows are counted of: `visits of members`."""
    counted = next((i for i, m in enumerate(rest) if m.of("table")), None)
    if counted is None:
        return list(rest)
    rows = [e.table for e in rest[counted].of("table")]
    for i, m in enumerate(rest):
        of = i > counted or grammar.DOING & set(m.gap)
        held = set(m.gap) & (grammar.OF | grammar.DOING | grammar.FOR)
        if i != counted and of and held and _owners(m, rows, index) and not _is_by(rest[i - 1] if i else None):
            return [*rest[:i], BY, *rest[i:]]
    return list(rest)


def within_groups(ask: Ask, inner: Mention, rest: Sequence[Mention], function: str) -> Reading | None:
    """Return the reading of a figure over things, for each of their groups; None where the groups are not of things."""
    found = ask.tried([inner, *rest])
    if found is None or len(found.measures) != 1 or found.order or found.limit or found.having or found.links:
        return None
    named = [e.table for at, m in enumerate(rest[1:], 1) if _is_by(rest[at - 1]) for e in m.of("table")]
    of = next((t for t in named if _each(found, t, ask.index)), None)
    if of is None or any(f.op == "any" for f in found.filters):
        return None
    index, each = ask.index, _each(found, of, ask.index)
    outer = tuple(k for k in found.keys if k not in each)
    if not outer or any(k.grain or k.column.sql or not _of_each(k, of, index) for k in outer):
        return None
    if ReadingSQL(found, index).text() != found.sql:
        return None
    each = each[:1]  # a key tells them: a name may be missing
    found = replace(found, keys=(*each, *outer), named_groups=True)
    found = replace(found, sql=ReadingSQL(found, index).text())
    return _written(found, of, outer, function, index)


def _is_by(m: Mention | None) -> bool:
    return m is not None and m.tag("by") is not None and not m.entries


def _owners(m: Mention, rows: Sequence[str], index: SchemaIndex) -> bool:
    """Whether a mention names a table that rows of another point at."""
    return any(e.table not in rows and any(index.joins.up(r, e.table) for r in rows) for e in m.of("table"))


def _each(found: Reading, table: str, index: SchemaIndex) -> tuple[Key, ...]:
    """Return the keys of a reading that tell the rows of a table, its key first; empty where they don't."""
    key, label = index.key_of(table), index.label_of(table)
    told = [k for k in found.keys if not k.grain and (k.column == key or _pointed_at(k.column, found, index) == table)]
    if table == found.table or len(told) != 1:
        return ()
    return (*told, *(k for k in found.keys if k.column == label and k not in told))


def _pointed_at(column: Column, found: Reading, index: SchemaIndex) -> str:
    """Return the table that a column of the counted rows points at, empty where it does not."""
    to = index.joins.leaving(column.table, column.name) if column.table == found.table and not column.sql else []
    return to[0].parent if len(to) == 1 else ""


def _of_each(key: Key, table: str, index: SchemaIndex) -> bool:
    """Whether each row of a table has one value of a key."""
    return key.column.table == table or len(index.joins.up(table, key.column.table)) == 1


def _own_key(found: Reading, of: str, index: SchemaIndex) -> Column:
    """Return the key of the things, also where the rows' own column that points at it stands for it."""
    column = found.keys[0].column
    to = index.joins.leaving(column.table, column.name) if column.table == found.table else []
    return index.columns[of][to[0].parent_column] if to else column


def _written(found: Reading, of: str, outer: tuple[Key, ...], function: str, index: SchemaIndex) -> Reading:
    measure = measure_name(found.measures[0])
    columns = (_own_key(found, of, index), *(k.column for k in outer))
    groups = things(found, of, columns, index)
    none = lost(found, groups, index)
    zeros = none > 0 and found.measures[0].function == "count"
    given = dict(zip(found.keys, unique_names([*map(key_name, found.keys), measure])[:-1], strict=True))
    shown = f"{FIGURES[function].split()[0]}_{measure}"
    number = f"number_of_{of}"
    names = ", ".join(quote(given[k]) for k in outer)
    head = f"SELECT {names}"
    name = quote(measure)
    counted = _indented(found.sql)
    if zeros:
        same = " AND ".join(
            f"counted.{quote(given[k])} = every_one.{quote(c.name)}" for k, c in zip(found.keys, columns, strict=True)
        )
        picked = ", ".join(f"every_one.{quote(k.column.name)} AS {quote(given[k])}" for k in outer)
        sql = (
            f"WITH counted AS (\n    {counted}\n), every_one AS (\n    {_indented(ReadingSQL(groups, index).text())}\n"
            f"), figures AS (\n    SELECT {picked}, counted.{name}\n    FROM every_one LEFT JOIN counted ON {same}\n)\n"
            f"{head}, {aggregate(function, f'coalesce({name}, 0)')} AS {quote(shown)},\n"
            f"       {aggregate(function, name)} AS {quote(f'{shown}_without_zero')},\n"
            f"       count(*) AS {quote(number)}\nFROM figures"
        )
    else:
        sql = f"{head}, {aggregate(function, name)} AS {quote(shown)},\n       count(*) AS {quote(number)}\n"
        sql += f"FROM (\n    {counted}\n) AS counted"
    sql += f"\nGROUP BY {names}\nORDER BY {quote(shown)} DESC NULLS LAST, {names}"
    who, rows = rows_word(of), rows_word(found.table)
    said = f"; {none:,} {rows_word(of, none)} with none count as 0" if zeros else ""
    text = f"{FIGURES[function]} over {who} of: {phrasing(replace(found, keys=outer))}{said}"
    apart = left_out(found, index)
    if none and not zeros:
        apart = (*apart, f"{none:,} {rows_word(of, none)} with no {rows}: left out")
    return replace(found, kind="groupby", keys=outer, text=text, sql=sql, apart=apart)


def _indented(sql: str) -> str:
    lines = [x for x in sql.split("\n") if not x.startswith(("ORDER BY", "LIMIT"))]
    return "\n    ".join(lines)
