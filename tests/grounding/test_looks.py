"""Looks at the data in the words that people use: distributions, gaps, repeats, far-out values, growth, codes."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

SALES = pd.DataFrame(
    {
        "sale_id": range(1, 9),
        "gardener_id": [1, 1, 2, 2, 3, 3, 4, 4],
        "sold_on": pd.to_datetime(
            [
                "2020-01-05",
                "2020-02-05",
                "2020-02-06",
                "2021-01-05",
                "2021-01-06",
                "2021-03-01",
                "2021-03-02",
                "2022-01-01",
            ]
        ),
        "kind": ["seed", "seed", "bulb", "seed", "bulb", "seed", "seed", None],
        "price": [10, 20, 30, 40, 50, 60, 70, 500],
    }
)
GARDENERS = pd.DataFrame(
    {
        "gardener_id": [1, 2, 3, 4],
        "town_id": [1, 1, 2, 2],
        "joined": pd.to_datetime(["2019-01-01"] * 2 + ["2020-05-01"] * 2),
    }
)
TOWNS = pd.DataFrame({"town_id": [1, 2], "town": ["Ash", "Elm"], "income": [100, 300]})


@pytest.fixture
def garden(frames_grounder) -> Any:
    return frames_grounder(sales=SALES, gardeners=GARDENERS, towns=TOWNS)


def _rows(grounder: Any, question: str) -> list[tuple[Any, ...]]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return [tuple(row) for row in grounder.engine.query(found.sql).itertuples(index=False, name=None)]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("number of new gardeners per year", (2019, 2)),
        ("how many gardeners were there by the end of each year?", (2019, 2, 2)),
        ("running number of gardeners by joining year", (2019, 2, 2)),
        ("how many seeds were sold, by year they were sold", (2020, 2)),
        ("Which kind appears most often in the sales?", ("seed", 5)),
        ("modal kind of the sales", ("seed", 5)),
        ("share of each kind among the sales of 2020", ("seed", 2, 200 / 3)),
        ("sale prices in buckets of 50, how many in each", (0, 4)),
        ("check for duplicate sale ids", (False, 0, 0)),
        ("how many sales lack a kind", (1,)),
        ("number of outliers in price, 1.5 x IQR", (1,)),
        ("price outliers by the 1.5 IQR rule, how many?", (1,)),
        ("how many sales have the kind filled in", (7,)),
        ("what does the distribution of kind in sales look like?", ("seed", 5, 62.5)),
    ],
)
def test_the_look_that_the_words_ask_for(garden, question: str, first: tuple[Any, ...]) -> None:
    row = _rows(garden, question)[0]
    assert row[: len(first)] == pytest.approx(first) if isinstance(first[-1], float) else row[: len(first)] == first


def test_a_summary_holds_every_figure_that_was_asked_for(garden) -> None:
    found = garden.read("five-number summary of the price of sales of 2020: number, total and mean")
    frame = garden.engine.query(found.sql)
    assert frame.loc[0, ["number_of_rows", "mean", "min", "max", "total"]].tolist() == [3, 20, 10, 30, 60]


@pytest.mark.parametrize("question", ["growth of seeds by year", "growth of seeds from 2020 to 2021"])
def test_growth_of_a_value_is_of_its_number_or_of_its_sum(garden, question: str) -> None:
    found = garden.read(question)
    assert isinstance(found, Choice)
    assert [o.split(" of ")[0] for o in found.options] == ["number", "total price"]


@pytest.mark.parametrize(
    "question",
    [
        "what is the difference between seed and bulb",
        "histogram of gardener incomes",
        "describe the income of gardeners",
    ],
)
def test_a_figure_of_something_else_is_declined(garden, question: str) -> None:
    assert isinstance(garden.read(question), Declined)


def test_one_row_that_is_named_shows_all_that_is_known(frames_grounder) -> None:
    wide = pd.DataFrame({"town_id": [1, 2], "town": ["Ash", "Elm"], **{f"figure_{i}": [i, i + 1] for i in range(12)}})
    grounder = frames_grounder(towns=wide)
    assert len(grounder.engine.query(grounder.read("tell me about the town Elm").sql).columns) == 14


def test_two_codes_are_told_apart_by_what_they_mean(bank_grounder) -> None:
    found = bank_grounder.read("What is the difference between status A and status C?")
    assert isinstance(found, Reading)
    assert "finished" in found.notes[0]
    assert "running" in found.notes[0]


def test_a_number_of_its_own_rows_goes_before_a_value_of_others(bank_grounder) -> None:
    found = bank_grounder.read("median loan payment")
    assert (found.table, found.measures[0].column.name) == ("loan", "payments")
    dated = bank_grounder.read("average loan payment in 1997")  # a transaction has a day of its own
    assert dated.table == "trans"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what data type is the price of the sales?", r"type of sales\.price is (BIGINT|INTEGER)"),
        ("how are sales and gardeners joined", r"sales\.gardener_id = gardeners\.gardener_id"),
        ("how do I join sales to towns?", r"sales\.gardener_id = .* and gardeners\.town_id = towns\.town_id"),
        ("primary key of gardeners", "gardener_id"),
        ("where do I find the kind of the sales?", r"there is sales\.kind"),
        ("is there a column for the income?", r"there is towns\.income"),
    ],
)
def test_the_schema_is_told_in_words(garden, question: str, said: str) -> None:
    found = garden.read(question)
    assert isinstance(found, Reading), found
    assert (found.kind, found.sql) == ("schema", "")
    assert re.search(said, found.notes[0])


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what unit are the loan amounts in?", "CZK"),
        ("explain the k_symbol SIPO", "household"),
        ("what statuses can a loan have and what do they mean?", "finished.*running"),
        ("How do I get from a loan to the client who took it?", r"disp\.type = 'OWNER'"),
    ],
)
def test_the_graph_says_units_codes_and_whose_rows(bank_grounder, question: str, said: str) -> None:
    assert re.search(said, bank_grounder.read(question).notes[0])


@pytest.mark.parametrize("question", ["unit of price", "explain the mood of sales", "how are seeds and bulbs joined"])
def test_what_the_schema_does_not_say_is_declined(garden, question: str) -> None:
    assert isinstance(garden.read(question), Declined)


def test_a_share_that_is_told_for_each_group_first_is_within_it(garden) -> None:
    within = _rows(garden, "for each town, the percentage of gardeners joined in 2019")
    assert [row[1:] for row in within] == [(100.0, 2), (0.0, 2)]
    assert _rows(garden, "is the kind filled in for every sale?")[0][0] is False
    assert str(_rows(garden, "what time span do the gardeners cover")[0][1])[:10] == "2020-05-01"


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("missing values of kind in sales by gardener_id", (1, 0, 0.0, 2)),
        ("share of sales that are outliers in price by the 1.5 IQR rule", (12.5, 1)),
        ("is gardener_id unique in the sales?", (False, 4, 8)),
        ("are sale ids unique", (True, 0, 0)),
        ("kinds shared by at least 3 sales", ("seed", 5)),
        ("distribution of sales by kind", ("seed", 5, 62.5)),
        ("distribution of gardeners by town, in percent", (1, 2, 50.0)),
        ("number and total price of seeds in 2020", (2, 30)),
        ("rank correlation of sale_id and price", (1.0, 8)),
        ("distribution of the number of sales per gardener_id", (2, 4, 100.0)),
        ("kind split of the sales", ("seed", 5, 62.5)),
        ("share of every gardener_id in the total price", (1, 100 * 30 / 780)),
        ("Which kind occurs least in the sales?", ("bulb", 2)),
        ("gardeners that joined in 2019: how many have sales", (2,)),
        ("completeness of kind in the sales table", (87.5, 8)),
        ("correlation between the number of income and the town_id of towns", (1.0, 2)),
    ],
)
def test_further_looks(garden, question: str, first: tuple[Any, ...]) -> None:
    row = _rows(garden, question)[0]
    assert [pytest.approx(v) if isinstance(v, float) else v for v in first] == list(row[: len(first)])


def test_several_numbers_are_correlated_each_with_each(frames_grounder) -> None:
    plots = pd.DataFrame({"plot": list("abcd"), "width": [1, 2, 3, 4], "depth": [2, 4, 6, 8], "slope": [4, 3, 2, 1]})
    got = _rows(frames_grounder(plots=plots), "correlation matrix of width, depth and slope of the plots")
    assert [(a, b, round(r, 6)) for a, b, r, _ in got] == [
        ("width", "depth", 1.0), ("width", "slope", -1.0), ("depth", "slope", -1.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("how much did unemployment rise between 1995 and 1996 in Kladno?", (0.66, 19.81982, 3.33, 3.99)),
        (
            "by how many points did the mean crimes go up from 1995 to 1996",
            (-25.868421, -0.539526, 4794.657895, 4768.789474),
        ),
        ("correlation of unemployment in 1995 and 1996", (0.98802, 76)),
    ],
)
def test_years_that_are_columns_are_compared(bank_grounder, question: str, row: tuple[float, ...]) -> None:
    assert _rows(bank_grounder, question)[0] == pytest.approx(row, rel=1e-5)


@pytest.mark.parametrize(
    "question",
    ["how many birth dates are shared by at least two clients?", "how many birth dates occur more than once"],
)
def test_repeated_values_are_counted_either_way(bank_grounder, question: str) -> None:
    assert _rows(bank_grounder, question)[0][0] == 562


def test_missing_values_are_told_by_group(bank_grounder) -> None:
    got = {row[0]: row[1] for row in _rows(bank_grounder, "percentage of missing values in k_symbol of trans per type")}
    assert got["VYBER"] == pytest.approx(100.0)
    assert len(got) == 3


def test_rows_are_listed_by_how_a_column_moved(bank_grounder) -> None:
    got = _rows(bank_grounder, "which districts saw crimes fall from 1995 to 1996?")
    assert len(got) == 39
    assert all(after < before for *_, before, after, _ in got)


@pytest.mark.parametrize(
    "question", ["how much did crimes rise from 1996 to 1997 in Kladno?", "how much did crimes rise from 1995 to 1996?"]
)
def test_a_change_of_no_known_years_or_rows_is_declined(bank_grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Declined)


def test_two_counts_of_rows_are_not_correlated(bank_grounder) -> None:
    question = "correlation between the number of loans and the number of cards per district"
    assert isinstance(bank_grounder.read(question), Declined)


def test_far_out_without_a_rule_is_no_measure(garden) -> None:
    assert isinstance(garden.read("sales with an unusually high price"), Declined)
    assert len(_rows(garden, "which sales have an unusually high price by the 1.5 IQR rule?")) == 1
