"""The SQL of a vintage table: a row a cohort, a column an age; cells that not all of a cohort have reached stay empty.

An age is a number of whole periods since a row's own date. A row turns a year old on its anniversary, so an event on
that day is of its second year; in a month without that day the last one stands for it. Rows count from their own date
on: an event before it is none of theirs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from lexsi_nb.grounding.forms.asking import refuse
from lexsi_nb.grounding.grains import period_of
from lexsi_nb.grounding.reading import Column, Key, Link, Measure, Reading
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.rendering.phrasing import link_said, one_of, phrasing, rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, measure_name
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

# unit -> (periods of DuckDB in one, their name, ages shown at most)
UNITS = {
    "year": (1, "YEAR", 10), "half-year": (6, "MONTH", 12), "quarter": (3, "MONTH", 16), "month": (1, "MONTH", 24),
    "week": (7, "DAY", 26), "day": (1, "DAY", 30),
}  # fmt: skip


@dataclass(frozen=True)
class Vintage:
    """What was read: the rows of the cohorts, the event, and the dates that ages lie between."""

    rows: Reading
    link: Link
    born: Column
    met: Column
    grain: str  # empty: all rows that are old enough together
    unit: str
    steps: tuple[int, ...] = ()  # empty: every age that a cohort has reached
    active: bool = False  # the share with an event in each period, rather than by its end


def table(v: Vintage, index: SchemaIndex) -> Reading:
    """Return the reading of a vintage table.

    Raises:
        Unread: there is no key or no single join, or no cohort is old enough.
    """
    cohort = v.rows.table
    key = index.key_of(cohort)
    if key is None:
        refuse(f"{cohort} has no key, so its rows can't be followed.", cohort)
    _one_join(v, index)
    end, told = _end(v, index)
    parts = _parts(v, key, index)
    if not v.grain:
        return _together(v, parts, end, told, index)
    steps, more = _steps(v, parts["cohorts"], end, index)
    count = Measure("count", table=cohort)
    name = measure_name(count)
    columns = [f"{_cell(v, n, end)} AS {_name(v, n)}" for n in steps]
    sql = (
        f"WITH cohorts AS (\n    {parts['cohorts']}\n), events AS (\n    {parts['events']}\n), "
        f"{_reached(v, steps)}\n"
        f"SELECT cohort, count(*) AS {name},\n       " + ",\n       ".join(columns) + "\n"
        "FROM cohorts\nLEFT JOIN reached USING (member)\nGROUP BY cohort\nORDER BY cohort"
    )
    shares = tuple(replace(count, links=(v.link,), share=True, name=_name(v, n)) for n in steps)
    return Reading(
        "vintage", cohort, measures=(count, *shares), keys=(Key(v.born, v.grain),), columns=(v.met,),
        filters=v.rows.filters, links=v.rows.links, text=_text(v, index), sql=sql, notes=_notes(v, end, told, more),
        apart=_apart(v, parts, index),
    )  # fmt: skip


def _together(v: Vintage, parts: dict[str, str], end: str, told: str, index: SchemaIndex) -> Reading:
    """Return the reading of one share an age, over all rows that are old enough for the longest of the ages.

    Raises:
        Unread: no row is.
    """
    count, longest = Measure("count", table=v.rows.table), max(v.steps)
    old = f"born + {_interval(v.unit, longest)} <= DATE '{end}'"
    sql = f"SELECT count(*) FILTER (WHERE {old}) AS n, count(*) AS every FROM (\n    {parts['cohorts']}\n) AS c"
    n, every = index.reads.one(sql, *index.columns)
    said = f"{longest} {v.unit}{'s' * (longest > 1)} old on {end}, {told}"
    if not n:
        refuse(f"No {rows_word(v.rows.table, 1)} was {said}; ask for shorter ages.")
    shares = [
        f"100.0 * count(*) FILTER (WHERE first < born + {_interval(v.unit, s)}) / count(*) AS {_name(v, s)}"
        for s in v.steps
    ]
    sql = (
        f"WITH cohorts AS (\n    {parts['cohorts']}\n), events AS (\n    {parts['events']}\n), {_reached(v, v.steps)}\n"
        f"SELECT count(*) AS {measure_name(count)},\n       " + ",\n       ".join(shares) + "\n"
        f"FROM cohorts\nLEFT JOIN reached USING (member)\nWHERE {old}"
    )
    apart = (f"{every - n:,} {rows_word(v.rows.table, every - n)} younger than that: left out",) if every > n else ()
    measures = tuple(replace(count, links=(v.link,), share=True, name=_name(v, s)) for s in v.steps)
    return Reading(
        "vintage", v.rows.table, measures=(count, *measures), columns=(v.met,), filters=v.rows.filters,
        links=v.rows.links, text=_text(v, index), sql=sql, apart=(*apart, *_apart(v, parts, index)),
        notes=(f"in percent of the {rows_word(v.rows.table)} that were {said}",),
    )  # fmt: skip


def _one_join(v: Vintage, index: SchemaIndex) -> None:
    """Refuse an event that each row has one of, and rows that more than one way leads to."""
    cohort, event = v.rows.table, v.link.table
    if cohort == event:
        return  # the event's date stands in the rows themselves
    if index.joins.up(cohort, event):
        refuse(f"Each row of {cohort} belongs to {one_of(event)}, which is no event of its own.", event)
    routes = index.joins.any(event, cohort)
    if len(routes) != 1 or (v.link.through and v.link.through not in {s.end[0] for s in routes[0]}):
        refuse(f"There is no single join of {cohort} and {event}.", event)


def _parts(v: Vintage, key: Column, index: SchemaIndex) -> dict[str, str]:
    """Return the queries of the cohorts' rows and of the events: `member` is the key of a row, `born` its date."""
    own = ReadingSQL(replace(v.rows, columns=(key, v.born), measures=()), index)
    born = _day(v.born, own.place(v.born), index)
    where = own.conditions([f"{born} IS NOT NULL"])
    cohort = f",\n       {period_of(born, v.grain)} AS cohort" if v.grain else ""
    lines = [
        f"SELECT {own.place(key)} AS member, {born} AS born{cohort}",
        *own.b.source(), *where,
    ]  # fmt: skip
    cohorts = "\n".join(lines).replace("\n", "\n    ")
    far = ReadingSQL(Reading("list", v.link.table, columns=(v.met, key), filters=v.link.filters), index)
    path = far.up(v.rows.table)
    if path and path[-1].end == (key.table, key.name):
        member = far.b.node(path[:-1]) + quote(path[-1].start[1])  # the key stands with the event
    else:
        member = far.place(key, route=True)
    met = _day(v.met, far.place(v.met), index)
    where = far.conditions()
    events = "\n".join([f"SELECT {member} AS member, {met} AS met", *far.b.source(), *where]).replace("\n", "\n    ")
    return {"cohorts": cohorts, "events": events}


