"""What a decline and a follow-up say: why tables don't join, what was named, what was kept from the question before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.fixture(scope="module")
def fleet() -> dict[str, pd.DataFrame]:
    bikes = pd.DataFrame(
        {"bike_id": range(1, 9), "make": ["Axa", "Bia"] * 4, "price": [100.0 * n for n in range(1, 9)]}
    )
    bikes = pd.concat([bikes, bikes.head(2)], ignore_index=True)  # two rows twice
    trips = pd.DataFrame({"trip_id": range(1, 21), "bike_id": [1, 2, 3, 4, 5] * 4, "km": [float(n) for n in range(20)]})
    visits = pd.DataFrame(
        {"visit_id": range(1, 11), "trip_id": [1, 2, 3, 90, 91, 92, 93, 94, 95, 96], "zone": ["a"] * 10}
    )
    return {"bikes": bikes, "trips": trips, "visits": visits}


@pytest.fixture(scope="module")
def grounder(fleet: dict[str, pd.DataFrame]) -> Grounder:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    return opened(frames(fleet), fleet)


def _declined(grounder: Grounder, question: str) -> str:
    found = grounder.read(question)
    assert isinstance(found, Declined), found
    return found.text


def test_a_join_that_is_not_made_says_why(grounder):
    said = _declined(grounder, "number of trips by make")
    assert "2 bike_id values are in more than one row of bikes" in said
    assert "bikes = bikes.drop_duplicates()" in said
    said = _declined(grounder, "how many visits with km above 3")
    assert "Of 10 visits.trip_id values only 3 are in trips.trip_id." in said


def test_what_was_named_is_not_said_to_name_nothing(grounder):
    assert _declined(grounder, "km between 1 and 2").startswith("'km' is a column of trips, but nothing is asked")
    assert _declined(grounder, "Axa").startswith("'Axa' is a value of bikes")
    assert "%lexsi kg add 'profit' means" in _declined(grounder, "average profit")


def test_a_follow_up_says_what_it_kept(grounder):
    whole = grounder.in_context(["how many bikes of make Axa"], "and with price over 300?")
    found = grounder.read(whole)
    assert isinstance(found, Reading)
    assert len(found.filters) == 2
    assert "kept from before: make Axa" in found.notes
    again = grounder.in_context(["list bikes of make Axa"], "only the Axa")
    assert len(grounder.read(again).filters) == 1


def test_a_question_that_names_its_rows_first_starts_anew(grounder):
    for question in ("trips with km between 1 and 2", "trips of make Axa", "bikes of nobody"):
        assert grounder.in_context(["how many trips with km over 5"], question) == question


def test_equal_places_are_said_once():
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    marks = pd.DataFrame({"mark_id": range(1, 7), "pupil": list("abcdef"), "points": [5, 5, 5, 3, 2, 1]})
    found = opened(frames({"marks": marks}), {"marks": marks}).read("top 2 marks by points")
    assert isinstance(found, Reading)
    assert len([n for n in found.notes if n.startswith("more")]) == 1


def test_a_span_up_to_now_is_asked_about_from_the_day_the_data_end():
    from lexsi_nb.data.sources import frames
    from lexsi_nb.grounding.reading import Choice
    from tests.grounding.conftest import opened

    calls = pd.DataFrame({"call_id": range(1, 101), "called_on": pd.date_range("2024-01-01", periods=100)})
    grounder = opened(frames({"calls": calls}), {"calls": calls})
    for said, number in (("in the last 30 days", 30), ("of the past 2 weeks", 14), ("in the last 2 months", 60)):
        found = grounder.read(f"how many calls {said}")
        assert isinstance(found, Choice)
        assert found.prompt.startswith("The data end on 2024-04-09")
        assert grounder.engine.query(grounder.read(found.questions[0]).sql).iloc[0, 0] == number
    assert isinstance(grounder.read("how many calls this month"), Choice)


@pytest.fixture(scope="module")
def calls() -> Grounder:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    at = pd.to_datetime(["2024-03-01 09:10", "2024-03-02 09:50", "2024-03-02 17:00", "2024-03-03 08:59"])
    named = {"calls": pd.DataFrame({"call_id": [1, 2, 3, 4], "called_at": at, "cost": [3.0, 1.0, 4.0, 2.0]})}
    return opened(frames(named), named)


def test_by_hour_is_by_the_hour_of_the_day(calls):
    found = calls.read("number of calls by hour")
    assert isinstance(found, Reading)
    assert calls.engine.query(found.sql).values.tolist() == [[8, 1], [9, 2], [17, 1]]


def test_a_column_of_days_has_no_hours():
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    named = {"days": pd.DataFrame({"day_id": [1, 2], "taken_on": pd.to_datetime(["2024-01-01", "2024-01-02"])})}
    assert isinstance(opened(frames(named), named).read("number of days by hour"), Declined)


def test_rows_are_sorted_and_the_first_of_them_shown(calls):
    found = calls.read("sort calls by cost descending")
    assert isinstance(found, Reading)
    assert calls.engine.query(found.sql).call_id.tolist() == [3, 1, 4, 2]
    found = calls.read("show the first 2 rows")
    assert isinstance(found, Reading)
    assert calls.engine.query(found.sql).call_id.tolist() == [1, 2]


def test_rows_of_which_table_is_asked(grounder):
    from lexsi_nb.grounding.reading import Choice

    assert isinstance(grounder.read("first 2 rows"), Choice)
