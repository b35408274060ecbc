"""A chart as it is drawn on the page's own ground: no white behind it, words and marks that can be seen there."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from lexsi_nb.artifacts.colours import BLUE
from lexsi_nb.artifacts.wording import drawable
from lexsi_nb.tools.charts import SYNTHETIC
from lexsi_nb.tools.shading import GREY, SCHEME
from lexsi_nb.widgets.images import png

# Of a colour for a white ground -> that for a dark one.
DARK = {BLUE: "#7fb2e5", GREY: "#9d9da1"}
DARK_EXTENT = [0.47, 1]


def drawing(spec: dict[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chart as a page asked for it: {"spec"} where the page draws, else {"png"}, for its ground.

    Raises:
        MissingExtra: a picture is wanted and vl-convert-python is not installed.
    """
    made = themed(spec, dark=wanted.get("dark") is True)
    if wanted.get("spec") is True:
        return {"spec": drawable(made)}
    return {"png": b64encode(png(made, scale=2.0)).decode()}


def themed(spec: dict[str, Any], *, dark: bool) -> dict[str, Any]:
    """Return a Vega-Lite spec for a light or a dark page; that its data are invented is said beside it."""
    ink, line = ("#e6e6e6", "#6b6b6b") if dark else ("#333333", "#bbbbbb")
    drawn = _in_dark(spec) if dark else dict(spec)
    if isinstance(drawn.get("title"), str):
        drawn["title"] = drawn["title"].removesuffix(SYNTHETIC)
    return {**drawn, "config": _config(ink, line)}


def _in_dark(node: Any) -> Any:
    if isinstance(node, dict):
        if node == SCHEME:
            return {**SCHEME, "extent": DARK_EXTENT}
        return {k: v if k == "data" else _in_dark(v) for k, v in node.items()}
    if isinstance(node, list):
        return [_in_dark(v) for v in node]
    return DARK.get(node, node) if isinstance(node, str) else node


def _config(ink: str, line: str) -> dict[str, Any]:
    words = {"labelColor": ink, "titleColor": ink}
    return {
        "background": "transparent",
        "view": {"stroke": line},
        "axis": {
            **words,
            "domainColor": line,
            "tickColor": line,
            "gridColor": line,
            "gridOpacity": 0.4,
            "labelLimit": 260,
        },
        "legend": words,
        "title": {"color": ink},
        "rule": {"color": ink},
        "text": {"color": ink},
    }
