"""Vintage tables: what share of each cohort had the event within an age, and which cells are too young to tell."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading


@pytest.fixture
def shopping():
    members = pd.DataFrame(
        {
            "member_id": [1, 2, 3, 4],
            "joined_on": pd.to_datetime(["2020-01-10", "2020-06-10", "2021-03-01", "2021-11-01"]),
        }
    )
    visits = pd.DataFrame(
        {
            "visit_id": [10, 11, 12, 13],
            "member_id": [1, 2, 2, 3],
            "visited_on": pd.to_datetime(["2020-05-01", "2021-12-01", "2022-03-01", "2022-12-31"]),
        }
    )
    return {"members": members, "visits": visits}


def test_each_cell_is_the_share_that_had_the_event_by_that_age(frames_grounder, shopping):
    grounder = frames_grounder(**shopping)
    found = grounder.read("vintage table of members with a visit by year")
    assert isinstance(found, Reading)
    assert found.kind == "vintage"
    frame = grounder.engine.query(found.sql)
    cells = {(int(r.cohort), int(r.age)): r.percentage for r in frame.itertuples()}
    assert cells[2020, 1] == 50.0  # member 1 within a year; member 2 came after 18 months
    assert cells[2020, 2] == 100.0
    assert cells[2021, 1] == 0.0  # member 3 came after 22 months; both are a year old on the last day


def test_a_cell_is_empty_until_the_whole_cohort_is_old_enough_and_that_is_said(frames_grounder, shopping):
    shopping["members"].loc[3, "joined_on"] = pd.Timestamp("2021-12-31 12:00")
    shopping["visits"].loc[3, "visited_on"] = pd.Timestamp("2022-12-30")
    grounder = frames_grounder(**shopping)
    found = grounder.read("vintage table of members with a visit by year")
    frame = grounder.engine.query(found.sql)
    young = frame[(frame.cohort == 2021) & (frame.age == 1)]
    assert young.percentage.isna().all()
    assert any("not yet" in note and "2022-12-30" in note for note in found.notes)


def test_what_a_vintage_table_needs_is_asked_for(frames_grounder, shopping):
    grounder = frames_grounder(**shopping)
    assert isinstance(grounder.read("vintage table of members with a visit"), Choice)
    without = {**shopping, "visits": shopping["visits"].drop(columns="visited_on")}
    assert isinstance(frames_grounder(**without).read("vintage table of members with a visit by year"), Declined)


def test_cohorts_of_one_table_are_groups_by_its_date(bank_grounder):
    found = bank_grounder.read("cohort by quarter: number of loans")
    assert [k.grain for k in found.keys] == ["quarter"]
    assert found.measures[0].function == "count"
