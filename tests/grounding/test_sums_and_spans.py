"""Sums and conditions as they are written: ends of months, names with a shared end, places after a verb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.fixture(scope="module")
def clubs() -> Iterator[Grounder]:
    """Clubs in valleys, the grants they got, and fares from a club to a club."""
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    valleys = ["outer Alm", "inner Alm", "outer Inn", "inner Inn", "outer Alm"]
    held: dict[str, Any] = {
        "club": pd.DataFrame({"club_id": [1, 2, 3, 4, 5], "valley": valleys}),
        "grant": pd.DataFrame(
            {
                "grant_id": range(1, 7),
                "club_id": [1, 1, 2, 3, 4, 5],
                "awarded": pd.to_datetime(
                    ["2021-03-31", "2021-04-01", "2021-05-31", "2021-06-01", "2021-12-31", "2022-01-01"]
                ),
                "amount": [100, 200, 400, 800, 1600, 3200],
                "rest": [-5, 3, 0, -2, 8, 9],
            }
        ),
        "fare": pd.DataFrame({"fare_id": [1, 2], "club_from": [1, 2], "club_to": [3, 4], "price": [9.0, 7.5]}),
    }
    grounder = opened(frames(held), held)
    yield grounder
    grounder.engine.close()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # a span that ends on the last day of a month
        ("how many grants between 1 April 2021 and 31 May 2021", 2),
        ("grants from 1 June 2021 to 31 December 2021, how many", 2),
        ("how many grants were awarded between April 1, 2021 and May 31, 2021", 2),
        # names whose end is said once
        ("how many clubs in outer or inner Alm", 3),
        ("number of grants of clubs in outer or inner Inn", 2),
        # a place after what happened to the rows
        ("total amount of grants awarded in outer Alm", 3500),
        ("total amount of grants awarded in outer Alm in 2021", 300),
        # rows "to" others are no column of a third table
        ("total amount of grants to clubs in inner Alm", 400),
        ("how many grants have a negative rest", 2),
        ("tot amount of grants", 6300),
        ("amount of grants in 2021 in total", 3100),
    ],
)
def test_the_figure_is_of_the_rows_that_are_said(clubs: Grounder, question: str, answer: int) -> None:
    found = clubs.read(question)
    assert isinstance(found, Reading), found
    assert rows(clubs.engine.query(found.sql)) == [(answer,)]


def test_the_place_below_which_a_share_of_the_rows_lies(clubs: Grounder) -> None:
    found = clubs.read("below which amount are 80% of the grants?")
    assert isinstance(found, Reading)
    assert rows(clubs.engine.query(found.sql)) == [(1600.0,)]


def test_a_shared_end_is_lent_within_one_column_only(clubs: Grounder) -> None:
    assert isinstance(clubs.read("how many clubs in middle or inner Alm"), (Choice, Declined))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many towns had more thefts in 2020 than in 2019", 2),
        ("in how many towns were thefts higher in 2019 than in 2020", 1),
        ("towns in the east where thefts in 2020 exceed thefts in 2019: how many", 1),
        ("how many towns had fewer thefts in 2020 than in 2019", 1),
        ("total rent credited, RENT", 300),  # the code says the same again
        ("number of distinct depots (depot_2) of trips", 3),
    ],
)
def test_columns_of_years_and_codes_said_again(frames_grounder: Any, question: str, answer: int) -> None:
    town = pd.DataFrame(
        {
            "town": ["Ash", "Birk", "Corn", "Dale"],
            "part": ["east", "east", "west", "west"],
            "thefts_2019": [10, 2500, 30, None],
            "thefts_2020": [12, 2400, 31, 40],
        }
    )
    entry = pd.DataFrame(
        {"entry_id": [1, 2, 3], "purpose": ["RENT", "RENT", "FOOD"], "rent_credited": [100, 200, 0], "cost": [1, 2, 3]}
    )
    trip = pd.DataFrame({"trip_id": [1, 2, 3], "depot": [1, 1, 1], "depot_2": [5, 6, 7]})
    grounder = frames_grounder(town=town, entry=entry, trips=trip)
    thefts = {f"thefts_{year}": {"names": ["thefts"]} for year in (2019, 2020)}
    grounder.knowledge = {"tables": {"town": {"entity": "town", "columns": thefts}}}
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert rows(grounder.engine.query(found.sql)) == [(answer,)]
    grounder.engine.close()


def test_a_number_that_looks_like_a_year_is_no_other_year(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("how many districts had more than 1996 crimes in 1995")
    assert not isinstance(found, Reading) or "crimes_1996" not in found.sql


@pytest.fixture(scope="module")
def gym() -> Iterator[Grounder]:
    """Members with a day of birth, in towns, with their passes and what they paid; a graph says what sizes are."""
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    held: dict[str, Any] = {
        "town": pd.DataFrame({"town_id": [1, 2, 3], "town": ["Ash", "Birk", "Corn"], "residents": [10, 20, 40]}),
        "member": pd.DataFrame(
            {
                "member_id": [1, 2, 3],
                "town_id": [1, 1, 2],
                "birth_date": pd.to_datetime(["1980-05-01", "1981-05-01", "1990-05-01"]),
                "sex": ["woman", "woman", "man"],
            }
        ),
        "pass": pd.DataFrame(
            {
                "pass_id": [1, 2, 3, 4],
                "member_id": [1, 1, 2, 3],
                "tier": ["silver", "basic", "basic", "silver"],
                "sold_to": ["X", "Y", "X", "X"],
                "price": [100, 50, 60, 300_000],
                "duration": [12, 24, 60, 60],
            }
        ),
        "receipt": pd.DataFrame(
            {"receipt_id": [1, 2, 3], "member_id": [1, 2, 3], "what": ["rent", "rent", "snacks"], "price": [7, 8, 9]}
        ),
    }
    grounder = opened(frames(held), held)
    months = {"duration": {"unit": "months", "names": ["duration", "months"]}}
    grounder.knowledge = {
        "tables": {
            "pass": {"entity": "pass_id", "size": "price", "names": ["pass", "passes"], "columns": months},
            "receipt": {"entity": "receipt_id", "size": "price", "names": ["receipt", "receipts"]},
            "town": {"entity": "town_id", "label": "town"},
        }
    }
    yield grounder
    grounder.engine.close()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("largest price of passes sold to X", 300_000),
        ("median pass sold to X", 100),
        ("how many passes are either silver or basic", 4),
        ("how many women hold a silver pass", 1),
        ("how many passes exceeded 99", 2),
        ("combined residents of Ash and Birk", 30),
        ("how many residents in Ash and Corn together", 50),
        ("total price of rent receipts of members in Ash", 15),
        ("how many passes of more than a quarter million run for 5 years", 1),
        ("75th pct of residents", 30),
        ("middle value of the residents", 20),
    ],
)
def test_sums_and_conditions_in_other_words(gym: Grounder, question: str, answer: int) -> None:
    found = gym.read(question)
    assert isinstance(found, Reading), found
    assert rows(gym.engine.query(found.sql)) == [(answer,)]


@pytest.mark.parametrize("question", ["how many members were born in Ash", "members born in Birk: how many"])
def test_a_place_of_birth_that_is_not_told_is_declined(gym: Grounder, question: str) -> None:
    assert isinstance(gym.read(question), Declined)
    assert isinstance(gym.read("how many members from Ash were born in 1980"), Reading)
