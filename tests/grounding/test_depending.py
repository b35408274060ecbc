"""How one column goes with another: a correlation of two numbers, the mean of each group; never a model of one row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.predictions.explaining import Explained
from lexsi_nb.grounding.reading import Declined, PredictivePlan, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.fixture
def flats(frames_grounder: Callable[..., Grounder]) -> Any:
    import pandas as pd

    frame = pd.DataFrame(
        {
            "flat_id": range(1, 31),
            "rent": [500 + 10 * n for n in range(29)] + [None],
            "noise": [3 * n for n in range(30)],
            "rooms": [1, 2, 3] * 10,
            "side": ["harbour", "hill"] * 15,
        }
    )
    grounder = frames_grounder(flats=frame)
    yield grounder
    grounder.engine.close()


def _read(grounder: Grounder, question: str) -> Reading:
    whole = grounder.in_context((), question)
    assert not isinstance(whole, Explained), whole
    found = grounder.understood(whole)
    assert isinstance(found, Reading), found
    return found


@pytest.mark.parametrize(
    "question", ["how does rent vary with noise", "how do rents depend on the noise?", "how does noise relate to rent"]
)
def test_two_numbers_are_correlated(flats: Grounder, question: str) -> None:
    found = _read(flats, question)
    assert found.kind == "correlation"
    assert found.chart == "scatter"
    row = flats.engine.query(found.sql).iloc[0]
    assert (round(row["correlation"], 6), row["pairs"]) == (1.0, 29)


def test_a_number_by_a_column_of_groups_is_its_mean_in_each(flats: Grounder) -> None:
    found = _read(flats, "how does the noise change with the side")
    assert dict(flats.engine.query(found.sql).itertuples(index=False)) == {"hill": 45.0, "harbour": 42.0}


def test_a_count_by_few_numbers_is_one_of_each(flats: Grounder) -> None:
    found = _read(flats, "how does the number of flats depend on rooms")
    assert dict(flats.engine.query(found.sql).itertuples(index=False)) == {1: 10, 2: 10, 3: 10}


def test_what_moves_a_column_is_told_of_the_rows_where_it_is_known(flats: Grounder) -> None:
    plan = flats.understood("what drives rent")
    assert isinstance(plan, PredictivePlan), plan
    assert plan.predict_sql == ""
    assert "the 29 rows of flats where it is known (1 without it are left out)" in plan.read_as


def test_what_is_no_number_is_told_so(flats: Grounder) -> None:
    found = flats.understood("how does the side depend on noise")
    assert isinstance(found, Declined)
    assert "correlation between two numbers" in found.reason
