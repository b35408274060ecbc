"""One contract for both backends: same calls, same result types, same columns, same promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData, BadTarget, UnknownCase, UnknownColumn
from lexsi_nb.modeling.backend import Checked, Explained, Predicted, Trained, TrainSpec
from tests.lexsi.conftest import SPEC


@pytest.fixture(params=["embedded", "lexsi"])
def made(request: pytest.FixtureRequest, session_on: Any) -> Any:
    """A backend of each kind."""
    if request.param == "embedded":
        return session_on("embedded").backend()
    found = session_on(request.getfixturevalue("platform")).backend()
    return found.in_project(request.getfixturevalue("project"))


def test_train_predict_explain_check(made: Any, frames: dict[str, pd.DataFrame]) -> None:
    known, new = frames["known"], frames["new"]
    trained = made.train(known, SPEC)
    assert isinstance(trained, Trained)
    assert trained.features == ("x", "z", "word")
    assert dict(trained.left_out)["Prediction"].startswith("a copy of the target bad")
    assert (trained.task, trained.target, trained.entity, trained.positive) == ("classification", "bad", "loan_id", 1)
    assert trained.quality.metric == "AUC"
    assert trained.quality.low <= trained.quality.value <= trained.quality.high
    assert trained.quality.value > 0.6
    assert [c.produces[0] for c in trained.cells] == ["model", "quality"]
    for cell in trained.cells:
        assert "lexsi_nb" not in cell.source

    predicted = made.predict(trained, new, frame_name="new", keep=["word"])
    assert isinstance(predicted, Predicted)
    assert list(predicted.frame.columns) == ["loan_id", "word", "probability", "rank"]
    assert predicted.frame["probability"].dtype == np.float64
    assert predicted.frame["probability"].between(0, 1).all()
    assert predicted.frame["probability"].is_monotonic_decreasing
    assert sorted(predicted.frame["loan_id"]) == sorted(new["loan_id"])

    first = predicted.frame["loan_id"].head(3).tolist()
    explained = made.explain(trained, new, first, frame_name="new")
    assert isinstance(explained, Explained)
    assert list(explained.frame.columns) == ["loan_id", "base_value", "x", "z", "word", "raw_score"]
    assert explained.frame["loan_id"].tolist() == first
    assert explained.unit == "log-odds"
    parts = explained.frame[["base_value", "x", "z", "word"]].sum(axis=1)
    np.testing.assert_allclose(parts, explained.frame["raw_score"], atol=1e-6)
    chances = predicted.frame["probability"].head(3)
    np.testing.assert_allclose(1 / (1 + np.exp(-explained.frame["raw_score"])), chances, atol=1e-6)
    assert explained.frame["base_value"].nunique() == 1 or explained.frame["base_value"].std() < 1e-5

    held = new.head(5).assign(loan_id=lambda f: f["loan_id"] + 10_000)
    checked = made.check(trained, held, new, held_name="held", against_name="new")
    assert isinstance(checked, Checked)
    assert 0 <= checked.low <= checked.auc <= checked.high <= 1


def test_a_number_is_learned(made: Any, frames: dict[str, pd.DataFrame]) -> None:
    known = frames["known"].drop(columns=["bad", "Prediction"]).assign(y=lambda f: 3 * f["x"] + 0.1 * f["z"].fillna(0))
    trained = made.train(known, TrainSpec(target="y", entity="loan_id", task="regression", frame_name="known"))
    assert trained.quality.metric == "R2"
    assert trained.quality.value > 0.5
    predicted = made.predict(trained, frames["new"], frame_name="new")
    assert list(predicted.frame.columns) == ["loan_id", "prediction", "rank"]
    assert np.corrcoef(predicted.frame.sort_values("loan_id")["prediction"],
                       frames["new"].sort_values("loan_id")["x"])[0, 1] > 0.9  # fmt: skip
    explained = made.explain(trained, frames["new"], predicted.frame["loan_id"].head(2).tolist(), frame_name="new")
    assert explained.unit == "units of y"


def test_without_an_entity_rows_are_numbered(made: Any, frames: dict[str, pd.DataFrame]) -> None:
    known, new = frames["known"].drop(columns="loan_id"), frames["new"].drop(columns="loan_id")
    trained = made.train(known, TrainSpec(target="bad", frame_name="known"))
    predicted = made.predict(trained, new, frame_name="new")
    assert list(predicted.frame.columns) == ["row", "probability", "rank"]
    assert sorted(predicted.frame["row"]) == list(range(len(new)))
    explained = made.explain(trained, new, predicted.frame["row"].head(2).tolist(), frame_name="new")
    assert explained.frame["row"].tolist() == predicted.frame["row"].head(2).tolist()


def test_the_same_errors_before_anything_happens(made: Any, frames: dict[str, pd.DataFrame]) -> None:
    known, new = frames["known"], frames["new"]
    with pytest.raises(UnknownColumn, match="No column 'bda'"):
        made.train(known, TrainSpec(target="bda", frame_name="known"))
    with pytest.raises(BadTarget, match="single class"):
        made.train(known.assign(bad=1), SPEC)
    trained = made.train(known, SPEC)
    with pytest.raises(UnknownColumn, match="No column 'x'"):
        made.predict(trained, new.drop(columns="x"), frame_name="new")
    with pytest.raises(BadData, match="no rows"):
        made.predict(trained, new.head(0), frame_name="new")
    with pytest.raises(UnknownCase):
        made.explain(trained, new, [1], frame_name="new")
    with pytest.raises(BadData, match="learned from"):
        made.check(trained, known.head(4), new, held_name="known", against_name="new")
