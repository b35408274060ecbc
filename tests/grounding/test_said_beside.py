"""What stands right beside a noun: a judgement, a place, a year, and a state that no day is known of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def leases() -> dict[str, Any]:
    """Flats with the day they were built, and their leases with a first day and a state."""
    import pandas as pd

    flats = pd.DataFrame({"flat_id": [1, 2, 3], "built": pd.to_datetime(["2018-03-01", "2019-05-01", "2020-06-01"])})
    rented = pd.DataFrame(
        {
            "lease_id": [11, 12, 13, 14, 15],
            "flat_id": [1, 1, 2, 3, 3],
            "begin_date": pd.to_datetime(["2019-01-01", "2020-01-01", "2020-02-01", "2020-07-01", "2021-01-01"]),
            "state": ["ended", "running", "ended", "ended", "running"],
        }
    )
    return {"flats": flats, "leases": rented}


@pytest.fixture(scope="module")
def grounder(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    """The grounding of the leases."""
    found = frames_grounder(**leases())
    yield found
    found.engine.close()


@pytest.mark.parametrize("question", ["number of leases ended in 2020", "leases running in January 2020"])
def test_the_day_of_the_beginning_is_no_day_of_the_end(grounder: Grounder, question: str) -> None:
    found = grounder.read(question)
    assert isinstance(found, Declined), found.text
    assert "is what they are now, and leases.begin_date is no day on which they became so" in found.reason


@pytest.mark.parametrize(("question", "count"), [("number of ended leases", 3), ("how many running leases", 2)])
def test_a_state_without_a_time_is_read(grounder: Grounder, question: str, count: int) -> None:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == count


def test_a_year_before_other_rows_is_theirs(grounder: Grounder) -> None:
    found = grounder.read("number of leases of 2020 flats")
    assert isinstance(found, Declined), found.text
    assert "'2020' stands before 'flats', and I would take it of leases.begin_date" in found.reason


@pytest.mark.parametrize("question", ["how many bad towns", "defaulting regions"])
def test_a_judgement_of_loans_says_nothing_of_places(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Declined)


def test_rows_that_have_judged_ones_are_found(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("how many districts have a bad loan")
    assert isinstance(found, Reading), found
    gold = "SELECT count(DISTINCT district_id) FROM account JOIN loan USING (account_id) WHERE status IN ('B', 'D')"
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == bank_grounder.engine.query(gold).iloc[0, 0]


@pytest.mark.parametrize("question", ["total amount of orders of Pisek customers", "mean balance of Tabor women"])
def test_a_place_before_people_may_be_theirs(bank_grounder: Grounder, question: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Choice), found.text


def test_a_place_before_the_rows_on_the_way_is_theirs(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("number of orders of Pisek accounts")
    assert isinstance(found, Reading), found
    gold = (
        'SELECT count(*) FROM "order" JOIN account USING (account_id) JOIN district USING (district_id) '
        "WHERE name = 'Pisek'"
    )
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == bank_grounder.engine.query(gold).iloc[0, 0]


def test_a_comparative_of_age_is_no_slip_of_a_name(bank_grounder: Grounder) -> None:
    """`older` is near to the table `order`."""
    assert isinstance(bank_grounder.read("list the older customers"), Declined)
