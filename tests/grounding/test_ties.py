"""Several that share the first place are all given, and those that have none have the fewest: right rows."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading

HALLS = pd.DataFrame({"hall_id": [1, 2, 3, 4], "name": ["North", "South", "East", "West"], "floor": [1, 1, 2, 2]})
STALLS = pd.DataFrame(
    {
        "stall_id": range(1, 9),
        "hall_id": [1, 1, 1, 2, 2, 3, 3, 4],
        "state": ["free", "closed", "free", "closed", "closed", "free", "free", "closed"],
        "width": [3.0, 2.0, 5.0, 5.0, 1.0, 4.0, 2.0, 5.0],
        "trade": ["fish", "fish", "fruit", "fruit", "meat", "fish", "meat", "cheese"],
    }
)

FIRST = [
    ("which hall has the most stalls?", [("North", 3)]),
    ("which hall has the most free stalls?", [("East", 2), ("North", 2)]),
    ("which hall has the fewest free stalls?", [("South", 0), ("West", 0)]),
    ("which hall has the fewest stalls?", [("West", 1)]),
    ("which hall has the most closed stalls?", [("South", 2)]),
    ("which trade has the fewest stalls?", [("cheese", 1)]),
]


@pytest.mark.parametrize(("question", "rows"), FIRST, ids=[q for q, _ in FIRST])
def test_all_that_share_the_first_place_are_given(frames_grounder, question: str, rows: list) -> None:
    grounder = frames_grounder(halls=HALLS, stalls=STALLS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert list(grounder.engine.query(found.sql).itertuples(index=False, name=None)) == rows
    several = "share" in " ".join(found.notes) or "none at all" in " ".join(found.notes)
    assert several == (len(rows) > 1 or rows[0][1] == 0)


def test_rows_that_share_the_first_place(frames_grounder) -> None:
    grounder = frames_grounder(halls=HALLS, stalls=STALLS)
    found = grounder.read("which stall is the widest, by width?")
    found = found if isinstance(found, Reading) else grounder.read("which stall has the highest width?")
    assert isinstance(found, Reading), found
    assert list(grounder.engine.query(found.sql)["stall_id"]) == [3, 4, 8]
    assert any("3 share the highest width, 5.0" in n for n in found.notes)


def test_many_that_share_it_are_asked_about(frames_grounder) -> None:
    many = pd.DataFrame({"stall_id": range(20), "trade": [f"trade {i}" for i in range(20)]})
    assert isinstance(frames_grounder(stalls=many).read("which trade has the most stalls?"), (Choice, Declined))


def test_many_that_have_none_are_not_passed_over(frames_grounder) -> None:
    halls = pd.DataFrame({"hall_id": range(1, 31), "name": [f"Hall {i}" for i in range(1, 31)]})
    found = frames_grounder(halls=halls, stalls=STALLS).read("which hall has the fewest stalls?")
    assert isinstance(found, Declined)
    assert "26 halls" in found.reason


def test_the_best_of_each_group_shows_who_it_is(frames_grounder) -> None:
    goods = pd.DataFrame(
        {
            "good_id": [1, 2, 3, 4],
            "title": ["Hose", "Lamp", "Kite", "Robot"],
            "category": ["home", "home", "toys", "toys"],
            "weight_kg": [1.0, 2.0, 0.5, 0.3],
            "price": [5.0, 9.0, 3.0, 8.0],
        }
    )
    grounder = frames_grounder(goods=goods)
    for question, titles in (
        ("heaviest good in each category", ["Lamp", "Kite"]),
        ("for each category, the lightest good", ["Hose", "Robot"]),
        ("most expensive good per category", ["Lamp", "Robot"]),
        ("cheapest good per category", ["Hose", "Kite"]),
    ):
        found = grounder.read(question)
        assert isinstance(found, Reading), (question, found)
        assert list(grounder.engine.query(found.sql)["title"]) == titles, question
    figure = grounder.read("the highest weight in each category")
    assert isinstance(figure, Reading)
    assert "title" not in grounder.engine.query(figure.sql)


RUNNERS = pd.DataFrame(
    {
        "runner_id": range(1, 31),
        "name": [f"Runner {i}" for i in range(1, 31)],
        "age": [20] * 14 + list(range(30, 46)),
        "club": ["Red", "Blue"] * 15,
        "joined": pd.to_datetime(["2021-03-01"] * 28 + ["2021-05-01"] * 2),
    }
)

MANY = [
    ("which runner is the youngest?", {14}),
    ("which runner has the lowest age?", {14}),
    ("which runner of club Red is the youngest?", {7}),
    ("which runner joined last?", {2}),
]


@pytest.mark.parametrize(("question", "numbers"), MANY, ids=[q for q, _ in MANY])
def test_each_option_of_many_equals_is_asked_by_its_question(frames_grounder, question: str, numbers: set) -> None:
    grounder = frames_grounder(runners=RUNNERS)
    choice = grounder.read(question)
    assert isinstance(choice, Choice), choice
    found = options(choice, question, grounder.read, grounder.engine)
    assert len(found) == 2
    rows, number = (grounder.engine.query(grounder.read(o.question).sql) for o in found)
    assert {len(rows), int(number.iloc[0, 0])} == numbers


def test_groups_of_one_number_name_what_shows_them(frames_grounder) -> None:
    many = pd.DataFrame({"stall_id": range(40), "trade": [f"trade {i % 20}" for i in range(40)]})
    found = frames_grounder(stalls=many).read("which trade has the most stalls?")
    assert isinstance(found, Declined)
    assert "by trade" in found.reason
