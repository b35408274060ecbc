"""The most used of some things is the one that other rows point at most; a number of things is no group by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def _frames() -> dict[str, Any]:
    import pandas as pd

    kilns = pd.DataFrame({"kiln_id": [1, 2, 3, 4], "kiln": ["Ash", "Birch", "Cedar", "Dune"]})
    firings = pd.DataFrame(
        {
            "firing_id": range(1, 9),
            "kiln_id": [2, 2, 2, 3, 3, 3, 1, 2],
            "fired": pd.to_datetime(["2020-02-01"] * 4 + ["2021-05-01"] * 4),
        }
    )
    day = pd.to_datetime(["2021-01-01"] * 3)
    checks = pd.DataFrame({"check_id": [1, 2, 3], "kiln_id": [4, 4, 1], "checked": day})
    return {"kilns": kilns, "firings": firings, "checks": checks}


@pytest.fixture
def pottery(frames_grounder: Callable[..., Grounder]) -> Any:
    frames = _frames()
    grounder = frames_grounder(kilns=frames["kilns"], firings=frames["firings"])
    yield grounder
    grounder.engine.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("most used kiln", [(2, 4)]),
        ("which kiln is the most popular", [(2, 4)]),
        ("top 2 most popular kilns", [(2, 4), (3, 3)]),
        ("most used kiln in 2020", [(2, 3)]),
        ("the least popular kiln", [(4, 0)]),
    ],
)
def test_rows_that_point_at_a_thing_are_counted(pottery: Grounder, question: str, rows: list[Any]) -> None:
    found = pottery.read(question)
    assert isinstance(found, Reading), found
    shown = [tuple(r) for r in pottery.engine.query(found.sql).itertuples(index=False)]
    assert shown == rows[: len(shown)]
    assert shown


def test_rows_of_several_tables_that_point_at_a_thing_are_asked_about(frames_grounder: Callable[..., Grounder]) -> None:
    grounder = frames_grounder(**_frames())
    found = grounder.read("most used kiln")
    assert isinstance(found, Choice), found
    asked = [o.question for o in options(found, "most used kiln", grounder.read, grounder.engine)]
    read = [grounder.read(q) for q in asked]
    assert [grounder.engine.query(r.sql).iloc[0].tolist() for r in read if isinstance(r, Reading)] == [[2, 4], [4, 2]]
    grounder.engine.close()


def test_a_number_of_days_is_no_day_to_group_by(frames_grounder: Callable[..., Grounder]) -> None:
    import pandas as pd

    stays = pd.DataFrame({"room": ["a", "a", "b", "b"], "nights": [1, 2, 2, 5], "spent": [10.0, 20, 30, 50]})
    grounder = frames_grounder(stays=stays)
    for question in ("average spent per night by room", "total spent per night"):
        found = grounder.read(question)
        assert isinstance(found, Choice), found
        assert "stays.nights is a number" in found.prompt
    found = grounder.read("average spent by nights")
    assert isinstance(found, Reading), found
    assert dict(grounder.engine.query(found.sql).itertuples(index=False)) == {1: 10.0, 2: 25.0, 5: 50.0}
    grounder.engine.close()
