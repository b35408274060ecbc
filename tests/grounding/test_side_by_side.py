"""Figures said beside each other: each is of its own rows, and none is lost."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

WARDS = pd.DataFrame({"ward_id": [1, 2, 3], "wing": ["east", "west", "west"]})
STAYS = pd.DataFrame(
    {
        "stay_id": range(1, 9),
        "ward_id": [1, 1, 1, 2, 2, 3, 3, 3],
        "kind": ["planned", "urgent", "urgent", "planned", "planned", "urgent", "planned", "urgent"],
        "nights": [2, 3, 5, 1, 1, 7, 2, 4],
        "began": pd.to_datetime(["2020-02-01"] * 3 + ["2021-02-01"] * 5),
    }
)
BEDS = pd.DataFrame({"bed_id": range(1, 6), "ward_id": [1, 1, 2, 3, 3], "width": [90, 100, 90, 90, 120]})

ANSWERS = [
    ("number of stays and number of urgent stays", [(8, 4)]),
    ("number of stays and urgent stays by wing", [("east", 3, 2), ("west", 5, 2)]),
    ("how many stays and how many planned stays per year of began", [(2020, 3, 1), (2021, 5, 3)]),
    ("average nights of all stays and of urgent stays", [(3.125, 4.75)]),
    ("number of stays, number of planned stays and total nights by wing", [("east", 3, 1, 10), ("west", 5, 3, 15)]),
    ("number of planned stays and number of urgent stays in 2021", [(3, 2)]),
    ("number of stays with kind urgent and number of stays with kind planned", [(4, 4)]),
    ("number of beds and number of stays by wing", [("east", 2, 3), ("west", 3, 5)]),
    ("how many beds and how many stays are there", [(5, 8)]),
    ("number of beds, number of stays, number of urgent stays by wing", [("east", 2, 3, 2), ("west", 3, 5, 2)]),
    ("mean and maximum nights of urgent stays", [(4.75, 7)]),
    ("number of stays and total nights by kind", [("planned", 4, 6), ("urgent", 4, 19)]),
]


@pytest.mark.parametrize(("question", "rows"), ANSWERS, ids=[q for q, _ in ANSWERS])
def test_each_figure_is_of_its_own_rows(frames_grounder, question: str, rows: list) -> None:
    grounder = frames_grounder(wards=WARDS, stays=STAYS, beds=BEDS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert sorted(grounder.engine.query(found.sql).itertuples(index=False, name=None)) == rows


def test_a_figure_of_a_part_is_named_after_it(frames_grounder) -> None:
    grounder = frames_grounder(wards=WARDS, stays=STAYS, beds=BEDS)
    found = grounder.read("number of stays and number of urgent stays by wing")
    assert isinstance(found, Reading), found
    assert list(grounder.engine.query(found.sql)) == ["wing", "number_of_stays", "number_of_urgent_stays"]


@pytest.mark.parametrize(
    "question",
    [
        "number of beds and number of stays in the west wing",
        "number of stays and number of urgent stays in the west wing",
        "number of stays and number of stays of pirates",
    ],
)
def test_what_may_be_said_of_one_or_of_all_is_not_guessed(frames_grounder, question: str) -> None:
    found = frames_grounder(wards=WARDS, stays=STAYS, beds=BEDS).read(question)
    assert isinstance(found, (Declined, Choice)), found


def test_one_condition_on_two_things_stays_one_figure(frames_grounder) -> None:
    grounder = frames_grounder(wards=WARDS, stays=STAYS, beds=BEDS)
    found = grounder.read("how many wards have a bed and a stay")
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == 3


@pytest.fixture
def clinic(frames_grounder: Any) -> Any:
    pets = pd.DataFrame({"pet_id": [1, 2, 3, 4], "species": ["cat", "cat", "dog", "dog"]})
    visits = pd.DataFrame(
        {
            "visit_id": range(1, 7),
            "pet_id": [1, 1, 1, 3, 3, 4],
            "visited": pd.to_datetime(["2020-01-02", "2020-02-02"] + ["2021-01-02"] * 4),
            "flow": ["refunds", "sales", "sales", "sales", "refunds", "gift"],
        }
    )
    sales = pd.DataFrame({"sale_id": [1, 2], "sold": [3, 4]})
    grounder = frames_grounder(pets=pets, visits=visits, sales=sales)
    yield grounder
    grounder.engine.close()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many pets are there and how many of them have a visit", [(4, 3)]),
        ("how many pets and how many of those have a visit, by species", [("cat", 2, 1), ("dog", 2, 2)]),
        ("how many visits were there in 2021 and how many of them are refunds", [(4, 1)]),
        ("for each year, how many visits were made and how many of them are refunds", [(2020, 2, 1), (2021, 4, 1)]),
    ],
)
def test_of_them_are_those_that_were_counted_before(clinic: Any, question: str, expected: list[Any]) -> None:
    found = clinic.read(question)
    assert isinstance(found, Reading), found
    assert sorted(tuple(r) for r in clinic.engine.query(found.sql).itertuples(index=False)) == expected


def test_a_word_beside_a_value_of_its_column_is_one_too(bank_grounder, clinic):
    found = bank_grounder.read("number of debits and number of credits per year")
    assert isinstance(found, Reading), found
    sql = "SELECT year(date), count(*) FILTER (type = 'VYDAJ'), count(*) FILTER (type = 'PRIJEM') FROM trans GROUP BY 1"
    first, second = (bank_grounder.engine.query(q).to_numpy().tolist() for q in (found.sql, f"{sql} ORDER BY 1"))
    assert first == second
    assert isinstance(clinic.read("number of refunds and number of sales per year"), Choice | Declined)  # a table
