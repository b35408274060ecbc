"""Colours are told apart with every common colour vision and seen on both grounds; what they say is said otherwise too.

Distances are those of CAM02-UCS (Luo, Cui and Li 2006): about 1 is just noticed, 10 and more are told apart at once.
Colour-blindness is simulated in full (Machado, Oliveira and Fernandes 2009). Contrast is that of WCAG 2.1, 1.4.11.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lexsi_nb as lx
from lexsi_nb.artifacts.colours import BLUE, CATEGORIES, GREY, ORANGE
from lexsi_nb.artifacts.results import Attribution, Reason
from lexsi_nb.tools.shading import GREY as NO_VALUE
from lexsi_nb.tools.shading import SCHEME
from lexsi_nb.widgets import attribution
from lexsi_nb.widgets.live.bars import Axis
from lexsi_nb.widgets.live.theme import DARK, DARK_EXTENT, themed
from tests.widgets.test_theme import NIGHT, WHITE, contrast, rgb

colorspacious = pytest.importorskip("colorspacious")

VISIONS = ["", "deuteranomaly", "protanomaly", "tritanomaly"]
APART = 10.0
LAB_DARK = (51, 51, 51)  # of Lab's own dark charts, where our extension is not there


def seen(codes: list[Any], vision: str) -> Any:
    """Return colours as they are seen, float64 (n, 3) in CAM02-UCS."""
    colours = np.array([rgb(c) if isinstance(c, str) else c for c in codes]) / 255
    if vision:
        space = {"name": "sRGB1+CVD", "cvd_type": vision, "severity": 100}
        colours = np.clip(colorspacious.cspace_convert(colours, space, "sRGB1"), 0, 1)
    return colorspacious.cspace_convert(colours, "sRGB1", "CAM02-UCS")


def nearest(codes: list[Any], vision: str) -> float:
    """Return the distance of the two colours that are nearest to each other."""
    points = seen(codes, vision)
    return float(np.linalg.norm(points[:, None] - points, axis=-1)[np.triu_indices(len(points), 1)].min())


def in_style(project_root: Path) -> dict[str, str]:
    """Return the colours that the style of live widgets names."""
    style = (project_root / "labextension/live/src/style.css").read_text(encoding="utf-8")
    return dict(re.findall(r"--lexsi-(raises|lowers): (#[0-9a-f]{6});", style))


def drawn(extent: list[float], steps: int = 3) -> list[Any]:
    """Return colours of the scheme from its start to its end, as the renderer draws them."""
    convert = pytest.importorskip("vl_convert")
    values = [{"x": i} for i in range(steps)]
    scale = {"scheme": {**SCHEME, "extent": extent}}
    colour = {"field": "x", "type": "quantitative", "scale": scale, "legend": None}
    spec = {
        "data": {"values": values}, "mark": {"type": "circle", "opacity": 1},
        "encoding": {"x": {"field": "x", "type": "quantitative"}, "color": colour},
    }  # fmt: skip
    svg = convert.vegalite_to_svg(json.dumps(spec), vl_version="5.20")
    fills = re.findall(r'aria-roledescription="circle"[^>]*?fill="([^"]+)"', svg)
    return [f if f.startswith("#") else tuple(map(float, re.findall(r"\d+", f))) for f in fills]


@pytest.mark.parametrize("vision", VISIONS)
def test_groups_are_told_apart(vision: str, project_root: Path) -> None:
    style = in_style(project_root)
    assert nearest(list(CATEGORIES), vision) >= APART
    for pair in ([BLUE, ORANGE], [DARK[BLUE], ORANGE], [style["raises"], style["lowers"]],
                 [attribution.ORANGE, attribution.BLUE]):  # fmt: skip
        assert nearest(pair, vision) >= 4 * APART


def test_a_palette_that_is_not_safe_is_found() -> None:
    """The default of Vega: two of its first six colours are one to who sees no green."""
    vega = ["#4c78a8", "#f58518", "#e45756", "#72b7b2", "#54a24b", "#eeca3b"]
    assert nearest(vega, "") > APART
    assert nearest(vega, "deuteranomaly") < 2


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("extent", [SCHEME["extent"], DARK_EXTENT], ids=["light", "dark"])
def test_low_and_high_values_are_in_order_by_lightness(vision: str, extent: list[float]) -> None:
    points = seen(drawn(extent), vision)
    assert len(points) == 3  # those that the legend names: low, median, high
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).min() >= APART
    lightness = points[:, 0]
    assert (np.diff(lightness) > 0).all()
    assert lightness[-1] - lightness[0] >= 2 * APART


@pytest.mark.parametrize(
    ("ground", "colours"),
    [
        (WHITE, [*CATEGORIES, BLUE, ORANGE, GREY, NO_VALUE]),
        (NIGHT, [*CATEGORIES, BLUE, ORANGE, GREY, *DARK.values()]),
        (LAB_DARK, [BLUE, ORANGE, GREY]),
    ],
    ids=["white", "dark page", "Lab's dark charts"],
)
def test_every_colour_is_seen_on_its_ground(ground: Any, colours: list[str], project_root: Path) -> None:
    own = [] if ground is LAB_DARK else list(in_style(project_root).values())
    for colour in [*colours, *own]:
        assert contrast(rgb(colour), ground, 1) >= 3, colour


def test_charts_use_no_other_colours(session: lx.Session) -> None:
    """Whatever is drawn, on either ground, is of the colours that are measured above."""
    known = {*CATEGORIES, GREY, NO_VALUE, "#888888", *DARK.values()}
    words = {"#e6e6e6", "#6b6b6b", "#333333", "#bbbbbb"}  # text and lines of a theme
    views = session.shap()
    wanted = [("importance", {}), ("beeswarm", {}), ("waterfall", {}), ("dependence", {}),
              ("dependence", {"by": "grade's"}), ("dependence", {"by": "rate"})]  # fmt: skip
    for plot, chosen in wanted:
        for dark in (False, True):
            spec = themed(views.view(plot, **chosen).chart.spec, dark=dark)  # type: ignore[arg-type]
            assert {c[:7] for c in re.findall(r"#[0-9a-f]{6,8}", json.dumps(spec))} <= known | words, plot


def test_whether_a_score_is_raised_is_said_by_place_and_number_too(session: lx.Session) -> None:
    views = session.shap()
    case = views.view("waterfall").chart.spec
    bars = case["layer"][0]["data"]["values"][1:-1]
    assert all(b["text"].startswith("+" if b["contribution"] >= 0 else "-") for b in bars)
    assert case["layer"][0]["encoding"]["x"]["field"] == "start"  # right of where it began, or left of it
    axis = Axis.of([-1.0, 2.0])
    assert axis.place(-1.0) < axis.place(0.0) < axis.place(2.0)
    reasons = (Reason("amount", 5, 0.5), Reason("rate", 1, -0.25))
    made = attribution.attribution_html(Attribution("7", 0.1, 0.35, 0.6, reasons))
    assert "+0.50" in made
    assert "-0.25" in made
