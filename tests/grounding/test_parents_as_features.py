"""A column is predicted from the tables its rows point at as well, where that keeps a split honest."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lexsi_nb import Session

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def frames() -> dict[str, pd.DataFrame]:
    """Return schools in towns, their pupils, and notes of pupils, of which each has three."""
    rng = np.random.default_rng(5)
    towns = pd.DataFrame({"town_id": [1, 2, 3], "coastal": ["yes", "no", "no"]})
    schools = pd.DataFrame(
        {
            "school_id": range(1, 7),
            "town_id": [1, 1, 2, 2, 3, 3],
            "title": [f"School {c}" for c in "ABCDEF"],
            "fee": [900.0, 300.0, 500.0, 100.0, 700.0, 200.0],
        }
    )
    pupils = pd.DataFrame({"pupil_id": range(1, 301), "school_id": np.arange(300) % 6 + 1, "height": 150.0})
    pupils["height"] += rng.normal(0, 5, 300)
    fee = pupils.school_id.map(schools.set_index("school_id").fee)
    pupils["score"] = (fee / 100 + rng.normal(0, 0.5, 300)).round(2)
    notes = pd.DataFrame({"note_id": range(1, 901), "pupil_id": np.arange(900) % 300 + 1, "length": 10})
    notes["length"] += rng.integers(0, 40, 900)
    return {"towns": towns, "schools": schools, "pupils": pupils, "notes": notes}


@pytest.fixture(scope="module")
def school(frames):
    """Return a session over the frames."""
    session = Session(frames, planner="embedded", namespace=dict(frames))
    yield session
    session.close()


def test_what_a_row_points_at_is_read(frames, school):
    run = school.ask("what drives the score of pupils?")
    frame = run.frame
    assert run.status == "answered"
    assert set(frame.columns) == {"pupil_id", "height", "fee", "coastal", "score"}
    right = frames["pupils"].merge(frames["schools"], on="school_id").merge(frames["towns"], on="town_id")
    right = right.sort_values("pupil_id").reset_index(drop=True)
    for column in ("fee", "coastal", "height", "score"):
        assert frame[column].tolist() == right[column].tolist()
    assert run.answer.split("most:")[1].split("(")[0].strip() == "fee"


def test_few_rows_of_one_parent_would_stand_on_both_sides_of_a_split(school):
    run = school.ask("predict the length of notes")
    assert run.status == "declined"
    assert "notes has no other column to predict length from" in run.answer
    assert "about 3.0 rows of notes share one of pupils" in run.answer
