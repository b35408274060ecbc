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


@pytest.mark.parametrize(
    ("question", "thing", "of_it"),
    [
        ("how many clients do not own a card", "JOIN card x ON x.disp_id = d.disp_id", ""),
        ("number of clients that own no card", "JOIN card x ON x.disp_id = d.disp_id", ""),
        ("how many people don't own a junior card", "JOIN card x ON x.disp_id = d.disp_id", "AND x.type = 'junior'"),
        ("count the clients who do not own an account", "JOIN account x ON x.account_id = d.account_id", ""),
    ],
)
def test_who_does_not_own_something_has_none_that_is_theirs(bank_grounder, question, thing, of_it):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    wanted = bank_grounder.engine.query(
        f"SELECT count(*) AS n FROM client c WHERE NOT EXISTS (SELECT 1 FROM disp d {thing} "
        f"WHERE d.client_id = c.client_id AND d.type = 'OWNER' {of_it})"
    )
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == wanted.iloc[0, 0]


def test_the_share_of_those_who_do_not_own_something_is_that_of_the_rest(bank_grounder):
    shares = [
        bank_grounder.engine.query(bank_grounder.read(f"what percentage of clients {how} a card").sql).iloc[0, 0]
        for how in ("own", "do not own")
    ]
    assert sum(shares) == pytest.approx(100)
    assert bank_grounder.read("what percentage of clients do not own a card").text.endswith(
        "no card with disp type OWNER"
    )
