"""Follow-ups on a ranking or a figure: `and the second most?`, `the next 2`, `more than in 2024?`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

TRIPS = pd.DataFrame(
    {
        "trip_id": range(1, 16),
        "port": ["Ayr"] * 5 + ["Bute"] * 4 + ["Crail"] * 3 + ["Doon"] * 2 + ["Eday"],
        "left_on": pd.to_datetime(["2023-03-01"] * 6 + ["2024-05-01"] * 9),
        "fare": [float(10 + i) for i in range(15)],
    }
)


@pytest.fixture(scope="module")
def trips(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(trips=TRIPS)
    yield grounder
    grounder.engine.close()


def _rows(grounder: Grounder, *said: str) -> list[list[Any]]:
    *before, now = said
    found = grounder.read(grounder.in_context(before, now))
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql).values.tolist()


RANKED = "which port has the most trips?"


def test_a_later_place_is_of_the_same_ranking(trips: Grounder) -> None:
    assert _rows(trips, RANKED, "and the second most?") == [["Bute", 4]]
    assert _rows(trips, RANKED, "and the second most?", "and the third most?") == [["Crail", 3]]
    assert _rows(trips, "highest fare trip", "the second highest")[0][0] == 14


def test_a_place_from_the_other_end_or_one_that_is_shared_is_no_answer(
    trips: Grounder, frames_grounder: Callable[..., Grounder]
) -> None:
    assert isinstance(trips.read(trips.in_context([RANKED], "and the second fewest?")), Declined)
    tied = frames_grounder(trips=TRIPS[TRIPS.port.isin(["Ayr", "Crail", "Doon", "Eday"])].drop(index=9))
    declined = tied.read(tied.in_context([RANKED], "and the second most?"))
    assert isinstance(declined, Declined)
    assert "share a place" in declined.reason
    tied.engine.close()


def test_the_next_places_come_after_those_shown(trips: Grounder) -> None:
    top = "top 2 ports by number of trips"
    assert _rows(trips, top) == [["Ayr", 5], ["Bute", 4]]
    assert _rows(trips, top, "the next 2") == [["Crail", 3], ["Doon", 2]]
    assert _rows(trips, top, "the next 2", "the next 1") == [["Eday", 1]]
    assert [r[0] for r in _rows(trips, "top 3 trips by fare", "next two")] == [12, 11]
    found = trips.read(trips.in_context([top], "the next 2"))
    assert isinstance(found, Reading)
    assert "places 3 to 4" in found.text


def test_a_ranking_without_its_first_places_can_be_asked_for(trips: Grounder) -> None:
    assert [r[0] for r in _rows(trips, "top 5 trips by fare, without the first 3")] == [12, 11]
    assert isinstance(trips.read("top 3 trips by fare, without the first 5"), Declined)
    assert isinstance(trips.read("number of trips by port, without the first 2"), Declined)


def test_nothing_comes_after_what_is_no_ranking(trips: Grounder) -> None:
    assert isinstance(trips.read(trips.in_context(["number of trips by port"], "the next 2")), Declined)


def test_a_number_is_held_against_that_of_other_rows(trips: Grounder) -> None:
    assert _rows(trips, "how many trips in 2023?", "more than in 2024?") == [[False, 6, 9]]
    assert _rows(trips, "how many trips in 2023?", "fewer than in 2024?") == [[True, 6, 9]]
    assert _rows(trips, "how many trips in 2023?", "more than in 2024?", "by port") == [["Ayr", 5], ["Bute", 1]]


def test_what_cannot_be_held_against_it_is_declined(trips: Grounder) -> None:
    assert isinstance(trips.read(trips.in_context(["trips by port"], "more than in 2024?")), Declined)
    assert isinstance(trips.read(trips.in_context(["how many trips?"], "more than in 2024?")), Declined)
