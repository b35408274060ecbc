"""A value as a cell of a table shows it."""

from __future__ import annotations

from typing import Any

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


def int_or_self(value: float) -> float:
    """Return a number without its fraction; infinity as it is."""
    return value if value in (float("inf"), float("-inf")) else int(value)
