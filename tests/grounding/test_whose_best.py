"""Whose row is the first of its kind: `which account had the largest loan in 1996`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
import pytest

from lexsi_nb.data.dataset import Dataset
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Declined
from tests.grounding.conftest import answered

FARMS = pd.DataFrame({"farm_id": [1, 2, 3], "name": ["Ash", "Beech", "Cedar"], "county": ["Kent", "Kent", "Devon"]})
HARVESTS = pd.DataFrame(
    {
        "harvest_id": range(1, 7),
        "farm_id": [1, 2, 2, 3, 3, 1],
        "tons": [5, 9, 20, 18, 4, 7],
        "cut_on": pd.to_datetime(["2019-05-01", "2019-06-01", "2020-05-02", "2019-07-01", "2020-08-01", "2020-05-02"]),
    }
)


@pytest.fixture(scope="module")
def land(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(farms=FARMS, harvests=HARVESTS)
    yield grounder
    grounder.engine.close()


def test_the_row_that_the_best_of_others_belongs_to(land: Grounder) -> None:
    assert answered(land, "which farm had the largest harvest?")["name"].tolist() == ["Beech"]
    assert answered(land, "which farm had the largest harvest in 2019?")["name"].tolist() == ["Cedar"]
    assert answered(land, "which county had the smallest harvest?")["county"].tolist() == ["Devon"]


def test_over_the_bank(bank: Dataset, bank_grounder: Grounder) -> None:
    loans = bank_grounder.engine.query("SELECT * FROM loan")
    of_1996 = loans[pd.to_datetime(loans.date).dt.year == 1996]
    got = answered(bank_grounder, "which account had the largest loan in 1996?")
    assert got["account_id"].tolist() == [of_1996.account_id[of_1996.amount.idxmax()]]
    got = answered(bank_grounder, "which account had the largest loan?")
    assert got["account_id"].tolist() == [loans.account_id[loans.amount.idxmax()]]
    cards = bank_grounder.engine.query("SELECT * FROM card JOIN disp USING (disp_id) WHERE card.type = 'junior'")
    got = answered(bank_grounder, "Which client has the latest junior card?")
    assert got["client_id"].tolist() == [cards.client_id[pd.to_datetime(cards.issued).idxmax()]]


def test_several_that_share_the_place_are_no_one_row(land: Grounder) -> None:
    assert isinstance(land.read("which farm had the first harvest in 2020?"), Declined)
