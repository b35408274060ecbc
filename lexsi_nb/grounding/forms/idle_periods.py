"""Periods in which nothing happened: `which month had no hires`, `how many days without a sale`."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.forms.asking import COUNT, Ask
from lexsi_nb.grounding.forms.best_period import of_date
from lexsi_nb.grounding.forms.per_group import BY
from lexsi_nb.grounding.grains import STEPS
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Reading
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name
from lexsi_nb.grounding.schema.names import quote


def idle_periods(ask: Ask) -> Reading | None:
    """Return the periods from the first to the last row in which there is none, None for another question."""
    items = list(ask.items)
    counted = bool(items) and _bare(items[0], "count")
    while items and _bare(items[0], "list", "in", "count"):
        items = items[1:]
    at = next((i for i, m in enumerate(items) if _bare(m, "without")), 0)
    grain = items[0].tag("grain") if items and not items[0].of("table", "column") else None
    noun = items[at + 1] if 0 < at < len(items) - 1 else None
    if not grain or grain not in STEPS or noun is None or not noun.of("table"):
        return None
    dated, after = of_date(items, 0)
    rest = [*items[at + 1 :], *items[after:at]]
    found = ask.read([COUNT, *rest, BY, Mention(grain, tags=(f"grain:{grain}",)), *dated])
    if found.kind != "groupby" or len(found.keys) != 1 or not found.keys[0].grain or found.having:
        return None
    return _without_rows(found, ask, counted)


def _without_rows(found: Reading, ask: Ask, counted: bool) -> Reading:
    key, grain = quote(key_name(found.keys[0])), found.keys[0].grain
    lines = [x for x in ReadingSQL(found, ask.index).text().split("\n") if not x.startswith("ORDER BY")]
    inner = "\n    ".join(lines)
    series = f"generate_series(min({key})::TIMESTAMP, max({key})::TIMESTAMP, INTERVAL {STEPS[grain]})"
    each = f"unnest({series})::DATE"
    if grain == "year":
        each = f"unnest(generate_series(min({key})::BIGINT, max({key})::BIGINT))"
    what = f"count(*) AS number_of_{grain}s" if counted else key
    sql = (
        f"WITH held AS (\n    {inner}\n), calendar AS (\n    SELECT {each} AS {key}\n    FROM held\n)\n"
        f"SELECT {what}\nFROM calendar\nWHERE {key} NOT IN (SELECT {key} FROM held WHERE {key} IS NOT NULL)"
    )
    sql += "" if counted else f"\nORDER BY {key}"
    date = found.keys[0].column.name
    span = f"{grain}s from the first to the last {date} without {rows_word(found.table)}"
    notes = (*found.notes, f"{grain}s before the first and after the last {date} are not looked at")
    return replace(
        found, kind="count" if counted else "list", sql=sql, text=f"{'number of ' if counted else ''}{span}",
        notes=notes, measures=(), columns=(), order=None,
    )  # fmt: skip


def _bare(m: Mention, *tags: str) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in tags)
