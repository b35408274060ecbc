"""Pictures of several layers or cells, as Vega-Lite: boxes, heat maps, the cells of a correlation matrix."""

from __future__ import annotations

from typing import Any

from lexsi_nb.artifacts.colours import BLUE, ORANGE
from lexsi_nb.grounding.grains import HALF
from lexsi_nb.grounding.reading import Key

UNITS: dict[str, Any] = {
    HALF: {"unit": "yearmonth", "step": 6}, "quarter": "yearquarter", "month": "yearmonth", "week": "yearmonthdate",
    "day": "yearmonthdate",
}  # fmt: skip
HIGH = 0.6  # of a correlation: its cell is dark, and words on it are white


def in_cells(key: Key, channel: dict[str, Any], *, side_by_side: bool = False) -> dict[str, Any]:
    """Return a group's channel as one that has cells of equal width, in the order of its values.

    Periods keep their places, so that those without rows are seen; not where several bars stand in one.
    """
    out = {**channel, "type": "ordinal", **({"sort": None} if key.column.order else {})}
    if key.grain not in UNITS:
        return out
    placed = key.grain != "week" and not side_by_side  # Vega's weeks begin on Sundays
    return {**out, "timeUnit": UNITS[key.grain], **({"type": "temporal"} if placed else {})}


def heat(x: dict[str, Any], y: dict[str, Any], size: dict[str, Any]) -> dict[str, Any]:
    """Return a cell for each pair of groups; pairs without rows have none."""
    return {"mark": "rect", "encoding": {"x": x, "y": y, "color": {**size, "scale": {"scheme": "blues"}}}}


def boxes(
    group: dict[str, Any] | None, title: str, axis: dict[str, Any], *, upright: bool, mean: bool, size: int
) -> dict[str, Any]:
    """Return a box a group from its quartiles, with whiskers, the median and the values furthest out.

    upright: the groups stand on the horizontal axis, as times do. mean: draw it, too. size: the width of a box, pixels.
    """
    along, to, across = ("y", "y2", "x") if upright else ("x", "x2", "y")

    def at(name: str) -> dict[str, Any]:
        return {"field": name, "type": "quantitative", "title": title, "scale": {"zero": False}, "axis": axis}

    def layer(mark: dict[str, Any], start: str, end: str = "") -> dict[str, Any]:
        return {"mark": mark, "encoding": {along: at(start), **({to: {"field": end}} if end else {})}}

    layers = [
        layer({"type": "rule", "color": BLUE}, "lower_whisker", "upper_whisker"),
        layer({"type": "bar", "color": BLUE, "opacity": 0.5, "size": size}, "lower_quartile", "upper_quartile"),
        layer({"type": "tick", "color": ORANGE, "size": size, "thickness": 3}, "median"),
        {
            "transform": [{"filter": "datum.lowest < datum.lower_whisker"}],
            **layer({"type": "point", "color": BLUE, "size": 20}, "lowest"),
        },
        {
            "transform": [{"filter": "datum.highest > datum.upper_whisker"}],
            **layer({"type": "point", "color": BLUE, "size": 20}, "highest"),
        },
    ]
    if mean:
        layers.append(layer({"type": "point", "color": ORANGE, "shape": "diamond", "size": 40}, "mean"))
    spec: dict[str, Any] = {"layer": layers}
    return {**spec, "encoding": {across: group}} if group else spec


def matrix(names: list[str]) -> dict[str, Any]:
    """Return the cells of the correlations of each two columns, below the diagonal, each with its number."""
    place = {"type": "nominal", "title": None, "sort": names}
    colour = {
        "field": "correlation", "type": "quantitative", "title": "correlation",
        "scale": {"scheme": "blueorange", "domain": [-1, 1]},
    }  # fmt: skip
    words = {"condition": {"test": f"abs(datum.correlation) > {HIGH}", "value": "white"}, "value": "black"}
    number = {"field": "correlation", "type": "quantitative", "format": ".2f"}
    return {
        "layer": [
            {"mark": "rect", "encoding": {"color": colour}},
            {"mark": {"type": "text", "fontSize": 9}, "encoding": {"text": number, "color": words}},
        ],
        "encoding": {
            "x": {"field": "first", **place, "axis": {"labelAngle": -40}}, "y": {"field": "second", **place},
        },
    }  # fmt: skip
