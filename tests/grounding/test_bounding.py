"""Follow-ups about what came out: groups above a bound, rows among those before, the same by another period."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Declined, Reading
from tests.grounding.conftest import rows


def _told(grounder, *said: str) -> Reading:
    *before, now = said
    found = grounder.understood(grounder.in_context(before, now))
    assert isinstance(found, Reading), found
    return found


def _same(grounder, found: Reading, sql: str) -> None:
    assert rows(grounder.engine.query(found.sql)) == rows(grounder.engine.query(sql))


JOINED = "loan l JOIN account a USING (account_id) JOIN district d ON d.district_id = a.district_id"


@pytest.mark.parametrize(
    ("first", "then", "figure", "bound"),
    [
        ("mean loan amount by region", "only those over 150000", "avg(l.amount)", "> 150000"),
        ("total loan amount for each region", "just the ones below 12 million", "sum(l.amount)", "< 12000000"),
        ("number of loans per region", "and only those with at least 88", "count(*)", ">= 88"),
    ],
)
def test_groups_are_cut_by_their_figure_and_not_by_a_number_of_their_rows(bank_grounder, first, then, figure, bound):
    found = _told(bank_grounder, first, then)
    sql = f"SELECT d.region, {figure} FROM {JOINED} GROUP BY d.region HAVING {figure} {bound}"
    _same(bank_grounder, found, sql)


def test_a_rate_of_groups_is_cut_as_well(bank_grounder):
    rates = bank_grounder.engine.query(_told(bank_grounder, "default rate by region", "only those above 0.1").sql)
    assert 0 < len(rates) < 8
    assert rates["default_rate"].min() > 0.1


def test_a_figure_said_again_with_a_bound_cuts_the_groups(bank_grounder):
    found = _told(bank_grounder, "mean loan amount by district where the mean loan amount is over 210000")
    sql = f"SELECT d.name, avg(l.amount) FROM {JOINED} GROUP BY d.name HAVING avg(l.amount) > 210000"
    _same(bank_grounder, found, sql)
    other = _told(bank_grounder, "mean loan amount by region where the total loan amount is over 11 million")
    sql = (
        f"SELECT d.region, avg(l.amount), sum(l.amount) FROM {JOINED} GROUP BY d.region HAVING sum(l.amount) > 11000000"
    )
    _same(bank_grounder, other, sql)


@pytest.mark.parametrize("then", ["how many are men?", "and how many are men", "how many of them are men?"])
def test_how_many_are_something_is_asked_of_the_rows_before(bank_grounder, then):
    found = _told(bank_grounder, "how many clients live in north Moravia?", then)
    sql = (
        "SELECT count(*) FROM client c JOIN district d USING (district_id) "
        "WHERE d.region = 'north Moravia' AND c.gender = 'male'"
    )
    _same(bank_grounder, found, sql)


@pytest.mark.parametrize(
    "said",
    [
        ("list the 4 largest loans", "how many of them are of 60 months?"),
        ("top 3 districts by number of accounts", "how many of them have a loan?"),
        ("how many accounts are there?", "how many have a loan?", "how many have a card?"),
    ],
)
def test_rows_that_could_be_others_are_not_counted(bank_grounder, said):
    found = bank_grounder.understood(bank_grounder.in_context(said[:-1], said[-1]))
    assert isinstance(found, Declined), found


@pytest.mark.parametrize("then", ["by quarter instead", "now by quarter", "by quarter"])
def test_another_period_keeps_the_conditions_that_were_said_after_the_first(bank_grounder, then):
    found = _told(bank_grounder, "number of loans per month in 1996 over 100000", then)
    sql = (
        "SELECT CAST(date_trunc('quarter', date) AS DATE), count(*) FROM loan "
        "WHERE year(date) = 1996 AND amount > 100000 GROUP BY 1"
    )
    _same(bank_grounder, found, sql)


def test_as_a_table_is_the_same_without_a_chart(bank_grounder):
    before = _told(bank_grounder, "bar chart of loans by status")
    after = _told(bank_grounder, "bar chart of loans by status", "as a table please")
    assert before.chart
    assert (after.sql, after.chart) == (before.sql, "")
