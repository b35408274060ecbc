"""Lists that show each value once, dates of the rows asked for, and names and numbers of the rows they are said of."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading


@pytest.fixture
def grounder(frames_grounder):
    towns = pd.DataFrame(
        {
            "town_id": [1, 2, 3, 4],
            "name": ["Aren", "Bolt", "Cray", "Dorn"],
            "county": ["West", "West", "East", "South"],
            "wells": [14, 12, 15, 2],
        }
    )
    garages = pd.DataFrame(
        {
            "garage_id": [10, 11, 12, 13],
            "town_id": [1, 1, 2, 3],
            "opened": pd.to_datetime(["2020-03-01", "2021-02-01", "2021-05-01", "2022-01-01"]),
        }
    )
    repairs = pd.DataFrame(
        {
            "repair_id": range(100, 108),
            "garage_id": [10, 10, 10, 11, 11, 12, 13, 13],
            "done": pd.to_datetime(
                "2021-01-05 2022-01-06 2022-02-07 2022-03-08 2023-01-01 2022-04-01 2023-01-02 2022-06-01".split()
            ),
            "hours": [2, 4, 2, 8, 4, 2, 2, 8],
        }
    )
    return frames_grounder(towns=towns, garages=garages, repairs=repairs)


def _rows(grounder, question: str) -> list[tuple]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return [tuple(r) for r in grounder.engine.query(found.sql).itertuples(index=False, name=None)]


@pytest.mark.parametrize("question", ["Which repair hours do we have?", "what repair hours are there"])
def test_values_that_exist_are_listed_once(grounder, question):
    assert _rows(grounder, question) == [(2,), (4,), (8,)]


def test_figures_of_rows_are_listed_for_each_row(grounder):
    assert len(_rows(grounder, "list the repair id and hours of the repairs")) == 8


def test_groups_that_have_such_rows_are_listed_once(grounder):
    assert _rows(grounder, "which counties have a town with more than 10 wells") == [("East",), ("West",)]


def test_a_number_told_of_other_rows_than_the_groups_is_declined(grounder):
    found = grounder.read("which counties have a town with more than 1 garage")
    assert isinstance(found, Declined), found
    assert "told of each row of town" in found.reason
    assert {r[0] for r in _rows(grounder, "which counties have more than 2 garages")} == {"West"}


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("list the repairs of garage 10 in 2022", [101, 102]),
        ("list the repairs of garages in Aren in 2022", [101, 102, 103]),
        ("list the repairs of garages opened in 2022", [106, 107]),
    ],
)
def test_a_year_after_rows_of_a_parent_is_that_of_the_rows_asked_for(grounder, question, ids):
    assert [r[0] for r in _rows(grounder, question)] == ids


@pytest.mark.parametrize("question", ["names of the garages", "names of the garages opened in 2021"])
def test_the_name_of_a_place_is_no_name_of_what_stands_there(grounder, question):
    found = grounder.read(question)
    assert isinstance(found, Declined), found
    assert "none of their own" in found.reason


def test_a_named_owner_of_a_name_gives_it(grounder):
    assert {r[-1] for r in _rows(grounder, "names of the towns with more than 10 wells")} == {"Aren", "Bolt", "Cray"}


def test_an_order_by_date_is_by_the_date_of_the_rows_asked_for(bank_grounder):
    found = bank_grounder.read("list the junior cards issued in 1997 sorted by date")
    assert isinstance(found, Reading), found
    assert found.order is not None
    assert str(found.order.column) == "card.issued"
    assert "account" not in found.sql


def test_a_number_that_all_rows_together_do_not_reach_is_of_others(bank_grounder):
    found = bank_grounder.read("which regions have more than 300,000 people")
    assert isinstance(found, Declined), found
    assert "clients in all, so 'people' must be others" in found.reason
    assert isinstance(bank_grounder.read("which regions have more than 300,000 clients"), Reading)


def test_a_number_that_the_groups_give_is_compared_as_it_is(bank_grounder):
    assert isinstance(bank_grounder.read("which regions have more clients than the average region?"), Reading)


@pytest.fixture
def harbour(frames_grounder):
    berths = pd.DataFrame(
        {"berth_id": [1, 2, 3], "name": ["Inner", "Outer", "North"], "side": ["east", "east", "west"]}
    )
    calls = pd.DataFrame(
        {
            "call_id": range(1, 41),
            "berth_id": [1, 1, 2, 3] * 10,
            "cargo": ["ore", "ore", "grain", "oil"] * 10,
            "days": [1, 2, 2, 4] * 10,
            "tonnes": range(100, 140),
        }
    )
    return frames_grounder(berths=berths, calls=calls)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("which cargo occurs among calls over 130 tonnes", ["grain", "oil", "ore"]),
        ("list the cargoes that have calls over 138 tonnes", ["oil"]),
    ],
)
def test_kinds_asked_for_by_what_rows_do_are_listed_once(harbour, question, values):
    assert [r[0] for r in _rows(harbour, question)] == values


def test_a_number_of_few_values_is_listed_once_where_it_is_asked_for_as_a_kind(bank_grounder):
    assert _rows(bank_grounder, "what durations do the loans granted in 1993 have") == [
        (12,),
        (24,),
        (36,),
        (48,),
        (60,),
    ]


@pytest.mark.parametrize("question", ["list the cargo of calls over 130 tonnes", "show the cargo of calls with 2 days"])
def test_a_column_of_rows_is_listed_for_each_row(harbour, question):
    rows = _rows(harbour, question)
    assert len(rows) > 8
    assert len(rows[0]) == 2


def test_kinds_of_rows_with_conditions_on_other_rows_are_listed_once(bank_grounder):
    for question, condition in (
        ("what statement frequency do accounts with a junior card have", "a.account_id IN (SELECT account_id FROM disp"
         " JOIN card USING (disp_id) WHERE card.type = 'junior')"),
        ("what statement frequency do accounts with a loan over 450000 have",
         "a.account_id IN (SELECT account_id FROM loan WHERE amount > 450000)"),
    ):  # fmt: skip
        wanted = bank_grounder.engine.query(
            f"SELECT DISTINCT frequency AS v FROM account a WHERE {condition} ORDER BY v"
        )
        assert [r[0] for r in _rows(bank_grounder, question)] == list(wanted["v"])


def test_regions_with_such_rows_are_those_of_one_of_their_rows(bank_grounder):
    assert _rows(bank_grounder, "which regions have a loan over 500000") == [("south Moravia",)]
    negated = ("which regions have no loan over 300000", "which frequencies have no loans")
    for question in (*negated, "regions without a 24 month loan in status B"):
        assert isinstance(bank_grounder.read(question), Declined), question