def _day(c: Column, sql: str, index: SchemaIndex) -> str:
    """Return a date as SQL without its time: ages are whole days, whatever hour an event has."""
    types = {x.name: str(x.type).upper() for t in index.engine.tables() if t.name == c.table for x in t.columns}
    return sql if types.get(c.name) == "DATE" and not c.sql else f"CAST({sql} AS DATE)"


def _interval(unit: str, n: int) -> str:
    size, name, _ = UNITS[unit]
    return f"INTERVAL {n * size} {name}"


def _name(v: Vintage, n: int) -> str:
    """Return the name of an age's column: `within_2_years`, or `in_month_3` of what is active then."""
    unit = v.unit.replace("-", "_")
    return f"in_{unit}_{n}" if v.active else f"within_{n}_{unit}{'s' * (n > 1)}"


def _cell(v: Vintage, n: int, end: str) -> str:
    held = f"in_{n}" if v.active else f"first < born + {_interval(v.unit, n)}"
    return (
        f"CASE WHEN max(born) + {_interval(v.unit, n)} <= DATE '{end}' THEN\n"
        f"           100.0 * count(*) FILTER (WHERE {held}) / count(*) END"
    )


def _reached(v: Vintage, steps: tuple[int, ...]) -> str:
    """Return the query of what each member came to: its first event, or whether it had one in each period."""
    told = ["min(met) AS first"]
    if v.active:
        told = [
            f"bool_or(met >= born + {_interval(v.unit, n - 1)} AND met < born + {_interval(v.unit, n)}) AS in_{n}"
            for n in steps
        ]
    listed = ",\n           ".join(told)
    return (
        f"reached AS (\n    SELECT member, {listed}\n    FROM cohorts JOIN events USING (member)\n"
        "    WHERE met >= born\n    GROUP BY member\n)"
    )


