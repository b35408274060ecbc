"""Figures over time: growth from period to period, running totals, trends; incomplete periods are said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise

from lexsi_nb.grounding.forms.asking import COUNT, Ask, figure, refuse
from lexsi_nb.grounding.grains import SLACK, STEPS, last_day
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Column, Filter, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import literal, named
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, measure_name, unique_names
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words


def series(ask: Ask) -> Reading | None:
    """Return the reading of growth, a running total or a trend, None when none is asked for."""
    growth, running, trend = (ask.at(t) is not None for t in ("growth", "running", "trend"))
    implied = next(
        (g for m in ask.items if m.tag("growth") is not None and (g := grammar.OVER_PERIODS.get(m.words.casefold()))),
        "",
    )
    if not (growth or running or trend):
        return None
    items = [
        m for m in ask.without("growth", "running", "trend", "share", "list") if m.words.casefold() not in grammar.OVER
    ]
    if implied and not any(m.tag("by") is not None for m in items):
        items += [Mention("by", tags=("by",)), Mention(implied, tags=(f"grain:{implied}",))]
    if any((m.tag("share") is not None) and m.words.casefold().split()[0] in grammar.SHARES for m in ask.items):
        refuse("I don't read shares over time yet; ask for the share by period.")
    grains = [m for m in items if m.tag("grain") and not m.entries] + grain_columns(items)
    if not grains:
        words = next(m.words for m in ask.items if any(m.tag(t) is not None for t in ("growth", "running", "trend")))
        raise Unread(Choice(f"'{words}' by which period?", ("year", "quarter", "month"), words))
    _counted_or_summed(items, ask.index)
    if not running:
        _summed_or_averaged(items, ask.index)
    found = ask.read(figure_of_series(items))
    if _rate(found) and (growth or running):
        found = replace(found, measures=found.measures[:1])
    whole, since = _from_before(found) if growth else (found, "")
    if _rate(found) and not (growth or running):
        return replace(found, kind="series", chart=found.chart or "line")
    if len(found.measures) != 1 or len(found.keys) != 1 or not grain_of(found):
        refuse("I read growth, running totals and trends of one figure by one period.")
    made = _over_time(whole if since else found, ask.index, growth=growth, running=running)
    return _cut_to(made, found, since, ask.index) if since else made


def _summed_or_averaged(items: Sequence[Mention], index: SchemaIndex) -> None:
    """Ask whether `trend of delay` is of its sum or of its mean, where nothing says that the number adds up.

    Raises:
        Unread: with the choice.
    """
    said = any(m.tag(t) is not None for m in items for t in ("agg", "count")) or any(m.of("metric") for m in items)
    first = next((m for m in items if m.entries), None)
    if said or first is None or first.of("table", "value") or first.fused:
        return
    columns = {e.column for e in first.of("column") if e.column and e.column.type == "number"}
    column = columns.pop() if len(columns) == 1 else None
    if column is not None and column != index.size_of(column.table):
        ways = tuple(f"{w} {first.words}" for w in ("total", "mean"))
        raise Unread(Choice(f"'{first.words}' over time can be a sum or a mean.", ways, first.words))


def _rate(found: Reading) -> bool:
    """Whether a reading is one rate by one period, with the number of rows that it is a rate of."""
    functions = [m.function for m in found.measures]
    return functions == ["metric", "count"] and len(found.keys) == 1 and bool(grain_of(found))


def _from_before(found: Reading) -> tuple[Reading, str]:
    """Return (the reading without `since 2000`, its bound): the first change is against the year before."""
    key = found.keys[0] if len(found.keys) == 1 else None
    for f in found.filters if key else ():
        v = f.values[0] if f.values else None
        whole_year = isinstance(v, date) and (v.month, v.day) == (1, 1)
        if key and f.column == key.column and f.op == ">=" and not f.negated and (isinstance(v, int) or whole_year):
            return replace(found, filters=tuple(x for x in found.filters if x != f)), literal(v)
    return found, ""


def _cut_to(made: Reading, found: Reading, since: str, index: SchemaIndex) -> Reading:
    """Return the reading of every period, cut to those from `since` on."""
    key = quote(unique_names([key_name(found.keys[0])])[0])
    year = found.keys[0].grain == "year"
    bound = f"year({since})" if year and not since.isdigit() else since
    lines = made.sql.splitlines()
    inner = "\n".join(f"    {x}" for x in lines[:-1])
    sql = f"SELECT *\nFROM (\n{inner}\n) AS changes\nWHERE {key} >= {bound}"
    return replace(made, filters=found.filters, text=f"growth of {found.text}", sql=f"{sql}\n{lines[-1]}")


def grain_columns(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions after "by" of number columns that hold a piece of a date: a table's own month."""
    return [
        m for before, m in pairwise(items)
        if before.tag("by") is not None and any(
            e.column and e.column.type == "number" and name_words(e.column.name)[-1] in STEPS for e in m.of("column")
        )
    ]  # fmt: skip


