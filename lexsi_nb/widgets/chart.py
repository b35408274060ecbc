"""A chart for Lab's own renderer, as a picture drawn on this machine, and in words."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import Any

from lexsi_nb.artifacts.results import Chart
from lexsi_nb.errors import MissingExtra

VEGALITE = "application/vnd.vegalite.v5+json"  # what JupyterLab 4 draws itself


def chart_bundle(chart: Chart) -> dict[str, Any]:
    """Return the MIME bundle of a chart. Without the drawing library Lab still draws the spec, and the text stays."""
    bundle: dict[str, Any] = {VEGALITE: chart.spec, "text/plain": chart_text(chart)}
    picture = picture_of(chart.spec)
    if picture is not None:
        bundle["image/png"] = b64encode(picture).decode()
    return bundle


def chart_html(chart: Chart) -> str:
    """Return the chart as an HTML picture with its words; the words alone where it cannot be drawn."""
    picture = picture_of(chart.spec)
    if picture is None:
        return f"<p>{escape(chart_text(chart))}</p>"
    data = b64encode(picture).decode()
    return f'<img alt="{escape(chart_text(chart), quote=True)}" src="data:image/png;base64,{data}">'


def chart_text(chart: Chart) -> str:
    """Return in words what the chart shows."""
    return chart.alt or chart.title or "chart"


def picture_of(spec: dict[str, Any]) -> bytes | None:
    """Return a spec as PNG, None where the drawing library is not installed."""
    from lexsi_nb.widgets.images import png

    try:
        return png(spec)
    except MissingExtra:
        return None
