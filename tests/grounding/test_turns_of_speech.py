"""Turns of speech are read as the plain words they stand for, and names of the data are left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

SAID = [
    ("How many junior cards are out there?", "how many junior cards are there"),
    ("number of transactions carrying the k_symbol SIPO", "number of transactions with the k_symbol SIPO"),
    ("When was the very first account opened?", "when was the first account opened"),
    ("break the cards down by type", "cards by type"),
    ("In which region is the average loan the largest?", "which region has the largest average loan"),
    ("Who took out more loans, men or women?", "who took more loans, men or women"),
    ("total loan amount, year by year", "total loan amount by year"),
    ("what loan duration comes up most often", "what is the most common loan duration"),
    ("how are the accounts spread over the regions?", "number of accounts by region"),
    ("I was wondering how many of our male clients were born in 1950", "how many male clients were born in 1950"),
    ("7 most big standing orders, please", "7 biggest standing orders"),
    ("Exists there some district without any loan?", "is there any district without any loan?"),
    ("yoy % growth of loan volume", "year over year growth of loan volume"),
    ("Does anybody hold more than one card?", "does a person hold more than one card?"),
    ("bar: # clients by region", "bar chart of number of clients by region"),
    ("how has the median loan amount moved from year to year", "median loan amount by year"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "plain"), SAID)
def test_a_turn_is_read_as_its_plain_words(bank_grounder: Grounder, said: str, plain: str) -> None:
    a, b = bank_grounder.read(said), bank_grounder.read(plain)
    assert isinstance(a, Reading), a
    assert isinstance(b, Reading), b
    assert a.sql == b.sql


def test_a_turn_whose_word_is_a_name_is_left_alone(frames_grounder) -> None:
    parts = pd.DataFrame({"part_id": [1, 2, 3, 4], "very": ["x", "y", "x", "x"], "made": [3, 1, 2, 4]})
    read = frames_grounder(parts=parts).read("number of parts by very")
    assert isinstance(read, Reading)
    assert "GROUP BY very" in read.sql


def test_a_follow_up_of_ones_narrows(bank_grounder: Grounder) -> None:
    assert bank_grounder.in_context(["cards issued per year"], "just the gold ones") != "just the gold ones"


@pytest.mark.parametrize(
    "question",
    [
        "which share of the total lent volume went to accounts in Prague of women",
        "What share of account owners hold a card except in Prague?",
        "Which 3 regions have the default rate?",
        "In which district does our oldest male client live more than once?",
        "What do the loans still being repaid add up to, in CZK without a card?",
        "summary statistics of average_salary in district for the oldest client",
    ],
)
def test_what_has_no_reading_ends_in_words(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), (Declined, Choice))


def test_rows_are_held_against_a_multiple_of_their_average(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("which loans are at least three times the average loan")
    assert isinstance(found, Reading)
    gold = "SELECT loan_id FROM loan WHERE amount >= 3 * (SELECT avg(amount) FROM loan) ORDER BY loan_id"
    assert list(bank_grounder.engine.query(found.sql)["loan_id"]) == list(bank_grounder.engine.query(gold)["loan_id"])


def test_repeats_in_a_table_are_looked_for_in_the_column_that_points_there(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("does any account appear more than once in the trans table")
    assert isinstance(found, Reading)
    row = bank_grounder.engine.query(found.sql).iloc[0]
    gold = "SELECT count(*) AS n FROM (SELECT account_id FROM trans GROUP BY 1 HAVING count(*) > 1)"
    assert (bool(row["answer"]), row["repeated_values"]) == (True, bank_grounder.engine.query(gold).iloc[0, 0])


def test_an_average_of_counts_by_period_may_be_of_each_parent(bank_grounder: Grounder) -> None:
    assert isinstance(bank_grounder.read("average number of transactions per year"), Choice)
    assert isinstance(bank_grounder.read("average number of loans granted per year"), Reading)


def test_growth_of_a_sum_that_is_missing_is_not_minus_100_percent(frames_grounder) -> None:
    sales = pd.DataFrame(
        {"sale_id": range(4), "day": pd.to_datetime(["2020-05-01", "2021-05-01", "2021-06-01", "2023-01-05"]),
         "paid": [10.0, None, None, 30.0]}
    )  # fmt: skip
    found = frames_grounder(sales=sales).read("growth of total paid by year")
    assert isinstance(found, Reading)
    frame = frames_grounder(sales=sales).engine.query(found.sql).set_index("year")
    assert frame.index.tolist() == [2020, 2021, 2022, 2023]
    assert pd.isna(frame.total_paid[2021])  # its values are missing
    assert pd.isna(frame.growth_percent[2021])
    assert frame.total_paid[2022] == 0  # no sale at all


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("total volume in 1998", "total amount of trans"),
        ("who is our biggest customer?", "total amount of loan"),
        ("most active account", "most trans"),
        ("number of clients by year", "account.date"),
        ("total for bank CD", "total amount of order"),
        ("What's the biggest region?", "total inhabitants"),
        ("how many new ones did we get in 1995?", "account"),
        ("big loans", "amount above the average"),
        ("total for Prague", "total amount of loan"),
    ],
)
def test_words_without_a_measure_are_asked_about(bank_grounder: Grounder, question: str, way: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Choice)
    assert way in found.options


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many loans have a duration shorter than 2 years", "duration < 24"),
        ("loans longer than 3 years", "duration > 36"),
        ("how many clients are older than 60 years", "> 60"),
        ("sum of the interest credited in 1998", "sum(amount)"),
        ("how many gold cards were issued to women in 1998", "gender = 'female'"),
    ],
)
def test_units_and_figures_as_said(bank_grounder: Grounder, question: str, sql: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert sql in found.sql


def test_what_was_done_to_every_row_is_no_condition(bank_grounder: Grounder, frames_grounder) -> None:
    a, b = bank_grounder.read("number of issued cards per year"), bank_grounder.read("number of cards per year")
    assert isinstance(a, Reading)
    assert isinstance(b, Reading)
    assert a.sql == b.sql
    days = pd.to_datetime(["2024-01-05", None, "2024-02-01", None, "2024-03-01"])
    orders = pd.DataFrame({"order_id": range(5), "shipped": days, "price": [1.0, 2.0, 3.0, 4.0, 5.0]})
    found = frames_grounder(orders=orders).read("number of shipped orders")
    assert not isinstance(found, Reading) or "shipped" in found.sql  # two were not


@pytest.mark.parametrize(
    ("question", "value"),
    [("avarage duration of loans", 36.5), ("percantage of women", 49.3), ("maximom duration", 60)],
)
def test_a_wrong_vowel_is_a_slip(bank_grounder: Grounder, question: str, value: float) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(value, abs=0.05)
    assert any("read as" in n for n in found.notes)


def test_another_verb_is_no_slip(frames_grounder) -> None:
    grounder = frames_grounder(goods=pd.DataFrame({"good_id": [1, 2], "price": [3.0, 5.0]}))
    assert isinstance(grounder.read("average price of filling goods"), Declined)
