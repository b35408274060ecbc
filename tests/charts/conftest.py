"""A session that renders one chart by a script, and the comparison of a spec with what altair draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.run import Run
from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from tests.chart_specs import plain


def frame_of_loans(n: int = 12) -> pd.DataFrame:
    """Return n loans with columns of every kind a chart may meet."""
    rng = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "loan_id": np.arange(1, n + 1),
            "amount": rng.integers(1, 500, n) * 100.0,
            "duration": rng.choice([12, 24, 36, 48, 60], n),
            "status": rng.choice(list("ABCD"), n),
            "granted": pd.Timestamp("1996-01-15") + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
            "insured": rng.random(n) < 0.5,
            "net.amount": rng.normal(size=n).round(3),
            "Region Name": rng.choice(["Prague", "north Moravia"], n),
        }
    )


@pytest.fixture
def loans() -> pd.DataFrame:
    """Twelve loans."""
    return frame_of_loans()


@pytest.fixture
def many_loans() -> pd.DataFrame:
    """Twenty thousand loans: more than a chart holds."""
    return frame_of_loans(20_000)


Render = Callable[..., tuple[Run, dict[str, Any]]]


@pytest.fixture
def render() -> Render:
    """Return (run, namespace) of a run that renders specs over one frame called loans."""

    def ask(frame: pd.DataFrame, *specs: Any, title: str = "") -> tuple[Run, dict[str, Any]]:
        names: dict[str, Any] = {"loans": frame}
        lines = [call("render_chart", spec=s, label="loans", **({"title": title} if title else {})) for s in specs]
        session = Session(planner=ScriptedPlanner([*lines, say("drawn")]), namespace=names)
        run = session.ask("draw")
        session.close()
        return run, names

    return ask


@pytest.fixture
def same_chart() -> Callable[[Run, dict[str, Any]], None]:
    """Run the cells of a run alone and compare every chart they bind with the spec that was shown."""

    def check(run: Run, names: dict[str, Any]) -> None:
        from lexsi_nb.artifacts.results import Chart

        alone = {k: v for k, v in names.items() if k == "loans"}
        for cell in run.cells:
            assert "lexsi" not in cell.source
            exec(compile(cell.source, cell.title, "exec"), alone)
        charts = run.of(Chart)
        assert charts
        for chart in charts:
            assert plain(alone[chart.name].to_dict(format="vega-lite")) == plain(chart.spec), chart.name

    return check
