"""What a chart adds to a notebook file, however many rows it is of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.magics.showing import bundles
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

CHART = 200_000  # bytes
MARKS = {
    "bars": {"mark": "bar", "encoding": {"x": {"field": "region"}, "y": {"aggregate": "count"}}},
    "histogram": {"mark": "bar", "encoding": {"x": {"field": "amount", "bin": True}, "y": {"aggregate": "count"}}},
    "line": {
        "mark": "line",
        "encoding": {
            "x": {"field": "at", "timeUnit": "yearmonthdate"},
            "y": {"aggregate": "mean", "field": "amount"},
            "color": {"field": "region"},
        },
    },
    "points": {
        "mark": "point",
        "encoding": {"x": {"field": "amount"}, "y": {"field": "days"}, "color": {"field": "region"}},
    },
}


def frame_of(rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "amount": rng.gamma(2.0, 5_000.0, rows),
            "days": rng.integers(1, 1_000, rows),
            "region": pd.Categorical.from_codes(rng.integers(0, 4, rows), ["north", "south", "east", "west"]),
            "at": pd.Timestamp("1998-01-01") + pd.to_timedelta(rng.integers(0, 250, rows), unit="D"),
        }
    )


def check(rows: int, saved: Callable[..., str]) -> None:
    calls = [call("render_chart", spec=spec, label="orders") for spec in MARKS.values()]
    session = Session(planner=ScriptedPlanner([*calls, say("Drawn.")]), namespace={"orders": frame_of(rows)})
    run = session.ask("draw")
    session.close()
    assert [s.status for s in run.steps] == ["ok"] * len(MARKS), [s.summary for s in run.steps]
    charts = {
        name: b
        for name, b in zip(MARKS, (b for b in bundles(run) if "application/vnd.vegalite.v5+json" in b), strict=True)
    }
    empty = len(saved([]).encode())
    sizes = {name: len(saved([b]).encode()) - empty for name, b in charts.items()}
    print(f"{rows:,} rows:", sizes)
    assert max(sizes.values()) < CHART / 2
    assert len(saved(bundles(run)).encode()) < CHART  # all four, with what the run says
    assert all("image/png" in b for b in charts.values())
    bars, histogram, line, points = (c.spec["data"]["values"] for c in run.of(Chart))
    assert sum(v["count"] for v in bars) == sum(v["count"] for v in histogram) == rows  # of all rows, not of a sample
    assert len(line) == 250 * 4
    assert len(points) < 5_000


def test_a_chart_adds_at_most_200_kb(saved: Callable[..., str]) -> None:
    check(100_000, saved)


@pytest.mark.slow
def test_a_chart_of_ten_million_rows_adds_at_most_200_kb(saved: Callable[..., str]) -> None:
    check(10_000_000, saved)
