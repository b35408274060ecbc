"""Where the one case that was asked about stands among those scored."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pytest

from lexsi_nb.tools.place_of_case import place_of_case

SCORES = pd.DataFrame({"boat_id": [31, 32, 33, 34], "score": [0.9, 0.2, 0.4, 0.1]})


def told(question: str, *cases: Any) -> str:
    explained = cast(Any, SimpleNamespace(cases=[SimpleNamespace(case_id=c) for c in cases]))
    return place_of_case(question, explained, SCORES, "score", "boat_id", "{:.3f}")


@pytest.mark.parametrize(
    ("question", "case", "said"),
    [
        ("why 33?", 33, "33 scores 0.400, place 2 of 4; the mean is 0.400."),
        ("why the first one?", 31, "31 scores 0.900, place 1 of 4; the mean is 0.400."),
        ("and the second?", 33, "33 scores 0.400, place 2 of 4; the mean is 0.400."),
        ("and boat 34?", 34, "34 scores 0.100, place 4 of 4; the mean is 0.400."),
        ("why is 32 high?", 32, "32 scores 0.200, place 3 of 4; the mean is 0.400. So it is not high."),
        ("why is 31 low?", 31, "31 scores 0.900, place 1 of 4; the mean is 0.400. So it is not low."),
    ],
)
def test_the_case_that_is_named_is_told(question: str, case: int, said: str) -> None:
    assert told(question, case) == said


@pytest.mark.parametrize(
    ("question", "cases"), [("which boats will sink?", [31]), ("why 31 and 32?", [31, 32]), ("the next 3?", [31])]
)
def test_a_ranking_is_no_matter_of_one_case(question: str, cases: list[int]) -> None:
    assert told(question, *cases) == ""
