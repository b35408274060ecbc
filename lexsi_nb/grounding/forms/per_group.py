"""A figure of figures: the average number of x per y, the median of totals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.per_group_within import BY, each_said, within_groups
from lexsi_nb.grounding.forms.series import calendar
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.notes.empty_groups import lost, periods, things, unlisted, unmatched
from lexsi_nb.grounding.notes.left_out import left_out
from lexsi_nb.grounding.reading import Choice, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import aggregate
from lexsi_nb.grounding.rendering.phrasing import FIGURES, rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, measure_name, unique_names
from lexsi_nb.grounding.schema.names import quote

MANY_EACH = 10  # rows for each row of a parent, from which they may be meant of one parent
_OUTER = ("avg", "median", "min", "max", "stddev")


def per_group(ask: Ask) -> Reading | None:
    """Return the reading of an average (median, ...) of the counts or sums of groups, None for another question."""
    outer = next((i for i, m in enumerate(ask.items) if _outer(m)), None)
    if outer is None:
        return None
    inner = next((i for i, m in enumerate(ask.items) if i != outer and _inner(m)), None)
    if inner is None or not _belongs(ask.items, outer, inner):
        return None
    function = ask.items[outer].tag("agg") or ""
    rest = [m for i, m in enumerate(ask.items) if i not in (outer, inner)]
    rest = [m for m in rest if not (m.tag("list") is not None and not m.entries)]
    groups = [i for i, m in enumerate(rest) if m.tag("by") is not None and not m.entries]
    subject = {e.table for m in rest if set(m.gap) & grammar.DOING for e in m.of("table")}
    figures = [e for m in rest if not m.of("table") for e in m.of("column")]
    numbers = {e.table for e in figures if e.column is not None and e.column.type == "number"}
    if ask.items[inner].tag("count") is not None and subject & numbers:
        return ask.read([ask.items[outer], *rest])  # "how many seats do planes have on average": of each plane
    told = each_said(rest, ask.index)
    if groups and (len(groups) > 1 or len(told) > len(rest)):
        if (found := within_groups(ask, ask.items[inner], told, function)) is not None:
            return found
        refuse(f"I read '{ask.items[outer].words}' of one kind of group at a time.", ask.items[outer].words)
    if not groups:
        rest = told if len(told) > len(rest) else _by_subject(rest)
    if not any(m.tag("by") is not None and not m.entries for m in rest):
        refuse("An average of counts needs to know of which groups: per what?", ask.items[outer].words)
    found = ask.read([ask.items[inner], *rest])
    if len(found.measures) != 1 or len(found.keys) not in (1, 2) or found.order or found.limit or found.having:
        refuse("I can't tell of which groups this average is.", ask.items[outer].words)
    if groups and found.measures[0].function == "sum" and ask.items[inner].tag("count") is not None:
        ways = (f"over the groups, of their {found.measures[0].name or 'totals'}", "over the rows in each group")
        raise Unread(Choice(f"'{ask.items[outer].words}' can be more than one figure.", ways, ask.items[outer].words))
    return _over_groups(ask, found, function)


def _outer(m: Mention) -> bool:
    return not m.entries and (m.tag("agg") or "") in _OUTER


def _inner(m: Mention) -> bool:
    return not m.entries and (m.tag("count") is not None or m.tag("agg") == "sum")


def _belongs(items: Sequence[Mention], outer: int, inner: int) -> bool:
    """Whether both are said of one thing: next to each other, or `how many ... on average`."""
    if inner == outer + 1:
        return True
    return items[outer].words.casefold() in lexicon.TYPICALLY


def _by_subject(rest: list[Mention]) -> list[Mention]:
    """`how many loans does an account have`: the one who has is the group."""
    for i in range(len(rest) - 1, 0, -1):
        if rest[i].of("table") and set(rest[i].gap) & grammar.DOING:
            return [*rest[:i], BY, *rest[i:]]
    return rest


def _over_groups(ask: Ask, found: Reading, function: str) -> Reading:
    if ReadingSQL(found, ask.index).text() == found.sql:  # rows without a group are of none of those averaged over
        found = replace(found, named_groups=True)
        found = replace(found, sql=ReadingSQL(found, ask.index).text())
        found = replace(found, apart=left_out(found, ask.index))
    key, measure = found.keys[0], found.measures[0]
    tables = {k.column.table for k in found.keys}
    if key.grain:
        _of_whom(ask, found)
    if len(tables) != 1 or key.grain:
        return _counted_only(ask, found, function)
    pointing, strange = [], ()
    table, keys = tables.pop(), tuple(k.column for k in found.keys)
    if table == found.table and len(keys) == 1:  # by the column that points at a table: each row of that table
        of = ask.index.joins.leaving(table, keys[0].name)
        if len(of) == 1:
            pointing, strange = of, unmatched(found, of[0], ask.index)
            found = replace(found, apart=(*found.apart, *strange))
            table, keys = of[0].parent, (ask.index.columns[of[0].parent][of[0].parent_column],)
    if table == found.table or any(f.op == "any" for f in found.filters):
        return _counted_only(ask, found, function)
    groups = things(found, table, keys, ask.index)
    none = lost(found, groups, ask.index)
    if pointing and (none == 0 or measure.function != "count"):  # no list of the groups is joined: all would be in it
        for m in ask.items:
            unlisted(found, pointing[0], m.words, ask.index)
        found = replace(found, apart=tuple(x for x in found.apart if x not in strange))
    if none == 0 or measure.function != "count":
        said = (f"{none:,} {rows_word(table, none)} with no {rows_word(found.table)}: left out",) if none else ()
        return _counted_only(ask, found, function, said)
    names = unique_names([*map(key_name, found.keys), measure_name(measure)])
    same = " AND ".join(f"groups.{quote(c.name)} = counted.{quote(n)}" for c, n in zip(keys, names, strict=False))
    body = (
        f"WITH counted AS (\n    {_indented(found.sql)}\n), groups AS (\n    "
        f"{_indented(ReadingSQL(groups, ask.index).text())}\n)\n"
    )
    sql = body + _both_ways(found, function) + f"FROM groups LEFT JOIN counted ON {same}"
    every = int(ask.index.engine.query(sql).iloc[0]["number_of_groups"])
    who = rows_word(table) if keys[0] in (ask.index.key_of(table), ask.index.label_of(table)) else "groups"
    text = f"{FIGURES[function]} over groups of: {found.text}; over all {every:,} {who}, {none:,} with none count as 0"
    return replace(found, kind="aggregate", keys=(), text=text, sql=sql)


def _both_ways(found: Reading, function: str) -> str:
    """Return the figure over all groups, those without a row as 0, and beside it that over those with rows."""
    name, of = measure_name(found.measures[0]), found.measures[0].column
    some, all_ = aggregate(function, quote(name), of=of), aggregate(function, f"coalesce({quote(name)}, 0)", of=of)
    shown = _shown(function, name)
    return (
        f"SELECT {all_} AS {quote(shown)},\n       {some} AS {quote(f'{shown}_without_zero')},\n"
        f"       count(*) AS number_of_groups, count({quote(name)}) AS groups_without_zero\n"
    )


def _over_periods(ask: Ask, found: Reading, function: str) -> Reading | None:
    """Return the figure over all periods from the first to the last, where some of them have no row."""
    key = found.keys[0]
    all_, none = periods(found, key, ask.index)
    if not none or found.measures[0].function != "count":
        return None
    name = quote(key_name(key))
    body = f"WITH figures AS (\n    {_indented(found.sql)}\n), calendar AS (\n    {calendar(name, key.grain)}\n)\n"
    sql = body + _both_ways(found, function) + f"FROM calendar LEFT JOIN figures USING ({name})"
    span = f"over all {all_:,} {key.grain}s from the first to the last, {none:,} with none count as 0"
    text = f"{FIGURES[function]} over groups of: {found.text}; {span}"
    return replace(found, kind="aggregate", keys=(), text=text, sql=sql)


def _of_whom(ask: Ask, found: Reading) -> None:
    """`average number of transactions per year`: of all of them, or of each account, which has many itself?"""
    index, table = ask.index, found.table
    made = any(m.of("column") for m in ask.items if not m.of("table"))  # "accounts opened per year"
    if index.facts.empty or made or found.measures[0].function != "count" or found.filters or found.links:
        return
    parents = [j.parent for c in index.columns[table] for j in index.joins.leaving(table, c) if index.time_of(j.parent)]
    for parent in parents:
        if (index.rows.get(table) or 0) >= MANY_EACH * (index.rows.get(parent) or 1):
            grain = found.keys[0].grain
            ways = (f"all {table} rows of a {grain}", f"those of one {parent} in a {grain}")
            raise Unread(Choice(f"The average number of {table} rows of whom?", ways))


def _counted_only(ask: Ask, found: Reading, function: str, said: tuple[str, ...] = ()) -> Reading:
    key, name = found.keys[0], measure_name(found.measures[0])
    if key.grain and len(found.keys) == 1:
        if (made := _over_periods(ask, found, function)) is not None:
            return made
        all_, none = periods(found, key, ask.index)
        said = (f"{none:,} of {all_:,} {key.grain}s have no row: left out",) if none else said
    figure = aggregate(function, quote(name), of=found.measures[0].column)
    body = f"SELECT {figure} AS {quote(_shown(function, name))}"
    sql = f"{body},\n       count(*) AS number_of_groups\nFROM (\n    {_indented(found.sql)}\n) AS counted"
    text = f"{FIGURES[function]} over groups of: {found.text}"
    return replace(found, kind="aggregate", keys=(), text=text, sql=sql, apart=(*found.apart, *said))


def _shown(function: str, name: str) -> str:
    return f"{FIGURES[function].split()[0]}_{name}"


def _indented(sql: str) -> str:
    lines = [x for x in sql.split("\n") if not x.startswith(("ORDER BY", "LIMIT"))]
    return "\n    ".join(lines)
