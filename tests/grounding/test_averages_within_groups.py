"""An average for each of some things, within groups of these: the things are averaged over, not the groups."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

CARS = pd.DataFrame(
    {
        "car_id": [1, 2, 3, 4, 5, 6],
        "owner": ["Ada", "Bo", "Cy", None, "Eve", "Flo"],
        "fuel": ["petrol", "petrol", "diesel", "diesel", "diesel", "gas"],
    }
)
REPAIRS = pd.DataFrame(
    {
        "repair_id": range(1, 11),
        "car_id": [1, 1, 1, 1, 2, 2, 3, 4, 4, 6],
        "kind": ["oil", "brakes", "oil", "oil", "brakes", "oil", "oil", "tyres", "tyres", "brakes"],
        "cost": [10.0, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    }
)
PER_CAR = {"petrol": (3.0, 2), "gas": (1.0, 1), "diesel": (1.0, 3)}  # the fifth car had none


def _rows(grounder, question: str) -> dict:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    frame = grounder.engine.query(found.sql)
    return {r[0]: (float(r[1]), int(r[-1])) for r in frame.itertuples(index=False)}


@pytest.mark.parametrize(
    "question",
    [
        "mean number of repairs of cars by fuel",
        "average number of repairs per car by fuel",
        "average repairs per car by fuel",
        "average number of repairs per car for each fuel",
        "for each fuel, the average number of repairs per car",
        "how many repairs do cars have on average by fuel",
        "what is the mean number of repairs of a car by fuel?",
    ],
)
def test_things_are_averaged_over_within_their_groups(frames_grounder, question):
    grounder = frames_grounder(cars=CARS, repairs=REPAIRS)
    assert _rows(grounder, question) == PER_CAR
    assert "1 car with none count as 0" in grounder.read(question).text


def test_conditions_and_other_figures(frames_grounder):
    grounder = frames_grounder(cars=CARS, repairs=REPAIRS)
    assert _rows(grounder, "average number of oil repairs per car by fuel") == {
        "petrol": (2.0, 2), "diesel": (1 / 3, 3), "gas": (0.0, 1)
    }  # fmt: skip
    assert _rows(grounder, "median number of repairs per car by fuel")["diesel"] == (1.0, 3)
    assert _rows(grounder, "average total cost per car by fuel") == {
        "petrol": (105.0, 2), "diesel": (120.0, 2), "gas": (100.0, 1)
    }  # fmt: skip
    assert "1 car with no repairs: left out" in " ".join(grounder.read("average total cost per car by fuel").apart)


def test_of_whom_stands_for_per(frames_grounder):
    grounder = frames_grounder(cars=CARS, repairs=REPAIRS)
    found = grounder.read("mean number of repairs of cars")
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(10 / 6)


def test_groups_that_are_not_of_the_things_are_declined(frames_grounder):
    grounder = frames_grounder(cars=CARS, repairs=REPAIRS)
    assert isinstance(grounder.read("average number of repairs per car by kind"), Declined)
