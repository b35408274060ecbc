"""Figures as people say them: spreads between ends, shares of one part, ratios of two counts, days with something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

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
    drawn = bank_grounder.read("total card withdrawals in 1996")
    assert isinstance(drawn, Reading)
    assert "sum(amount)" in drawn.sql
    assert isinstance(bank_grounder.read("total debits in 1996"), Choice)  # how many, or how much?


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


LOANED = [  # of the bundled bank: what is asked, and the same in plain words
    ("average loan granted in 1995", "mean loan amount of loans granted in 1995"),
    ("median loan granted to men in 1997", "median loan amount of men in 1997"),
    ("longest loan term on offer", "maximum duration of loans"),
    ("which share of loans from 1995 are now in default?", "what share of loans from 1995 are in default"),
    ("add up all insurance orders", "what do the insurance orders add up to"),
    ("how many loans in Prague longer than 4 years", "how many loans in Prague with a duration above 48"),
    ("lower quartile of crimes 95", "lower quartile of crimes in 1995"),
    ("difference of mean loan amounts, 1998 minus 1997", "difference in mean loan amount between 1998 and 1997"),
]


@pytest.mark.parametrize(("said", "plain"), LOANED)
def test_a_question_is_read_as_its_plain_words(bank_grounder: Grounder, said: str, plain: str) -> None:
    a, b = bank_grounder.read(said), bank_grounder.read(plain)
    assert isinstance(a, Reading), a
    assert isinstance(b, Reading), b
    assert bank_grounder.engine.query(a.sql).equals(bank_grounder.engine.query(b.sql))


@pytest.mark.parametrize("question", ["largest loan granted in 1995", "what is the biggest loan granted in 1995?"])
def test_the_largest_of_what_was_done_is_no_day(bank_grounder: Grounder, question: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading)
    gold = bank_grounder.engine.query("SELECT max(amount) AS most FROM loan WHERE year(date) = 1995")
    assert bank_grounder.engine.query(found.sql)["amount"].tolist() == gold["most"].tolist()


def test_rows_without_a_size_are_not_the_largest_by_a_day(bank_grounder: Grounder) -> None:
    assert isinstance(bank_grounder.read("biggest card issued in 1996"), Choice)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("what weight do 50% of the harvests stay below?", 35),
        ("half of the harvests are above which weight", 35),
        ("80 percentile of weight", HARVESTS.weight.quantile(0.8)),
        ("top decile cutoff for weight", HARVESTS.weight.quantile(0.9)),
        ("how spread out are the weights (std)?", HARVESTS.weight.std()),
        ("by how much do the lowest and highest rainfall differ", 400),
        ("how much bigger is the average weight of plum compared to pear", 0),
    ],
)
def test_places_in_the_order_of_values_are_read(farms: Grounder, question: str, value: float) -> None:
    assert value_of(farms, question) == pytest.approx(value)


@pytest.mark.parametrize("question", ["which fruits do we keep", "what different fruits do we have"])
def test_what_is_kept_is_listed_once(farms: Grounder, question: str) -> None:
    found = farms.read(question)
    assert isinstance(found, Reading)
    assert sorted(farms.engine.query(found.sql)["fruit"]) == ["pear", "plum"]


def test_a_column_of_named_rows_is_listed_with_their_names(farms: Grounder) -> None:
    found = farms.read("the rainfall of all farms in the valley Avon")
    assert isinstance(found, Reading)
    frame = farms.engine.query(found.sql)
    assert dict(zip(frame["name"], frame["rainfall"], strict=True)) == {"Ash": 700, "Dogwood": 640}


def test_a_figure_of_nothing_is_asked_about(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("what's the median?")
    assert isinstance(found, Choice)
    assert "median amount of loan" in found.options


def value_at_bank(grounder: Grounder, question: str, column: int | str = 0) -> Any:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    frame = grounder.engine.query(found.sql)
    return frame[column].iloc[0] if isinstance(column, str) else frame.iloc[0, column]


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("number of transactions of account 1 in 1997",
         "SELECT count(*) AS n FROM trans WHERE account_id = 1 AND year(date) = 1997"),
        ("difference between the number of classic and junior cards issued in 1997",
         "SELECT count(*) FILTER (WHERE type = 'classic') - count(*) FILTER (WHERE type = 'junior') AS n FROM card "
         "WHERE year(issued) = 1997"),
        ("average loan of men from Kladno",
         "SELECT avg(l.amount) AS n FROM loan l JOIN disp o ON o.account_id = l.account_id AND o.type = 'OWNER' "
         "JOIN client c USING (client_id) JOIN district d USING (district_id) "
         "WHERE c.gender = 'male' AND d.name = 'Kladno'"),
        ("average loan amount of clients born before 1950",
         "SELECT avg(l.amount) AS n FROM loan l JOIN disp o ON o.account_id = l.account_id AND o.type = 'OWNER' "
         "JOIN client c USING (client_id) WHERE c.birth_date < DATE '1950-01-01'"),
    ],
)  # fmt: skip
def test_a_condition_holds_for_the_rows_it_is_said_of(bank_grounder: Grounder, question: str, gold: str) -> None:
    assert value_at_bank(bank_grounder, question) == pytest.approx(bank_grounder.engine.query(gold).iloc[0, 0])


def test_rows_named_by_a_code_are_ranked_by_their_size(bank_grounder: Grounder) -> None:
    gold = "SELECT max(amount) AS n FROM trans WHERE operation = 'VKLAD' AND year(date) = 1994"
    most = bank_grounder.engine.query(gold)["n"].iloc[0]
    assert value_at_bank(bank_grounder, "largest cash deposit made in 1994", "amount") == most


def test_a_sum_of_rows_without_a_number_says_so(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("sum of cards")
    assert isinstance(found, Declined)
    assert "no number to add up" in found.reason


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("difference between mean and median weight", 0),
        ("ratio of maximum to average rainfall", 900 / 685),
        ("median minus minimum weight", 25),
        ("highest number of harvests on a single farm", 3),
    ],
)
def test_two_figures_of_one_column_are_compared(farms: Grounder, question: str, value: float) -> None:
    assert value_of(farms, question) == pytest.approx(value)


def test_when_the_largest_was_is_its_day(bank_grounder: Grounder) -> None:
    gold = bank_grounder.engine.query("SELECT max_by(date, amount) AS day FROM loan")["day"].iloc[0]
    assert value_at_bank(bank_grounder, "when was the largest loan granted?", "date") == gold


@pytest.mark.parametrize(
    ("question", "where"),
    [("proportion of male borrowers", ""), ("percentage of male borrowers from south Bohemia", "south Bohemia")],
)
def test_a_share_of_rows_with_an_adjective_is_of_those_rows(bank_grounder: Grounder, question: str, where: str) -> None:
    gold = "SELECT 100 * avg((c.gender = 'male')::int) AS n FROM loan l JOIN disp o ON o.account_id = l.account_id "
    gold += "AND o.type = 'OWNER' JOIN client c USING (client_id) JOIN district d USING (district_id)"
    gold += f" WHERE d.region = '{where}'" if where else ""
    assert value_at_bank(bank_grounder, question) == pytest.approx(bank_grounder.engine.query(gold).iloc[0, 0])
