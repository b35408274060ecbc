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


@pytest.mark.parametrize("then", ["by quarter instead", "now by quarter", "and by quarter?", "by quarter"])
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


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("default rate by year", "403 of 682 loans are still running in order, from 1994 on (97% in 1998)"),
        ("number of defaults per year", "these years can still change, so they are no trend"),
        ("trend of default rate by year", "these years can still change, so they are no trend"),
        ("loans by week in 1997", "the first week counts from 1997-01-01 on"),
        ("loans by week in 1997", "the last week counts until 1997-12-31"),
        ("loans by month between 1996-02-10 and 1996-05-20", "the last month counts until 1996-05-20"),
    ],
)
def test_periods_that_are_cut_or_not_settled_yet_are_said(bank_grounder, question, note):
    assert any(note in n for n in bank_grounder.read(question).notes)


@pytest.mark.parametrize("question", ["loans by year", "default rate by region", "loans by month in 1997"])
def test_whole_and_settled_periods_have_no_such_note(bank_grounder, question):
    found = bank_grounder.read(question)
    assert not [n for n in found.notes if "trend" in n or "counts" in n or "incomplete" in n]


def test_a_last_period_that_goes_on_is_said_of_a_condition_without_end_too(frames_grounder):
    import pandas as pd

    visits = pd.DataFrame({"day": pd.date_range("2022-01-01", "2024-03-11", freq="3D"), "fee": 5.0})
    grounder = frames_grounder(visits=visits)
    for question in ("visits by month since 2023", "visits by month in 2024", "visits by month"):
        assert any("the last month is incomplete" in n for n in grounder.read(question).notes), question
    assert not any("incomplete" in n for n in grounder.read("visits by month in 2023").notes)


@pytest.mark.parametrize(
    ("question", "grain"),
    [("year-on-year growth of loan amount", "year"), ("month-over-month growth of loans in 1996", "month")],
)
def test_growth_says_its_period_with_hyphens_too(bank_grounder, question, grain):
    found = bank_grounder.read(question)
    assert found.kind == "series"
    assert found.keys[0].grain == grain


def test_the_growth_of_a_rate_is_that_of_the_rate(bank_grounder):
    frame = bank_grounder.engine.query(bank_grounder.read("growth of default rate by year").sql)
    assert list(frame.columns) == ["year", "default_rate", "change", "growth_percent"]
    assert frame.change[1] == pytest.approx(frame.default_rate[1] - frame.default_rate[0])


def test_a_fragment_without_an_answer_leaves_the_question_before_it_standing(bank_grounder):
    found = _told(bank_grounder, "how many cards were issued in 1998?", "more than in 1997?", "by type")
    sql = "SELECT type, count(*) FROM card WHERE year(issued) = 1998 GROUP BY type"
    _same(bank_grounder, found, sql)


@pytest.mark.parametrize("aside", ["how many unicorns are there?", "which unicorn is the biggest?"])
def test_what_names_another_thing_is_what_the_next_question_is_about(bank_grounder, aside):
    said = ["how many loans are there", aside]
    assert isinstance(bank_grounder.understood(bank_grounder.in_context(said, "and in 1996?")), Declined)


def test_a_trend_of_other_rows_is_no_trend_of_the_figure_before(bank_grounder):
    assert bank_grounder.in_context(["default rate by year"], "trend of loans") == "trend of loans"
    growth = _told(bank_grounder, "number of loans by quarter", "and growth")
    assert (growth.kind, growth.keys[0].grain) == ("series", "quarter")
