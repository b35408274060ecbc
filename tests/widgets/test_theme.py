"""Marks of a picture can be seen on the page's ground, light or dark: 3:1 and more (WCAG 1.4.11)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lexsi_nb.artifacts.colours import BLUE, ORANGE
from lexsi_nb.tools.charts import SYNTHETIC
from lexsi_nb.tools.shading import GREY, OPACITY, SCHEME
from lexsi_nb.widgets.live.theme import themed

WHITE, NIGHT = (255, 255, 255), (17, 17, 17)
Colour = tuple[float, ...]


def luminance(colour: Colour) -> float:
    parts = [c / 255 for c in colour]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(mark: Colour, ground: Colour, opacity: float) -> float:
    seen = tuple(m * opacity + g * (1 - opacity) for m, g in zip(mark, ground, strict=True))
    low, high = sorted((luminance(seen), luminance(ground)))
    return (high + 0.05) / (low + 0.05)


def rgb(code: str) -> Colour:
    return tuple(int(code[i : i + 2], 16) for i in (1, 3, 5))


def points(colour: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": f"Points{SYNTHETIC}",
        "data": {"values": [{"x": i / 20} for i in range(21)]},
        "mark": {"type": "circle", "opacity": 1, "color": BLUE},
        "encoding": {"x": {"field": "x", "type": "quantitative"}, **colour},
    }


@pytest.mark.parametrize(("dark", "ground"), [(False, WHITE), (True, NIGHT)], ids=["light", "dark"])
@pytest.mark.parametrize(
    "colour",
    [{}, {"color": {"value": GREY}},
     {"color": {"field": "x", "type": "quantitative", "scale": {"scheme": SCHEME}, "legend": None}}],
    ids=["one colour", "grey", "scheme"],
)  # fmt: skip
def test_points_are_seen_on_the_ground_of_the_page(dark: bool, ground: Colour, colour: dict[str, Any]) -> None:
    convert = pytest.importorskip("vl_convert")
    svg = convert.vegalite_to_svg(themed(points(colour), dark=dark), vl_version="5.20")
    fills = re.findall(r'aria-roledescription="circle"[^>]*?fill="([^"]+)"', svg)
    assert len(fills) == 21
    for fill in fills:
        mark = rgb(fill) if fill.startswith("#") else tuple(map(float, re.findall(r"\d+", fill)))
        assert contrast(mark, ground, OPACITY) >= 3, fill


@pytest.mark.parametrize("code", [BLUE, ORANGE])
def test_bars_are_seen_on_white_and_on_the_dark_page(code: str) -> None:
    assert contrast(rgb(code), WHITE, 1) >= 3
    assert contrast(rgb(code), NIGHT, 1) >= 3


def test_that_data_are_invented_stands_once_beside_the_picture() -> None:
    spec = points({})
    assert themed(spec, dark=False)["title"] == "Points"
    assert spec["title"] == f"Points{SYNTHETIC}"
    assert themed(spec, dark=True)["data"] == spec["data"]
