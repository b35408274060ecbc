"""Words that change a question are never passed over; the forms said another way are read right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.mark.parametrize(
    "question",
    [
        "how many of those have a loan?",
        "how many loans on 31 June 1997",
        "average age at loan grant",
        "how many clients were older than 60 when they got their loan?",
        "How many transactions were made by card?",
        "average of the average loan amount by region",
        "Proportion of running loans that are in debt",
        "Vintage table of loans by grant year",
        "do women default more often than men?",
        "average loan amount in the year with the highest loan volume",
    ],
)
def test_a_word_without_a_place_declines(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Declined)


@pytest.mark.parametrize(
    "question",
    [
        "Average loan volume per client by region",
        "average loan volume per year",
        "Line chart of monthly card issues in 1998",
        "What is the average income?",
        "List the districts of north Bohemia with their unemployment",
        "how many withdrawals in 1998",
    ],
)
def test_two_meanings_are_asked_about(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Choice)


OWNED = "JOIN disp d ON d.client_id = c.client_id AND d.type = 'OWNER' JOIN loan l ON l.account_id = d.account_id"
AGE = "date_sub('year', c.birth_date, DATE '1998-12-31')"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "default rate by gender",
            "SELECT gender, avg(CASE WHEN status IN ('B', 'D') THEN 1.0 ELSE 0.0 END), count(*) "
            f"FROM client c {OWNED} GROUP BY gender",
        ),
        (
            "how many borrowers are women",
            f"SELECT count(DISTINCT c.client_id) FROM client c {OWNED} WHERE c.gender = 'female'",
        ),
        ("average age of borrowers", f"SELECT avg({AGE}) FROM client c {OWNED}"),
        (
            "how many women over 60 have a loan",
            f"SELECT count(*) FROM client c {OWNED} WHERE gender = 'female' AND {AGE} > 60",
        ),
        ("how old are our clients on average", f"SELECT avg({AGE}) FROM client c"),
        ("how many joint accounts are there", "SELECT count(*) FROM disp WHERE type = 'DISPONENT'"),
        ("how many loans were paid back in full", "SELECT count(*) FROM loan WHERE status = 'A'"),
        ("how many loans ≥ 300000", "SELECT count(*) FROM loan WHERE amount >= 300000"),
        ("is there any loan above 600000 crowns?", "SELECT false, 0"),
        ("how many accounts were opened by the end of 1995", "SELECT count(*) FROM account WHERE date < '1996-01-01'"),
        (
            "By how much did the number of loans increase from 1996 to 1997?",
            "SELECT count(*) FILTER (WHERE year(date) = 1997) - count(*) FILTER (WHERE year(date) = 1996), "
            "count(*) FILTER (WHERE year(date) = 1996), count(*) FILTER (WHERE year(date) = 1997) FROM loan",
        ),
        (
            "By how much did loan volume grow between 1995 and 1997 in percent?",
            "SELECT 100.0 * (b - a) / a, a, b FROM (SELECT sum(amount) FILTER (WHERE year(date) = 1995) AS a, "
            "sum(amount) FILTER (WHERE year(date) = 1997) AS b FROM loan)",
        ),
        (
            "list the age of clients born before 1926",
            f"SELECT client_id, {AGE} FROM client c WHERE year(birth_date) < 1926",
        ),
    ],
)
def test_figures_are_right(bank_grounder: Grounder, question: str, gold: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    query = bank_grounder.engine.query
    assert rows(query(found.sql)) == rows(query(gold))


MONTH = "CAST(date_trunc('month', date) AS DATE)"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "Which year saw the highest loan volume?",
            "SELECT year(date), sum(amount) FROM loan GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "in which month of 1997 was the loan volume highest?",
            f"SELECT {MONTH}, sum(amount) FROM loan WHERE year(date) = 1997 GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "top 3 months by total transaction amount",
            f"SELECT {MONTH}, sum(amount) FROM trans GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
        ),
        (
            "which year had the lowest average loan amount",
            "SELECT year(date), avg(amount) FROM loan GROUP BY 1 ORDER BY 2 LIMIT 1",
        ),
    ],
)
def test_the_best_period(bank_grounder: Grounder, question: str, gold: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    query = bank_grounder.engine.query
    assert rows(query(found.sql), ordered=True) == rows(query(gold), ordered=True)


def test_those_of_the_question_before(bank_grounder: Grounder) -> None:
    query = bank_grounder.engine.query
    whole = bank_grounder.in_context(["How many accounts are there in Prague?"], "how many of those have a loan?")
    found = bank_grounder.read(str(whole))
    assert isinstance(found, Reading)
    gold = (
        "SELECT count(*) FROM account JOIN district USING (district_id) JOIN loan USING (account_id) "
        "WHERE region = 'Prague'"
    )
    assert rows(query(found.sql)) == rows(query(gold))
    listed = bank_grounder.read(str(bank_grounder.in_context(["Loans in default"], "how many of those are in Prague?")))
    assert isinstance(listed, Reading)
    assert listed.kind == "count"
    assert rows(query(listed.sql)) == rows(query(f"{gold} AND status IN ('B', 'D')"))


def test_a_figure_with_many_groups_of_its_own_and_other_rows(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("average loan by district and year and status and gender")
    assert isinstance(found, Reading)
    assert [k.column.name for k in found.keys] == ["name", "date", "status", "gender"]


def test_columns_are_shown_where_they_have_gaps(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("List the districts of north Bohemia with their unemployment 1995")
    assert isinstance(found, Reading)
    assert "IS NOT NULL" not in found.sql


def test_keys_and_what_restates_the_target_drive_nothing(bank_grounder: Grounder) -> None:
    plan = bank_grounder.predictive("What drives gender?")
    read = plan.context_sql.partition("FROM")[0]
    assert "p1.region" in read  # of the district that a client points at, and not which district that is
    assert "district_id" not in read
    assert "name" not in read
    plan = bank_grounder.predictive("what drives the loan amount?")
    assert "payments" not in plan.context_sql
    assert ("loan.payments", "restates amount") in plan.left_out


@pytest.mark.parametrize("question", ["what did clients buy with their loans?", "what do clients pay?"])
def test_what_somebody_does_is_not_who_does_it(bank_grounder, question):
    assert isinstance(bank_grounder.read(question), Declined)


def test_a_standing_order_is_nothing_that_is_ordered(bank_grounder):
    assert bank_grounder.read("clients who ordered a card").text == "rows of clients with a card"
