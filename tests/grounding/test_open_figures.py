"""Groups without a word for the figure, and the most of rows whose name says a value: right values, or a choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.fixture(scope="module")
def town(frames_grounder: Callable[..., Grounder]) -> Grounder:
    """Towns of two areas, their people, and what these are billed; two tables have floors."""
    import pandas as pd

    towns = pd.DataFrame(
        {
            "town_id": [1, 2, 3],
            "town": ["Arle", "Brey", "Corve"],
            "area": ["coast", "coast", "hills"],
            "floors": [4, 9, 2],
        }
    )
    tenants = pd.DataFrame(
        {
            "tenant_id": range(1, 9),
            "town_id": [1, 1, 1, 2, 2, 3, 3, 3],
            "floors": [1, 2, 1, 2, 1, 2, 1, 2],
            "sex": ["female", "male", "male", "female", "female", "male", "female", "male"],
        }
    )
    bills = pd.DataFrame(
        {
            "bill_id": range(1, 7),
            "tenant_id": [1, 2, 4, 4, 6, 7],
            "kind": ["rent", "penalty", "penalty", "rent", "penalty", "rent"],
            "amount": [500, 20, 30, 450, 25, 610],
            "billed_on": pd.to_datetime(
                ["2001-02-01", "2001-03-01", "2002-02-01", "2002-03-01", "2002-05-01", "2002-07-01"]
            ),
        }
    )
    return frames_grounder(towns=towns, tenants=tenants, bills=bills)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("floors per area", ("towns.floors", "tenants.floors")),
        ("amount by area", ("mean amount", "total amount", "maximum amount", "minimum amount")),
        ("penalty per year", ("number of bills with penalty", "total amount of bills with penalty")),
        ("number by sex and year", ("bills",)),
    ],
)
def test_a_figure_that_no_word_says_is_asked_about(town: Grounder, question: str, options: tuple[str, ...]) -> None:
    found = town.read(question)
    if len(options) == 1:  # one kind of rows has a date and a sex: nothing to choose from
        assert isinstance(found, Declined), found
    else:
        assert isinstance(found, Choice), found
        assert found.options == options


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("which area has the most women", [("coast", 3.0)]),
        ("which area has the most penalty bills", [("coast", 2.0)]),
        ("which year had the most penalty bills", [(2002.0, 2.0)]),
        ("women per area", [("coast", 3.0), ("hills", 1.0)]),
    ],
)
def test_rows_named_by_a_value_are_counted(town: Grounder, question: str, gold: list[tuple[object, ...]]) -> None:
    found = town.read(question)
    assert isinstance(found, Reading), found
    assert rows(town.engine.query(found.sql)) == gold


@pytest.mark.parametrize(
    "question",
    [
        "account with the highest balance",
        "top 3 accounts by balance",
        "number of borrowers by region",
        "how many men with a loan per region",
    ],
)
def test_which_time_and_whose_place_are_asked_about(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Choice)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("which account had the highest balance ever", "SELECT arg_max(account_id, balance) FROM trans"),
        (
            "account with the lowest balance in 1995",
            "SELECT arg_min(account_id, balance) FROM trans WHERE year(date) = 1995",
        ),
        (
            "number of men by region",
            "SELECT region, count(*) FROM client JOIN district USING (district_id) WHERE gender = 'male' GROUP BY 1",
        ),
    ],
)
def test_a_time_that_is_said_and_rows_of_their_own_place_are_read(
    bank_grounder: Grounder, question: str, sql: str
) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    got, gold = bank_grounder.engine.query(found.sql), bank_grounder.engine.query(sql)
    assert rows(got.iloc[:, : gold.shape[1]]) == rows(gold)
