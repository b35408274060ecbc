"""A chart as an output keeps it: the rows of a large one as one text, their numbers as fine as a picture shows them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from typing import Any

SMALL = 100  # rows up to which a chart keeps them as they are, which is easier to read in a diff
PIXELS = 4_000  # steps from the lowest number to the highest: several to a pixel, on fine screens too


def saved(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a spec that draws the same from fewer bytes: its rows as CSV, each number to 1 / 4,000 of its range.

    A notebook file has each value of a list on a line of its own. Rows that CSV cannot hold without loss stay a list.
    """
    data = spec.get("data")
    rows = data.get("values") if isinstance(data, dict) else None
    if not isinstance(rows, list) or len(rows) <= SMALL or set(data or ()) != {"values"}:
        return spec
    columns = _columns(rows)
    kinds = None if columns is None else {name: _kind(name, values, spec) for name, values in columns.items()}
    if columns is None or kinds is None or None in kinds.values():
        return spec
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(map(_text, _rounded(v)) for v in columns.values()), strict=True))
    parse = {name: kind for name, kind in kinds.items() if kind != "date"}  # which the encoding reads
    return {**spec, "data": {"values": out.getvalue(), "format": {"type": "csv", "parse": parse}}}


def _columns(rows: list[Any]) -> dict[str, list[Any]] | None:
    """Return the values by name; None where rows differ in their names, or a name would be read as a path."""
    names = list(rows[0]) if isinstance(rows[0], dict) else []
    same = all(isinstance(row, dict) and list(row) == names for row in rows)
    plain = all(name and not set(name) & set(".[]\\\"'") for name in names)
    return {name: [row[name] for row in rows] for name in names} if names and same and plain else None


def _kind(name: str, values: Iterable[Any], spec: dict[str, Any]) -> str | None:
    """Return how a column is read from text: number, boolean, string or date; None where it would not be the same."""
    kinds = {type(v) for v in values if v is not None}
    if kinds <= {int, float}:
        return "number"
    if kinds == {bool}:
        return "boolean"
    if kinds != {str} or any(v in ("", None) or "\r" in v for v in values):  # an empty text is read as none at all
        return None
    return "date" if name in _temporal(spec) else "string"


def _temporal(node: Any) -> set[str]:
    """Return the fields that any part of a spec reads as times."""
    found: set[str] = set()
    if isinstance(node, dict):
        if (node.get("type") == "temporal" or node.get("timeUnit")) and isinstance(node.get("field"), str):
            found.add(node["field"])
        for key, value in node.items():
            found |= set() if key == "data" else _temporal(value)
    elif isinstance(node, list):
        for value in node:
            found |= _temporal(value)
    return found


def _rounded(values: list[Any]) -> list[Any]:
    """Return numbers that are not whole to as many decimals as 1 / 4,000 of their range has."""
    numbers = [v for v in values if isinstance(v, float)]
    if not numbers:
        return values
    span = max(numbers) - min(numbers)
    if not math.isfinite(span) or span == 0:
        return values
    decimals = max(0, math.ceil(math.log10(PIXELS / span)))
    return [round(v, decimals) if isinstance(v, float) else v for v in values]


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)
