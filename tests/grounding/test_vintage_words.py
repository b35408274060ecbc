"""Ways to ask for cohorts by age: whose rows, the event, the period and the ages; the rest is asked or declined."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading
from lexsi_nb.grounding.rendering.charting import picture

YEARS = ["within_1_year", "within_2_years", "within_3_years", "within_4_years", "within_5_years"]


@pytest.mark.parametrize(
    "question",
    [
        "vintage table of accounts with a loan by year",
        "vintage table of loans by account opening year",
        "vintage of first loans by opening year of the account",
        "cohort table: loans by year of account opening",
        "cohorts of accounts by opening year: cumulative share with a loan by age in years",
        "cohorts by opening year: accounts and share with a loan",
        "vintage: accounts by opening year, loans",
        "yearly cohorts of accounts: share with a loan by age in years",
        "account opening year cohorts: share with a loan",
        "vintage matrix of accounts with a loan by opening year",
        "share of accounts that took a loan, by year of opening and years since opening",
    ],
)
def test_accounts_by_their_year_and_the_share_with_a_loan_by_age(bank_grounder, question):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert found.text == "share of accounts with a loan, by year of date and age in years"
    assert list(bank_grounder.engine.query(found.sql).columns) == ["cohort", "number_of_accounts", *YEARS]


@pytest.mark.parametrize(
    ("question", "grain", "columns"),
    [
        ("by opening year, share with a loan within 12, 24 and 36 months", "year", "12_months 24_months 36_months"),
        ("by opening year, share with a loan after 1, 2 and 3 years", "year", "1_year 2_years 3_years"),
        ("monthly cohorts of accounts: share with a loan within 1, 2 months", "month", "1_month 2_months"),
        ("share of accounts with a loan within a year of opening by opening quarter", "quarter", "1_year"),
        ("for accounts opened in 1995: share with a loan within 6 months by quarter of opening", "quarter", "6_months"),
        ("half-year cohorts of accounts with a loan within 2 half-years", "half-year", "2_half_years"),
        ("what percentage of each opening-year cohort had a loan within 24 months", "year", "24_months"),
    ],
)  # fmt: skip
def test_ages_that_are_said_are_the_columns(bank_grounder, question, grain, columns):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert found.keys[0].grain == grain
    assert list(bank_grounder.engine.query(found.sql).columns)[2:] == [f"within_{c}" for c in columns.split()]


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("share of accounts that took a loan, by quarter of opening and months since opening", "months"),
        ("vintage table of accounts with a loan by opening year, age in quarters", "quarters"),
        ("share of accounts with a loan by opening year, months on book", "months"),
        ("vintage table of accounts with a loan by year and month", "months"),
        ("quarterly vintages of accounts with a card", "quarters"),
    ],
)
def test_ages_have_a_period_of_their_own(bank_grounder, question, unit):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert found.text.endswith(f"age in {unit}")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("vintage table of accounts in Prague with a loan by year", "district region Prague"),
        ("vintage table of accounts opened since 1995 with a loan by opening year", "date from 1995-01-01"),
        ("vintage table of loans over 100000 by account opening year", "amount over 100,000"),
        ("vintage table of accounts with a loan over 100000 by year", "amount over 100,000"),
        ("vintage table of accounts with a junior card by opening year", "type junior"),
        ("vintage table of loans by opening year of accounts in Prague", "district region Prague"),
    ],
)
def test_conditions_are_said(bank_grounder, question, said):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert said in found.text


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("vintage of loans", "no event"),
        ("vintage table of clients with a card by year", "no date"),
        ("vintage table of accounts without a loan by opening year", "missing"),
        ("vintage table of accounts with two loans by opening year", "counted"),
        ("cohorts of accounts by opening month: share that took a loan again within 3 months", "again"),
        ("vintage: loans by account opening year and region", "region"),
        ("vintage table of accounts with a loan and with a card by opening year", "one at a time"),
        ("vintage table of loans and cards by account opening year", "one at a time"),
        ("vintage table of accounts with a loan in 1996 by opening year", "cut the ages short"),
        ("vintage table of loans by client birth year", "say the ages"),
        ("how many accounts of each yearly cohort took a loan within a year?", "shares in percent"),
    ],
)
def test_what_cannot_be_told_is_declined_by_name(bank_grounder, question, why):
    found = bank_grounder.read(question)
    assert isinstance(found, Declined), found
    assert why in found.reason


def test_an_open_period_is_asked_for_and_each_answer_can_be_asked(bank_grounder):
    question = "vintage table of accounts with a loan"
    found = bank_grounder.read(question)
    assert isinstance(found, Choice)
    ways = options(found, question, bank_grounder.read, bank_grounder.engine)
    assert [w.text.partition("by ")[2].split(" ")[0] for w in ways] == ["year", "half-year", "quarter", "month"]


def test_retention_asks_what_counts_as_active(bank_grounder):
    question = "retention by cohort"
    found = bank_grounder.read(question)
    assert isinstance(found, Choice)
    assert found.prompt == "What counts as active?"
    ways = options(found, question, bank_grounder.read, bank_grounder.engine)
    assert len(ways) > 1
    for way in ways:
        assert isinstance(bank_grounder.read(way.question), Reading)


@pytest.mark.parametrize(
    "question",
    ["vintage curves of loans by quarter of account opening", "vintage table of loans by opening quarter as a chart"],
)
def test_curves_are_drawn_from_the_table_without_cells_that_are_too_young(bank_grounder, question):
    found = bank_grounder.read(question)
    spec = picture(found)
    assert spec["mark"]["type"] == "line"
    fold = next(t["fold"] for t in spec["transform"] if "fold" in t)
    assert set(fold) < set(bank_grounder.engine.query(found.sql).columns)
    assert {"filter": "isValid(datum.percentage)"} in spec["transform"]
    assert spec["encoding"]["x"]["title"] == "age in quarters"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("by quarter", "share of accounts with a loan, by quarter of date and age in quarters"),
        ("with age in months", "share of accounts with a loan, by year of date and age in months"),
        ("only for Prague", "share of accounts with district region Prague that have a loan, by year of date"),
        ("only loans over 100000", "share of accounts with a loan with amount over 100,000, by year of date"),
    ],
)  # fmt: skip
def test_a_follow_up_changes_the_table(bank_grounder, question, text):
    whole = bank_grounder.in_context(["vintage table of accounts with a loan by opening year"], question)
    found = bank_grounder.read(whole)
    assert isinstance(found, Reading), found
    assert found.text.removesuffix(" and age in years") == text


def test_one_cohort_is_named_by_its_period(bank_grounder):
    found = bank_grounder.read("number of accounts in the 1995 cohort")
    assert isinstance(found, Reading), found
    assert not found.keys
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == 661
    rate = bank_grounder.read("default rate of the 1995 vintage")
    sql = "SELECT avg((status = 'B')::INT) AS r FROM loan WHERE year(date) = 1995 AND status IN ('A', 'B')"
    assert bank_grounder.engine.query(rate.sql).iloc[0, 0] == bank_grounder.engine.query(sql).iloc[0, 0]


def test_a_word_that_the_data_have_is_a_period_of_cohorts(bank_grounder):
    found = bank_grounder.read("vintage curve for accounts with a loan, monthly")
    assert isinstance(found, Reading), found
    assert found.keys[0].grain == "month"
    assert not found.filters  # statements are monthly as well
    kept = bank_grounder.read("monthly retention of accounts with a transaction by opening year")
    assert isinstance(kept, Reading), kept
    assert not kept.filters
    assert kept.text.endswith("by year of date and each month of age")


def test_words_of_ages_stay_what_they_are_elsewhere(bank_grounder):
    found = bank_grounder.read("average age in Prague")
    assert isinstance(found, Reading)
    assert found.measures[0].column.name == "age"
    assert isinstance(bank_grounder.read("number of loans within 12 months"), Declined)


def test_an_order_by_a_month_is_no_word_for_sorting(shop_grounder):
    found = shop_grounder.read("vintage table of customers with an order by signup month, within 30 and 60 days")
    assert isinstance(found, Reading), found
    assert found.table == "customers"
    assert found.measures[1].name == "within_30_days"
