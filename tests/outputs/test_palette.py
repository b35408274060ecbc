"""Pictures in fewer bytes are the same pictures."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from lexsi_nb.widgets.palette import smaller

Image = pytest.importorskip("PIL.Image")


def png(pixels: np.ndarray, **how: Any) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG", **how)
    return out.getvalue()


def rgba(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def test_a_chart_keeps_its_colours_in_a_tenth_of_the_bytes_and_its_letters_look_the_same() -> None:
    import vl_convert

    values = [{"x": f"group {i}", "y": i * i} for i in range(12)]
    spec = {"data": {"values": values}, "mark": "bar", "encoding": {"x": {"field": "x"}, "y": {"field": "y"}}}
    drawn = vl_convert.vegalite_to_png(spec, vl_version="5.20")
    less = smaller(drawn)
    before, after = rgba(drawn).reshape(-1, 4), rgba(less).reshape(-1, 4)
    colours, counts = np.unique(before.view(np.uint32), return_counts=True)
    large = np.isin(before.view(np.uint32)[:, 0], colours[counts > 0.002 * counts.sum()])
    assert large.mean() > 0.9
    assert np.array_equal(after[large], before[large])
    assert np.abs(after.astype(int) - before.astype(int)).max() <= 32
    assert len(less) < len(drawn) / 10
    assert Image.open(io.BytesIO(less)).info["dpi"] == Image.open(io.BytesIO(drawn)).info["dpi"]


def test_shades_that_are_data_are_kept_all() -> None:
    shades = np.zeros((41, 200, 4), np.uint8)  # an odd width, too
    shades[..., 3] = 255
    shades[..., 0] = np.arange(200) // 5 * 6
    assert np.array_equal(rgba(smaller(png(shades))), shades)
    assert np.array_equal(rgba(smaller(png(shades[:, :55]))), shades[:, :55])


@pytest.mark.parametrize("level", [0, 6])
def test_translucent_pixels_and_every_filter_come_back(level: int) -> None:
    rng = np.random.default_rng(0)
    few = rng.choice(np.array([0x00FF00FF, 0x80102030, 0xFF0000FF, 0], np.uint32), (40, 30))
    pixels = few.view(np.uint8).reshape(40, 30, 4)
    assert np.array_equal(rgba(smaller(png(pixels, compress_level=level))), pixels)


def test_many_colours_are_kept_all() -> None:
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (50, 60, 4), np.uint8)
    drawn = png(pixels, compress_level=1)
    less = smaller(drawn)
    assert np.array_equal(rgba(less), pixels)
    assert len(less) <= len(drawn)


def test_a_large_picture_of_many_colours_keeps_its_plain_ones_and_stays_near() -> None:
    rng = np.random.default_rng(0)
    pixels = np.full((300, 500, 4), 255, np.uint8)
    spots = rng.random((300, 500)) < 0.6
    pixels[spots, :3] = rng.integers(0, 256, (spots.sum(), 3))
    drawn = png(pixels)
    less = smaller(drawn)
    assert len(less) < len(drawn) / 2
    assert (rgba(less)[~spots] == 255).all()
    assert np.abs(rgba(less).astype(int) - pixels).mean() < 24  # colours of every kind are the hardest case


def test_what_is_no_such_picture_is_left_as_it_is() -> None:
    grey = png(np.zeros((3, 3), np.uint8))
    for data in (b"", b"GIF89a", grey):
        assert smaller(data) == data
