"""How a number is written for a person."""

from __future__ import annotations

import re
from typing import Any

# What XML, and so an SVG, cannot hold. The drawing library ends the process where it meets one.
# The second half is how an expression of a spec would spell it.
_UNDRAWABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
    r"|\\(?:u00|x)[01][0-9a-fA-F]|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\u[fF]{3}[eEfF]|\\0"
)
# Headings of facts that are not shown as such: parts of the one line that sums an answer up, and what stays in sight.
BRIEF, MIND = "in brief", "mind"
PICTURE = "how good"  # heading of facts whose spaces count: lines that draw something
SYNTHETIC = "SYNTHETIC data: generated, no real clients."
_NAMES = re.compile(
    r"(?i:(^|_)(id|year|yearid|decade|cohort|vintage|season|founded|built|no|nr|code|zip|key)s?$|^year_)"
    r"|(?<=[a-z])(Id|ID|Year)$|^[Yy]ear(?=[A-Z])"
)
_PERIODS = {"month": ("{y}-{m:02}", 1), "quarter": ("{y}-Q{q}", 3), "half_year": ("{y}-H{h}", 6)}
_PERIODS["cohort"] = _PERIODS["month"]  # of any of them: its name does not say which
_UNIT = "(day|week|month|quarter|half_year|year)"
_PERCENTAGE = re.compile(rf"percentage(_\w+)?|in_{_UNIT}_\d+|within_\d+_{_UNIT}s?")


def drawable(value: Any) -> Any:
    """Return a chart's spec with a replacement mark for each character that no picture can hold.

    >>> drawable({"a": ["x\\x00y", 1]})
    {'a': ['x\ufffdy', 1]}
    """
    if isinstance(value, str):
        return _UNDRAWABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {drawable(k): drawable(v) for k, v in value.items()}
    return [drawable(v) for v in value] if isinstance(value, list | tuple) else value


def is_name_column(column: object) -> bool:
    """Return whether a column's numbers name things (ids, years): their thousands are not grouped.

    >>> [is_name_column(c) for c in ("loan_id", "year", "opened_year", "cohort", "YearBuilt", "amount", "paid")]
    [True, True, True, True, True, False, False]
    """
    return bool(_NAMES.search(str(column)))


def period_text(column: object, value: Any) -> str:
    """Return the first day of a period as the period, where its column is called so; "" for any other value.

    >>> from datetime import date
    >>> [period_text(c, date(2022, 4, 1)) for c in ("month", "quarter", "half_year", "month_2", "due")]
    ['2022-04', '2022-Q2', '', '2022-04', '']
    """
    form, every = _PERIODS.get(re.sub(r"_\d+$", "", str(column)), ("", 0))
    if not form or not hasattr(value, "isoformat") or value != value:
        return ""
    time = getattr(value, "time", lambda: None)()
    if value.day != 1 or (value.month - 1) % every or (time is not None and time.isoformat() != "00:00:00"):
        return ""
    return form.format(y=value.year, m=value.month, q=(value.month + 2) // 3, h=(value.month + 5) // 6)


def percentage_text(column: object, value: Any) -> str:
    """Return a percentage as it is shown, by the name of its column; "" for any other value.

    >>> percentage_text("percentage", 29.3814), percentage_text("percentage", 0.0123456), percentage_text("fee", 2.5)
    ('29.38', '0.012', '')
    """
    if not isinstance(value, float) or not _PERCENTAGE.fullmatch(str(column)) or value != value:
        return ""
    return f"{value:,.2f}" if value == 0 or abs(value) >= 0.1 else f"{value:.2g}"


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "table"), counted(1200, "verified join")
    ('1 table', '1,200 verified joins')
    """
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
