"""The picture of a reading that was asked for, as a Vega-Lite specification over its own columns."""

from __future__ import annotations

from typing import Any

from lexsi_nb.grounding.reading import Reading
from lexsi_nb.grounding.sql import key_name, measure_name, unique_names


def picture(r: Reading) -> dict[str, Any] | None:
    """Return the specification of the chart that was asked for, None where the result has nothing to draw."""
    if r.kind == "distribution" and len(r.columns) == 1:
        return _distribution(r)
    if r.chart == "scatter" and r.kind == "list":
        numbers = [c.name for c in r.columns if c.type == "number"][-2:]
        return _encoded("point", _field(numbers[0]), _field(numbers[1])) if len(numbers) == 2 else None
    if not r.measures or not r.keys:
        return None
    names = unique_names([key_name(k) for k in r.keys] + [measure_name(m) for m in r.measures])
    keys, measure = names[: len(r.keys)], names[len(r.keys)]
    over_time = bool(r.keys[0].grain) or r.keys[0].column.type == "date"
    mark = {"any": "line" if over_time else "bar", "histogram": "bar", "pie": "arc", "scatter": "point"}
    kind = mark.get(r.chart, r.chart or "bar")
    if kind == "arc":
        color = {"field": keys[0], "type": "nominal"}
        return {"mark": "arc", "encoding": {"theta": _field(measure), "color": color}}
    dated = over_time and r.keys[0].grain != "year"
    x: dict[str, Any] = {
        "field": keys[0],
        "type": "temporal" if dated else "ordinal" if over_time or kind == "line" else "nominal",
    }
    if not over_time:
        x["sort"] = None
    spec = _encoded(kind, x, _field(measure))
    if len(keys) > 1:
        spec["encoding"]["color"] = {"field": keys[1], "type": "nominal"}
    return spec


def _distribution(r: Reading) -> dict[str, Any]:
    if r.chart == "histogram" and "bin_start" in r.sql:
        x = {"field": "bin_start", "type": "quantitative", "bin": "binned", "title": r.columns[0].name}
        return _encoded("bar", x, _field("number_of_rows")) | {
            "encoding": {"x": x, "x2": {"field": "bin_end"}, "y": _field("number_of_rows")}
        }
    return _encoded("bar", {"field": r.columns[0].name, "type": "nominal", "sort": None}, _field("number_of_rows"))


def _field(name: str) -> dict[str, Any]:
    return {"field": name, "type": "quantitative"}


def _encoded(mark: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    return {"mark": mark, "encoding": {"x": x, "y": y}}
