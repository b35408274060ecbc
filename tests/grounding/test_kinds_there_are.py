"""`Which sizes are offered?` asks for the values there are, numbers as well as words, and for no rows."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Reading

TENTS = pd.DataFrame(
    {
        "tent_id": range(1, 121),
        "berths": [2, 4, 6] * 40,
        "shape": ["dome", "tunnel"] * 60,
        "weight": [1.5 + i / 7 for i in range(120)],
        "hired": pd.to_datetime(["2022-03-01"] * 120),
    }
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("which tent berths are offered?", [2, 4, 6]),
        ("what berths do tents have", [2, 4, 6]),
        ("list the berths of the tents", [2, 4, 6]),
        ("which shapes are hired", ["dome", "tunnel"]),
        ("which tent shapes are available?", ["dome", "tunnel"]),
    ],
)
def test_values_are_listed_once(frames_grounder, question: str, values: list) -> None:
    grounder = frames_grounder(tents=TENTS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    frame = grounder.engine.query(found.sql)
    assert frame.shape[1] == 1
    assert sorted(frame.iloc[:, 0]) == values


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("list the weights of the tents", 120),
        ("berths of tents with weight over 10", 60),
        ("which tents were hired", 120),
    ],
)
def test_measurements_and_rows_stay_rows(frames_grounder, question: str, rows: int) -> None:
    grounder = frames_grounder(tents=TENTS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert len(grounder.engine.query(found.sql)) == rows
