"""A month or quarter in figures, as a table of months shows it: `2022-03`, `3/2022`, `2022-Q1`; and what is none."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Reading

DAYS = """2022-01-05 2022-02-28 2022-03-01 2022-03-31 2022-04-01 2022-05-09 2022-07-02 2022-10-01 2023-03-04
    2012-12-01"""
RIDES = pd.DataFrame(
    {
        "ride_id": range(1, 11),
        "fare": [3, 3, 9, 4, 3, 8, 3, 2, 6, 3],
        "ridden_on": pd.to_datetime(DAYS.split()),
    }
)
BATCHES = pd.DataFrame(
    {"batch_id": range(1, 5), "lot": ["2022-03", "2022-04", "2022-03", "2023-03"], "kg": [1, 2, 4, 8]}
)


@pytest.fixture
def rides(frames_grounder):
    return frames_grounder(rides=RIDES)


def counted(grounder, question):
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return int(grounder.engine.query(found.sql).iloc[0, 0])


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("in 2022-03", "2022-03-01", "2022-03-31"),
        ("in 03/2022", "2022-03-01", "2022-03-31"),
        ("in 3/2022", "2022-03-01", "2022-03-31"),
        ("in 2022/03", "2022-03-01", "2022-03-31"),
        ("since 2022-03", "2022-03-01", "2099-01-01"),
        ("before 2022-03", "1900-01-01", "2022-02-28"),
        ("from 2022-02 to 2022-04", "2022-02-01", "2022-04-30"),
        ("in 2022-Q1", "2022-01-01", "2022-03-31"),
        ("in 2022Q2", "2022-04-01", "2022-06-30"),
        ("in 2022-H2", "2022-07-01", "2022-12-31"),
        ("on 2022-03-01", "2022-03-01", "2022-03-01"),
    ],
)
def test_a_period_in_figures_is_that_period_and_no_number(rides, said, first, last):
    assert counted(rides, f"how many rides {said}") == RIDES["ridden_on"].between(first, last).sum()


def test_loans_of_a_month(bank_grounder):
    dates = bank_grounder.engine.query("SELECT date FROM loan")["date"].astype("datetime64[ns]")
    assert counted(bank_grounder, "how many loans in 1996-03") == dates.between("1996-03-01", "1996-03-31").sum()


def test_what_can_be_two_years_is_asked(rides):
    found = rides.read("how many rides in 2011-12")
    assert isinstance(found, Choice)
    assert found.options == ("December 2011", "2011 or 2012")


def test_a_value_that_is_written_so_stays_one(frames_grounder):
    assert counted(frames_grounder(batches=BATCHES), "number of batches with lot '2022-03'") == 2
