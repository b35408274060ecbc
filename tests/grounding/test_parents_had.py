"""`with a berth` leaves out rows: those that name none, and those whose name is in no row of that table."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Reading

FRAMES = {
    "harbours": pd.DataFrame({"harbour_id": [10, 11], "coast": ["north", "south"]}),
    "berths": pd.DataFrame({"berth_id": [1, 2, 3], "harbour_id": [10, None, 11], "depth": [4.0, 6.0, 9.0]}),
    "yachts": pd.DataFrame(
        {"yacht_id": range(1, 8), "berth_id": [1, 1, 2, 3, 9, None, 2], "length": [8.0, 9, 10, 11, 12, 13, 14]}
    ),
}


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many yachts have a berth?", 5),
        ("number of yachts with a berth", 5),
        ("how many yachts have no berth?", 2),
        ("number of yachts without a berth", 2),
        ("average length of yachts with a berth", 10.4),
        ("how many yachts have a harbour?", 3),
        ("how many yachts have no harbour?", 4),
        ("how many berths have a harbour?", 2),
        ("how many yachts with a berth on the north coast", 2),
        ("does every yacht have a berth?", False),
        ("do all berths have a harbour?", False),
    ],
)
def test_rows_that_have_another(frames_grounder, question: str, value: float) -> None:
    grounder = frames_grounder(**FRAMES)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == value


def test_the_share_of_rows_that_have_another(frames_grounder) -> None:
    grounder = frames_grounder(**FRAMES)
    found = grounder.read("what share of yachts have a berth?")
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(100 * 5 / 7)


def test_rows_without_a_key_are_listed_by_what_they_have(frames_grounder) -> None:
    trips = pd.DataFrame({"day": [1, 1, 2, 2, 2, 3], "berth_id": [1, None, 9, 3, 2, 1], "miles": [5.0, 6, 7, 8, 9, 9]})
    grounder = frames_grounder(trips=trips, berths=FRAMES["berths"])
    found = grounder.read("trips with a berth")
    assert isinstance(found, Reading), found
    assert sorted(grounder.engine.query(found.sql)["miles"]) == [5.0, 8.0, 9.0, 9.0]
