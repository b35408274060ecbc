"""Dates and periods that mentions name: a day, a month, a quarter, a half, a year, ten years."""

from __future__ import annotations

from datetime import date, timedelta

from lexsi_nb.grounding.mentions import Mention


def period(items: list[Mention], at: int) -> tuple[date, date, int] | None:
    """Return (first day, day after the last, mentions used) of a date, month, quarter, half or year at a place."""
    item = items[at]
    if item.day:
        return item.day, item.day + timedelta(days=1), 1
    after = items[at + 1] if at + 1 < len(items) else None
    last = items[at + 2] if at + 2 < len(items) else None
    if after is not None and last is not None and (named := after.tag("monthname")) and is_year(last):
        return _day(last.number, int(named), item.number)  # 5 May 1996
    if ten := item.tag("decade"):
        return _months(int(ten), 1, 120, 1)
    month = item.tag("monthname")
    if month and after is not None:
        if is_year(after):
            return _months(int(after.number or 0), int(month), 1, 2)
        third = items[at + 2] if at + 2 < len(items) else None
        if third is not None and is_year(third) and 1 <= int(after.number or 0) <= 31:
            return _day(third.number, int(month), after.number)
        return None
    for tag, size in (("half", 6), ("quarter", 3)):
        part = item.tag(tag)
        if part and after is not None and is_year(after):
            return _months(int(after.number or 0), (int(part) - 1) * size + 1, size, 2)
    return _months(int(item.number or 0), 1, 12, 1) if is_year(item) else None


def is_year(item: Mention) -> bool:
    """Whether a mention is a bare four-digit number that can be a calendar year."""
    return isinstance(item.number, int) and 1500 <= item.number <= 2200 and item.words.isdigit()


def _day(year: float | int | None, month: int, day: float | int | None) -> tuple[date, date, int] | None:
    try:
        first = date(int(year or 0), month, int(day or 0))
    except ValueError:
        return None
    return first, first + timedelta(days=1), 3


def _months(year: int, month: int, size: int, used: int) -> tuple[date, date, int]:
    end = month + size
    return date(year, month, 1), date(year + (end - 1) // 12, (end - 1) % 12 + 1, 1), used
