"""Vintage tables: what share of each cohort had an event within so many periods; cells too young stay empty."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from lexsi_nb.grounding.forms.asking import COUNT, Ask, refuse
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Column, Key, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import named, qualified
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Path
from lexsi_nb.grounding.schema.names import quote

STEPS = {"year": "1 YEAR", "quarter": "3 MONTH", "month": "1 MONTH", "week": "7 DAY", "day": "1 DAY"}
OLDEST = {"year": 10, "quarter": 16, "month": 24, "week": 26, "day": 30}  # ages shown at most
_FRAME = ("vintage", "share", "count", "list", "by", "in", "and", "to", "date")


def vintage(ask: Ask) -> Reading | None:
    """Return the reading of a vintage table, None when none is asked for.

    Two tables are needed: whose rows are the cohorts, and whose rows are the event. "Cohorts" of one table are groups.
    """
    if ask.at("vintage") is None:
        return None
    tables = list(dict.fromkeys(e.table for m in ask.items for e in m.of("table")))
    if len(tables) == 1:
        return _groups(ask)
    cohort, event = _ordered(tables, ask.index)
    grains = [m.tag("grain") or "" for m in ask.items if m.tag("grain") and not m.entries]
    if not grains:
        raise Unread(Choice("Cohorts and ages by which period?", ("year", "quarter", "month")))
    framing = [m for m in ask.items if any(m.tag(t) is not None for t in _FRAME)]
    odd = [m.words for m in ask.items if not (m.of("table") or m.tag("grain") or m in framing)]
    if odd or len(grains) > 2:
        refuse("I read a vintage table of two tables and one or two periods, without conditions.", *odd)
    return _table(cohort, event, grains[0], grains[-1], ask.index)


def _groups(ask: Ask) -> Reading:
    """Cohorts of one table are its rows by a piece of their date."""
    items: list[Mention] = []
    grained = any(m.tag("grain") and not m.entries for m in ask.items)
    for m in ask.items:
        if m.tag("vintage") is None or m.entries:
            items.append(m)
            continue
        key = items[-1] if items and not items[-1].entries and items[-1].tag("by") is not None else None
        asked = key is not None or m.words.casefold().split()[0] in grammar.BY_PER
        if (asked and not grained) or (items and items[-1].tag("and") is not None):
            raise Unread(Choice("Cohorts by which period of their date?", ("year", "quarter", "month")))
        if key is not None:
            items.pop()  # "by cohort, by year"
    if not any(m.tag("count") is not None or m.tag("agg") is not None for m in items):
        if any(m.words.casefold().startswith(grammar.VINTAGES) for m in ask.items):
            refuse("A vintage table tells when an event came; this names rows and no event.", "vintage")
        items = [COUNT, *items]
    return ask.read(items)


def _ordered(tables: Sequence[str], index: SchemaIndex) -> tuple[str, str]:
    """Return (cohort, event): many rows of the event's table point at one of the cohort's."""
    if len(tables) == 2:
        for cohort, event in (tuple(tables), tuple(reversed(tables))):
            if index.joins.up(event, cohort):
                return cohort, event
        routes = index.joins.any(tables[0], tables[1])
        if routes:
            return tables[0], tables[1]
    refuse("I can't tell whose rows are the cohorts and whose are the event.", *tables)


def _dated(table: str, index: SchemaIndex) -> Column:
    times = index.time_of(table)
    if len(times) != 1:
        what = "no date" if not times else "more than one date"
        refuse(f"{table} has {what}, so its rows have no age.", table)
    return times[0]


def _table(cohort: str, event: str, grain: str, age: str, index: SchemaIndex) -> Reading:
    key, born, met = index.key_of(cohort), _dated(cohort, index), _dated(event, index)
    if key is None:
        refuse(f"{cohort} has no key, so its rows can't be followed.", cohort)
    routes = index.joins.any(cohort, event)
    if len(routes) != 1:
        refuse(f"There is no single join of {cohort} and {event}.", event)
    end = _end(met, index)
    name = f"number_of_{cohort.casefold()}" if quote(cohort) == cohort else "number_of_rows"
    step = STEPS[age]
    oldest = OLDEST[age]
    sql = (
        f"WITH cohorts AS (\n    SELECT {quote(key.name)} AS member, {named(born, '')} AS born,\n"
        f"           {_cut(grain, named(born, ''))} AS cohort\n    FROM {quote(cohort)}\n"
        f"    WHERE {named(born, '')} IS NOT NULL\n), firsts AS (\n"
        f"    SELECT c.{quote(key.name)} AS member, min({named(met, _alias(routes[0]))}) AS first\n"
        f"    FROM {quote(cohort)} AS c\n{_joins(routes[0], index)}"
        f"    WHERE {named(met, _alias(routes[0]))} >= {named(born, 'c.')}\n    GROUP BY c.{quote(key.name)}\n"
        f"), ages AS (\n    SELECT unnest(range(1, {oldest + 1})) AS age\n)\n"
        f"SELECT cohort, age, count(*) AS {name},\n"
        f"       CASE WHEN max(born) + age * INTERVAL {step} <= DATE '{end}' THEN\n"
        f"           100.0 * count(*) FILTER (WHERE first < born + age * INTERVAL {step}) / count(*)\n"
        f"       END AS percentage\n"
        "FROM cohorts\nCROSS JOIN ages\nLEFT JOIN firsts USING (member)\nGROUP BY cohort, age\n"
        f"HAVING min(born) + age * INTERVAL {step} <= DATE '{end}'\nORDER BY cohort, age"
    )
    notes = (
        f"empty where some of the cohort are not yet {age}s old enough on {end}, the day the data end",
        f"age counts whole {age}s since {born.name}; the share is of those with a {event} by then",
    )
    text = f"share of {cohort} with a {event}, by {grain} of {born.name} and age in {age}s"
    return Reading("vintage", cohort, keys=(Key(born, grain),), text=text, sql=sql, notes=notes)


def _cut(grain: str, column: str) -> str:
    return f"year({column})" if grain == "year" else f"CAST(date_trunc('{grain}', {column}) AS DATE)"


def _alias(route: Path) -> str:
    return f"s{len(route)}."


def _joins(route: Path, index: SchemaIndex) -> str:
    """Return the JOIN lines of a route, each with an alias of its own and the rows that the graph says are meant."""
    lines, before = "", "c"
    for at, step in enumerate(route, 1):
        table, column = step.end
        rules = [r for r in index.facts.routes if r.through == table and 0 < at < len(route)]
        more = "".join(f" AND {qualified(r.sql, f's{at}')}" for r in rules)
        lines += f"    JOIN {quote(table)} AS s{at} ON s{at}.{quote(column)} = {before}.{quote(step.start[1])}{more}\n"
        before = f"s{at}"
    return lines


def _end(met: Column, index: SchemaIndex) -> str:
    """Return the day the data end: the declared one, or the last event."""
    if index.facts.as_of:
        return index.facts.as_of
    sql = f"SELECT CAST(max({named(met, '')}) AS DATE) AS d FROM {quote(met.table)}"
    return date.fromisoformat(str(index.engine.query(sql).iloc[0, 0])[:10]).isoformat()
