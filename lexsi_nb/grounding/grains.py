"""Periods that rows are grouped by: their SQL, how long they are, and when one is over."""

from __future__ import annotations

from datetime import date, timedelta

HALF = "half-year"  # DuckDB has no halves of a year
STEPS = {
    "year": "1 YEAR", HALF: "6 MONTH", "quarter": "3 MONTH", "month": "1 MONTH", "week": "7 DAY", "day": "1 DAY",
}  # fmt: skip
GRAINS = tuple(STEPS)
MONTHS = {"year": 12, HALF: 6, "quarter": 3, "month": 1}  # of the periods that are whole months
# Days at the end of a period that may lack rows though the data go on until then.
SLACK = {"year": 7, HALF: 5, "quarter": 3, "month": 1, "week": 0, "day": 0}


def period_of(column: str, grain: str) -> str:
    """Return the SQL of the period that a date lies in: the year's number, or the first day of any other."""
    if grain == "year":
        return f"year({column})"
    if grain == HALF:
        return f"make_date(year({column}), CASE WHEN month({column}) <= 6 THEN 1 ELSE 7 END, 1)"
    return f"CAST(date_trunc('{grain}', {column}) AS DATE)"


def grain_name(grain: str) -> str:
    """Return what a column of periods is called."""
    return grain.replace("-", "_")


def first_day(day: date, grain: str) -> date:
    """Return the first day of the period that a day lies in."""
    if (months := MONTHS.get(grain)) is not None:
        return date(day.year, (day.month - 1) // months * months + 1, 1)
    return day - timedelta(days=day.weekday()) if grain == "week" else day


def last_day(day: date, grain: str) -> date:
    """Return the last day of the period that a day lies in."""
    first = first_day(day, grain)
    if (months := MONTHS.get(grain)) is not None:
        end = first.month + months - 1
        return date(first.year + end // 12, end % 12 + 1, 1) - timedelta(days=1)
    return first + timedelta(days=6) if grain == "week" else day
