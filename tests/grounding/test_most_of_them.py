"""`are most trips paid?`: whether more than half of the rows are so, with the share; of one condition only."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb import Session


@pytest.fixture(scope="module")
def harbour():
    boats = pd.DataFrame({"boat_id": [1, 2, 3], "colour": ["red", "red", "blue"], "berth": ["North", "South", None]})
    trips = pd.DataFrame(
        {
            "trip_id": range(1, 7),
            "boat_id": [1, 1, 1, 2, 2, 2],
            "miles": [1, 2, 3, 9, 1, 4],
            "state": ["paid", "paid", "paid", "open", "open", "lost"],
            "sailed": pd.date_range("2023-11-01", periods=6, freq="30D"),
        }
    )
    session = Session({"boats": boats, "trips": trips}, planner="embedded", namespace={})
    yield session
    session.close()


@pytest.mark.parametrize(
    ("asked", "answer", "percentage"),
    [
        ("are most boats red?", True, 200 / 3),
        ("are most of the boats blue?", False, 100 / 3),
        ("is the majority of boats red?", True, 200 / 3),
        ("are most trips paid?", False, 50.0),  # half is not most
        ("are more than half of the trips not paid?", False, 50.0),
        ("do most boats have a trip?", True, 200 / 3),
        ("are most boats without a trip", False, 100 / 3),
        ("are most trips over 2 miles?", False, 50.0),
        ("are most boats in North?", False, 100 / 3),  # one whose berth is not known is one of all
    ],
)
def test_most_is_more_than_half_of_all(harbour, asked, answer, percentage):
    harbour.reset()
    run = harbour.ask(asked)
    assert run.status == "answered", run.answer
    assert bool(run.frame.answer[0]) is answer
    assert run.frame.percentage[0] == pytest.approx(percentage)


@pytest.mark.parametrize(
    "asked",
    [
        "are most trips in 2023 with state paid?",  # of the trips of 2023, or of all
        "are most trips paid and over 2 miles?",
        "are most boats good?",
        "is the most common state paid and open?",
    ],
)
def test_what_could_be_of_the_whole_is_not_answered(harbour, asked):
    harbour.reset()
    assert harbour.ask(asked).status != "answered"
