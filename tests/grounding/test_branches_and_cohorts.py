"""Whose place and whose age is meant: a branch's clients go by their accounts, a loan has no age of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

HELD = """
    FROM client AS c JOIN disp AS d USING (client_id) JOIN account AS a USING (account_id)
    JOIN district AS p ON p.district_id = a.district_id"""


@pytest.mark.parametrize(
    "question",
    [
        "the gender of the oldest client in the branch with the highest salary",
        "gender of the oldest client of the branch with the highest average salary",
        "What is the sex of the oldest client in the branch with the highest average salary?",
    ],
)
def test_the_oldest_client_of_a_branch(bank_grounder: Grounder, question: str) -> None:
    best = "WHERE p.average_salary = (SELECT max(average_salary) FROM district)"
    gold = bank_grounder.engine.query(f"SELECT c.gender {HELD} {best} ORDER BY c.birth_date LIMIT 1").iloc[0, 0]
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert bank_grounder.engine.query(found.sql)["gender"].tolist() == [gold]
    assert "account" in found.text


@pytest.mark.parametrize(
    "question", ["how many clients are in branches in Prague?", "number of clients of Prague branches"]
)
def test_clients_of_branches_go_by_their_accounts(bank_grounder: Grounder, question: str) -> None:
    gold = bank_grounder.engine.query(f"SELECT count(DISTINCT c.client_id) AS n {HELD} WHERE p.region = 'Prague'")
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == gold.iloc[0, 0]


def test_accounts_of_branches_are_joined_as_before(bank_grounder: Grounder) -> None:
    gold = "SELECT count(*) AS n FROM loan JOIN account AS a USING (account_id) JOIN district AS p USING (district_id)"
    gold = bank_grounder.engine.query(f"{gold} WHERE p.region = 'Prague'").iloc[0, 0]
    found = bank_grounder.read("how many loans of branches in Prague?")
    assert isinstance(found, Reading)
    assert not found.links
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == gold


def test_cohorts_need_a_period(bank_grounder: Grounder) -> None:
    question = "loans by cohort"
    found = bank_grounder.read(question)
    assert isinstance(found, Choice)
    ways = options(found, question, bank_grounder.read, bank_grounder.engine)
    assert [w.text for w in ways] == [f"number of loans, by {p} of date" for p in ("year", "quarter", "month")]
    assert isinstance(bank_grounder.read("default rate by age of loan and cohort"), Choice)


def test_an_age_is_of_whom_it_is_said(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("default rate by age of loan")
    assert isinstance(found, Declined)
    assert "client.age" in found.reason
    of_clients = bank_grounder.read("number of clients by age of client")
    assert isinstance(of_clients, Reading)
    assert of_clients.keys[0].column.name == "age"
