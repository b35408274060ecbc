"""`3,000 euros a month` says how a column is told; it asks for no groups of months."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
import pytest

from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Declined, Reading

CREW = pd.DataFrame(
    {
        "crew_id": range(1, 7),
        "mthly_pay_eur": [2000, 3000, 3200, 3500, 4000, 3100],
        "bonus_eur": [10, 20, 30, 40, 50, 60],
        "hired_on": pd.to_datetime(
            ["2020-01-01", "2020-02-01", "2020-02-03", "2021-05-05", "2021-06-06", "2021-06-07"]
        ),
    }
)


@pytest.fixture(scope="module")
def ship(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(crew=CREW)
    yield grounder
    grounder.engine.close()


@pytest.mark.parametrize(
    "question",
    [
        "how many crew have a mthly pay between 3,000 and 3,500 euros a month?",
        "how many crew earn between 3,000 and 3,500 euros per month?",
    ],
)
def test_the_period_of_an_amount_makes_no_groups(ship: Grounder, question: str) -> None:
    found = ship.read(question)
    assert isinstance(found, Reading), found
    assert not found.keys
    assert ship.engine.query(found.sql).iloc[0, 0] == CREW.mthly_pay_eur.between(3000, 3500).sum()


def test_another_period_than_the_column_says_is_declined(ship: Grounder) -> None:
    found = ship.read("how many crew earn more than 30,000 euros a year?")
    assert isinstance(found, Declined)
    assert "told for a year" in found.reason


def test_groups_by_month_stay(ship: Grounder) -> None:
    found = ship.read("number of crew per month")
    assert isinstance(found, Reading)
    assert found.keys[0].grain == "month"
