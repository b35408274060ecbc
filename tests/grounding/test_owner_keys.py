"""Groups told of one of several holders are of that one alone, in whichever order the groups are said."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from lexsi_nb.grounding.reading import Choice, Reading
from tests.grounding.conftest import rows

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

OWNED = "JOIN disp p ON p.account_id = a.account_id AND p.type = 'OWNER' JOIN client c USING (client_id)"
ACCOUNTS = "SELECT {k}, count(*) FROM account a " + OWNED + " GROUP BY {g}"
LOANS = "SELECT {k}, {m} FROM loan a " + OWNED + " GROUP BY {g}"

RIGHT = [
    ("number of accounts by gender of the owner", ACCOUNTS.format(k="gender", g="1")),
    ("accounts by gender of the account owner", ACCOUNTS.format(k="gender", g="1")),
    ("number of accounts by gender of the owner and frequency", ACCOUNTS.format(k="frequency, gender", g="1, 2")),
    ("accounts by gender of the owner and year", ACCOUNTS.format(k="year(date), gender", g="1, 2")),
    (
        "number of transactions by gender of the owner",
        f"SELECT gender, count(*) FROM trans a {OWNED} GROUP BY 1",
    ),
    ("average payments of loans by gender of the account owner", LOANS.format(k="gender", m="avg(payments)", g="1")),
    ("number of loans by gender of the owner and status", LOANS.format(k="status, gender", m="count(*)", g="1, 2")),
]


@pytest.mark.parametrize(("question", "gold"), RIGHT, ids=[q for q, _ in RIGHT])
def test_a_group_of_the_owner_has_no_other_holder(bank_grounder: Grounder, question: str, gold: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert rows(bank_grounder.engine.query(found.sql)) == rows(bank_grounder.engine.query(gold))


def test_rows_told_of_are_those_that_are_grouped_by(frames_grounder: Callable[..., Grounder]) -> None:
    import pandas as pd

    boats = pd.DataFrame({"boat_id": [1, 2, 3], "harbour": ["Ost", "Ost", "West"]})
    sailors = pd.DataFrame({"sailor_id": [1, 2, 3, 4], "grade": ["mate", "bosun", "mate", "bosun"]})
    crews = pd.DataFrame(
        {
            "crew_id": range(1, 7),
            "boat_id": [1, 1, 2, 2, 3, 3],
            "sailor_id": [1, 2, 3, 4, 2, 3],
            "duty": ["skipper", "deckhand", "skipper", "deckhand", "skipper", "deckhand"],
        }
    )
    grounder = frames_grounder(boats=boats, sailors=sailors, crews=crews)
    found = grounder.read("number of boats with a skipper by sailor grade")
    assert isinstance(found, Reading), found
    assert rows(grounder.engine.query(found.sql)) == [("bosun", 1.0), ("mate", 2.0)]


@pytest.mark.parametrize("question", ["accounts of men vs women", "do men or women have more accounts"])
def test_whose_accounts_are_compared_is_asked_about(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Choice)


def test_a_comparison_of_owners_is_read(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("do men or women own more accounts")
    assert isinstance(found, Reading), found
    gold = ACCOUNTS.format(k="gender", g="1")
    assert rows(bank_grounder.engine.query(found.sql)) == rows(bank_grounder.engine.query(gold))
