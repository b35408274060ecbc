"""The oldest and the youngest go by age or birth; a date of another matter does not stand for it."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

JOINED = pd.to_datetime(["2020-01-01", "2023-01-01", "2021-01-01"])
FRAMES = {
    "members": pd.DataFrame({"member_id": [1, 2, 3], "age": [20, 84, 50], "joined": JOINED}),
    "students": pd.DataFrame(
        {
            "student_id": [1, 2, 3],
            "birth_date": pd.to_datetime(["2004-01-01", "1940-01-01", "1974-01-01"]),
            "joined": JOINED,
        }
    ),
    "guests": pd.DataFrame({"guest_id": [1, 2, 3], "joined": JOINED}),
    "machines": pd.DataFrame({"machine_id": [1, 2, 3], "built": JOINED}),
    "servers": pd.DataFrame({"server_id": [1, 2, 3], "last_update": JOINED}),
}


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("oldest member", 2),
        ("who is the youngest member?", 1),
        ("3 oldest members", 2),
        ("oldest student", 2),
        ("youngest student", 1),
        ("oldest machine", 1),
        ("newest member", 2),
    ],
)
def test_the_oldest_goes_by_age_or_birth(frames_grounder, question: str, first: int) -> None:
    grounder = frames_grounder(**FRAMES)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == first


@pytest.mark.parametrize("question", ["oldest guest", "youngest guest", "oldest server"])
def test_no_other_date_stands_for_an_age(frames_grounder, question: str) -> None:
    found = frames_grounder(**FRAMES).read(question)
    assert isinstance(found, Declined), found
    assert "another matter" in found.text


BOATS = {
    "sailors": pd.DataFrame({"sailor_id": [1, 2, 3, 4], "age": [19, 34, 52, 70], "boat_id": [1, 1, 2, 3]}),
    "boats": pd.DataFrame(
        {
            "boat_id": [1, 2, 3],
            "bought": pd.to_datetime(["2014-06-01", "2019-02-01", "2021-05-20"]),
            "berth": list("xyx"),
        }
    ),
}


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many boats are older than 2019?", 1),
        ("number of boats older than 1 March 2019", 2),
        ("how many boats are not older than 1 March 2019?", 1),
        ("how many boats younger than 2018", 2),
        ("how many boats newer than 2019-02-01", 1),
        ("number of boats more recent than May 2019", 1),
        ("how many sailors are older than 50?", 2),
        ("how many sailors of boats in berth x are younger than 30?", 1),
    ],
)
def test_what_is_older_than_a_day_came_before_it(frames_grounder, question: str, value: int) -> None:
    grounder = frames_grounder(**BOATS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == value


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many boats are older than 3 years?", "only 'bought'"),
        ("boats younger than five years", "only 'bought'"),
        ("how many sailors are older than 1980?", "born before"),
        ("sailors younger than 4 May 1990", "born before"),
    ],
)
def test_an_age_is_of_those_who_have_one(frames_grounder, question: str, said: str) -> None:
    found = frames_grounder(**BOATS).read(question)
    assert isinstance(found, Declined), found
    assert said in found.text
