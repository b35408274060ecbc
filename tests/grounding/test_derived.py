"""Days of the week, decades and bands: right against pandas; declined where the data have no date or no number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import opened

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def pairs(grounder: Grounder, question: str) -> list[tuple[Any, ...]]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return [tuple(row) for row in grounder.engine.query(found.sql).itertuples(index=False)]


@pytest.mark.parametrize("question", ["number of loans by weekday", "loans by day of the week", "loans per weekday"])
def test_loans_are_counted_by_weekday_monday_first(bank_grounder: Grounder, question: str) -> None:
    dates = bank_grounder.engine.query("SELECT date FROM loan")["date"]
    counted = dates.dt.day_name().value_counts()
    assert pairs(bank_grounder, question) == [(d, counted[d]) for d in DAYS]


def test_means_by_weekday_and_the_busiest_weekday(bank_grounder: Grounder) -> None:
    loans = bank_grounder.engine.query("SELECT date, amount FROM loan")
    means = loans.groupby(loans["date"].dt.day_name())["amount"].mean()
    found = dict(pairs(bank_grounder, "average loan amount by weekday"))
    assert found == {d: pytest.approx(means[d]) for d in DAYS}
    counted = loans["date"].dt.day_name().value_counts()
    assert pairs(bank_grounder, "on which weekday are most loans granted") == [(counted.idxmax(), counted.max())]


def test_one_weekday_and_the_weekend_are_conditions(bank_grounder: Grounder) -> None:
    loans = bank_grounder.engine.query("SELECT date FROM loan")["date"]
    assert pairs(bank_grounder, "how many loans were granted on a Monday") == [((loans.dt.day_of_week == 0).sum(),)]
    cards = bank_grounder.engine.query("SELECT issued FROM card")["issued"]
    assert pairs(bank_grounder, "how many cards were issued on Fridays") == [((cards.dt.day_of_week == 4).sum(),)]
    loans = bank_grounder.engine.query("SELECT date FROM loan")["date"]
    found = pairs(bank_grounder, "how many loans were granted on weekends")
    assert found == [((loans.dt.day_of_week >= 5).sum(),)]


def test_the_weekday_of_a_named_date(bank_grounder: Grounder) -> None:
    born = bank_grounder.engine.query("SELECT birth_date FROM client")["birth_date"]
    found = pairs(bank_grounder, "how many clients were born on a Sunday")
    assert found == [((born.dt.day_of_week == 6).sum(),)]


@pytest.mark.parametrize("question", ["clients by decade of birth", "number of clients by birth decade"])
def test_clients_by_decade_of_birth(bank_grounder: Grounder, question: str) -> None:
    born = bank_grounder.engine.query("SELECT birth_date FROM client")["birth_date"].dt.year
    counted = (born // 10 * 10).value_counts().sort_index()
    assert pairs(bank_grounder, question) == list(counted.items())


@pytest.mark.parametrize("question", ["clients by year of birth", "number of clients per birth year"])
def test_clients_by_year_of_birth(bank_grounder: Grounder, question: str) -> None:
    born = bank_grounder.engine.query("SELECT birth_date FROM client")["birth_date"].dt.year
    assert pairs(bank_grounder, question) == list(born.value_counts().sort_index().items())


@pytest.mark.parametrize(
    ("question", "width"),
    [
        ("loans by amount in bands of 50000", 50_000),
        ("distribution of loan amounts in steps of 100,000", 100_000),
        ("number of loans by amount in buckets of 25k", 25_000),
    ],
)
def test_loans_by_bands_of_their_amount(bank_grounder: Grounder, question: str, width: int) -> None:
    amounts = bank_grounder.engine.query("SELECT amount FROM loan")["amount"]
    counted = (amounts // width * width).value_counts().sort_index()
    assert pairs(bank_grounder, question) == list(counted.items())
    found = bank_grounder.read(question)
    assert isinstance(found, Reading)
    assert f"band of {width:,} begins" in " ".join(found.notes)


def test_clients_by_bands_of_their_age(bank_grounder: Grounder) -> None:
    sql = "SELECT date_sub('year', birth_date, DATE '1998-12-31') AS age FROM client"
    ages = bank_grounder.engine.query(sql)["age"]
    counted = (ages // 10 * 10).value_counts().sort_index()
    for question in ("clients by age in bands of 10 years", "number of clients by age in 10-year bands"):
        assert pairs(bank_grounder, question) == list(counted.items())


def test_negative_numbers_lie_in_the_band_below() -> None:
    import pandas as pd

    from lexsi_nb.data.sources import frames

    held = {"readings": pd.DataFrame({"reading_id": [1, 2, 3, 4], "celsius": [-12, -1, 3, 12]})}
    grounder = opened(frames(held), held)
    assert pairs(grounder, "number of readings by celsius in bands of 10") == [(-20, 1), (-10, 1), (0, 1), (10, 1)]


@pytest.mark.parametrize(
    "question",
    [
        "districts by weekday",  # no date
        "number of accounts by frequency in bands of 10",  # no number
        "how many loans per band of 50,000",  # a band of what?
        "number of loans by amount in bands of 0",
        "loans on Monday and Friday mornings",  # no time of day
    ],
)
def test_what_has_no_date_or_number_is_not_answered(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Declined | Choice)


def test_which_of_two_dates_has_the_weekday_is_asked() -> None:
    import pandas as pd

    from lexsi_nb.data.sources import frames

    days = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"])
    held = {"orders": pd.DataFrame({"order_id": [1, 2, 3], "placed": days, "shipped": days + pd.Timedelta(days=1)})}
    grounder = opened(frames(held), held)
    assert isinstance(grounder.read("number of orders by weekday"), Choice)
    assert pairs(grounder, "how many orders were placed on a Monday") == [(1,)]


def test_a_list_by_its_own_name_or_date_is_ordered(bank_grounder: Grounder) -> None:
    names = bank_grounder.engine.query("SELECT name FROM district ORDER BY 1")["name"]
    found = bank_grounder.read("list districts by name")
    assert isinstance(found, Reading)
    assert list(bank_grounder.engine.query(found.sql)["name"]) == list(names)
    found = bank_grounder.read("list the loans in Prague by date")
    assert isinstance(found, Reading)
    assert found.kind == "list"
    assert bank_grounder.engine.query(found.sql)["date"].is_monotonic_increasing


def test_a_list_by_what_many_rows_share_is_asked_about(bank_grounder: Grounder) -> None:
    assert isinstance(bank_grounder.read("list clients by gender"), Choice)
    assert isinstance(bank_grounder.read("clients by gender"), Reading)
