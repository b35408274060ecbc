"""Questions for yes or no: what all rows should be, the one row that is first, figures against a number."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading


@pytest.fixture(scope="module")
def clinic():
    """Owners with pets with visits: each cat has a visit, one dog has none."""
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    tables = {
        "owner": pd.DataFrame({"owner_id": [1, 2, 3], "city": ["Graz", "Linz", "Graz"]}),
        "pet": pd.DataFrame(
            {
                "pet_id": [10, 11, 12, 13],
                "owner_id": [1, 1, 2, 3],
                "species": ["cat", "dog", "cat", "dog"],
                "weight": [4.0, 30.0, 5.5, 12.0],
            }
        ),
        "visit": pd.DataFrame(
            {
                "visit_id": [100, 101, 102, 103],
                "pet_id": [10, 11, 12, 12],
                "visited": pd.to_datetime(["2021-02-01", "2021-03-05", "2022-01-09", "2022-07-01"]),
                "cost": [80.0, 250.0, 40.0, 45.0],
            }
        ),
    }
    grounder = opened(frames(tables), tables)
    yield grounder
    grounder.engine.close()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("does every cat have a visit", True),
        ("does every dog have a visit", False),
        ("do all pets that have a visit have a weight above 10", False),
        ("do all owners in Graz have a pet", True),
        ("did every owner get at least one pet", True),
        ("are all visits after 2020", True),
        ("is the heaviest pet a dog", True),
        ("is the lightest pet a dog", False),
        ("is the average cost above 100", True),
        ("is the average cost in 2022 above 100", False),
        ("is the number of visits over 3", True),
        ("is the number of visits in 2022 over 3", False),
        ("was the cost of any visit ever above 200", True),
        ("was the cost of any visit ever above 300", False),
        ("any pets over 20?", True),
        ("any visits in 2022?", True),
        ("are there at least 4 visits", True),
        ("are there at least 3 visits in 2022", False),
    ],
)
def test_a_question_for_yes_or_no_is_answered_over_the_rows_it_names(clinic, question, answer):
    found = clinic.read(question)
    assert isinstance(found, Reading), found.text
    assert found.kind == "yesno"
    assert bool(clinic.engine.query(found.sql)["answer"][0]) is answer


def test_which_rows_and_what_they_should_be_is_not_guessed(clinic):
    found = clinic.read("are all cats in Graz visited in 2021 over 5")
    assert isinstance(found, Declined)
