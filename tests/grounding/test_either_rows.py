"""Rows that have one of two others: `accounts with a loan or a card`, and rows that have neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import eq, ge, gt, lt
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.data.dataset import Dataset
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Declined
from tests.grounding.conftest import answered

PUPILS = pd.DataFrame({"pupil_id": range(1, 7), "grade": ["low", "low", "high", "high", "high", "low"]})
PRIZES = pd.DataFrame({"prize_id": [1, 2, 3, 4], "pupil_id": [1, 1, 3, 4], "rank": ["gold", "tin", "tin", "gold"]})
TRIPS = pd.DataFrame({"trip_id": [1, 2, 3, 4, 5], "pupil_id": [2, 3, 3, 3, 6], "miles": [10, 40, 5, 8, 90]})

PRIZED, TRAVELLED = PUPILS.pupil_id.isin(PRIZES.pupil_id), PUPILS.pupil_id.isin(TRIPS.pupil_id)
GOLD = PUPILS.pupil_id.isin(PRIZES[PRIZES["rank"] == "gold"].pupil_id)
OFTEN = PUPILS.pupil_id.isin([p for p, n in TRIPS.pupil_id.value_counts().items() if n > 2])


@pytest.fixture(scope="module")
def school(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(pupils=PUPILS, prizes=PRIZES, trips=TRIPS)
    yield grounder
    grounder.engine.close()


WAYS = {
    "pupils with a prize or a trip": PRIZED | TRAVELLED,
    "pupils with a trip or with a prize": PRIZED | TRAVELLED,
    "pupils without a prize or a trip": ~PRIZED & ~TRAVELLED,
    "pupils with no prize or trip": ~PRIZED & ~TRAVELLED,
    "pupils without a prize or without a trip": ~PRIZED | ~TRAVELLED,
    "pupils with a trip or a gold prize": TRAVELLED | GOLD,
    "pupils with more than 2 trips or a gold prize": OFTEN | GOLD,
    "pupils without a trip or with a gold prize": ~TRAVELLED | GOLD,
    "pupils in grade high with a prize or a trip": (PUPILS.grade == "high") & (PRIZED | TRAVELLED),
}


@pytest.mark.parametrize("question", WAYS)
def test_rows_that_have_the_one_or_the_other(school: Grounder, question: str) -> None:
    wanted = sorted(PUPILS.pupil_id[WAYS[question]])
    assert 0 < len(wanted) < len(PUPILS)
    assert sorted(answered(school, question)["pupil_id"]) == wanted


def test_figures_and_shares_of_them(school: Grounder) -> None:
    assert answered(school, "how many pupils have a prize or a trip?").iloc[0, 0] == (PRIZED | TRAVELLED).sum()
    by = answered(school, "number of pupils with a prize or a trip by grade")
    assert dict(by.to_numpy().tolist()) == PUPILS[PRIZED | TRAVELLED].groupby("grade").size().to_dict()
    share = answered(school, "what share of pupils have a gold prize or more than 2 trips?")
    assert share.iloc[0, 0] == pytest.approx(100 * (GOLD | OFTEN).mean())


@pytest.mark.parametrize(
    "question",
    [
        "pupils with a prize or a trip over 20 miles", "pupils in grade low with a prize or in grade high",
        "pupils with a prize or a trip or a grade",
    ],
)  # fmt: skip
def test_what_may_be_said_of_one_or_both_is_declined(school: Grounder, question: str) -> None:
    assert isinstance(school.read(question), Declined)


def test_over_the_bank(bank: Dataset, bank_grounder: Grounder) -> None:
    t = {n: bank_grounder.engine.query(f'SELECT * FROM "{n}"') for n in ("account", "loan", "disp", "card")}
    loans = set(t["loan"].account_id)
    cards = set(t["disp"][t["disp"].disp_id.isin(t["card"].disp_id)].account_id)
    got = answered(bank_grounder, "how many accounts have a loan or a card?").iloc[0, 0]
    assert got == len(loans | cards)
    assert answered(bank_grounder, "how many accounts have no loan or card?").iloc[0, 0] == len(
        set(t["account"].account_id) - loans - cards
    )


def test_a_share_over_two_tables(bank: Dataset, bank_grounder: Grounder) -> None:
    both = bank_grounder.engine.query("SELECT * FROM client JOIN district USING (district_id)")
    got = answered(bank_grounder, "what percentage of clients are women or live in Prague?")
    assert got.iloc[0, 0] == pytest.approx(100 * ((both.gender == "female") | (both.region == "Prague")).mean())


def _with(frame: pd.DataFrame) -> Any:
    return PUPILS.pupil_id.isin(frame.pupil_id)


TIN, FAR, NEAR = PRIZES[PRIZES["rank"] == "tin"], TRIPS[TRIPS.miles > 30], TRIPS[TRIPS.miles < 9]
KINDS = {
    "pupils with a gold prize and a tin prize": GOLD & _with(TIN),
    "pupils with a gold prize but no tin prize": GOLD & ~_with(TIN),
    "pupils with a tin prize and without a gold prize": _with(TIN) & ~GOLD,
    "pupils with a trip over 30 miles and a trip under 9 miles": _with(FAR) & _with(NEAR),
}


@pytest.mark.parametrize("question", KINDS)
def test_rows_that_have_two_kinds_or_the_one_alone(school: Grounder, question: str) -> None:
    wanted = sorted(PUPILS.pupil_id[KINDS[question]])
    assert wanted
    assert sorted(answered(school, question)["pupil_id"]) == wanted


def test_a_count_and_groups_of_two_kinds(school: Grounder) -> None:
    assert (
        answered(school, "how many pupils have a gold prize but no tin prize?").iloc[0, 0] == (GOLD & ~_with(TIN)).sum()
    )
    by = answered(school, "number of pupils with a gold prize but no tin prize by grade")
    wanted = PUPILS[GOLD & ~_with(TIN)].groupby("grade").size()
    assert dict(by.to_numpy().tolist()) == wanted.to_dict()


def test_one_row_that_is_of_one_kind_and_not_of_another_says_nothing_more(school: Grounder) -> None:
    found = school.read("pupils with a prize with rank gold but not rank tin")
    assert isinstance(found, Declined), found
    assert "says nothing more" in found.reason


NUMBERS = {
    "pupils with at least one gold prize": ("gold", ge, 1), "pupils with more than 1 tin prize": ("tin", gt, 1),
    "pupils with fewer than 1 gold prizes": ("gold", lt, 1), "pupils with 1 tin prize": ("tin", eq, 1),
}  # fmt: skip


@pytest.mark.parametrize("question", NUMBERS)
def test_how_many_rows_of_a_kind_there_are(frames_grounder: Callable[..., Grounder], question: str) -> None:
    prizes = pd.concat([PRIZES, PRIZES[PRIZES.prize_id == 3].assign(prize_id=9)])
    grounder = frames_grounder(pupils=PUPILS, prizes=prizes, trips=TRIPS)
    rank, held, number = NUMBERS[question]
    n = PUPILS.pupil_id.map(prizes[prizes["rank"] == rank].pupil_id.value_counts()).fillna(0)
    assert sorted(answered(grounder, question)["pupil_id"]) == sorted(PUPILS.pupil_id[held(n, number)])
    grounder.engine.close()
