"""Rows named by what kind of thing they are (`dogs`), and `who` where nobody is named: right numbers and rows."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

BOATS = pd.DataFrame(
    {
        "boat_id": range(1, 8),
        "name": ["Ada", "Bea", "Cleo", "Dora", "Ella", "Fay", "Gwen"],
        "boat_type": ["ferry", "tug", "ferry", "barge", "tug", "barge", "ferry"],
        "captain_id": [1, 1, 2, 2, 2, 3, 3],
        "weight": [90.0, 20.0, 70.0, 40.0, 25.0, 45.0, 80.0],
        "licensed": [True, True, False, True, False, False, True],
        "payment": ["card", "cash", "card", "cash", "card", "cash", "cash"],
    }
)
CAPTAINS = pd.DataFrame({"captain_id": [1, 2, 3, 4], "name": ["Ann", "Bob", "Cid", "Dee"], "port": list("xyxx")})
CAPTAINS["port"] = ["Hull", "Bath", "Hull", "Hull"]
TRIPS = pd.DataFrame(
    {
        "trip_id": range(1, 11),
        "boat_id": [1, 1, 1, 2, 3, 3, 4, 5, 6, 6],
        "mate_id": [1, 1, 2, 2, 1, 2, 1, 2, 1, 1],
        "miles": [5, 6, 7, 1, 9, 9, 3, 2, 4, 4],
    }
)

NUMBERS = [
    ("how many ferries are there?", 3),
    ("how many tugs and barges are there?", 4),
    ("how many ferries have more than 1 trip?", 2),
    ("how many ferries are licensed?", 2),
    ("how many unlicensed barges are there?", 1),
    ("how many ferries does Cid have?", 1),
    ("average weight of tugs", 22.5),
    ("total miles of ferries", 36),
    ("what percentage of boats are ferries?", 300 / 7),
]


@pytest.mark.parametrize(("question", "number"), NUMBERS, ids=[q for q, _ in NUMBERS])
def test_the_plural_of_a_kind_is_its_rows(frames_grounder, question: str, number: float) -> None:
    grounder = frames_grounder(boats=BOATS, captains=CAPTAINS, trips=TRIPS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(number)


NAMES = [
    ("ferries", ["Ada", "Cleo", "Gwen"]),
    ("ferries but not licensed", ["Cleo"]),
    ("which tugs are licensed?", ["Bea"]),
    ("which ferry is the heaviest?", ["Ada"]),
    ("who has the most boats?", ["Bob"]),
    ("who has the most ferries?", ["Ann", "Bob", "Cid"]),
    ("who has the fewest boats?", ["Dee"]),
    ("who has no boats?", ["Dee"]),
    ("who has more than 2 boats?", ["Bob"]),
    ("which captain has the most unlicensed boats?", ["Bob"]),
    ("captains with tugs", ["Ann", "Bob"]),
]


@pytest.mark.parametrize(("question", "names"), NAMES, ids=[q for q, _ in NAMES])
def test_the_rows_that_are_asked_for(frames_grounder, question: str, names: list[str]) -> None:
    grounder = frames_grounder(boats=BOATS, captains=CAPTAINS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert sorted(grounder.engine.query(found.sql)["name"]) == names


@pytest.mark.parametrize(
    "question",
    [
        "how many cards are there?",  # what a boat was paid with is no boat
        "cards",
        "how many Hulls are there?",  # nor is a place
        "who has the most miles?",
    ],
)
def test_other_values_are_no_nouns(frames_grounder, question: str) -> None:
    found = frames_grounder(boats=BOATS, captains=CAPTAINS, trips=TRIPS).read(question)
    assert isinstance(found, (Declined, Choice)), found


def test_who_can_be_people_of_two_tables(frames_grounder) -> None:
    mates = pd.DataFrame({"mate_id": [1, 2], "first_name": ["Eve", "Flo"]})
    found = frames_grounder(boats=BOATS, captains=CAPTAINS, trips=TRIPS, mates=mates).read("who has the most trips?")
    assert isinstance(found, Choice)
    assert set(found.questions) == {"which captain has the most trips?", "which mate has the most trips?"}
