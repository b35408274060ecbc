"""Follow-ups that sort, split or ask for the best period; two rates side by side; types named with their table."""

from __future__ import annotations

from typing import Any

import pytest

from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Reading
from tests.grounding.conftest import opened


@pytest.fixture(scope="module")
def hotels() -> Any:
    """Guests, their visits with two dates, and the towns they come from."""
    import pandas as pd

    from lexsi_nb import datasets

    frames = {
        "towns": pd.DataFrame(
            {"town_id": [1, 2, 3], "town": ["Aosta", "Bari", "Como"], "literacy_rate": [71.5, 64.0, 80.25]}
        ),
        "guests": pd.DataFrame({"guest_id": range(1, 7), "town_id": [1, 1, 2, 2, 3, 3], "sex": ["male", "female"] * 3}),
        "visits": pd.DataFrame(
            {
                "visit_id": range(1, 13),
                "guest_id": [1, 1, 2, 3, 3, 3, 4, 5, 5, 6, 6, 6],
                "booked": pd.date_range("2019-02-01", periods=12, freq="90D"),
                "ended": pd.date_range("2019-03-01", periods=12, freq="100D"),
                "room": ["economy", "double", "suite", "economy", "economy", "double"] * 2,
                "price": [10.0, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120],
            }
        ),
    }
    grounder = opened(datasets.frames(frames), frames)
    yield grounder
    grounder.engine.close()


def read(grounder: Grounder, *said: str) -> Any:
    whole = grounder.in_context(said[:-1], said[-1])
    assert isinstance(whole, str)
    return grounder.read(whole)


def got(grounder: Grounder, *said: str) -> list[tuple[Any, ...]]:
    found = read(grounder, *said)
    assert isinstance(found, Reading), found
    return [tuple(row) for row in grounder.engine.query(found.sql).itertuples(index=False, name=None)]


def test_groups_are_sorted_by_their_own_figure(hotels):
    first = "average price by room"
    down = got(hotels, first, "sort by the average, highest first")
    assert [room for room, _ in down] == ["double", "economy", "suite"]
    up = got(hotels, first, "sort them by the average ascending")
    assert [room for room, _ in up] == ["suite", "economy", "double"]


def test_what_the_groups_have_no_figure_of_does_not_sort_them(hotels):
    assert not isinstance(read(hotels, "average price by room", "sort by the median, highest first"), Reading)


def test_the_best_period_of_a_series(hotels):
    assert got(hotels, "total price by year of booked", "which year was the highest?")[0][0] == 2021
    assert got(hotels, "average price by year of ended", "which year had the lowest?")[0][0] == 2019


def test_a_part_of_the_figure_before(hotels):
    want = hotels.engine.query("SELECT sum(price) FROM visits JOIN guests USING (guest_id) WHERE sex = 'female'").iloc[
        0, 0
    ]
    assert got(hotels, "total price of visits", "how much of that came from female guests?") == [(want,)]


def test_rates_of_two_rows_are_compared_as_they_are(hotels):
    want = {("Aosta", 71.5), ("Bari", 64.0)}
    assert set(got(hotels, "literacy rate of Aosta compared with Bari")) == want
    assert set(got(hotels, "compare the literacy rate of Aosta and Bari")) == want


@pytest.mark.parametrize(("said", "answer"), [("rarer", False), ("more common", True)])
def test_rarer_is_fewer(hotels, said, answer):
    assert got(hotels, f"are economy visits {said} than suite visits")[0][0] is answer


def test_the_type_that_is_named_with_its_table_is_of_those_rows(hotels):
    assert got(hotels, "most common visit room of guests from Bari")[0][:2] == ("economy", 3)


@pytest.mark.parametrize(("town", "answer"), [("Como", True), ("Bari", False)])
def test_whether_one_is_the_first(hotels, town, answer):
    assert got(hotels, f"is {town} the town with the highest literacy rate?")[0][0] is answer


def test_one_that_shares_the_first_place_is_not_judged(hotels):
    assert not isinstance(read(hotels, "is Bari the town with the most guests?"), Reading)


def test_percent_more_is_growth(hotels):
    first, second = (
        hotels.engine.query(f"SELECT count(*) FROM visits WHERE year(ended) = {y}").iloc[0, 0] for y in (2020, 2021)
    )
    more = got(hotels, "how many percent more visits ended in 2021 than in 2020?")[0][0]
    assert more == pytest.approx(100 * (second - first) / first)
