"""A period said last, after what the part is told by, may be of the part or of the whole: it is asked about."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Reading

CALLS = pd.DataFrame(
    {
        "call_id": range(1, 9),
        "urgent": [True, False, True, False, True, True, False, False],
        "line": ["red", "blue"] * 4,
        "made_on": pd.to_datetime(["2020-01-01"] * 5 + ["2021-01-01"] * 3),
    }
)


def test_a_period_said_last_is_asked_about(frames_grounder) -> None:
    grounder = frames_grounder(calls=CALLS)
    for question in ("what percentage of calls were on the red line in 2021", "share of calls with line red in 2021"):
        assert isinstance(grounder.read(question), Choice), question


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("percentage of calls made in 2021 that are on the red line", 100 / 3),
        ("what share of calls has line red", 50.0),
    ],
)
def test_a_period_of_the_whole_is_read(frames_grounder, question: str, share: float) -> None:
    grounder = frames_grounder(calls=CALLS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(share)


def test_periods_without_a_year_are_compared_or_declined(frames_grounder) -> None:
    """Months are told by a derived date, which is no column of the table."""
    days = pd.DataFrame(
        {"year": [2013] * 4, "month": [1, 1, 7, 7], "day": [1, 2, 1, 2], "heat": [1.0, 3.0, 20.0, 22.0]}
    )
    found = frames_grounder(days=days).read("how much higher is the average heat in July than in January")
    assert found is not None
