"""Figures as people say them: spreads between ends, shares of one part, ratios of two counts, days with something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

FARMS = pd.DataFrame(
    {
        "farm_id": [1, 2, 3, 4],
        "name": ["Ash", "Beech", "Cedar", "Dogwood"],
        "valley": ["Avon", "Tarn", "Tarn", "Avon"],
        "rainfall": [700, 500, 900, 640],
        "workers_per_100": [4, 9, 2, 5],
    }
)
HARVESTS = pd.DataFrame(
    {
        "harvest_id": range(1, 7),
        "farm_id": [1, 1, 2, 3, 3, 3],
        "picked_on": pd.to_datetime(
            ["2021-05-01", "2021-05-01", "2021-06-11", "2022-06-11", "2022-07-01", "2022-07-02"]
        ),
        "weight": [10.0, 30.0, 20.0, 50.0, 40.0, 60.0],
        "fruit": ["plum", "pear", "plum", "plum", "pear", "plum"],
    }
)


@pytest.fixture
def farms(frames_grounder) -> Grounder:
    return frames_grounder(farms=FARMS, harvests=HARVESTS)


def value_of(grounder: Grounder, question: str) -> Any:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql).iloc[0, 0]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("gap between highest and lowest rainfall", 400),
        ("spread between the lowest and the highest rainfall", 400),
        ("difference between the maximum weight and the minimum weight", 50),
        ("coefficient of variation of weight", HARVESTS.weight.std() / HARVESTS.weight.mean()),
        ("std dev of rainfall between the farms", FARMS.rainfall.std()),
        ("how much do the weights of plum harvests vary (standard deviation)?",
         HARVESTS.weight[HARVESTS.fruit == "plum"].std()),
        ("max weight reached in 2021", 30),
        ("total weight over all the years", 210),
        ("average rainfall within the Tarn valley", 700),
    ],
)  # fmt: skip
def test_a_figure_of_a_column_is_read(farms: Grounder, question: str, value: float) -> None:
    assert value_of(farms, question) == pytest.approx(value)


def test_a_number_per_something_is_the_name_of_its_column(farms: Grounder) -> None:
    found = farms.read("highest number of workers per 100")
    assert isinstance(found, Reading)
    assert farms.engine.query(found.sql)["workers_per_100"].tolist() == [9]


@pytest.mark.parametrize(
    ("question", "percentage"),
    [
        ("how big is plum's share of the harvests", 400 / 6),
        ("what is pear's share of the total weight?", 100 * 70 / 210),
        ("share of plum in all harvests", 400 / 6),
        ("plum as a share of all harvests", 400 / 6),
        ("what part of the harvests was of pear", 200 / 6),
    ],
)
def test_a_share_names_its_part_first_or_last(farms: Grounder, question: str, percentage: float) -> None:
    assert value_of(farms, question) == pytest.approx(percentage)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("ratio of harvests to farms", 6 / 4),
        ("number of harvests divided by the number of farms", 6 / 4),
        ("difference in the number of harvests between Ash and Tarn", 2 - 4),
    ],
)
def test_two_counts_are_compared_across_tables_and_columns(farms: Grounder, question: str, value: float) -> None:
    assert value_of(farms, question) == pytest.approx(value)


def test_a_word_that_joins_is_no_part_of_a_column_of_other_rows(frames_grounder) -> None:
    mail = pd.DataFrame({"mail_id": [1, 2, 3], "farm_to": ["x", "y", "z"]})
    grounder = frames_grounder(farms=FARMS, harvests=HARVESTS, mail=mail)
    assert value_of(grounder, "ratio of harvests to farms") == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many different days saw at least one harvest", 5),
        ("on how many days were there harvests", 5),
        ("in how many different months of 2022 did harvests happen", 2),
        ("in how many years were there harvests", 2),
    ],
)
def test_periods_with_something_in_them_are_counted(farms: Grounder, question: str, value: int) -> None:
    assert value_of(farms, question) == value


def test_ids_are_listed_and_not_added_up(farms: Grounder) -> None:
    found = farms.read("all harvest ids with fruit pear and a weight above 35")
    assert isinstance(found, Reading)
    assert farms.engine.query(found.sql)["harvest_id"].tolist() == [5]


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("how many loans with a duration of one year", "duration = 12"),
        ("smallest loan with 3 years duration", "duration = 36"),
    ],
)
def test_years_of_a_column_in_months_are_months(bank_grounder: Grounder, question: str, where: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading)
    assert where in found.sql


def test_a_total_of_what_is_paid_is_a_sum(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("total pensions in 1994")
    assert isinstance(found, Reading)
    assert "sum(amount)" in found.sql
    assert isinstance(bank_grounder.read("total card withdrawals in 1996"), Choice)  # how many, or how much?


def test_undated_rows_are_no_option_for_a_year(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("total insurance payments in 1996")
    assert isinstance(found, Reading)
    assert found.table == "trans"
    open_ = bank_grounder.read("total insurance payments")
    assert isinstance(open_, Choice)
    assert all("insurance payments" in way for way in open_.options)


def test_what_was_done_after_a_figure_holds_for_each_row(bank_grounder: Grounder) -> None:
    a, b = bank_grounder.read("average loan amount granted to men"), bank_grounder.read("average loan amount of men")
    assert isinstance(a, Reading)
    assert isinstance(b, Reading)
    assert a.sql == b.sql
