"""A chart asked for by its kind, from question to cell: drawn, said, and the same when the cell is run again."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.run import Run
from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.results import Chart
from tests.chart_specs import plain

DRAWS = np.random.default_rng(5)
N = 300
SAILS = pd.DataFrame(
    {
        "sail_id": range(1, N + 1),
        "cloth": DRAWS.choice(["dacron", "hemp", None], N),
        "maker": DRAWS.choice(["Ash", "Elm", "Fir"], N),
        "area": DRAWS.normal(30, 8, N).round(1),
        "weight": DRAWS.gamma(4, 5, N).round(1),
        "sewn": pd.Timestamp("2021-02-01") + pd.to_timedelta(DRAWS.integers(0, 800, N), unit="D"),
    }
)
QUESTIONS = {
    "box plot of weight by maker": "layer",
    "box plot of weight by month": "layer",
    "box plot of average weight by cloth": "layer",
    "histogram of weight": "bar",
    "histogram of weight by maker": "bar",
    "scatter of area and weight": "point",
    "scatter of area and weight by maker": "point",
    "plot weight against area": "point",
    "line chart of number of sails by quarter and maker": "line",
    "bar chart of number of sails by month": "bar",
    "stacked bar chart of number of sails by quarter and cloth": "bar",
    "bar chart of number of sails by half-year": "bar",
    "heat map of number of sails by maker and half-year": "rect",
    "grouped bar chart of average weight by quarter and maker": "bar",
    "area chart of number of sails by month": "area",
    "stacked area chart of number of sails by year and maker": "area",
    "pie chart of sails by maker": "arc",
    "donut chart of sails by cloth": "arc",
    "heat map of number of sails by maker and month": "rect",
    "heat map of average weight by maker and cloth": "rect",
    "heat map of sails by weekday and maker": "rect",
    "correlation matrix of sails": "layer",
}


def _asked(question: str) -> tuple[Run, dict[str, object]]:
    names: dict[str, object] = {"sails": SAILS}
    session = Session(planner="embedded", namespace=names)
    run = session.ask(question)
    session.close()
    return run, names


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_cell_of_a_chart_draws_it_again(question) -> None:
    run, names = _asked(question)
    assert run.status == "answered", run.answer
    (chart,) = run.of(Chart)
    kind = QUESTIONS[question]
    assert "layer" in chart.spec if kind == "layer" else chart.spec["mark"]["type"] == kind
    alone = {"sails": names["sails"]}
    for cell in run.cells:
        assert "lexsi" not in cell.source
        assert "from_dict" not in cell.source  # plain altair, as a person writes it
        exec(compile(cell.source, cell.title, "exec"), alone)
    assert plain(alone[chart.name].to_dict(format="vega-lite")) == plain(chart.spec)


def test_groups_without_a_name_have_a_colour_of_their_own() -> None:
    run, _ = _asked("stacked bar chart of number of sails by year and cloth")
    colours = run.of(Chart)[0].spec["encoding"]["color"]["scale"]["range"]
    assert len(colours) == len(set(colours)) == 3


def test_what_a_chart_leaves_out_or_is_instead_stands_in_the_answer() -> None:
    run, _ = _asked("pie chart of average weight by maker")
    assert "drawn as bars: a mean weight is no part of a whole" in run.answer
    run, _ = _asked("violin plot of weight by maker")
    assert run.status == "declined"
    assert "box plots" in run.answer


def test_a_box_says_how_it_is_read() -> None:
    run, _ = _asked("box plot of weight by maker")
    assert run.of(Chart)[0].spec["title"]["subtitle"].startswith("box: quartiles, median; whiskers: within 1.5 IQR")
