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


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "table"), counted(1200, "verified join")
    ('1 table', '1,200 verified joins')
    """
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
