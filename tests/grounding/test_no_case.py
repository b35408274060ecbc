"""Predictive questions that no ranking of cases answers: each says why, and what can be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
import pytest

from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Declined, PredictivePlan, Reading

RIDES = pd.DataFrame(
    {
        "ride_id": range(1, 61),
        "rider_id": [i % 12 + 1 for i in range(60)],
        "miles": [i % 7 + 0.5 for i in range(60)],
        "tip": [None if i % 5 == 0 else float(i % 4) for i in range(60)],
        "ended_on": pd.date_range("2024-01-01", periods=60, freq="D"),
    }
)
RIDERS = pd.DataFrame({"rider_id": range(1, 13), "city": ["Lund", "Oslo", "Pisa"] * 4})


@pytest.fixture(scope="module")
def taxis(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(rides=RIDES, riders=RIDERS)
    yield grounder
    grounder.engine.close()


@pytest.mark.parametrize(
    "question",
    [
        "are most loans likely to default?", "are loans likely to default?", "how many loans are likely to default?",
        "what share of loans is likely to default?", "average risk of default by district",
    ],
)  # fmt: skip
def test_a_figure_over_open_cases_is_not_made_up(bank_grounder: Grounder, question: str) -> None:
    found = bank_grounder.understood(question)
    assert isinstance(found, Declined), found
    assert "ranks single cases" in found.reason
    assert "likely to default" in found.reason


@pytest.mark.parametrize(
    "question",
    ["which loans are likely to default?", "are there loans likely to default?", "5 loans likely to default"],
)
def test_a_ranking_stays_one(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.understood(question), PredictivePlan)


def test_groups_are_of_what_was_observed(bank_grounder: Grounder) -> None:
    found = bank_grounder.understood("default probability by region")
    assert isinstance(found, Declined)
    assert "default rate by" in found.reason
    assert isinstance(bank_grounder.understood("default rate by region"), Reading)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many rides next month?", "next month"),
        ("forecast the total tip for the coming quarter", "coming quarter"),
        ("predict miles for the next 3 weeks", "next 3 weeks"),
    ],
)  # fmt: skip
def test_a_time_beyond_the_data_is_said_to_be_one(taxis: Grounder, question: str, said: str) -> None:
    found = taxis.understood(question)
    assert isinstance(found, Declined)
    assert f"'{said}' is beyond the data" in found.reason


def test_rows_that_are_not_there_yet_need_a_column(taxis: Grounder, bank_grounder: Grounder) -> None:
    for grounder, question in (
        (taxis, "which riders are likely to take a ride?"), (bank_grounder, "which clients are likely to take a loan?"),
    ):  # fmt: skip
        found = grounder.understood(question)
        assert isinstance(found, Declined)
        assert "is no column: add one" in found.reason


def test_values_that_are_missing_are_still_forecast(taxis: Grounder) -> None:
    found = taxis.understood("forecast the tip of rides")
    assert isinstance(found, PredictivePlan), found
    assert len(taxis.engine.query(found.predict_sql)) == RIDES.tip.isna().sum()
