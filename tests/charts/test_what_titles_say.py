"""A chart draws the figure that its title names, in words, and says what it does not show."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.artifacts.results import Chart

GUESTS = pd.DataFrame(
    {
        "guest_id": [1, 2, 3, 4, 5, 6],
        "tariff": ["basic", "basic", "basic", "plus", "plus", "plus"],
        "vegan": [True, False, False, True, True, False],
        "joined_on": pd.to_datetime(["2023-01-03"] * 3 + ["2023-02-10"] * 3),
    }
)
STAYS = pd.DataFrame(
    {
        "stay_id": range(1, 9),
        "guest_id": [1, 2, 3, 1, 4, 5, 6, 1],
        "price": [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0],
        "arrived_on": pd.to_datetime(
            "2023-01-05 2023-01-09 2023-02-11 2023-02-20 2023-02-21 2023-03-01 2023-03-08 2023-03-31".split()
        ),
    }
)


def drawn(*questions: str) -> tuple[Any, Chart]:
    """Return the last run of a conversation about guests and their stays, and its chart."""
    frames = {"guests": GUESTS, "stays": STAYS}
    session = lx.Session(frames, planner="embedded", namespace=dict(frames))
    run = [session.ask(q) for q in questions][-1]
    session.close()
    assert run.status == "answered", run.answer
    [chart] = run.of(Chart)
    return run, chart


def values(chart: Chart, channel: str) -> list[Any]:
    """Return what a channel draws."""
    name = chart.spec["encoding"][channel]["field"]
    return [row[name] for row in chart.spec["data"]["values"]]


FIGURES = [
    # question, start of the title, channel, its words, its values
    ("running total of the number of stays by month", "Running total", "y", "running total", [2, 5, 8]),
    ("cumulative price of stays per month", "Running total", "y", "running total", [30, 150, 360]),
    ("growth of the number of stays month over month", "Growth", "y", "growth (percent)", [None, 50, 0]),
    ("growth of total price by month as a bar chart", "Growth", "y", "growth (percent)", [None, 300, 75]),
    ("trend of the number of stays by month", "Number of stays", "y", "number of stays", [2, 3, 3]),
    ("total price of stays by month", "Total price", "y", "total price", [30, 120, 210]),
    ("plot the total price of stays by month", "Total price", "y", "total price", [30, 120, 210]),
    ("number of guests by tariff", "Number of guests", "x", "number of guests", [3, 3]),
    ("bar chart of the average price by tariff", "Mean price", "y", "mean price", [60, 36]),
    ("plot the share of guests by tariff", "Percentage", "y", "percentage", [50, 50]),
    ("plot the percentage of guests that are vegan by tariff", "Percentage", "y", "percentage", None),
]  # fmt: skip


@pytest.mark.parametrize(("question", "title", "channel", "words", "numbers"), FIGURES)
def test_a_chart_draws_the_figure_of_its_title(
    question: str, title: str, channel: str, words: str, numbers: list[Any] | None
) -> None:
    _, chart = drawn(question)
    assert chart.title.startswith(title)
    assert chart.spec["encoding"][channel]["title"] == words
    if numbers is None:
        assert sorted(values(chart, channel)) == pytest.approx([100 / 3, 200 / 3])
    else:
        assert values(chart, channel) == pytest.approx(numbers) if None not in numbers else numbers


@pytest.mark.parametrize(
    "question",
    [
        "retention curves of guests with stays by month",
        "vintage curves of guests with a stay by month joined, age in months",
    ],
)
def test_curves_of_cohorts_draw_percentages(question: str) -> None:
    _, chart = drawn(question)
    assert chart.title.startswith("Share of guests")
    assert chart.spec["encoding"]["y"]["title"] == "percent of the cohort"


def test_every_axis_is_in_words() -> None:
    for question in (
        "running total of the number of stays by month",
        "plot total price by tariff",
        "total price by tariff",
    ):
        _, chart = drawn(question)
        for channel in chart.spec["encoding"].values():
            assert channel["title"] == channel["field"].replace("_", " ")


def test_a_title_has_neither_what_was_kept_nor_the_table_of_its_key() -> None:
    _, chart = drawn("total price of stays by tariff", "plot it")
    assert chart.title == "Total price of stays, by tariff"


def test_an_incomplete_period_stands_below_the_title() -> None:
    stays = STAYS.iloc[:-1]
    session = lx.Session({"stays": stays}, planner="embedded", namespace={"stays": stays})
    titles = [session.ask(q).of(Chart)[0].spec["title"] for q in ("plot stays by month", "total price by month")]
    session.close()
    assert [t["subtitle"] for t in titles] == ["the last month is incomplete: the data end on 2023-03-08"] * 2
    assert [t["text"] for t in titles] == [
        "Number of stays, by month of arrived_on",
        "Total price of stays, by month of arrived_on",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "number of guests by vegan",
        "bar chart of guests by vegan",
        "pie chart of guests by vegan",
        "bar chart of average price by vegan",
    ],
)
def test_groups_of_yes_and_no_are_called_so(question: str) -> None:
    convert = pytest.importorskip("vl_convert")
    _, chart = drawn(question)
    svg = convert.vegalite_to_svg(chart.spec, vl_version="5.20")
    assert ">yes</text>" in svg
    assert ">no</text>" in svg
    assert ">true</text>" not in svg
    assert "True" not in chart.alt


def test_numbers_on_an_axis_stand_apart() -> None:
    _, chart = drawn("total price by tariff")
    assert chart.spec["encoding"]["x"]["axis"]["labelSeparation"] > 0


def test_a_scatter_says_its_columns_and_that_it_is_a_sample() -> None:
    many = pd.DataFrame({"trip_id": range(9_000), "weight": [i % 97 for i in range(9_000)],
                         "fare": [float(i % 89) for i in range(9_000)]})  # fmt: skip
    session = lx.Session({"trips": many}, planner="embedded", namespace={"trips": many})
    run = session.ask("scatter plot of weight against fare of trips")
    session.close()
    [chart] = run.of(Chart)
    assert "weight" in chart.title.casefold()
    assert "fare" in chart.title.casefold()
    assert "a sample of" in chart.spec["title"]["subtitle"]
    assert "of 9,000 rows)" in chart.alt


def test_a_chart_of_one_of_two_figures_says_which() -> None:
    _, chart = drawn("plot the average price and the number of stays by month")
    assert chart.spec["title"]["subtitle"].startswith("drawn is mean price")
    assert values(chart, "y") == pytest.approx([15, 40, 70])


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("plot the percentage of guests that are vegan by tariff", "Percentage of guests with vegan yes, by tariff"),
        ("bar chart of the percentage of vegan guests by tariff", "Percentage of guests with vegan yes, by tariff"),
    ],
)
def test_a_percentage_of_a_flag_is_said_plainly(question: str, title: str) -> None:
    run, chart = drawn(question)
    assert chart.title.startswith(title)
    assert (run.answer or "").startswith(title)
