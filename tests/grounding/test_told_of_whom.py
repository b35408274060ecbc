"""Rows told of other related rows: the loan of a woman in a town, and not one of anybody there."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Declined, Reading


def _districts(bank_grounder, question: str) -> tuple[int, str]:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    return len(bank_grounder.engine.query(found.sql)), found.text


@pytest.mark.parametrize(
    "question",
    ["districts with male clients who have a loan over 300000", "which districts have men with a loan over 300000"],
)
def test_a_loan_told_of_clients_is_theirs(bank_grounder, question):
    count, text = _districts(bank_grounder, question)
    wanted = bank_grounder.engine.query(
        "SELECT count(DISTINCT c.district_id) AS n FROM client c JOIN disp d ON d.client_id = c.client_id "
        "JOIN loan l ON l.account_id = d.account_id "
        "WHERE d.type = 'OWNER' AND c.gender = 'male' AND l.amount > 300000"
    )
    assert count == wanted.iloc[0, 0]
    assert "a client with gender male with a loan with amount over 300,000" in text


def test_rows_that_are_joined_by_and_are_told_of_the_thing_itself(bank_grounder):
    count, _ = _districts(bank_grounder, "districts that have loans over 300000 and male clients")
    wanted = bank_grounder.engine.query(
        "SELECT count(DISTINCT a.district_id) AS n FROM account a JOIN loan l ON l.account_id = a.account_id "
        "WHERE l.amount > 300000"
    )
    assert count == wanted.iloc[0, 0]


def test_the_owner_of_a_loan_is_not_looked_for_back_through_its_account(bank_grounder):
    found = bank_grounder.read("districts with a loan over 300000 of a man")
    assert isinstance(found, Declined), found
    assert "may be told of 'loan' or of district" in found.reason