def figure_of_series(items: list[Mention]) -> list[Mention]:
    """Return the mentions with a figure at the front and "by" before the period."""
    out: list[Mention] = []
    for i, m in enumerate(items):
        dated = i > 1 and any(e.column and e.column.type == "date" for e in items[i - 1].of("column"))
        said = i and items[i - 2 if dated else i - 1].tag("by") is not None  # "by quarter", "by opening quarter"
        if m.tag("grain") and not m.entries and not said:
            out.append(Mention("by", tags=("by",)))
        out.append(m)
    if any(m.tag("agg") is not None or m.tag("count") is not None or m.of("metric") for m in out):
        return out
    at = next((i for i, m in enumerate(out) if m.entries), None)
    first, after = (out[at], out[at + 1 : at + 2]) if at is not None else (None, [])
    if first is not None and not first.of("table") and _numbers(first):
        return [figure(first), *out]
    if at is not None and first is not None and after and not after[0].gap and not after[0].of("table", "value"):
        own = {e.table for e in first.of("table")} & {c.table for c in _numbers(after[0])}
        if own and len(own) == len(_numbers(after[0])):  # "running total of bill amounts"
            return [*out[:at], figure(after[0]), after[0], first, *out[at + 2 :]]
    return [COUNT, *out]


def _numbers(m: Mention) -> list[Column]:
    """Return the number columns that a mention can mean."""
    return [e.column for e in m.of("column") if e.column and e.column.type == "number"]


def _counted_or_summed(items: Sequence[Mention], index: SchemaIndex) -> None:
    """Ask whether `growth of card payments` is of their number or of what they come to: a value says neither.

    Raises:
        Unread: with the choice.
    """
    said = any(m.tag(t) is not None for m in items for t in ("agg", "count"))
    first = next((m for m in items if m.entries), None)
    if said or first is None or not first.of("value") or first.of("table", "column", "metric", "condition", "term"):
        return
    tables = {e.table for e in first.of("value")}
    size = index.size_of(next(iter(tables))) if len(tables) == 1 else None
    if size is not None and not any(m.of("table") and m.words != first.words for m in items):
        ways = (f"number of {first.words}", f"total {size.name} of {first.words}")
        raise Unread(Choice(f"'{first.words}' can be a number of rows or a sum.", ways, first.words))


def grain_of(found: Reading) -> str:
    key = found.keys[0]
    return key.grain or ("number" if key.column.type == "number" else "")


def _over_time(found: Reading, index: SchemaIndex, *, growth: bool, running: bool) -> Reading:
    names = unique_names([key_name(found.keys[0]), measure_name(found.measures[0])])
    key, value = map(quote, names)
    found = replace(found, sql=ReadingSQL(found, index).text())
    grain = grain_of(found)
    body = "\n".join(x for x in found.sql.splitlines() if not x.startswith("ORDER BY"))
    fills = found.measures[0].function in ("count", "sum")
    periods = calendar(key, grain)
    none = f"figures.{key} IS NULL"  # a period without rows has 0; one whose values are all missing has no figure
    zero = (
        value
        if not fills
        else f"if({none}, 0, {value})"
        if growth and _may_miss(found, index)
        else f"coalesce({value}, 0)"
    )
    shown = [key, f"{zero} AS {value}" if fills else value]
    if running:
        if not fills:
            refuse("A running total needs a count or a sum.")
        shown.append(f"sum({zero}) OVER (ORDER BY {key}) AS running_total")
    if growth:
        before = f"lag({zero}) OVER (ORDER BY {key})"
        shown += [
            f"{zero} - {before} AS change",
            f"100.0 * ({zero} - {before}) / nullif({before}, 0) AS growth_percent",
        ]
    text = {(True, False): "growth of ", (False, True): "running total of "}.get((growth, running), "")
    if not growth and not running:
        sql = found.sql
    elif not growth:
        shown = [key, value, *shown[2:]]
        shown[2] = shown[2].replace(zero, value)
        sql = "WITH figures AS (\n    " + body.replace("\n", "\n    ") + "\n)\n"
        sql += "SELECT " + ",\n       ".join(shown) + f"\nFROM figures\nORDER BY {key}"
    else:
        sql = (
            "WITH figures AS (\n    " + body.replace("\n", "\n    ") + f"\n), calendar AS (\n    {periods}\n)\n"
            "SELECT " + ",\n       ".join(shown) + f"\nFROM calendar\nLEFT JOIN figures USING ({key})\nORDER BY {key}"
        )
    drawn = {(True, False): "growth_percent", (False, True): "running_total"}.get((growth, running), "")
    return replace(found, kind="series", sql=sql, text=text + found.text, chart=found.chart or "line", drawn=drawn)


