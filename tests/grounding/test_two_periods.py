"""Rows that something happened to in two periods, or in the one and not in the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
import pytest

from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Declined
from tests.grounding.conftest import answered

GUESTS = pd.DataFrame({"guest_id": range(1, 7), "home": ["Lund", "Lund", "Oslo", "Oslo", "Pisa", "Pisa"]})
STAYS = pd.DataFrame(
    {
        "stay_id": range(1, 9),
        "guest_id": [1, 1, 2, 3, 3, 4, 5, 5],
        "arrived": pd.to_datetime(
            [
                "2020-01-05", "2021-02-01", "2020-03-03", "2020-12-31", "2021-01-01", "2021-07-07", "2020-01-20",
                "2020-03-01",
            ]
        ),
    }
)  # fmt: skip


@pytest.fixture(scope="module")
def inn(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(guests=GUESTS, stays=STAYS)
    yield grounder
    grounder.engine.close()


def _of(period: str) -> set[int]:
    return set(STAYS.guest_id[STAYS.arrived.dt.strftime("%Y-%m").str.startswith(period)])


BOTH, FIRST = _of("2020") & _of("2021"), _of("2020") - _of("2021")
WAYS = {
    "guests with stays in both 2020 and 2021": BOTH, "guests with a stay in 2020 and in 2021": BOTH,
    "guests with a stay in 2020 but not in 2021": FIRST, "guests who stayed in 2020 but not in 2021": FIRST,
    "guests with a stay in 2020 but no stay in 2021": FIRST,
    "guests with a stay in January 2020 but not in March 2020": _of("2020-01") - _of("2020-03"),
    "guests with stays in both January 2020 and March 2020": _of("2020-01") & _of("2020-03"),
}  # fmt: skip


@pytest.mark.parametrize("question", WAYS)
def test_each_period_is_looked_at_by_itself(inn: Grounder, question: str) -> None:
    assert WAYS[question]
    assert set(answered(inn, question)["guest_id"]) == WAYS[question]


def test_counts_and_groups(inn: Grounder) -> None:
    assert answered(inn, "how many guests stayed in both 2020 and 2021?").iloc[0, 0] == len(BOTH)
    by = answered(inn, "number of guests with a stay in 2020 but not in 2021 by home")
    assert dict(by.to_numpy().tolist()) == GUESTS[GUESTS.guest_id.isin(FIRST)].groupby("home").size().to_dict()


@pytest.mark.parametrize(
    "question",
    [
        "stays in both 2020 and 2021", "guests with stays in 2020 and 2021",
        "guests with a stay in 2020 not in 2021", "guests without stays in 2020 but not in 2021",
    ],
)  # fmt: skip
def test_no_row_is_in_two_periods_and_nothing_is_made_of_it(inn: Grounder, question: str) -> None:
    assert isinstance(inn.read(question), Declined)


def test_what_a_condition_excludes_already_is_not_passed_over(inn: Grounder) -> None:
    found = inn.read("guests with a stay in 2020 not in 2021")
    assert isinstance(found, Declined)
    assert "says nothing more" in found.reason
