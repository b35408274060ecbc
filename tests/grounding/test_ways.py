"""By which way a table is reached, what a superlative is said of, and what is compared with what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

BRANCH = "FROM loan l JOIN account a ON a.account_id = l.account_id JOIN district d ON d.district_id = a.district_id"
OF_CARD = "FROM card k JOIN disp p ON p.disp_id = k.disp_id JOIN client c ON c.client_id = p.client_id"
HOLDER = "(SELECT 1 FROM disp p WHERE p.account_id = l.account_id AND p.type = 'DISPONENT')"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "clients by home region and gender",
            "SELECT d.region, c.gender, count(*) FROM client c JOIN district d ON d.district_id = c.district_id "
            "GROUP BY 1, 2",
        ),
        ("loans by branch", f"SELECT d.name, count(*) {BRANCH} GROUP BY 1"),
        ("volume of loans at east Bohemian branches", f"SELECT sum(l.amount) {BRANCH} WHERE d.region = 'east Bohemia'"),
        (
            "how many loans were granted at the Kladno branch in 1997",
            f"SELECT count(*) {BRANCH} WHERE d.name = 'Kladno' AND year(l.date) = 1997",
        ),
        (
            "average loan amount at the branches of the district with the highest number of crimes in 1996",
            f"SELECT avg(l.amount) {BRANCH} WHERE d.crimes_1996 = (SELECT max(crimes_1996) FROM district)",
        ),
        (
            "Which two branch districts had the most loans granted in 1997?",
            f"SELECT d.name, count(*) {BRANCH} WHERE year(l.date) = 1997 GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
        ),
        (
            "number of clients by district id",
            "SELECT district_id, count(*) FROM client GROUP BY 1",
        ),
        (
            "gender of the client with the latest junior card",
            f"SELECT k.card_id, c.gender {OF_CARD} WHERE k.type = 'junior' ORDER BY k.issued DESC LIMIT 1",
        ),
        (
            "birth date of the client with the first gold card",
            f"SELECT k.card_id, c.birth_date {OF_CARD} WHERE k.type = 'gold' ORDER BY k.issued LIMIT 1",
        ),
    ],
)
def test_the_way_that_words_point_at(bank_grounder: Grounder, question: str, gold: str) -> None:
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading
    query = bank_grounder.engine.query
    assert rows(query(reading.sql)) == rows(query(gold))


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "Compare the mean loan of accounts with a co-holder and accounts without one",
            f"SELECT avg(amount) FROM loan l WHERE EXISTS {HOLDER} UNION ALL "
            f"SELECT avg(amount) FROM loan l WHERE NOT EXISTS {HOLDER}",
        ),
        (
            "Compare the number of accounts with a loan and accounts without one",
            "SELECT count(*) FROM account WHERE account_id IN (SELECT account_id FROM loan) UNION ALL "
            "SELECT count(*) FROM account WHERE account_id NOT IN (SELECT account_id FROM loan)",
        ),
    ],
)
def test_two_phrases_are_compared(bank_grounder: Grounder, question: str, gold: str) -> None:
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading
    query = bank_grounder.engine.query
    assert rows(query(reading.sql).iloc[:, [1]]) == rows(query(gold))


def test_another_way_declines(bank_grounder: Grounder) -> None:
    assert isinstance(bank_grounder.read("clients by branch region"), Declined)


@pytest.mark.parametrize("question", ["average income per region", "average income by district"])
def test_a_column_or_a_value_is_asked_about(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Choice)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "Number of standing orders of at least 3 000 Kč without a symbol",
            'SELECT count(*) FROM "order" WHERE amount >= 3000 AND k_symbol IS NULL',
        ),
        ("total amount in CZK of loans in 1996", "SELECT sum(amount) FROM loan WHERE year(date) = 1996"),
        (
            "sanction interest charged per year, in crowns",
            "SELECT year(date), sum(amount) FROM trans WHERE k_symbol = 'SANKC. UROK' GROUP BY 1",
        ),
        ("What do the loans still being repaid add up to, in CZK?", "SELECT sum(amount) FROM loan WHERE status = 'C'"),
    ],
)
def test_a_unit_that_the_figure_has_anyway(bank_grounder: Grounder, question: str, gold: str) -> None:
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading
    query = bank_grounder.engine.query
    assert rows(query(reading.sql)) == rows(query(gold))


def test_a_unit_of_another_figure_has_no_place(bank_grounder: Grounder) -> None:
    assert isinstance(bank_grounder.read("total duration in crowns of loans"), Declined)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "cards issued per quarter in 1997 and 1998",
            "SELECT date_trunc('quarter', issued), count(*) FROM card WHERE year(issued) IN (1997, 1998) GROUP BY 1",
        ),
        (
            "loans from prague or north bohemia granted between march and june 1997, how many",
            f"SELECT count(*) {BRANCH} WHERE d.region IN ('Prague', 'north Bohemia') "
            "AND l.date BETWEEN '1997-03-01' AND '1997-06-30'",
        ),
        (
            "number of transactions between 1 and 15 March 1996",
            "SELECT count(*) FROM trans WHERE date BETWEEN '1996-03-01' AND '1996-03-15'",
        ),
        (
            "How many transactions were booked on 24 December 1997?",
            "SELECT count(*) FROM trans WHERE date = '1997-12-24'",
        ),
        (
            "How many accounts have four standing orders or more?",
            'SELECT count(*) FROM (SELECT account_id FROM "order" GROUP BY 1 HAVING count(*) >= 4)',
        ),
        (
            "In how many cases was sanction interest charged?",
            "SELECT count(*) FROM trans WHERE k_symbol = 'SANKC. UROK'",
        ),
        ("how many five-year loans were granted", "SELECT count(*) FROM loan WHERE duration = 60"),
        (
            "difference between the number of 1-year loans and 2-year loans",
            "SELECT a - b, a, b FROM (SELECT count(*) FILTER (duration = 12) AS a, "
            "count(*) FILTER (duration = 24) AS b FROM loan)",
        ),
        (
            "which share of the total lent volume went to accounts in Prague",
            f"SELECT 100.0 * sum(l.amount) FILTER (d.region = 'Prague') / sum(l.amount), count(*) {BRANCH}",
        ),
    ],
)
def test_spans_numbers_and_shares_as_they_are_said(bank_grounder: Grounder, question: str, gold: str) -> None:
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading
    query = bank_grounder.engine.query
    assert rows(query(reading.sql)) == rows(query(gold))


@pytest.mark.parametrize("question", ["total insurance payments", "What's the average household payment?"])
def test_a_purpose_that_two_tables_have_is_asked_about(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Choice)


def test_under_30_after_people_and_loans_is_asked_about(bank_grounder: Grounder) -> None:
    asked = bank_grounder.read("how many owners have a loan above 200000 and are under 30")
    assert isinstance(asked, Choice)
    assert any("age" in option for option in asked.options)


def test_what_is_joined_to_the_part_is_a_part_of_it(bank_grounder: Grounder) -> None:
    reading = bank_grounder.read("percentage of clients that are women and have a loan")
    assert isinstance(reading, Reading)
    gold = (
        "SELECT 100.0 * count(*) FILTER (gender = 'female' AND client_id IN (SELECT client_id FROM disp JOIN loan "
        "USING (account_id) WHERE type = 'OWNER')) / count(*), count(*) FROM client"
    )
    query = bank_grounder.engine.query
    assert rows(query(reading.sql)) == rows(query(gold))


def test_a_size_is_compared_before_a_level(bank_grounder: Grounder) -> None:
    reading = bank_grounder.read("how many cash deposits were above 50000")
    assert isinstance(reading, Reading)
    query = bank_grounder.engine.query
    gold = "SELECT count(*) FROM trans WHERE operation = 'VKLAD' AND amount > 50000"
    assert rows(query(reading.sql)) == rows(query(gold))


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "Number of accounts in districts with unemployment above 5 percent in 1996",
            "SELECT count(*) FROM account JOIN district USING (district_id) WHERE unemployment_1996 > 5",
        ),
        (
            "which durations have a default rate above 10%",
            "SELECT duration, avg(CASE WHEN status IN ('B', 'D') THEN 1.0 ELSE 0 END) AS r, count(*) FROM loan "
            "GROUP BY 1 HAVING r > 0.1",
        ),
        (
            "did the number of loans increase from 1997 to 1998",
            "SELECT b > a, b, a FROM (SELECT count(*) FILTER (year(date) = 1997) AS a, "
            "count(*) FILTER (year(date) = 1998) AS b FROM loan)",
        ),
        (
            "most common purpose of standing orders by region",
            'SELECT region, k_symbol, count(*) FROM "order" JOIN account USING (account_id) JOIN district '
            "USING (district_id) GROUP BY 1, 2 QUALIFY rank() OVER (PARTITION BY region ORDER BY count(*) DESC) = 1",
        ),
    ],
)
def test_percents_growth_and_the_most_common_of_each(bank_grounder: Grounder, question: str, gold: str) -> None:
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading
    query = bank_grounder.engine.query
    assert rows(query(reading.sql)) == rows(query(gold))


@pytest.mark.parametrize(
    "question",
    [
        "how many clients share an account",
        "how many regions have an average salary over 9500",
        "did the loan volume rise every year?",
    ],
)
def test_what_has_another_reading_declines(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Declined)


def test_a_number_that_follows_per_is_a_rate_or_groups(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("which district has the most clients per inhabitant?")
    assert isinstance(found, Choice)
    assert "I don't divide by it" in found.prompt


OF_PEOPLE = (
    "FROM loan l JOIN disp p ON p.account_id = l.account_id AND p.type = 'OWNER' JOIN client c "
    "ON c.client_id = p.client_id JOIN district h ON h.district_id = c.district_id"
)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "average loan of men living in Prague",
            f"SELECT avg(l.amount) {OF_PEOPLE} WHERE c.gender = 'male' AND h.region = 'Prague'",
        ),
        (
            "Of the women who live in north Moravia and own an account opened before 1995, how many got a loan of more "
            "than 150,000?",
            f"SELECT count(*) {OF_PEOPLE} JOIN account a ON a.account_id = l.account_id WHERE c.gender = 'female' "
            "AND h.region = 'north Moravia' AND a.date < '1995-01-01' AND l.amount > 150000",
        ),
        (
            "loans to women living in south Bohemia by status",
            f"SELECT l.status, count(*) {OF_PEOPLE} WHERE c.gender = 'female' AND h.region = 'south Bohemia' "
            "GROUP BY 1",
        ),
        (
            "How many classic cards were issued in the first half of '98?",
            "SELECT count(*) FROM card WHERE type = 'classic' AND issued BETWEEN '1998-01-01' AND '1998-06-30'",
        ),
        ("how many loans are under CZK 80.000", "SELECT count(*) FROM loan WHERE amount < 80000"),
        (
            "number of accounts opened Oct-Dec 1997",
            "SELECT count(*) FROM account WHERE date BETWEEN '1997-10-01' AND '1997-12-31'",
        ),
        (
            "how many loans granted after March 3rd, 1997",
            "SELECT count(*) FROM loan WHERE date > '1997-03-03'",
        ),
        (
            "quartiles of the monthly loan payment",
            "SELECT quantile_cont(payments, 0.25), median(payments), quantile_cont(payments, 0.75) FROM loan",
        ),
        ("avrage loan amt of status C", "SELECT avg(amount) FROM loan WHERE status = 'C'"),
        ("how many acounts are there", "SELECT count(*) FROM account"),
    ],
)
def test_people_by_where_they_live_and_words_as_they_are_written(
    bank_grounder: Grounder, question: str, gold: str
) -> None:
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading
    query = bank_grounder.engine.query
    assert rows(query(reading.sql)) == rows(query(gold))


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("how many of our customers live in Plzen?", "Plzen - mesto"),
        ("How many clients live in Bohemia?", "south Bohemia"),
        ("turnover of account 4", "incoming transactions"),
    ],
)
def test_a_part_of_several_names_is_asked_about(bank_grounder: Grounder, question: str, one: str) -> None:
    asked = bank_grounder.read(question)
    assert isinstance(asked, Choice)
    assert any(one in option for option in asked.options)


def test_one_case_is_predicted_by_its_number(bank_grounder: Grounder) -> None:
    plan = bank_grounder.predictive("What's the probability that loan 6989 will default?")
    assert bank_grounder.engine.query(plan.predict_sql)["loan_id"].tolist() == [6989]
    assert bank_grounder.predictive("the 7 riskiest running loans").top_k == 7
