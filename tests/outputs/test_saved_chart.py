"""A large chart is kept in few bytes and drawn the same; the charts of a run together stay small."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.magics.showing import CHART, bundles
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.widgets.chart import VEGALITE, size_of
from lexsi_nb.widgets.saved_chart import saved

N = 300
rng = np.random.default_rng(0)
ODD = ['a "b"', "x, y", "two\nlines", "é", "false", "12", " space "]


def spec_of(values: list[dict[str, Any]], **encoding: dict[str, Any]) -> dict[str, Any]:
    return {"width": 420, "height": 200, "data": {"values": values}, "mark": "point", "encoding": encoding}


def drawn(spec: dict[str, Any]) -> list[tuple[str, float, float]]:
    """Return what each point says of itself, and where it lies."""
    convert = pytest.importorskip("vl_convert")
    svg = convert.vegalite_to_svg(json.dumps(spec), vl_version="5.20")
    found = re.findall(r'<path aria-label="([^"]*)" role="graphics-symbol"[^>]*translate\(([-\d.]+),([-\d.]+)\)', svg)
    return [(re.sub(r"[-−+\d.,e]+(?=;|$)", "", label), float(x), float(y)) for label, x, y in found]


def same(spec: dict[str, Any]) -> None:
    before, after = drawn(spec), drawn(saved(spec))
    assert len(before) == len(after) > 0
    assert [label for label, *_ in before] == [label for label, *_ in after]
    assert np.allclose([p[1:] for p in before], [p[1:] for p in after], atol=0.1)  # pixels


def number(name: str) -> dict[str, Any]:
    return {"field": name, "type": "quantitative"}


def test_numbers_words_truths_and_gaps_are_drawn_the_same() -> None:
    values = [
        {
            "big": 1e7 * float(rng.random()), "small": 1e-5 * float(rng.normal()) if i % 9 else None,
            "word": ODD[i % len(ODD)], "late": bool(i % 2) if i % 5 else None, "n": i,
        }
        for i in range(N)
    ]  # fmt: skip
    spec = spec_of(
        values, x=number("big"), y=number("small"), color={"field": "word", "type": "nominal"},
        shape={"field": "late", "type": "nominal"}, size=number("n"),
    )  # fmt: skip
    assert isinstance(saved(spec)["data"]["values"], str)
    assert size_of(saved(spec)) * 2 < size_of(spec)
    same(spec)


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S+00:00"])
def test_times_are_drawn_the_same(form: str) -> None:
    at = [(pd.Timestamp("1998-01-01") + pd.Timedelta(hours=7 * i)).strftime(form) for i in range(N)]
    values = [{"at": a, "y": float(i % 17)} for i, a in enumerate(at)]
    spec = spec_of(values, x={"field": "at", "type": "temporal"}, y=number("y"))
    assert isinstance(saved(spec)["data"]["values"], str)
    same(spec)


@pytest.mark.parametrize(
    "value", ["", None, [1, 2], {"a": 1}, "a\rb", 5], ids=["empty", "none", "list", "struct", "return", "mixed"]
)
def test_what_a_text_would_lose_stays_a_list(value: Any) -> None:
    values = [{"x": i, "word": "a" if i else value} for i in range(N)]
    assert saved(spec_of(values, x=number("x"))) == spec_of(values, x=number("x"))


def test_names_that_are_read_as_paths_and_small_charts_stay_lists() -> None:
    for values in ([{"a.b": i} for i in range(N)], [{"x": i} for i in range(50)], [{"x": 1}, {"y": 2}] * N):
        assert saved(spec_of(values, x=number("x")))["data"]["values"] is values


def test_numbers_are_as_fine_as_a_picture_shows() -> None:
    values = [{"x": float(v), "id": int(v * 1e9)} for v in rng.random(N)]
    lines = saved(spec_of(values, x=number("x")))["data"]["values"].splitlines()
    read = [line.split(",") for line in lines[1:]]
    assert max(len(x) for x, _ in read) <= len("0.1234")
    assert [int(i) for _, i in read] == [v["id"] for v in values]  # whole numbers name things


def test_the_charts_of_a_run_together_stay_small(saved: Callable[..., str]) -> None:
    frame = pd.DataFrame(rng.normal(size=(20_000, 16)), columns=[f"c{i}" for i in range(16)])
    frame["word"] = rng.choice([f"group {i}" for i in range(20)], len(frame))
    calls = []
    for i in range(8):
        encoding = {"x": number(f"c{2 * i}"), "y": number(f"c{2 * i + 1}"), "color": {"field": "word"}}
        calls.append(call("render_chart", spec={"mark": "point", "encoding": encoding}, label="frame"))
    session = Session(planner=ScriptedPlanner([*calls, say("Drawn.")]), namespace={"frame": frame})
    run = session.ask("draw them all")
    session.close()
    assert [s.status for s in run.steps] == ["ok"] * 8, [s.summary for s in run.steps]
    shown = bundles(run)
    pictures = [b for b in shown if "image/png" in b]
    total = len(saved(shown).encode())
    print(f"8 charts of 20,000 rows: {total:,} bytes, {sum(VEGALITE in b for b in pictures)} drawn by Lab")
    assert len(pictures) == 8  # none is blank
    assert total < 400_000
    alone = [b for b in pictures if VEGALITE not in b]
    assert alone
    assert all(CHART not in b for b in alone)
    assert sum("Kept as a picture alone" in b["text/plain"] for b in shown) == len(alone)
    assert all("sample of" in json.dumps(b[VEGALITE]["title"]) for b in pictures if VEGALITE in b)
