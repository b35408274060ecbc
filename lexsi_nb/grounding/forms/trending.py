"""Whether a figure rises, falls or has a trend: yes or no over its complete periods, with the numbers it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.series import calendar, figure_of_series, grain_columns, grain_of, incomplete
from lexsi_nb.grounding.grains import MONTHS, SLACK, first_day
from lexsi_nb.grounding.language import lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.notes.immature import first_open
from lexsi_nb.grounding.reading import Choice, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import literal, named
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, measure_name, unique_names
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

FEWEST = 3  # complete periods that tell a trend
ENOUGH = 4  # from which a period is taken where none is said
_GRAINS = ("year", "quarter", "month")
_STEPS = ("growth", "running", "trend", "moving", "falling", "list", "question")


def trending(ask: Ask) -> Reading | None:
    """Return the reading of `is the number of visits growing`, None for another question.

    Raises:
        Unread: no figure, no period, or too few complete periods.
    """
    moving = next((m.tag("moving") for m in ask.items if m.tag("moving") is not None and not m.entries), None)
    if ask.first not in lexicon.ASKING or (moving is None and ask.at("trend") is None):
        return None
    items = [m for m in ask.items if m.entries or all(m.tag(t) is None for t in _STEPS)]
    if not any(m.entries for m in items):
        refuse("A trend of what? Name a figure and a period, as in 'is the number of ... by year growing'.")
    _one_figure(items)
    said = any(m.tag("grain") and not m.entries for m in items) or bool(grain_columns(items))
    found, told = _by_period(ask, items, said=said)
    return _judged(found, moving or "", told, ask.index)


def _one_figure(items: Sequence[Mention]) -> None:
    """Ask by which figure a column of numbers is judged."""
    first = next(m for m in items if m.entries)
    number = any(e.column is not None and e.column.type == "number" for e in first.of("column"))
    figure = any(m.tag(t) is not None for m in items for t in ("agg", "count") if not m.entries) or first.fused
    if number and not (figure or first.of("table", "metric")):
        ways = tuple(f"{w} {first.words}" for w in ("average", "total", "maximum"))
        raise Unread(Choice(f"Which figure of '{first.words}' in each period?", ways, first.words))


def _by_period(ask: Ask, items: Sequence[Mention], *, said: bool) -> tuple[Reading, str]:
    """Return (the figure by period, a note on the period where none was said)."""
    if said:
        return _read(ask, items), ""
    last: Unread | None = None
    why: tuple[str, ...] = ()
    for grain in _GRAINS:
        by = (Mention("by", tags=("by",)), Mention(grain, tags=(f"grain:{grain}",)))
        try:
            found = _read(ask, [*items, *by])
        except Unread as end:
            last = end
            continue
        _, n, notes = _complete(found, ask.index)
        if n >= ENOUGH:
            return found, f"by {grain}, as no period was said"
        why = why or notes
    if last is not None:
        raise last
    told = f" ({'; '.join(why)})" if why else ""
    refuse(f"There are too few complete periods to tell a trend{told}.")


def _read(ask: Ask, items: Sequence[Mention]) -> Reading:
    found = ask.read(figure_of_series(list(items)))
    if [m.function for m in found.measures] == ["metric", "count"]:  # a rate is shown with the rows it is of
        found = replace(found, measures=found.measures[:1])
    if len(found.measures) != 1 or len(found.keys) != 1 or not grain_of(found) or found.order or found.having:
        refuse("I judge the trend of one figure by one period.")
    return replace(found, sql=ReadingSQL(found, ask.index).text())


def _complete(found: Reading, index: SchemaIndex) -> tuple[str, int, tuple[str, ...]]:
    """Return (the SQL condition of the complete periods, how many there are, notes on those left out)."""
    key = found.keys[0]
    name = quote(unique_names([key_name(key)])[0])
    conditions, notes = [], []
    body = _body(found)
    ends = index.engine.query(f"SELECT min({name}) AS a, max({name}) AS b FROM (\n{body}\n) AS f").iloc[0]
    grain = grain_of(found)
    if key.grain and not any(f.column == key.column for f in found.filters):
        if late := incomplete(found, index):
            conditions.append(f"{name} < {literal(_value(ends['b']))}")
            notes.append(f"{late[0]}, and left out of the judgement")
        if early := _begins_late(found, index):
            conditions.append(f"{name} > {literal(_value(ends['a']))}")
            notes.append(f"the first {grain} is incomplete: the data begin on {early}, and it is left out")
    if (unsettled := first_open(found, index)) is not None:
        conditions.append(f"{name} < {literal(_value(unsettled[0]))}")
        notes.append(f"{unsettled[1]} and left out of the judgement")
    where = f"\n    WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = _periods(found, where)
    n = int(index.engine.query(f"WITH {sql}\nSELECT count(*) AS n FROM periods").iloc[0, 0])
    return sql, n, tuple(notes)


def _body(found: Reading) -> str:
    return "\n".join(x for x in found.sql.splitlines() if not x.startswith("ORDER BY"))


def _periods(found: Reading, where: str) -> str:
    """Return the SQL of each period with its figure: one without rows counts as 0, and has no mean."""
    key, value = map(quote, unique_names([key_name(found.keys[0]), measure_name(found.measures[0])]))
    filled = f"coalesce({value}, 0)" if found.measures[0].function in ("count", "sum") else value
    body = _body(found).replace("\n", "\n    ")
    return (
        f"figures AS (\n    {body}\n), calendar AS (\n    {calendar(key, grain_of(found))}\n), periods AS (\n"
        f"    SELECT {key}, {filled} AS {value}\n    FROM calendar\n    LEFT JOIN figures USING ({key}){where}\n)"
    )


def _value(v: object) -> int | date:
    text = str(v)[:10]
    return date.fromisoformat(text) if "-" in text else int(float(text))


def _begins_late(found: Reading, index: SchemaIndex) -> str:
    """Return the first day of the data, where the first period is begun well before it."""
    column, grain = found.keys[0].column, found.keys[0].grain
    first = index.reads.one(
        f"SELECT CAST(min({named(column, '')}) AS DATE) AS d FROM {quote(column.table)}", column.table
    )[0]
    if first is None or grain not in MONTHS:
        return ""
    day = date.fromisoformat(str(first)[:10])
    return day.isoformat() if (day - first_day(day, grain)).days > SLACK[grain] else ""


def _judged(found: Reading, moving: str, told: str, index: SchemaIndex) -> Reading:
    """Return the yes or no: the last complete period against the first, and two of three steps that way."""
    periods, n, notes = _complete(found, index)
    if n < FEWEST:
        said = "; ".join(notes)
        refuse(f"{n} complete period{'s' * (n != 1)} can't tell a trend{f' ({said})' if said else ''}.")
    key, value = unique_names([key_name(found.keys[0]), measure_name(found.measures[0])])
    k, v = quote(key), quote(value)
    ways = {
        "up": f"arg_max({v}, {k}) > arg_min({v}, {k}) AND 3 * rises >= 2 * steps",
        "down": f"arg_max({v}, {k}) < arg_min({v}, {k}) AND 3 * falls >= 2 * steps",
    }
    answer = ways.get(moving) or f"({ways['up']}) OR ({ways['down']})"
    names = [quote(f"{end}_{x}") for end in ("first", "last") for x in (key, value)]
    for counted in ("rises", "falls", "steps"):
        answer = answer.replace(counted, f"any_value({counted})")
    sql = (
        f"WITH {periods}, changes AS (\n    SELECT {v} - lag({v}) OVER (ORDER BY {k}) AS change\n    FROM periods\n"
        "), counted AS (\n    SELECT count(*) FILTER (WHERE change > 0) AS rises,"
        " count(*) FILTER (WHERE change < 0) AS falls,\n           count(change) AS steps\n    FROM changes\n)\n"
        f"SELECT {answer} AS answer,\n       min({k}) AS {names[0]}, arg_min({v}, {k}) AS {names[1]},\n"
        f"       max({k}) AS {names[2]}, arg_max({v}, {k}) AS {names[3]},\n"
        "       any_value(rises) AS rises, any_value(falls) AS falls\nFROM periods, counted"
    )
    what = {"up": "rises", "down": "falls"}.get(moving, "has a trend")
    rule = "yes is said where the last complete period is beyond the first and two of three changes go that way"
    notes = (*([told] if told else []), *notes, f"{rule}; it is no test")
    return replace(
        found, kind="yesno", sql=sql, text=f"whether the {found.text} {what}", notes=notes, chart="", order=None
    )
