"""Rows held against an average where other conditions hold as well: of all rows, or of these, asked with both."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
import pytest

from lexsi_nb.data.dataset import Dataset
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.options import OpenOption, options
from lexsi_nb.grounding.reading import Choice, Declined
from tests.grounding.conftest import answered

KEEPERS = pd.DataFrame({"keeper_id": [1, 2, 3], "park": ["north", "north", "south"]})
BEASTS = pd.DataFrame(
    {
        "beast_id": range(1, 9),
        "keeper_id": [1, 1, 2, 2, 3, 3, 3, 1],
        "kind": ["owl", "owl", "fox", "fox", "fox", "owl", "fox", "owl"],
        "weight": [1.0, 3, 9, 12, 30, 4, 50, None],
    }
)
FOX = BEASTS.kind == "fox"


@pytest.fixture(scope="module")
def zoo(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(beasts=BEASTS, keepers=KEEPERS)
    yield grounder
    grounder.engine.close()


def _ways(grounder: Grounder, question: str) -> tuple[OpenOption, ...]:
    found = grounder.read(question)
    assert isinstance(found, Choice), found
    ways = options(found, question, grounder.read, grounder.engine)
    assert all(w.question for w in ways), ways
    return ways


def test_both_averages_are_offered_with_their_rows(zoo: Grounder) -> None:
    ways = _ways(zoo, "beasts of kind fox with a weight above the average")
    for way, average in zip(ways, (BEASTS.weight.mean(), BEASTS[FOX].weight.mean()), strict=True):
        wanted = BEASTS.beast_id[FOX & (BEASTS.weight > average)].tolist()
        assert sorted(answered(zoo, way.question)["beast_id"]) == wanted
        assert way.number.split()[0] == str(len(wanted))
    assert "of all beasts rows" in ways[0].text
    assert "of these rows" in ways[1].text


def test_a_condition_of_a_parent_and_a_count(zoo: Grounder) -> None:
    whole = BEASTS.merge(KEEPERS, on="keeper_id")
    north = whole.park == "north"
    ways = _ways(zoo, "how many beasts in the north park have a weight below the median?")
    for way, middle in zip(ways, (whole.weight.median(), whole[north].weight.median()), strict=True):
        assert answered(zoo, way.question).iloc[0, 0] == (north & (whole.weight < middle)).sum()


def test_conditions_of_related_rows(zoo: Grounder) -> None:
    ways = _ways(zoo, "keepers with a beast of kind owl with a weight above the average")
    owl = BEASTS.kind == "owl"
    for way, average in zip(ways, (BEASTS.weight.mean(), BEASTS[owl].weight.mean()), strict=True):
        wanted = set(BEASTS.keeper_id[owl & (BEASTS.weight > average)])
        assert set(answered(zoo, way.question)["keeper_id"]) == wanted


def test_over_the_bank(bank: Dataset, bank_grounder: Grounder) -> None:
    loans = bank_grounder.engine.query("SELECT * FROM loan")
    of_1997 = pd.to_datetime(loans.date).dt.year == 1997
    ways = _ways(bank_grounder, "loans in 1997 with amount above the average")
    for way, average in zip(ways, (loans.amount.mean(), loans[of_1997].amount.mean()), strict=True):
        assert way.number == f"{(of_1997 & (loans.amount > average)).sum()} rows"


def test_without_other_conditions_it_is_of_all(zoo: Grounder) -> None:
    got = answered(zoo, "beasts with a weight above the average")
    assert sorted(got["beast_id"]) == BEASTS.beast_id[BEASTS.weight > BEASTS.weight.mean()].tolist()
    assert isinstance(zoo.read("beasts with a weight above the average, held against these rows"), Declined)
