"""What rows are said not to be in one word, and what they are said to be right after their name: right numbers."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

BILLS = pd.DataFrame(
    {
        "bill_id": [1, 2, 3, 4, 5],
        "tenant_id": [1, 1, 2, 3, 3],
        "amount": [10.0, 20.0, 30.0, 40.0, 50.0],
        "paid": [True, False, False, True, False],
        "disputed": [0, 1, 0, 0, 1],
        "sent_on": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-02-01", "2024-02-02", "2024-03-01"]),
        "returned_at": pd.to_datetime(["2024-01-09", None, None, None, None]),
        "channel": ["post", "mail", "post", "app", "app"],
    }
)
TENANTS = pd.DataFrame(
    {
        "tenant_id": [1, 2, 3, 4],
        "name": ["Ann Bell", "Bob Cole", "Cid Dunn", "Dee East"],
        "smoker": ["no", "yes", "no", "no"],
        "verified": ["verified", "pending", "verified", "pending"],
        "active": [1, 1, 0, 0],
    }
)

NUMBERS = [
    ("how many unpaid bills are there?", 3),
    ("how many bills are unpaid?", 3),
    ("how many bills have not been paid?", 3),
    ("how many bills haven't been paid yet?", 3),
    ("how many bills weren't paid?", 3),
    ("how many bills are not unpaid?", 2),
    ("total amount of unpaid bills", 100),
    ("how many undisputed bills are there?", 3),
    ("how many bills are unpaid and undisputed?", 1),
    ("how many bills paid but not disputed", 2),
    ("how many bills are disputed but not paid?", 2),
    ("how many unreturned bills are there?", 4),
    ("how many non-smoker tenants", 3),
    ("how many inactive tenants are there?", 2),
    ("how many unverified tenants", 2),
    ("how many tenants have unpaid bills?", 3),
    ("how many tenants without unpaid bills", 1),
]


@pytest.mark.parametrize(("question", "number"), NUMBERS, ids=[q for q, _ in NUMBERS])
def test_what_rows_are_not(frames_grounder, question: str, number: float) -> None:
    grounder = frames_grounder(bills=BILLS, tenants=TENANTS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == number


@pytest.mark.parametrize(
    "question",
    [
        "how many unhappy tenants are there?",  # no column says happy
        "how many unposted bills are there?",  # one of three channels: the others are no opposite
        "how many uncertain bills are there?",
        "how many unsent bills are there?",  # each has a day
    ],
)
def test_what_no_column_denies_is_not_answered(frames_grounder, question: str) -> None:
    found = frames_grounder(bills=BILLS, tenants=TENANTS).read(question)
    assert isinstance(found, (Declined, Choice)), found


def test_rows_that_are_said_to_be_done_are_listed_as_such(frames_grounder) -> None:
    grounder = frames_grounder(bills=BILLS, tenants=TENANTS)
    found = grounder.read("bills paid but not disputed")
    assert isinstance(found, Reading), found
    assert list(grounder.engine.query(found.sql)["bill_id"]) == [1, 4]
    shown = grounder.read("list bill_id and paid of bills")
    assert isinstance(shown, Reading)
    assert len(grounder.engine.query(shown.sql)) == 5


def test_people_that_are_not_of_a_kind_are_rows(frames_grounder) -> None:
    grounder = frames_grounder(bills=BILLS, tenants=TENANTS)
    for question in ("how many non-smokers are there?", "number of non smokers"):
        found = grounder.read(question)
        assert isinstance(found, Reading), found
        assert grounder.engine.query(found.sql).iloc[0, 0] == 3


def test_what_is_joined_to_what_rows_are_not(frames_grounder) -> None:
    grounder = frames_grounder(bills=BILLS, tenants=TENANTS)
    for question, ids in (
        ("paid but undisputed bills", [1, 4]),
        ("disputed but unpaid bills", [2, 5]),
        ("paid and unpaid bills", [1, 2, 3, 4, 5]),
    ):
        found = grounder.read(question)
        assert isinstance(found, Reading), (question, found)
        assert list(grounder.engine.query(found.sql)["bill_id"]) == ids, question
    found = grounder.read("paid vs unpaid bills")
    assert isinstance(found, Reading), found
    assert sorted(grounder.engine.query(found.sql).iloc[:, -1]) == [2, 3]
    assert list(grounder.engine.query(found.sql)["compared"]) == ["unpaid", "paid"]
    both = grounder.read("number of paid and unpaid bills")
    assert isinstance(both, Reading), both
    assert dict(grounder.engine.query(both.sql).itertuples(index=False, name=None)) == {True: 2, False: 3}
