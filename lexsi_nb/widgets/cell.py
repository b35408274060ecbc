"""A value as a cell of a table shows it."""

from __future__ import annotations

from typing import Any

from lexsi_nb.artifacts.wording import is_name_column, percentage_text, period_text

LONGEST = 120


def cell_text(value: Any) -> str:
    """Return a cell as shown: thousands grouped, at most six digits, ISO dates, missing as an empty cell."""
    if value is None or str(value) in ("NaT", "<NA>", "nan"):
        return ""
    if hasattr(value, "isoformat"):
        text = value.isoformat()
        return text.removesuffix("T00:00:00")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value == int_or_self(value) and abs(value) < 1e15 else f"{value:,.6g}"
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def named_cell(column: str, value: Any) -> str:
    """Return a cell as shown under its head: ids and years are not grouped, periods are named, percentages rounded."""
    if type(value) is int and is_name_column(column):
        return str(value)
    return period_text(column, value) or percentage_text(column, value) or cell_text(value)


def decimals_of(values: list[Any]) -> int:
    """Return with how many decimals numbers stand under each other; those that need an exponent do not count.

    >>> decimals_of([1.0, 0.995, 0.99]), decimals_of([298020.0, 11828.2457]), decimals_of([3.0, 1e-9])
    (3, 1, 0)
    """
    numbers = [v for v in values if isinstance(v, float) and abs(v) < float("inf")]
    whole = max((len(f"{abs(v):.0f}") for v in numbers), default=0)
    shown = [text for text in map(cell_text, numbers) if "e" not in text]
    return min(max((len(text.partition(".")[2]) for text in shown), default=0), max(2, 6 - whole))


def fixed_text(value: Any, decimals: int) -> str:
    """Return a number with so many decimals; one too small or too large for them as `cell_text` shows it.

    >>> fixed_text(0.5, 3), fixed_text(0.00004, 3), fixed_text(2, 3)
    ('0.500', '4e-05', '2')
    """
    if not isinstance(value, float) or not (value == 0 or 0.5 * 10**-decimals <= abs(value) < 1e15):
        return cell_text(value)
    return f"{value:,.{decimals}f}"


def int_or_self(value: float) -> float:
    """Return a number without its fraction; infinity as it is."""
    return value if value in (float("inf"), float("-inf")) else int(value)
