"""What is added to a question changes its reading, or ends in words: nothing is passed over in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

QUESTIONS = (
    "how many accounts are there", "total loan amount by status", "median loan amount in Prague", "largest loan",
    "what share of clients are women", "loans granted per year", "top 3 regions by number of clients",
    "correlation between average salary and unemployment 1995", "describe the loan amount",
)  # fmt: skip
ADDED = (
    "since then", "in the last month", "over $500", "and their branches", "within 30 days", "for the first time",
    "more than once a year", "when it was opened", "on the same day", "of the previous year", "except on Mondays",
)  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_addition_changes_the_reading(bank_grounder: Grounder, question: str) -> None:
    before = bank_grounder.read(question)
    assert isinstance(before, Reading), before
    for added in ADDED:
        after = bank_grounder.read(f"{question} {added}?")
        assert not isinstance(after, Reading) or after.sql != before.sql, added


@pytest.mark.parametrize(
    "question",
    [
        "how many loans in Prague since then",
        "are there no loans with an amount under 500",
        "is there no client without an account",
        "median loan amount in Prague and their districts",
        "percentage of missing values in trans per type",
        "missing values in district per region",
        "how many standing orders over $500",
        "how many single women are there",
        "average salary of districts when the account was opened",
        "outliers in loan amount and correlation with duration",
        "how many accounts were opened after 60",
    ],
)
def test_it_is_said_what_has_no_place(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), (Declined, Choice))


def test_a_sign_of_a_currency_is_read_where_no_other_is_told(frames_grounder) -> None:
    items = pd.DataFrame({"item_id": range(5), "price": [5.0, 700.0, 20.0, 900.0, 3.0]})
    grounder = frames_grounder(items=items)
    found = grounder.read("how many items over $500")
    assert isinstance(found, Reading)
    assert grounder.engine.query(found.sql).iloc[0, 0] == 2
    euros = items.rename(columns={"price": "price_eur"})
    assert isinstance(frames_grounder(items=euros).read("how many items over $500"), Declined)


def test_a_code_in_brackets_decides_the_words_before_it(bank_grounder: Grounder) -> None:
    for question, code in (
        ("how many accounts made a credit card withdrawal (VYBER KARTOU)?", "operation = 'VYBER KARTOU'"),
        ("Sum of credits (PRIJEM) in 1996", "type = 'PRIJEM'"),
    ):
        found = bank_grounder.read(question)
        assert isinstance(found, Reading), found
        assert code in found.sql


def test_an_amount_of_money_is_compared_with_the_size(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("number of transactions over 50k crowns in 1998")
    assert isinstance(found, Reading)
    assert "amount > 50000" in found.sql
    assert isinstance(bank_grounder.read("how many loans above 5000"), Choice)  # all amounts are; some payments are


def test_a_loan_is_its_owners_alone(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("How much was lent to women in total?")
    assert isinstance(found, Reading)
    gold = (
        "SELECT sum(amount) AS s FROM loan WHERE account_id IN (SELECT account_id FROM disp JOIN client USING "
        "(client_id) WHERE type = 'OWNER' AND gender = 'female')"
    )
    query = bank_grounder.engine.query
    assert query(found.sql).iloc[0, 0] == query(gold).iloc[0, 0]


@pytest.mark.parametrize("question", ["number of loans by region of the borrower", "accounts by region of the owner"])
def test_a_group_of_somebody_else_is_no_group_of_the_rows(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), (Declined, Choice))


def test_where_borrowers_are_from_is_where_they_live(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("average loan of borrowers from Prague")
    assert isinstance(found, Reading)
    gold = (
        "SELECT avg(l.amount) FROM loan l JOIN disp USING (account_id) JOIN client c USING (client_id) "
        "JOIN district d ON d.district_id = c.district_id WHERE disp.type = 'OWNER' AND d.region = 'Prague'"
    )
    query = bank_grounder.engine.query
    assert query(found.sql).iloc[0, 0] == pytest.approx(query(gold).iloc[0, 0])


@pytest.mark.parametrize("lead", ["I need to know ", "please tell me: ", "Could you please tell me ", "I wonder "])
@pytest.mark.parametrize(
    "question", ["is there any loan over 400,000?", "do all accounts have transactions?", "total amount lent in 1996"]
)
def test_a_polite_lead_changes_nothing(bank_grounder: Grounder, lead: str, question: str) -> None:
    plain, polite = bank_grounder.read(question), bank_grounder.read(lead + question)
    assert isinstance(plain, Reading)
    assert isinstance(polite, Reading)
    assert polite.sql == plain.sql


@pytest.mark.parametrize(
    "question",
    [
        "average loan by the region where the client lives",
        "how many women own an account in Prague",
        "how many accounts does a woman own",
    ],
)
def test_whose_they_are_is_not_passed_over(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), (Declined, Choice))


def test_those_they_belong_to_are_the_owners(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("how many accounts in Prague belong to women")
    assert isinstance(found, Reading)
    sql = (
        "SELECT count(*) FROM account a JOIN district d USING (district_id) JOIN disp o USING (account_id) "
        "JOIN client c USING (client_id) WHERE d.region = 'Prague' AND o.type = 'OWNER' AND c.gender = 'female'"
    )
    engine = bank_grounder.engine
    assert engine.query(found.sql).iloc[0, 0] == engine.query(sql).iloc[0, 0] > 0


def test_a_month_without_any_has_the_fewest(frames_grounder) -> None:
    days = pd.to_datetime(["2024-01-05", "2024-01-09", "2024-03-01", "2024-03-02", "2024-03-09"])
    visits = pd.DataFrame({"visit_id": range(5), "day": days})
    assert isinstance(frames_grounder(visits=visits).read("which month had the fewest visits"), Declined)
    found = frames_grounder(visits=visits.iloc[:3].assign(day=days[1:4])).read("which month had the most visits")
    assert isinstance(found, Reading)
