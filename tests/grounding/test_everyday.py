"""Questions of a first day, in words that no column has: who, how often, how long, how old, what was paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def _days(*days: str | None) -> pd.Series:
    return pd.to_datetime(pd.Series(list(days)))


def _rental() -> dict[str, Any]:
    riders = pd.DataFrame(
        {
            "rider_id": [1, 2, 3, 4, 5],
            "name": ["Ann", "Bob", "Cy", "Dee", "Eli"],
            "town": ["Ayr", "Ayr", "Bute", "Bute", "Crail"],
            "birth_date": _days("1950-05-01", "1990-01-01", "1960-03-03", "1962-12-31", "2001-07-07"),
            "joined": _days("2023-01-05", "2023-03-09", "2023-03-20", "2023-11-30", "2022-06-06"),
        }
    )
    bikes = pd.DataFrame(
        {
            "bike_id": [10, 11, 12, 13],
            "bike name": ["Red", "Blue", "Green", "Gold"],
            "sort": ["city", "city", "race", "race"],
            "price_per_day": [10.0, 12.0, 30.0, 55.0],
            "gears": [3, 7, 21, 24],
        }
    )
    rentals = pd.DataFrame(
        {
            "rental_id": range(100, 108),
            "rider_id": [1, 1, 1, 2, 2, 3, 4, 4],
            "bike_id": [10, 11, 12, 10, 10, 12, 11, 10],
            "rental_date": _days(
                "2024-01-02", "2024-01-20", "2024-02-01", "2024-02-10", "2024-02-11", "2024-04-01", "2024-04-02",
                "2024-04-20",
            ),
            "return_date": _days(
                "2024-01-04", "2024-01-21", "2024-02-11", "2024-02-10", None, "2024-04-08", "2024-04-05", None
            ),
            "amount": [20.0, 12.0, 300.0, 10.0, 40.0, 210.0, 36.0, 50.0],
        }
    )  # fmt: skip
    return {"riders": riders, "bikes": bikes, "rentals": rentals}


def _store() -> dict[str, Any]:
    goods = pd.DataFrame(
        {
            "sku": ["a", "b", "c"],
            "good": ["nail", "saw", "lamp"],
            "unit_price": [1.0, 20.0, 35.0],
            "stock_left": [0, 4, 9],
        }
    )
    parcels = pd.DataFrame(
        {
            "parcel": range(1, 7),
            "sku": ["a", "a", "b", "c", "c", "c"],
            "ordered_at": _days("2024-03-04", "2024-03-04", "2024-03-05", "2024-03-11", "2024-03-12", "2024-03-13"),
            "shipped_at": _days("2024-03-04", "2024-03-06", "2024-03-09", "2024-03-11", "2024-03-20", "2024-03-14"),
            "delivered_at": _days("2024-03-06", "2024-03-10", None, "2024-03-15", None, "2024-03-20"),
            "state": ["delivered", "delivered", "refused", "delivered", "sent", "refused"],
            "damage_flag": [0, 1, 0, 0, 1, 1],
            "kilos": [1, 2, 3, 4, 5, 6],
        }
    )
    return {"goods": goods, "parcels": parcels}


def _opened(held: dict[str, Any]) -> Grounder:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    return opened(frames(held), held)


@pytest.fixture(scope="module")
def rental() -> Iterator[Grounder]:
    grounder = _opened(_rental())
    yield grounder
    grounder.engine.close()


@pytest.fixture(scope="module")
def store() -> Iterator[Grounder]:
    grounder = _opened(_store())
    yield grounder
    grounder.engine.close()


def _rows(grounder: Grounder, question: str) -> list[list[Any]]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql).values.tolist()


def _first(grounder: Grounder, question: str) -> list[Any]:
    """Return the first column."""
    return [row[0] for row in _rows(grounder, question)]


def _notes(grounder: Grounder, question: str) -> str:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return "; ".join(found.notes)


def _ways(grounder: Grounder, question: str) -> list[list[list[Any]]]:
    """Return the rows that each option of a choice gives."""
    found = grounder.read(question)
    assert isinstance(found, Choice), found
    asked = [o.question for o in options(found, question, grounder.read, grounder.engine)]
    return [_rows(grounder, q) for q in asked if q]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which rider rented most often?", [["Ann", 3]]),
        ("who rented most often?", [["Ann", 3]]),
        ("who rents the most?", [["Ann", 3]]),
        ("which rider came most often?", [["Ann", 3]]),
        ("most popular bike", [["Red", 4]]),
        ("most rented bike", [["Red", 4]]),
        ("which sort of bike is rented the most?", [["city", 6]]),
        ("busiest bike", [["Red", 4]]),
        ("which town is busiest?", [["Ayr", 5]]),
        ("who spent the most?", [["Ann", 332.0]]),
        ("top 2 riders by spending", [["Ann", 332.0], ["Cy", 210.0]]),
        ("how much did riders from Bute spend?", [[296.0]]),
        ("how much has Bob spent in total?", [[50.0]]),
        ("riders who spent more than 200", [["Ann", 332.0], ["Cy", 210.0]]),
        ("riders with a total amount of rentals over 60", [["Ann", 332.0], ["Cy", 210.0], ["Dee", 86.0]]),
        ("how many riders spent at least 50?", [[4]]),
    ],
)
def test_what_was_done_most_is_counted_and_what_was_paid_is_added(
    rental: Grounder, question: str, rows: list[list[Any]]
) -> None:
    assert _rows(rental, question) == rows


def test_the_reading_of_an_everyday_word_is_said(rental: Grounder) -> None:
    assert "'busiest bike' read as the most rentals" in _notes(rental, "busiest bike")
    assert "what was spent is told by rentals.amount" in _notes(rental, "who spent the most?")
    assert "riders with more than 1 rentals" in _notes(rental, "what share of riders came back?")


def test_a_busiest_day_is_of_the_week_or_of_the_calendar() -> None:
    made = _days("2024-03-04", "2024-03-05", "2024-03-05", "2024-03-11", "2024-03-18")
    held = {"calls": pd.DataFrame({"call": range(1, 6), "made_on": made})}
    grounder = _opened(held)
    of_week, of_calendar = _ways(grounder, "busiest day")
    assert of_week == [["Monday", 3]]
    assert [str(of_calendar[0][0])[:10], of_calendar[0][1]] == ["2024-03-05", 2]
    grounder.engine.close()


def test_a_busiest_period_of_two_dates_is_asked(rental: Grounder) -> None:
    by_start, by_end = _ways(rental, "busiest month")
    assert [str(by_start[0][0])[:7], by_start[0][1]] == ["2024-02", 3]
    assert by_end[0][1] == 2
    assert _rows(rental, "busiest weekday of rental_date")[0][0] == "Saturday"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many riders have never rented a bike?", 1),
        ("how many riders rented more than twice?", 1),
        ("how many riders rented at least 2 times?", 3),
        ("how many riders rented only once?", 1),
        ("how many riders only rented once?", 1),
        ("how many riders have never come?", 1),
        ("how many riders were seen more than 2 times?", 1),
        ("what share of riders came back?", 60.0),
        ("how many rentals lasted more than 2 days?", 3),
        ("how many rentals are longer than 6 days?", 2),
        ("how long does a rental last on average?", 23 / 6),
        ("average length of a rental", 23 / 6),
        ("median rental duration", 2.5),
        ("how many rentals are still open?", 2),
        ("how many open rentals?", 2),
        ("number of rentals not returned yet", 2),
        ("average rentals per rider", 1.6),
        ("average price of bikes", 26.75),
        ("average spending per rider", 169.5),
        ("average age of riders", (73 + 34 + 64 + 61 + 22) / 5),
        ("how many riders over 60?", 3),
        ("how many riders are older than 63?", 2),
        ("how many distinct towns do riders come from?", 3),
        ("how many months of rental_date had no rentals?", 1),
    ],
)
def test_numbers_of_the_first_day(rental: Grounder, question: str, value: float) -> None:
    assert _first(rental, question) == [pytest.approx(value)]


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("longest rental", [102]),
        ("the 2 longest rentals", [102, 105]),
        ("shortest rental", [103]),
        ("rentals not returned yet", [104, 107]),
        ("open rentals (no return date)", [104, 107]),
        ("bikes dearer than 25", [12, 13]),
        ("bikes cheaper than 12", [10]),
        ("cheapest bike", [10]),
        ("which bike is the most expensive?", [13]),
        ("which bike costs the least?", [10]),
        ("newest rider", [4]),
        ("who joined last?", [4]),
        ("which rider joined first?", [5]),
        ("which riders joined in March?", [2, 3]),
        ("who rented Blue?", [1, 4]),
        ("riders who came back", [1, 2, 4]),
        ("amounts over 100", [102, 105]),
    ],
)
def test_rows_of_the_first_day(rental: Grounder, question: str, keys: list[int]) -> None:
    assert _first(rental, question) == keys


def test_the_oldest_on_average_are_told_by_their_age(rental: Grounder) -> None:
    assert _rows(rental, "which town has the oldest riders on average?") == [["Bute", 62.5]]
    assert _rows(rental, "which town has the youngest riders on average?") == [["Crail", 22.0]]
    assert "ages are in whole years on 2024-04-20, from riders.birth_date" in _notes(rental, "average age of riders")


def test_days_between_two_dates_are_a_column(rental: Grounder) -> None:
    rows = _rows(rental, "days between rental and return")
    assert [(r[0], r[1]) for r in rows[:4]] == [(100, 2), (101, 1), (102, 10), (103, 0)]
    by_sort = dict(map(tuple, _rows(rental, "average length of a rental by sort")))
    assert by_sort == {"race": pytest.approx(8.5), "city": pytest.approx(1.5)}


def test_a_month_without_rows_is_found(rental: Grounder) -> None:
    by_start, _ = _ways(rental, "which month had no rentals?")
    assert [str(r[0])[:10] for r in by_start] == ["2024-03-01"]
    assert "are not looked at" in _notes(rental, "which month of rental_date had no rentals?")


def test_revenue_is_asked_and_not_guessed(rental: Grounder) -> None:
    found = rental.read("revenue per bike")
    assert isinstance(found, Choice)
    assert "do not say what came in" in found.prompt
    assert dict(map(tuple, _rows(rental, found.questions[0]))) == {"Red": 120.0, "Blue": 48.0, "Green": 510.0}
    earned = rental.read("which bike earns the most?")
    assert isinstance(earned, Choice)
    assert _rows(rental, earned.questions[0]) == [["Green", 510.0]]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("refusal rate", 100 / 3),
        ("damage rate", 50.0),
        ("how long from order to shipping on average?", 15 / 6),
        ("average shipping time", 15 / 6),
        ("how many parcels shipped the same day?", 2),
        ("how many parcels shipped within 2 days?", 4),
        ("how many parcels shipped more than 3 days after they were ordered?", 2),
    ],
)
def test_rates_and_spans_of_a_store(store: Grounder, question: str, value: float) -> None:
    assert _first(store, question) == [pytest.approx(value)]


def test_stock_is_told_by_the_number_in_stock(store: Grounder) -> None:
    assert _first(store, "which goods are out of stock?") == ["a"]
    assert _first(store, "goods in stock") == ["b", "c"]
    worth = store.read("stock_left value")
    assert isinstance(worth, Declined)
    assert "stock_left times unit_price" in worth.text


def test_a_state_and_a_missing_date_are_two_ways_to_be_open(store: Grounder) -> None:
    by_date, by_state = _ways(store, "parcels not delivered yet")
    assert [r[0] for r in by_date] == [3, 5]
    assert [r[0] for r in by_state] == [3, 5, 6]


def test_a_delivery_time_can_begin_on_two_dates(store: Grounder) -> None:
    from_order, from_shipping = _ways(store, "average delivery time")
    assert from_order[0][0] == pytest.approx(19 / 4)
    assert from_shipping[0][0] == pytest.approx(16 / 4)


def test_no_amount_of_money_is_long() -> None:
    staff = {
        "teachers": pd.DataFrame({"teacher": ["x", "y"], "hired": _days("2001-01-01", "2019-01-01"), "salary": [3, 9]})
    }
    grounder = _opened(staff)
    found = grounder.read("which teacher has been here longest?")
    assert not isinstance(found, Reading)
    grounder.engine.close()


def test_people_over_a_number_are_of_an_age_or_nothing() -> None:
    held = {
        "patients": pd.DataFrame({"patient": range(1, 5), "weight": [50, 70, 90, 60], "height": [150, 170, 180, 160]})
    }
    grounder = _opened(held)
    found = grounder.read("patients over 65")
    assert isinstance(found, Declined)
    assert "may be an age" in found.text
    grounder.engine.close()


def test_rows_called_by_a_flag_are_those_that_are_so() -> None:
    held = {
        "policies": pd.DataFrame(
            {"policy": range(1, 6), "premium": [10, 20, 30, 40, 50], "smoker": [1, 0, 1, 0, 0], "tall": [0, 1, 1, 1, 0]}
        )
    }
    grounder = _opened(held)
    assert _first(grounder, "average premium of smokers") == [20.0]
    assert _first(grounder, "smokers with premium over 15") == [3]
    assert _first(grounder, "how many policies don't have tall 1?") == [2]
    grounder.engine.close()


@pytest.mark.parametrize(
    "question",
    ["what was spent on marketing?", "how much did we spend in 2024?", "who flew most often?", "how long is a piece?"],
)
def test_what_is_not_in_the_data_is_still_declined(rental: Grounder, question: str) -> None:
    assert isinstance(rental.read(question), Declined)


def test_words_without_a_meaning_are_named_with_what_can_be_said_instead(rental: Grounder, store: Grounder) -> None:
    told = rental.read("bikes with squeaky brakes").text
    assert "'squeaky', 'brakes'" in told
    assert "columns of bikes: bike_id, bike name, sort, price_per_day, gears" in told
    assert "The tables are goods, parcels." in store.read("gross margin").text


def test_a_state_of_other_rows_is_not_said_of_their_owner() -> None:
    held = {
        "policies": pd.DataFrame({"policy_id": [1, 2, 3], "holder": ["x", "y", "z"]}),
        "claims": pd.DataFrame({"claim_id": [7, 8, 9], "policy_id": [1, 1, 2], "status": ["open", "paid", "paid"]}),
    }
    grounder = _opened(held)
    found = grounder.read("how many policies are open?")
    assert isinstance(found, Declined)
    assert "'policies with open claims'" in found.text
    assert _first(grounder, "policies with open claims") == [1]
    grounder.engine.close()