def _may_miss(found: Reading, index: SchemaIndex) -> bool:
    """Whether a sum adds up a column that has gaps."""
    c = found.measures[0].column
    return c is not None and not c.sql and index.has_gaps(c)


def calendar(key: str, grain: str) -> str:
    """Return the SQL of every period from the first to the last, so that none is skipped."""
    if grain in ("year", "number"):
        return f"SELECT unnest(range(min({key})::BIGINT, max({key})::BIGINT + 1)) AS {key}\n    FROM figures"
    step = STEPS[grain]
    ends = f"min({key})::TIMESTAMP, max({key})::TIMESTAMP"
    return f"SELECT unnest(generate_series({ends}, INTERVAL {step}))::DATE AS {key}\n    FROM figures"


def incomplete(r: Reading, index: SchemaIndex) -> tuple[str, ...]:
    """Return a note where the last period of a series is not over by the end of the data."""
    keys = [k for k in r.keys if k.grain]
    if not keys or not r.measures:
        return ()
    column, grain = keys[0].column, keys[0].grain
    cut = tuple(note for f in r.filters if f.column == column for note in _cut(f, grain))
    return (*cut, *_unfinished(r, column, grain, index))


def _cut(f: Filter, grain: str) -> list[str]:
    """Return the notes on a first or last period of which a condition on the date keeps a part only."""
    days = [v.date() if isinstance(v, datetime) else v for v in f.values]
    if f.negated or not all(isinstance(d, date) for d in days) or f.op not in (">=", "range"):
        return []
    first, last = days[0], days[1] - timedelta(days=1) if f.op == "range" else None
    begun = last_day(first - timedelta(1), grain) >= first
    notes = [f"the first {grain} counts from {first.isoformat()} on"] if begun else []
    if last is not None and last_day(last, grain) > last:
        notes.append(f"the last {grain} counts until {last.isoformat()}")
    return notes


def _unfinished(r: Reading, column: Column, grain: str, index: SchemaIndex) -> tuple[str, ...]:
    """Return a note where the last period goes on after the last day of the data."""
    if any(f.column == column and not _open_ended(f) for f in r.filters):
        return ()
    latest = f"SELECT CAST(max({named(column, '')}) AS DATE) AS d FROM {quote(column.table)}"
    last = index.reads.one(latest, column.table)[0]
    if last is None:
        return ()
    day = date.fromisoformat(str(last)[:10])
    if any(_closed_by(f, day) for f in r.filters if f.column == column):
        return ()
    known = index.facts.as_of
    ended = max(day, date.fromisoformat(known)) if known else day
    end = last_day(day, grain)
    if ended >= end or (not known and (end - ended).days <= SLACK[grain]):
        return ()
    return (f"the last {grain} is incomplete: the data end on {ended.isoformat()}",)


def _open_ended(f: Filter) -> bool:
    """Whether a condition on the date is from a day on, or for a span of days."""
    return f.op in (">", ">=", "range", "between") and not f.negated


def _closed_by(f: Filter, last: date) -> bool:
    """Whether a condition on the date ends it at or before the last day of the data."""
    end = f.values[1] if f.op in ("range", "between") and len(f.values) > 1 else None
    day = end.date() if isinstance(end, datetime) else end
    return isinstance(day, date) and day <= last
