"""The rows of a result as a chart holds them: plain values, the same that altair makes of the frame."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lexsi_nb.tools.vega.points import MOST, ROOM

if TYPE_CHECKING:
    from lexsi_nb.tools.vega.check import ColumnType

LOOKED_AT = 500  # rows by which the size of all is told
DEPTH = 8  # how deep in a notebook file the rows of a chart stand


def column_types(frame: Any) -> dict[str, ColumnType]:
    """Return column -> quantitative, temporal, boolean or nominal, by its values."""
    return {str(c): _type(frame[c]) for c in frame.columns}


def conversions(frame: Any, columns: list[str]) -> dict[str, str]:
    """Return column -> the pandas expression (after `frame[column]`) that makes its values fit for a chart."""
    found = {}
    for name in columns:
        column = frame[name]
        kind = _object_kind(column)
        if kind == "decimal":
            found[name] = '.astype("float64")'
        elif kind == "date":
            found[name] = '.astype("datetime64[s]")'
        elif str(column.dtype).startswith("timedelta"):
            found[name] = ".dt.total_seconds()"
        elif kind == "other":
            found[name] = '.astype("string")'
    return found


def values_of(frame: Any) -> list[dict[str, Any]]:
    """Return the rows as altair writes them: ISO times, None for what is missing or infinite, lists for arrays."""
    columns = [(str(c), _values(frame[c])) for c in frame.columns]
    return [dict(zip((n for n, _ in columns), row, strict=True)) for row in zip(*(v for _, v in columns), strict=True)]


def size_of(values: list[dict[str, Any]]) -> int:
    """Return the bytes of a chart's rows in a notebook file, which has a line a value, indented."""
    text = json.dumps(values, ensure_ascii=False, default=str, indent=1)
    return len(text.encode("utf-8", "surrogatepass")) + DEPTH * text.count("\n")


def most_of(frame: Any) -> int:
    """Return how many rows of a frame a chart holds: at most 5,000, fewer where they are long; whole hundreds."""
    some = frame.iloc[:: max(1, len(frame) // LOOKED_AT)]
    if not len(some):
        return MOST
    fit = ROOM * len(some) // size_of(values_of(some))
    return min(MOST, fit // 100 * 100 or max(1, fit))


def _type(column: Any) -> ColumnType:
    kind = str(column.dtype)
    if kind.startswith("datetime") or _object_kind(column) == "date":
        return "temporal"
    if kind == "bool" or kind == "boolean":
        return "boolean"
    if column.dtype.kind in "iufm" or _object_kind(column) == "decimal":
        return "quantitative"
    return "quantitative" if kind.startswith(("Int", "UInt", "Float")) else "nominal"


def _object_kind(column: Any) -> str:
    """Return what an object column holds: decimal, date, plain (text, numbers, lists, structs) or other; else ""."""
    import datetime
    import decimal

    if column.dtype != object:
        return ""
    kinds = {type(v) for v in column.dropna().head(1000)}
    if kinds and kinds <= {decimal.Decimal, int, float}:
        return "decimal" if decimal.Decimal in kinds else "plain"
    if kinds == {datetime.date}:
        return "date"
    plain = {str, int, float, bool, list, tuple, dict}
    return "plain" if all(k in plain or k.__module__ == "numpy" for k in kinds) else "other"


def _values(column: Any) -> list[Any]:
    kind = str(column.dtype)
    if kind.startswith("datetime"):
        return ["" if text == "NaT" else text for text in (v.isoformat() for v in column)]
    out = []
    for value in column.astype(object):
        if hasattr(value, "tolist"):
            value = value.tolist()
        missing = value is None or (
            isinstance(value, float) and (value != value or value in (float("inf"), float("-inf")))
        )
        out.append(None if missing or str(value) in ("<NA>", "NaT") else value)
    return out
