"""What rows are said to be, `closed`, `still open`, `shipped`, is a condition on the day on which it was done."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading


def _days(*days: str | None) -> pd.Series:
    return pd.Series(pd.to_datetime(list(days)))


OPENED = _days("2019-01-01", "2020-01-01", "2021-01-01")
EXHIBITS = pd.DataFrame({"exhibit_id": [1, 2, 3], "opened": OPENED, "closed": _days(None, "2023-01-01", None)})
SHOPS = pd.DataFrame({"shop_id": [1, 2, 3], "opened": OPENED})
PARCELS = pd.DataFrame(
    {
        "parcel_id": [1, 2, 3],
        "sent_on": _days("2020-01-01", "2020-01-02", "2020-01-03"),
        "delivered_at": _days("2020-01-05", None, None),
        "paid_date": _days("2020-01-01", "2020-01-02", None),
    }
)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many exhibits are open?", 2),
        ("How many exhibits are still open?", 2),
        ("how many exhibits are closed?", 1),
        ("how many exhibits opened before 2021 are still open?", 1),
        ("how many exhibits have closed?", 1),
        ("how many exhibits have not closed yet?", 2),
        ("how many exhibits are not closed?", 2),
        ("how many exhibits are not open?", 1),
        ("how many exhibits were closed in 2023?", 1),
        ("how many exhibits opened in 2020?", 1),
        ("how many exhibits were opened?", 3),
        ("how many parcels are delivered?", 1),
        ("how many parcels have been delivered?", 1),
        ("how many parcels are not delivered?", 2),
        ("how many parcels were delivered in 2020?", 1),
        ("how many parcels were paid?", 2),
        ("share of exhibits that are closed", 100 / 3),
    ],
)
def test_what_rows_are_said_to_be_is_a_condition(frames_grounder, question: str, number: float) -> None:
    grounder = frames_grounder(exhibits=EXHIBITS, parcels=PARCELS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(number)


@pytest.mark.parametrize(
    "question",
    [
        "how many shops are open?",
        "how many shops are still open?",
        "list the open shops",
    ],
)
def test_what_nothing_tells_is_not_answered_of_all(frames_grounder, question: str) -> None:
    found = frames_grounder(shops=SHOPS, parcels=PARCELS).read(question)
    assert isinstance(found, (Declined, Choice)), found


def test_the_rows_that_are_still_open_are_listed(frames_grounder) -> None:
    grounder = frames_grounder(exhibits=EXHIBITS)
    found = grounder.read("which exhibits are still open?")
    assert isinstance(found, Reading), found
    assert list(grounder.engine.query(found.sql)["exhibit_id"]) == [1, 3]


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many open exhibits are there?", 2),
        ("how many closed exhibits are there?", 1),
        ("number of delivered parcels", 1),
        ("how many undelivered parcels are there?", 2),
        ("how many paid but undelivered parcels are there?", 1),
        ("how many parcels paid but not delivered", 1),
        ("how many parcels not delivered", 2),
    ],
)
def test_an_adjective_before_rows_is_a_condition(frames_grounder, question: str, number: int) -> None:
    grounder = frames_grounder(exhibits=EXHIBITS, parcels=PARCELS, shops=SHOPS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == number


@pytest.mark.parametrize("question", ["open shops", "open and closed exhibits", "list the paid and delivered parcels"])
def test_adjectives_that_leave_it_open_are_not_passed_over(frames_grounder, question: str) -> None:
    found = frames_grounder(exhibits=EXHIBITS, parcels=PARCELS, shops=SHOPS).read(question)
    assert isinstance(found, (Declined, Choice)), found


def test_open_is_of_the_rows_that_are_named(frames_grounder) -> None:
    grounder = frames_grounder(exhibits=EXHIBITS, shops=SHOPS)
    found = grounder.read("how many exhibits are open?")
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == 2
    assert isinstance(grounder.read("how many shops are open?"), Declined)
