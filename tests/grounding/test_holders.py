"""Owners and holders are people, whatever is named before them: no accounts and no cards."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("list account owners born before 1930", "SELECT client_id FROM client JOIN disp d USING (client_id) "
         "WHERE d.type = 'OWNER' AND birth_date < '1930-01-01'"),
        ("list the junior card holders", "SELECT client_id FROM disp JOIN card k USING (disp_id) "
         "WHERE k.type = 'junior'"),
        ("classic card holders born after 1980", "SELECT client_id FROM client JOIN disp USING (client_id) "
         "JOIN card k USING (disp_id) WHERE k.type = 'classic' AND birth_date >= '1981-01-01'"),
    ],
)  # fmt: skip
def test_holders_are_listed_as_such(bank_grounder, question, sql):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert set(bank_grounder.engine.query(found.sql)["client_id"]) == set(bank_grounder.engine.query(sql)["client_id"])


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many account owners are men", "SELECT count(*) FROM disp d JOIN client USING (client_id) "
         "WHERE d.type = 'OWNER' AND gender = 'male'"),
        ("number of junior card holders without a loan", "SELECT count(*) FROM disp JOIN card k USING (disp_id) "
         "WHERE k.type = 'junior' AND account_id NOT IN (SELECT account_id FROM loan)"),
    ],
)  # fmt: skip
def test_holders_are_counted_as_such(bank_grounder, question, value):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == bank_grounder.engine.query(value).iloc[0, 0]


@pytest.mark.parametrize(
    "question",
    [
        "oldest account owner",  # no account
        "youngest junior card holder",  # no card
        "account owners by region",
        "gender of the junior card holders",  # of each, or which there are
        "names of the men in Jesenik",  # they have none
        "accounts in Zlin with their number of standing orders",  # no number of all
        "list all accounts and their owners in Zlin",  # not without them
    ],
)
def test_what_holders_have_no_part_in_is_no_answer(bank_grounder, question):
    assert isinstance(bank_grounder.read(question), Choice | Declined), question


def test_an_average_of_their_own_is_that_of_each(bank_grounder):
    found = bank_grounder.read("list the districts of west Bohemia with their average salary")
    assert isinstance(found, Reading), found
    frame = bank_grounder.engine.query(found.sql)
    assert list(frame.columns) == ["district_id", "name", "average_salary"]
    assert len(frame) == 10


@pytest.mark.parametrize(
    "question",
    [
        "how many accounts have a male holder",
        "number of accounts by gender of the holder",
        "how many accounts have a holder born after 1975",
    ],
)
def test_whether_a_holder_owns_the_account_is_asked(bank_grounder, question):
    found = bank_grounder.read(question)
    assert isinstance(found, Choice), found
    assert found.options == ("by the OWNER alone", "by any type of disp")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many accounts have a male owner", "SELECT count(*) FROM disp JOIN client USING (client_id) "
         "WHERE type = 'OWNER' AND gender = 'male'"),
        ("how many accounts have a male co-holder", "SELECT count(*) FROM disp JOIN client USING (client_id) "
         "WHERE type = 'DISPONENT' AND gender = 'male'"),
    ],
)  # fmt: skip
def test_an_owner_and_a_co_holder_are_told_apart(bank_grounder, question, value):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == bank_grounder.engine.query(value).iloc[0, 0]
