"""Groups above the average of them or of all, comparisons with `that`, rows found first by what they have most."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading


@pytest.fixture(scope="module")
def depot():
    """Drivers in two towns with trips: Ann 4, Bob 1, Cem 1, Dia none."""
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    tables = {
        "driver": pd.DataFrame(
            {
                "driver_id": [1, 2, 3, 4],
                "name": ["Ann", "Bob", "Cem", "Dia"],
                "town": ["Ulm", "Ulm", "Hof", "Hof"],
                "hired": pd.to_datetime(["2015-01-01", "2016-02-02", "2017-03-03", "2018-04-04"]),
            }
        ),
        "trip": pd.DataFrame(
            {
                "trip_id": range(1, 7),
                "driver_id": [1, 1, 1, 1, 2, 3],
                "grade": ["A", "B", "A", "C", "B", "B"],
                "distance": [10.0, 20.0, 30.0, 20.0, 100.0, 40.0],
            }
        ),
    }
    grounder = opened(frames(tables), tables)
    yield grounder
    grounder.engine.close()


def first_column(grounder, question):
    found = grounder.read(question)
    assert isinstance(found, Reading), found.text
    return grounder.engine.query(found.sql).iloc[:, 0].tolist(), found


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("drivers with more trips than average", [1]),
        ("which drivers have more trips than the average driver?", [1]),
        ("towns with an above-average number of trips", ["Ulm"]),
        ("towns with fewer trips than average", ["Hof"]),
        ("towns whose average distance is above the overall average distance", ["Hof"]),
        ("how many towns have more trips than the average town", [1]),
        ("drivers whose total distance is above 50", [1, 2]),
    ],
)
def test_groups_are_held_against_a_figure(depot, question, rows):
    got, found = first_column(depot, question)
    names = {"Ann": 1, "Bob": 2, "Cem": 3}
    assert sorted(names.get(v, v) for v in got) == sorted(rows)
    assert not any("not shown" in a for a in found.apart)


def test_groups_of_none_are_below_any_average(depot):
    found = depot.read("drivers with fewer trips than average")
    assert isinstance(found, Declined)
    assert "1 driver" in found.text


def test_two_averages_that_choose_other_groups_are_asked_about():
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    tables = {
        "pond": pd.DataFrame({"pond_id": [1, 2, 3, 4, 5, 6], "bank": ["a", "b", "c", "d", "e", "f"]}),
        "catch": pd.DataFrame({"catch_id": [1, 2, 3], "pond_id": [1, 1, 2], "pounds": [1.0, 2.0, 3.0]}),
    }
    grounder = opened(frames(tables), tables)
    try:
        assert isinstance(grounder.read("ponds with more catches than average"), Choice)
    finally:
        grounder.engine.close()


@pytest.mark.parametrize(
    ("question", "figures"),
    [
        ("compare the average distance of trips in Ulm with that in Hof", {36.0, 40.0}),
        ("compare the average distance of trips in Ulm with the average distance of trips in Hof", {36.0, 40.0}),
        ("compare Ulm and Hof by number of trips", {5.0, 1.0}),
        ("compare the average distance of grade A and B", {20.0, 160.0 / 3}),
    ],
)
def test_the_two_sides_of_a_comparison(depot, question, figures):
    found = depot.read(question)
    assert isinstance(found, Reading), found.text
    assert set(depot.engine.query(found.sql).iloc[:, 1].astype(float).round(6)) == {round(f, 6) for f in figures}


def test_a_third_thing_is_not_left_out_of_a_comparison(depot):
    assert isinstance(depot.read("compare the average distance of grade A, B and C"), Declined)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("town of the driver with the most trips", "Ulm"),
        ("which town has the driver with the most trips", "Ulm"),
        ("name of the driver with the most trips", "Ann"),
    ],
)
def test_what_is_asked_of_the_one_with_the_most(depot, question, value):
    found = depot.read(question)
    assert isinstance(found, Reading), found.text
    frame = depot.engine.query(found.sql)
    assert len(frame) == 1
    assert value in frame.iloc[0].tolist()


def test_periods_are_counted_and_several_of_them_ranked(depot, bank_grounder):
    assert first_column(depot, "how many years had more than 0 drivers")[0] == [4]
    assert isinstance(depot.read("the two years with the most drivers"), Choice)  # all have one
    assert first_column(bank_grounder, "the two years with the most loans")[0] == [1997, 1998]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("trips with a distance more than 50% above the average", [5]),
        ("trips with a distance at least 50% below the average", [1]),
        ("drivers who haven't got a trip", [4]),
        ("how many drivers didn't get a trip", [1]),
    ],
)
def test_percent_beyond_the_average_and_what_is_not(depot, question, rows):
    assert first_column(depot, question)[0] == rows


def test_a_column_of_several_tables_is_the_one_that_has_the_group():
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    tables = {
        "lease": pd.DataFrame({"lease_id": [1, 2], "flat": ["f1", "f2"], "rent": [500.0, 700.0]}),
        "bill": pd.DataFrame({"bill_id": [1, 2, 3], "way": ["card", "cash", "card"], "rent": [10.0, 20.0, 30.0]}),
    }
    grounder = opened(frames(tables), tables)
    try:
        found = grounder.read("average rent by way")
        assert isinstance(found, Reading), found.text
        frame = grounder.engine.query(found.sql)
        assert dict(zip(frame.iloc[:, 0], frame.iloc[:, 1], strict=True)) == {"card": 20.0, "cash": 20.0}
    finally:
        grounder.engine.close()


@pytest.mark.parametrize("question", ["loans with a term of two years", "loans with a two-year term"])
def test_years_of_a_column_told_in_months(bank_grounder, question):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found.text
    assert "duration = 24" in found.sql
    assert any("24" in n for n in found.notes)


def test_a_period_after_what_is_ranked_is_when_that_was(bank_grounder):
    gold = "SELECT account_id FROM trans WHERE year(date) = 1997 GROUP BY 1 ORDER BY count(*) DESC, account_id LIMIT 1"
    got, _ = first_column(bank_grounder, "which account had the most transactions in 1997")
    assert got == bank_grounder.engine.query(gold).iloc[:, 0].tolist()
    opened, _ = first_column(bank_grounder, "which accounts opened in 1996 have the most transactions")
    gold = (
        "SELECT t.account_id FROM trans t JOIN account a USING (account_id) WHERE year(a.date) = 1996"
        " GROUP BY 1 ORDER BY count(*) DESC, t.account_id LIMIT 1"
    )
    assert opened == bank_grounder.engine.query(gold).iloc[:, 0].tolist()


def test_a_period_after_the_highest_of_many_rows_is_of_those_rows(bank_grounder):
    found = bank_grounder.read("which account had the highest balance in 1997")
    assert isinstance(found, Reading), found.text
    assert "account.date" not in found.text
    assert "t.date" in found.sql or "FROM trans\nWHERE date" in found.sql


def test_a_word_for_rows_and_for_a_value_is_not_ranked_by_as_rows(bank_grounder):
    assert isinstance(bank_grounder.read("10 accounts with the highest sum of credits"), Choice)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("trips longer than twice the average trip", [5]),
        ("average distance in the town with the most trips", [36.0]),
    ],
)
def test_multiples_of_the_average_and_figures_within_the_first(depot, question, rows):
    assert first_column(depot, question)[0] == rows


@pytest.mark.parametrize(
    "question",
    [
        "trips in Ulm with a distance larger than the average distance in Ulm",  # of all, or of those in Ulm
        "3 grades with the largest distance of trips",  # a grade has many trips
        "compare Ann and Bob",  # by what
        "drivers with more A trips than B trips",  # of each driver
    ],
)
def test_a_figure_that_can_be_of_other_rows_is_not_guessed(depot, question):
    assert isinstance(depot.read(question), (Choice, Declined))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("drivers with over 75 in trips", ["Ann", "Bob"]),
        ("which towns have at least 40 in trips", ["Hof", "Ulm"]),
        ("drivers with more than 30 in trips of grade B", ["Bob", "Cem"]),
        ("how many drivers have more than 75 in trips", [2]),
    ],
)
def test_an_amount_in_rows_is_what_they_add_up_to(depot, question, rows):
    assert sorted(first_column(depot, question)[0]) == rows


def test_less_than_an_amount_may_be_none(depot):
    found = depot.read("drivers with less than 50 in trips")
    assert isinstance(found, Declined), found
    assert "those without any trips" in found.reason


@pytest.mark.parametrize("question", ["which grades have trips over 150", "list the grades that have trips over 150"])
def test_an_amount_that_no_row_reaches_may_be_a_total(depot, question):
    found = depot.read(question)
    assert isinstance(found, Declined), found
    assert found.reason == "No row of trip has distance over 100. Ask for the total distance by grade."
