"""A word that a reading has no place for is no filling: it is declined or asked about, not passed over."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Choice, Declined, Reading


@pytest.fixture
def ferries(frames_grounder) -> Grounder:
    ships = pd.DataFrame({
        "ship_id": [1, 2, 3, 4], "year": [1990, 2001, 2012, 2015], "yard": ["Odense", "Turku", "Turku", "Papenburg"],
        "berths": [100, 250, 250, 40],
    })  # fmt: skip
    trips = pd.DataFrame({
        "trip_id": [1, 2, 3, 4, 5], "ship_id": [1, 2, 2, 3, 4], "hour": [4, 9, 22, 13, 2],
        "sailed_on": pd.to_datetime(["2020-01-03", "2020-02-01", "2021-05-05", "2021-06-01", "2021-07-01"]),
        "fare": [10, 20, 30, 40, 50], "line": ["Red", "Red", "Blue", "Blue", "Green"],
    })  # fmt: skip
    return frames_grounder(ships=ships, trips=trips)


@pytest.fixture
def prizes(frames_grounder) -> Grounder:
    people = pd.DataFrame({
        "person_id": [1, 2, 3, 4], "writes": ["L", "R", "R", "B"], "hall": ["Mill", "Mill", "North", "North Hall"],
    })  # fmt: skip
    given = pd.DataFrame({
        "person_id": [1, 1, 2, 3], "prizeID": ["Quill", "Quill", "Rose", "Quill"], "year": [2001, 2002, 2002, 2003],
        "cup": ["Y", "N", "N", "Y"],
    })  # fmt: skip
    juries = pd.DataFrame({"person_id": [2, 3], "chosen_by": ["Seniors - Students", "Public"]})
    return frames_grounder(people=people, PrizesPeople=given, juries=juries)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("number of ships whose yard begins with T", "T"),
        ("trips longer than 3 hours, how many", "3 hours"),
        ("did any trip take longer than 10 hours", "10 hours"),
        ("how many trips share the line Red", "share"),
        ("how many times larger is Turku than Odense", "larger"),
    ],
)
def test_a_word_without_a_place_is_declined(ferries: Grounder, question: str, word: str) -> None:
    found = ferries.read(question)
    assert isinstance(found, Declined), found.text
    assert word in found.text or word in found.lacks


def test_the_hour_named_as_a_column_is_compared(ferries: Grounder) -> None:
    found = ferries.read("number of trips with hour over 9")
    assert isinstance(found, Reading)
    assert ferries.engine.query(found.sql).iloc[0, 0] == 2


def test_a_day_said_of_things_that_did_it_is_asked_about(ferries: Grounder) -> None:
    found = ferries.read("count of trips by ships built after 2010")
    assert isinstance(found, Choice), found.text


@pytest.mark.parametrize("question", ["how many people write both", "how many people write with both"])
def test_both_of_nothing_is_declined(prizes: Grounder, question: str) -> None:
    assert isinstance(prizes.read(question), Declined)


def test_a_column_said_as_a_verb_is_not_counted(prizes: Grounder) -> None:
    found = prizes.read("how many people writes")
    assert isinstance(found, Declined), found.text


@pytest.mark.parametrize("question", ["which prizes were given in 2002", "what prizes were given in 2002"])
def test_which_of_a_column_lists_its_values_once(prizes: Grounder, question: str) -> None:
    found = prizes.read(question)
    assert isinstance(found, Reading), found
    assert prizes.engine.query(found.sql).iloc[:, 0].tolist() == ["Quill", "Rose"]


def test_what_things_there_are_lists_them_and_not_the_columns(prizes: Grounder, ferries: Grounder) -> None:
    found = prizes.read("what prizes are there")
    assert isinstance(found, Reading)
    assert prizes.engine.query(found.sql).iloc[:, 0].tolist() == ["Quill", "Rose"]
    found = ferries.read("what ships are there")
    assert isinstance(found, Reading)
    assert found.kind == "list"


def test_what_a_column_is_asks_for_its_meaning(ferries: Grounder) -> None:
    found = ferries.read("what is berths")
    assert isinstance(found, Declined)
    assert "means" in found.text


def test_who_won_a_cup_of_yes_and_no_are_those_with_yes(prizes: Grounder) -> None:
    found = prizes.read("which people won the cup in 2003")
    assert not isinstance(found, Reading) or "'Y'" in found.sql


def test_the_values_of_a_column_of_which_one_is_given_are_not_counted(prizes: Grounder) -> None:
    assert isinstance(prizes.read("how many halls does Mill have"), Declined)


def test_people_of_a_kind_are_no_value_that_is_spelt_so(prizes: Grounder) -> None:
    assert isinstance(prizes.read("number of prizes of senior students"), Choice | Declined)


def test_a_share_of_a_total_by_two_conditions_is_asked_about(ferries: Grounder) -> None:
    found = ferries.read("share of the total fare paid on Red in 2020")
    assert isinstance(found, Choice), found.text


def test_a_mean_of_one_row_in_each_group_is_asked_about(frames_grounder) -> None:
    members = pd.DataFrame({"member_id": [1, 2, 3], "age": [30, 40, 50]})
    fees = pd.DataFrame(
        {"member_id": [1, 2, 3, 1], "year": [2020, 2020, 2020, 2021], "club": list("xxyx"), "fee": [5, 7, 9, 6]}
    )
    grounder = frames_grounder(members=members, fees=fees)
    assert isinstance(grounder.read("average fee per member in 2020, by club"), Choice)
    assert isinstance(grounder.read("average fee by club in 2020"), Reading)


@pytest.fixture
def buses(frames_grounder) -> Grounder:
    late = [0, 3, None, 5, 0, None]
    rides = pd.DataFrame(
        {"ride_id": range(6), "hour": [5, 6, 7, 8, 9, 10], "lateness": late, "fuel": [1, 2, None, 4, 5, 6]}
    )
    return frames_grounder(rides=rides)


def test_none_of_a_number_that_can_be_zero_is_asked_about(buses: Grounder) -> None:
    assert isinstance(buses.read("number of rides with no lateness"), Choice)
    found = buses.read("number of rides without fuel")
    assert isinstance(found, Reading)
    assert buses.engine.query(found.sql).iloc[0, 0] == 1
    found = buses.read("number of rides with missing lateness")
    assert isinstance(found, Reading)
    assert buses.engine.query(found.sql).iloc[0, 0] == 2


def test_hours_of_the_day_are_not_added_up(buses: Grounder) -> None:
    assert not isinstance(buses.read("share of ride hours with lateness above 1"), Reading)


def test_a_unit_that_a_number_does_not_fit_is_not_taken_for_the_columns(frames_grounder) -> None:
    horses = pd.DataFrame({"horse_id": range(40), "height": range(140, 180)})
    grounder = frames_grounder(horses=horses)
    for question in ("horses taller than 5 feet, how many", "number of horses taller than 900 inches"):
        found = grounder.read(question)
        assert isinstance(found, Declined), found.text
        assert "140" in found.text
    found = grounder.read("number of horses taller than 170 cm")
    assert isinstance(found, Reading)
    assert grounder.engine.query(found.sql).iloc[0, 0] == 9


def test_two_bounds_on_what_belongs_to_rows_are_not_put_together(frames_grounder) -> None:
    regions = pd.DataFrame({"region_id": [1, 2, 3], "region": ["Aa", "Bb", "Cc"]})
    villages = pd.DataFrame(
        {"village_id": range(6), "region_id": [1, 1, 1, 2, 2, 3], "population": [900, 90, 80, 700, 4, 1]}
    )
    found = frames_grounder(regions=regions, villages=villages).read(
        "regions with more than 2 villages above 50 people"
    )
    assert not isinstance(found, Reading) or "count(*)" in found.sql


@pytest.fixture
def clubs(frames_grounder) -> Grounder:
    clubs = pd.DataFrame({"clubID": ["A", "A", "B", "B"], "season": [2001, 2002, 2001, 2002], "crowd": [5, 7, 20, 30]})
    fees = pd.DataFrame({
        "fee_id": range(5), "clubID": ["A", "A", "B", "B", "B"], "season": [2001, 2002, 2001, 2001, 2002],
        "fee": [1, 2, 3, 4, 5],
    })  # fmt: skip
    return frames_grounder(clubs=clubs, fees=fees)


def test_by_things_that_have_several_rows_is_by_their_id(clubs: Grounder) -> None:
    found = clubs.read("total fee by club")
    assert isinstance(found, Reading), found
    assert clubs.engine.query(found.sql).values.tolist() == [["B", 12], ["A", 3]]


def test_a_mean_by_things_that_have_several_rows_is_not_that_of_all_rows(clubs: Grounder) -> None:
    found = clubs.read("average crowd by club")
    assert isinstance(found, Choice | Declined), found.text


def test_a_year_written_together_with_id_is_a_year(frames_grounder) -> None:
    polls = pd.DataFrame({
        "poll": range(12), "yearid": [1950] * 6 + [1951] * 6, "voters": [90] * 6 + [80] * 6, "votes": range(12),
    })  # fmt: skip
    grounder = frames_grounder(polls=polls)
    found = grounder.read("total votes in 1951")
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == 51
    assert isinstance(grounder.read("how many voters in 1950"), Choice)
    assert isinstance(grounder.read("how many votes in 1950"), Reading)


def test_a_value_that_two_columns_hold_is_asked_about(frames_grounder) -> None:
    many = [f"P{i}" for i in range(400)]
    pilots = pd.DataFrame({
        "pilot_id": range(400), "birthport": many, "deathport": ["P1", "P2"] * 200, "rank": ["a", "b"] * 200,
    })  # fmt: skip
    grounder = frames_grounder(pilots=pilots.rename(columns={"birthport": "birth_port", "deathport": "death_port"}))
    assert not isinstance(grounder.read("number of pilots from P1"), Reading)


def test_most_things_of_a_size_are_not_added_up(frames_grounder) -> None:
    regions = pd.DataFrame({"region_id": [1, 2], "region": ["Aa", "Bb"]})
    towns = pd.DataFrame({"town_id": range(4), "region_id": [1, 1, 1, 2], "population": [60, 70, 80, 9000]})
    found = frames_grounder(regions=regions, towns=towns).read("region with most towns above 50 people")
    assert not isinstance(found, Reading) or "sum(" not in found.sql


def test_a_number_of_things_is_the_size_of_none(frames_grounder) -> None:
    boroughs = pd.DataFrame({"borough_id": [1, 2, 3], "schools": [4, 9, 2], "budget": [10, 30, 20]})
    grounder = frames_grounder(boroughs=boroughs)
    assert isinstance(grounder.read("the largest school"), Declined)
    found = grounder.read("the highest number of schools")
    assert isinstance(found, Reading), found
    assert 9 in list(grounder.engine.query(found.sql).iloc[0])
    found = grounder.read("the largest budget")
    assert isinstance(found, Reading), found
    assert 30 in list(grounder.engine.query(found.sql).iloc[0])


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("how many lockers are used?", "used"),
        ("how many lockers are kept", "kept"),
        ("how many yet to be built lockers", "yet"),
        ("number of lockers that are being served", "served"),
    ],
)
def test_a_state_said_last_is_not_dropped(frames_grounder, question: str, word: str) -> None:
    lockers = pd.DataFrame({"locker_id": [1, 2, 3], "hall": ["a", "b", "b"]})
    found = frames_grounder(lockers=lockers).read(question)
    assert isinstance(found, Declined), found
    assert f"'{word}'" in found.text


def test_a_state_that_a_column_tells_is_read(frames_grounder) -> None:
    lockers = pd.DataFrame({"locker_id": [1, 2, 3], "used": [True, False, True]})
    grounder = frames_grounder(lockers=lockers)
    found = grounder.read("how many lockers are used?")
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == 2


def test_the_charge_is_a_word_of_its_own(frames_grounder) -> None:
    rides = pd.DataFrame({"ride_id": [1, 2], "fare": [3.0, 5.0], "rider": ["a", "b"], "tip": [1.0, 2.0]})
    found = frames_grounder(rides=rides).read("total charge by rider")
    assert isinstance(found, Declined), found
    assert "'charge'" in found.text


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("how many parcels were delivered?", "delivered"),
        ("average weight of stocked parcels", "stocked"),
        ("number of listed parcels", "listed"),
        ("total weight of carried parcels", "carried"),
    ],
)
def test_what_was_done_with_some_of_the_rows_is_not_dropped(frames_grounder, question: str, word: str) -> None:
    parcels = pd.DataFrame({"parcel_id": [1, 2, 3], "weight": [2.0, 3.0, 9.0]})
    found = frames_grounder(parcels=parcels).read(question)
    assert isinstance(found, Declined), found
    assert f"'{word}'" in found.text
