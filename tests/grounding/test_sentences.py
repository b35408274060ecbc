"""What the sentence of an answer says is true of each figure: rows left out, values that are missing, both ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pandas as pd
import pytest

from lexsi_nb import Session

TREES = pd.DataFrame(
    {
        "tree_id": range(1, 8),
        "kind": ["oak", "oak", "elm", "elm", "elm", None, " "],
        "height": [10.0, None, 4.0, 6.0, 8.0, 30.0, 2.0],
        "planted": pd.to_datetime(
            ["2001-04-01", "2002-04-01", "2003-04-01", "2004-04-01", "2005-04-01", "2006-04-01", "2007-04-01"]
        ),
    }
)


@pytest.fixture(scope="module")
def wood() -> Iterator[Any]:
    names: dict[str, Any] = {"trees": TREES}
    with closing(Session(names, planner="embedded", namespace=names)) as session:
        yield session


def test_rows_are_left_out_of_the_figure_that_needs_their_value(wood: Session) -> None:
    run = wood.ask("number of trees and mean height")
    assert "number_of_trees 7, mean_height 10" in run.answer
    assert "1 tree without height: left out of the mean height" in run.answer
    assert wood.ask("mean height of the trees").answer.endswith("1 tree without height: left out.")


def test_rows_that_a_figure_is_not_of_are_not_left_out_of_it(wood: Session) -> None:
    run = wood.ask("number of trees of kind oak and mean height of trees of kind elm")
    assert "mean_height_trees_kind_elm 6" in run.answer
    assert "left out" not in run.answer


def test_a_missing_value_is_none_of_the_different_ones(wood: Session) -> None:
    assert "2 values (and rows without one): elm, oak." in wood.ask("distinct kinds").answer


def test_both_ends_are_said(wood: Session) -> None:
    answer = wood.ask("the first and the last planted tree").answer
    assert "tree_id 1, " in answer
    assert "; and tree_id 7, " in answer
