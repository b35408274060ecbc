"""Figures over time: growth from period to period, running totals, trends; incomplete periods are said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from lexsi_nb.grounding.clauses import named
from lexsi_nb.grounding.forms.asking import COUNT, Ask, figure, refuse
from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.names import quote
from lexsi_nb.grounding.reading import Choice, Reading, Unread
from lexsi_nb.grounding.sql import key_name, measure_name, unique_names
from lexsi_nb.grounding.words import name_words

_OVER = {
    **dict.fromkeys(("year over year", "year-over-year", "year on year"), "year"),
    **dict.fromkeys(("month over month", "month on month"), "month"),
    **dict.fromkeys(("quarter over quarter", "quarter on quarter"), "quarter"),
}
_STEP = {"year": "1 YEAR", "quarter": "3 MONTH", "month": "1 MONTH", "week": "7 DAY", "day": "1 DAY"}


def series(ask: Ask) -> Reading | None:
    """Return the reading of growth, a running total or a trend, None when none is asked for."""
    growth, running, trend = (ask.at(t) is not None for t in ("growth", "running", "trend"))
    implied = next((g for m in ask.items if m.tag("growth") is not None and (g := _OVER.get(m.words.casefold()))), "")
    if not (growth or running or trend):
        return None
    items = [m for m in ask.without("growth", "running", "trend", "share", "list") if m.words.casefold() != "over"]
    if implied and not any(m.tag("by") is not None for m in items):
        items += [Mention("by", tags=("by",)), Mention(implied, tags=(f"grain:{implied}",))]
    grains = [m for m in items if m.tag("grain") and not m.entries] + _grain_columns(items)
    if not grains:
        words = next(m.words for m in ask.items if any(m.tag(t) is not None for t in ("growth", "running", "trend")))
        raise Unread(Choice(f"'{words}' by which period?", ("year", "quarter", "month"), words))
    found = ask.read(_said(items))
    if len(found.measures) != 1 or len(found.keys) != 1 or not _grain(found):
        refuse("I read growth, running totals and trends of one figure by one period.")
    return _over_time(found, ask.index, growth=growth, running=running)


def _grain_columns(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions after "by" of number columns that hold a piece of a date: a table's own month."""
    return [
        m for before, m in pairwise(items)
        if before.tag("by") is not None and any(
            e.column and e.column.type == "number" and name_words(e.column.name)[-1] in _STEP for e in m.of("column")
        )
    ]  # fmt: skip


def _said(items: list[Mention]) -> list[Mention]:
    """Return the mentions with a figure at the front and "by" before the period."""
    out: list[Mention] = []
    for i, m in enumerate(items):
        if m.tag("grain") and not m.entries and not (i and items[i - 1].tag("by") is not None):
            out.append(Mention("by", tags=("by",)))
        out.append(m)
    if any(m.tag("agg") is not None or m.tag("count") is not None or m.of("metric") for m in out):
        return out
    first = next((m for m in out if m.entries), None)
    if (
        first is not None
        and not first.of("table")
        and any(e.column and e.column.type == "number" for e in first.of("column"))
    ):
        return [figure(first), *out]
    return [COUNT, *out]


def _grain(found: Reading) -> str:
    key = found.keys[0]
    return key.grain or ("number" if key.column.type == "number" else "")


def _over_time(found: Reading, index: SchemaIndex, *, growth: bool, running: bool) -> Reading:
    names = unique_names([key_name(found.keys[0]), measure_name(found.measures[0])])
    key, value = map(quote, names)
    grain = _grain(found)
    body = "\n".join(x for x in found.sql.splitlines() if not x.startswith("ORDER BY"))
    fills = found.measures[0].function in ("count", "sum")
    calendar = _calendar(key, grain)
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
            "WITH figures AS (\n    " + body.replace("\n", "\n    ") + f"\n), calendar AS (\n    {calendar}\n)\n"
            "SELECT " + ",\n       ".join(shown) + f"\nFROM calendar\nLEFT JOIN figures USING ({key})\nORDER BY {key}"
        )
    return replace(found, kind="series", sql=sql, text=text + found.text, chart=found.chart or "line")


def _may_miss(found: Reading, index: SchemaIndex) -> bool:
    """Whether a sum adds up a column that has gaps."""
    c = found.measures[0].column
    return c is not None and not c.sql and index.has_gaps(c)


def _calendar(key: str, grain: str) -> str:
    """Return the SQL of every period from the first to the last, so that none is skipped."""
    if grain in ("year", "number"):
        return f"SELECT unnest(range(min({key})::BIGINT, max({key})::BIGINT + 1)) AS {key}\n    FROM figures"
    step = _STEP[grain]
    ends = f"min({key})::TIMESTAMP, max({key})::TIMESTAMP"
    return f"SELECT unnest(generate_series({ends}, INTERVAL {step}))::DATE AS {key}\n    FROM figures"


def incomplete(r: Reading, index: SchemaIndex) -> tuple[str, ...]:
    """Return a note where the last period of a series is not over by the end of the data."""
    keys = [k for k in r.keys if k.grain]
    if not keys or not r.measures:
        return ()
    column, grain = keys[0].column, keys[0].grain
    if any(f.column == column for f in r.filters):
        return ()
    latest = f"SELECT CAST(max({named(column, '')}) AS DATE) AS d FROM {quote(column.table)}"
    last = index.reads.one(latest, column.table)[0]
    if last is None:
        return ()
    day = date.fromisoformat(str(last)[:10])
    known = index.facts.as_of
    ended = max(day, date.fromisoformat(known)) if known else day
    end = _end(day, grain)
    if ended >= end or (not known and (end - ended).days <= _SLACK[grain]):
        return ()
    return (f"the last {grain} is incomplete: the data end on {ended.isoformat()}",)


_SLACK = {"year": 7, "quarter": 3, "month": 1, "week": 0, "day": 0}


def _end(day: date, grain: str) -> date:
    """Return the last day of the period that a day lies in."""
    if grain == "year":
        return date(day.year, 12, 31)
    if grain in ("quarter", "month"):
        month = day.month if grain == "month" else (day.month + 2) // 3 * 3
        return (date(day.year + month // 12, month % 12 + 1, 1)) - timedelta(days=1)
    return day + timedelta(days=6 - day.weekday()) if grain == "week" else day
