"""How good a model is, as lines of characters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd

from lexsi_nb.modeling.quality_picture import Axis, picture_of

ROWS = [
    ["AUC", 0.7, 0.5, 0.6, 0.8],
    ["AUC, logistic regression", 0.69, 0.5, 0.59, 0.79],
    ["mean score, lowest third", 0.05, 0.05, None, None],
    ["mean score, middle third", 0.1, 0.2, None, None],
    ["mean score, highest third", 0.3, 0.4, None, None],
]


def quality(**fields: Any) -> Any:
    frame = pd.DataFrame(ROWS, columns=["measure", "value", "baseline", "low", "high"])
    beside = SimpleNamespace(kind="logistic regression", value=0.69)
    known = {"metric": "AUC", "value": 0.7, "low": 0.6, "high": 0.8, "baseline": 0.5, "baseline_text": "guessing"}
    return SimpleNamespace(**{"frame": frame, "beside": beside, **known, **fields})


def test_values_stand_under_their_numbers_on_one_axis() -> None:
    head, model, plain, guessing, *pairs = picture_of(quality())
    assert model[head.index("0.6")] == "├"
    assert model[head.index("0.7")] == "●"
    assert model[head.index("0.8")] == "┤"
    assert guessing[head.index("0.5")] == "●"
    assert model.endswith("0.70 (0.60-0.80)")
    assert plain.endswith("0.69 (0.59-0.79)")
    second, low, middle, high = pairs
    assert second.startswith("○ score  ● observed")
    assert "◉" in low
    assert middle[second.index("0.1")] == "○"
    assert middle[second.index("0.2")] == "●"
    assert high.endswith("0.30, 0.40")
    assert max(map(len, picture_of(quality()))) <= 75


def test_what_is_not_known_is_left_out() -> None:
    nan = float("nan")
    _, model, guessing, *_ = picture_of(quality(beside=None, low=nan, high=nan))
    assert model.split() == ["this", "model", "●", "0.70"]
    assert guessing.endswith("0.50")
    assert Axis(0.4, 1.0, 0.1).at(0.2) == 0