def _steps(v: Vintage, cohorts: str, end: str, index: SchemaIndex) -> tuple[tuple[int, ...], bool]:
    """Return the ages that are shown, and whether the oldest cohort has reached more than these.

    Raises:
        Unread: no cohort is old enough as a whole for any of them.
    """
    most = UNITS[v.unit][2]
    size, name, _ = UNITS[v.unit]
    wanted = ", ".join(map(str, v.steps)) if v.steps else ", ".join(map(str, range(1, most + 2)))
    sql = (
        f"SELECT max(age) AS age\nFROM (SELECT max(born) AS youngest FROM (\n    {cohorts}\n) AS c GROUP BY cohort)\n"
        f"CROSS JOIN (SELECT unnest([{wanted}]) AS age) AS a\n"
        f"WHERE youngest + age * INTERVAL {size} {name} <= DATE '{end}'"
    )
    oldest = index.reads.one(sql, *index.columns)[0]
    if oldest is None:
        first = min(v.steps, default=1)
        said = f"{first} {v.unit}{'s' * (first > 1)}"
        refuse(f"On {end} no cohort is {said} old as a whole; ask for shorter ages, or for the share by {v.grain}.")
    if v.steps:
        return v.steps, False
    return tuple(range(1, min(int(oldest), most) + 1)), int(oldest) > most


def _end(v: Vintage, index: SchemaIndex) -> tuple[str, str]:
    """Return the day the data end and what it is: the declared one, or the day of the last event of any kind."""
    if index.facts.as_of:
        return index.facts.as_of, "the day the data end"
    met = named(v.met, "")
    last = index.reads.one(f"SELECT CAST(max({met}) AS DATE) AS d FROM {quote(v.met.table)}", v.met.table)[0]
    if last is None:
        refuse(f"{v.met} is empty in every row, so no event is dated.", v.met.name)
    what = v.met.name if v.link.table == v.rows.table else rows_word(v.met.table, 1)
    return date.fromisoformat(str(last)[:10]).isoformat(), f"the day of the last {what}"


# -- words ------------------------------------------------------------------------------------------------------------


def _text(v: Vintage, index: SchemaIndex) -> str:
    whole = Reading("count", v.rows.table, measures=v.rows.measures)
    plain, rows = phrasing(whole), phrasing(replace(whole, filters=v.rows.filters, links=v.rows.links))
    event = v.met.name if v.link.table == v.rows.table else link_said(v.link)
    having = "with" if rows == plain else "that have"
    said = f"{rows_word(v.rows.table)}{rows.removeprefix(plain)} {having} {event}"
    if len(index.time_of(v.met.table)) > 1 and v.met.table != v.rows.table:
        said += f" by its {v.met.name}"
    by = f"by {v.grain} of {v.born.name}"
    when = f"each {v.unit} of age" if v.active else f"age in {v.unit}s"
    if not v.grain:
        ages = " and ".join(map(str, v.steps))
        return f"share of {said} within {ages} {v.unit}{'s' * (max(v.steps) > 1)} of {v.born.name}"
    return f"share of {said}, {by} and {when}"


def _notes(v: Vintage, end: str, told: str, more: bool) -> tuple[str, ...]:
    rows, one = rows_word(v.rows.table), rows_word(v.rows.table, 1)
    notes = [
        f"in percent; empty where not all {rows} of a cohort were that old on {end}, {told}",
        f"ages in whole {v.unit}s since {v.born.name} of each {one}",
    ]
    if more:
        notes.append(f"ages beyond {UNITS[v.unit][2]} {v.unit}s are not shown")
    return tuple(notes)


def _apart(v: Vintage, parts: dict[str, str], index: SchemaIndex) -> tuple[str, ...]:
    """Return what is left out: rows without their date, events without one, and events before it."""
    own = ReadingSQL(replace(v.rows, columns=(v.born,), measures=()), index)
    where = own.conditions([f"{own.place(v.born)} IS NULL"])
    undated = "\n".join(["SELECT count(*) AS n", *own.b.source(), *where])
    sql = (
        f"SELECT count(*) FILTER (WHERE met IS NULL) AS undated, count(*) FILTER (WHERE met < born) AS early\n"
        f"FROM (\n    {parts['cohorts']}\n) AS c JOIN (\n    {parts['events']}\n) AS e USING (member)"
    )
    tables = tuple(index.columns)  # any of them may stand between the two
    rows, (unmet, early) = index.reads.one(undated, *tables)[0], index.reads.one(sql, *tables)
    notes = []
    if rows:
        notes.append(f"{rows:,} {rows_word(v.rows.table, rows)} without {v.born.name}: left out")
    if unmet and v.link.table != v.rows.table:
        notes.append(f"{unmet:,} {rows_word(v.link.table, unmet)} without {v.met.name}: not counted")
    if early:
        one = rows_word(v.rows.table, 1)
        if v.link.table == v.rows.table:
            notes.append(
                f"{early:,} {rows_word(v.rows.table, early)} with {v.met.name} before {v.born.name}: as without it"
            )
        else:
            events = rows_word(v.link.table, early)
            notes.append(f"{early:,} {events} before the {v.born.name} of their {one}: not counted")
    return tuple(notes)
