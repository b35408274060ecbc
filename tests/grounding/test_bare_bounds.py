"""`boats with trips > 2`: so many trips, or a number of theirs that is not named; asked, with both as questions."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb import Session


@pytest.fixture(scope="module")
def harbour():
    boats = pd.DataFrame({"boat_id": [1, 2, 3], "colour": ["red", "red", "blue"]})
    trips = pd.DataFrame({"trip_id": range(1, 7), "boat_id": [1, 1, 1, 2, 3, 3], "miles": [1, 2, 3, 9, 1, 4]})
    session = Session({"boats": boats, "trips": trips}, planner="embedded", namespace={})
    yield session
    session.close()


@pytest.mark.parametrize("asked", ["how many boats with trips > 2?", "how many boats have trips>2"])
def test_a_sign_behind_rows_is_asked_about_and_each_option_is_a_question(harbour, asked):
    harbour.reset()
    run = harbour.ask(asked)
    assert run.status == "needs_choice"
    answers = []
    for at in range(len(run.choice.options)):
        harbour.reset()
        harbour.ask(asked)
        answers.append(harbour.choose(at + 1).frame.iloc[0, 0])
    assert answers == [1, 3]  # boat 1 has three trips; a trip over 2 miles: all three


@pytest.mark.parametrize(
    ("asked", "n"),
    [("how many boats with trips with miles > 3?", 2), ("how many boats with > 1 trips?", 2), ("trips > 3", 2)],
)
def test_a_column_that_is_named_and_rows_alone_are_read(harbour, asked, n):
    harbour.reset()
    run = harbour.ask(asked)
    assert run.status == "answered"
    assert n in (len(run.frame), run.frame.iloc[0, 0])
