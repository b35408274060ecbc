"""`The largest and the smallest` of one order: both are told, and no end stands for the other."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Reading

PONDS = pd.DataFrame(
    {"pond_id": [1, 2, 3], "name": ["Ash", "Birch", "Cedar"], "population": [900, 40, 300], "rain": [2.5, 7.0, 1.5]}
)
CATCHES = pd.DataFrame(
    {
        "catch_id": [11, 12, 13, 14, 15, 16],
        "pond_id": [1, 1, 1, 2, 3, 3],
        "kind": ["carp", "pike", "carp", "pike", "pike", "carp"],
        "weight": [2.0, 9.0, 4.0, 1.0, 6.0, 3.0],
        "price": [10, 90, 40, 15, 60, 30],
        "caught": pd.to_datetime(["2020-01-01", "2020-03-01", "2021-02-01", "2021-05-01", "2019-07-01", "2020-08-01"]),
    }
)

ROWS = [
    ("the most expensive pike", "catch_id", [12]),
    ("first and last catch in Cedar", "catch_id", [15, 16]),
    ("ponds with the highest and lowest rain", "pond_id", [2, 3]),
    ("pond with the lowest and highest rain", "pond_id", [3, 2]),
    ("most and least populous pond", "pond_id", [1, 2]),
    ("the most populous pond", "pond_id", [1]),
    ("which pond has the most and fewest catches?", "name", ["Ash", "Birch"]),
]


@pytest.mark.parametrize(("question", "name", "rows"), ROWS, ids=[q for q, _, _ in ROWS])
def test_the_rows_at_both_ends(frames_grounder, question: str, name: str, rows: list) -> None:
    grounder = frames_grounder(ponds=PONDS, catches=CATCHES)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert list(grounder.engine.query(found.sql)[name]) == rows


FIGURES = [
    ("cheapest and dearest catch", [(10, 90)]),
    ("the cheapest and the most expensive catch", [(10, 90)]),
    ("cheapest and dearest catch of each kind", [("carp", 10, 40), ("pike", 15, 90)]),
    ("cheapest and dearest price of pike", [(15, 90)]),
    ("lowest and highest weight", [(1.0, 9.0)]),
    ("heaviest and lightest weight by kind", [("carp", 4.0, 2.0), ("pike", 9.0, 1.0)]),
]


@pytest.mark.parametrize(("question", "rows"), FIGURES, ids=[q for q, _ in FIGURES])
def test_the_figures_at_both_ends(frames_grounder, question: str, rows: list) -> None:
    grounder = frames_grounder(ponds=PONDS, catches=CATCHES)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert sorted(grounder.engine.query(found.sql).itertuples(index=False, name=None)) == rows


@pytest.mark.parametrize("question", ["the largest and the smallest catch", "the most and the least catch"])
def test_an_end_that_is_not_measured_is_not_told(frames_grounder, question: str) -> None:
    assert not isinstance(frames_grounder(ponds=PONDS, catches=CATCHES).read(question), Reading)
