"""A chart for Lab's own renderer, as a picture drawn on this machine, and in words."""

from __future__ import annotations

import json
from base64 import b64encode
from html import escape
from typing import Any

from lexsi_nb.artifacts.results import Chart
from lexsi_nb.errors import MissingExtra
from lexsi_nb.widgets.saved_chart import saved

VEGALITE = "application/vnd.vegalite.v5+json"  # what JupyterLab 4 draws itself
DEPTH = 6  # how deep in a notebook file a spec stands
ROOM = 200_000  # bytes that the charts of one run take in a notebook, before later ones are kept as pictures alone


def chart_bundle(chart: Chart) -> dict[str, Any]:
    """Return the MIME bundle of a chart. Without the drawing library Lab still draws the spec, and the text stays."""
    bundle: dict[str, Any] = {VEGALITE: saved(chart.spec), "text/plain": chart_text(chart)}
    picture = picture_of(chart.spec)
    if picture is not None:
        bundle["image/png"] = b64encode(picture).decode()
    return bundle


def bounded(bundles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the outputs of a run with its charts in at most about 200 KB.

    One that does not fit is kept as a picture, and where that does not fit either, as a picture of half the size; an
    output after it says so.
    """
    out, left = [], ROOM
    for made in bundles:
        if VEGALITE not in made:
            out.append(made)
            continue
        picture = len(made.get("image/png", ""))
        whole = size_of(made[VEGALITE]) + picture
        if whole <= left or "image/png" not in made:
            left -= whole
            out.append(made)
            continue
        kept = {k: v for k, v in made.items() if k != VEGALITE}
        if picture > left:
            half = picture_of(made[VEGALITE], scale=0.5)
            kept["image/png"] = b64encode(half).decode() if half is not None else kept["image/png"]
        left -= len(kept["image/png"])
        said = "Kept as a picture alone: the charts of this run are large. Its code cell draws it again."
        out += [kept, {"text/html": f'<div style="opacity:.75;font-size:90%">{said}</div>', "text/plain": said}]
    return out


def size_of(spec: dict[str, Any]) -> int:
    """Return the bytes of a spec in a notebook file, which has a line a value, indented."""
    text = json.dumps(spec, ensure_ascii=False, default=str, indent=1)
    return len(text.encode("utf-8", "surrogatepass")) + DEPTH * text.count("\n")


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


def picture_of(spec: dict[str, Any], *, scale: float = 1.0) -> bytes | None:
    """Return a spec as PNG, None where the drawing library is not installed."""
    from lexsi_nb.widgets.images import png

    try:
        return png(spec, scale=scale)
    except MissingExtra:
        return None
