"""The best period: `which year had the highest loan volume`, `top 3 months by total amount`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import COUNT, IN, Ask, is_period
from lexsi_nb.grounding.forms.per_group import BY
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.notes.empty_groups import periods
from lexsi_nb.grounding.parsing.groups import counted_rows
from lexsi_nb.grounding.parsing.ties import tie_note
from lexsi_nb.grounding.reading import Order, Reading
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.words import singular

_MOST = 1_000  # periods listed at most


def best_period(ask: Ask) -> Reading | None:
    """Return the reading of a question for the period with the highest (lowest) figure, None for another question."""
    if (counted := _periods_counted(ask)) is not None:
        return counted
    items, first = list(ask.items), 0
    while first < len(items) and _bare(items[first], "in", "list"):
        first += 1
    asked = first > 0
    way, limit, first = _lead(items, first)
    number = items[first].number if first + 1 < len(items) and _grain(items[first + 1]) else None
    several = isinstance(number, int) and not items[first].entries and 1 < number <= _MOST
    if several and not way and isinstance(number, int):  # "the two years with the highest total"
        asked, limit, first = True, number, first + 1
    if first >= len(items) or not (grain := _grain(items[first])) or not (way or asked):
        return None
    dated, after = of_date(items, first)
    rest = _measured_part(items[after:], way, several or bool(dated))
    if rest is None:
        return None
    found = ask.tried([*rest[0], BY, Mention(grain, tags=(f"grain:{grain}",)), *dated])
    if found is None or found.kind != "groupby" or len(found.keys) != 1 or found.keys[0].grain != grain:
        return None
    if found.order or found.limit or found.having or not found.measures:
        return None
    order = Order(measure=found.measures[0], descending=rest[1] == "desc")
    made = replace(found, kind="topk", order=order, limit=limit)
    writer = ReadingSQL(made, ask.index)
    made = replace(made, sql=writer.text())
    tied = tie_note(made, made.sql, ask.index)
    return None if writer.fan_out else replace(made, text=phrasing(made), notes=(*made.notes, *tied))


def _periods_counted(ask: Ask) -> Reading | None:
    """`in how many months were more than 15 visits made`: the number of periods that are so."""
    items = list(ask.items)
    items = items[1:] if items and _bare(items[0], "in") else items
    at = next((i for i, m in enumerate(items) if _bare(m, "cmp")), 0)
    if at < 2 or not _bare(items[0], "count") or not items[1].tag("grain") or items[1].entries:
        return None
    found = ask.tried([Mention("which", tags=("list",)), *items[1:]])
    plain = found is not None and found.kind == "groupby" and len(found.keys) == 1 and found.keys[0].grain
    if found is None or not plain or not found.having or found.order:
        return None
    if (
        any(h.op in ("<", "<=", "=") for h in found.having)
        and periods(replace(found, having=()), found.keys[0], ask.index)[1]
    ):
        return None  # those without a row would be of them
    return counted_rows(found)


def of_date(items: Sequence[Mention], at: int) -> tuple[list[Mention], int]:
    """Return the date that a period at a place is said to be of, and the place after: `month of hire_date`."""
    after = items[at + 1] if at + 1 < len(items) else None
    dates = [e for e in after.of("column") if e.column and e.column.type == "date"] if after is not None else []
    if after is None or not dates or len(dates) != len(after.entries) or not grammar.OF & set(after.gap):
        return [], at + 1
    return [after], at + 2


def _grain(m: Mention) -> str:
    """Return the period that a mention names, also where a column is called so too: `months`."""
    word = singular(m.words.casefold())
    return m.tag("grain") or ("" if m.of("table") else grammar.PERIOD_NOUNS.get(word, ""))


def _bare(m: Mention, *tags: str) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in tags)


def _lead(items: Sequence[Mention], at: int) -> tuple[str, int, int]:
    """Return (direction, how many, place after) of `top 3`; no direction and 1 without it."""
    number = items[at + 1].number if at + 1 < len(items) and _bare(items[at], "top") else None
    if isinstance(number, int):
        return items[at].tag("top") or "desc", max(1, min(number, _MOST)), at + 2
    return "", 1, at


def _measured_part(items: Sequence[Mention], way: str, several: bool) -> tuple[list[Mention], str] | None:
    """Return (the figure with its conditions, direction) of what was said of the period."""
    if way:  # "by total amount"
        by, start = (
            next((i for i, m in enumerate(items) if _bare(m, "by")), 0),
            int(_bare(items[0], "in")) if items else 0,
        )
        if by > start and is_period(items[start:by], 0) == by - start:  # "top 3 months of 1997 by total amount"
            return [*items[by + 1 :], IN, *items[start:by]], way
        return (list(items[1:]), way) if items and _bare(items[0], "by") else None
    if (
        several and items and items[0].tag("most") is not None and not items[0].entries
    ):  # "3 years with the most visits"
        return [COUNT, *items[1:]], items[0].tag("most") or "desc"
    places = [i for i, m in enumerate(items) if _bare(m, "super") and m.tag("super") in ("desc", "asc")]
    if len(places) != 1 or any(_bare(m, "most", "share", "growth", "by") for m in items):
        return None
    at = places[0]
    before, after = list(items[:at]), list(items[at + 1 :])
    if before and is_period(before, 0):
        before = [IN, *before]
    found = [*after, *before] if after else before
    return (found, items[at].tag("super") or "desc") if found else None
