"""What is asked for first, in which place of an order, and days, money and shares as people say them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

BRANCH = "FROM loan l JOIN account a ON a.account_id = l.account_id JOIN district d ON d.district_id = a.district_id"
RATE = "avg(CASE WHEN l.status IN ('B', 'D') THEN 1.0 ELSE 0 END)"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "share of each card type",
            "SELECT type, 100.0 * count(*) / sum(count(*)) OVER (), count(*) FROM card GROUP BY 1",
        ),
        (
            "average loan amount at the branches of the district with the second highest number of crimes in 1996",
            f"SELECT avg(l.amount) {BRANCH} WHERE d.district_id = (SELECT district_id FROM district "
            "ORDER BY crimes_1996 DESC LIMIT 1 OFFSET 1)",
        ),
        (
            "Gap between the default rate of loans in Prague and in north Moravia, in percentage points",
            f"SELECT 100 * (p - m), p, m FROM (SELECT {RATE} FILTER (d.region = 'Prague') AS p, "
            f"{RATE} FILTER (d.region = 'north Moravia') AS m {BRANCH})",
        ),
        (
            "running total of accounts opened, by year",
            "SELECT year(date), count(*), sum(count(*)) OVER (ORDER BY year(date)) FROM account GROUP BY 1",
        ),
        ("transactions on 24.12.1997, how many", "SELECT count(*) FROM trans WHERE date = '1997-12-24'"),
        ("how many loans were granted on 13/04/1997", "SELECT count(*) FROM loan WHERE date = '1997-04-13'"),
        (
            "For every region, the district with the highest average salary",
            "SELECT region, district_id, name, average_salary FROM district "
            "QUALIFY rank() OVER (PARTITION BY region ORDER BY average_salary DESC) = 1",
        ),
        (
            "Which region lent the most money in total?",
            f"SELECT d.region, sum(l.amount) {BRANCH} GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "Which bank receives the most money through standing orders?",
            'SELECT bank_to, sum(amount) FROM "order" GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
        ),
        (
            "nr of distinct acounts with at least one withdrawal by card",
            "SELECT count(DISTINCT account_id) FROM trans WHERE operation = 'VYBER KARTOU'",
        ),
        (
            "which columns of trans have missing values, and how many?",
            "SELECT c, n, 100.0 * n / (SELECT count(*) FROM trans) FROM (SELECT "
            "unnest(['operation', 'k_symbol', 'bank', 'account']) AS c, "
            "unnest([count(*) - count(operation), count(*) - count(k_symbol), count(*) - count(bank), "
            "count(*) - count(account)]) AS n FROM trans) WHERE n > 0",
        ),
    ],
)
def test_the_right_value(bank_grounder: Grounder, question: str, gold: str) -> None:
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading
    query = bank_grounder.engine.query
    assert rows(query(reading.sql)) == rows(query(gold))


def test_a_table_is_described_by_its_columns(bank_grounder: Grounder) -> None:
    reading = bank_grounder.read("describe the loan table")
    assert isinstance(reading, Reading)
    frame = bank_grounder.engine.query(reading.sql).set_index("column_name")
    assert frame.loc["amount", "number_of_rows"] == 682
    assert frame.loc["amount", "mean"] == bank_grounder.engine.query("SELECT avg(amount) FROM loan").iloc[0, 0]
    assert (
        frame.loc["date", "min"] == str(bank_grounder.engine.query("SELECT min(date)::DATE FROM loan").iloc[0, 0])[:10]
    )


@pytest.mark.parametrize(
    "question",
    [
        "Who owns the account with the second largest loan in status D?",
        "owner of the account with the largest loan",
    ],
)
def test_who_is_asked_for_is_no_other_row(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Declined)


def test_a_day_in_figures_may_be_two(bank_grounder: Grounder) -> None:
    asked = bank_grounder.read("how many accounts were opened on 03/04/1996")
    assert isinstance(asked, Choice)
    assert asked.options == ("1996-04-03", "1996-03-04")


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("How many loans did we grant last year?", 2),
        ("sum of instalments per month of running loans", 2),
        ("average loan of women in Prague", 2),
        ("accounts owned by women in Prague", 2),
    ],
)
def test_either_way_is_asked_about(bank_grounder: Grounder, question: str, options: int) -> None:
    asked = bank_grounder.read(question)
    assert isinstance(asked, Choice)
    assert len(asked.options) == options


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "how many accounts were opened in the last quarter of 1996",
            "SELECT count(*) FROM account WHERE year(date) = 1996 AND quarter(date) = 4",
        ),
        (
            "number of women in Prague",
            "SELECT count(*) FROM client JOIN district USING (district_id) "
            "WHERE gender = 'female' AND region = 'Prague'",
        ),
    ],
)
def test_what_can_be_said_one_way_is_answered(bank_grounder: Grounder, question: str, gold: str) -> None:
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading
    query = bank_grounder.engine.query
    assert rows(query(reading.sql)) == rows(query(gold))
