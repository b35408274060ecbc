"""Names and ids that a file, a cell or a service may read as something else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData
from lexsi_nb.modeling.backend import TrainSpec
from lexsi_nb.modeling.cases import id_text
from lexsi_nb.modeling.lexsi.tables import lasting

ODD = {
    "x": "size, in m²", "z": 'the "other" one', "word": "line\nbreak", "loan_id": " Kreditnr.\u00a0#&? ",
    "bad": "ist_säumig?",
}  # fmt: skip


@pytest.fixture
def odd(frames: dict[str, pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame, TrainSpec]:
    known = frames["known"].drop(columns="Prediction").rename(columns=ODD)
    spec = TrainSpec(target=ODD["bad"], entity=ODD["loan_id"], frame_name="known")
    return known, frames["new"].rename(columns=ODD), spec


def test_odd_column_names_are_trained_on_scored_and_explained(backend: Any, odd: Any) -> None:
    known, new, spec = odd
    trained = backend.train(known, spec)
    assert trained.features == (ODD["x"], ODD["z"], ODD["word"])
    predicted = backend.predict(trained, new, frame_name="new")
    assert list(predicted.frame.columns) == [ODD["loan_id"], "probability", "rank"]
    ids = predicted.frame[ODD["loan_id"]].head(2).tolist()
    explained = backend.explain(trained, new, ids, frame_name="new")
    assert list(explained.frame.columns) == [ODD["loan_id"], "base_value", *trained.features, "raw_score"]
    assert (explained.frame[list(trained.features)].abs().sum() > 0).any()
    parts = explained.frame[["base_value", *trained.features]].sum(axis=1)
    np.testing.assert_allclose(parts, explained.frame["raw_score"], atol=1e-6)


def test_features_may_be_called_as_scores_are_but_not_as_the_columns_of_an_answer(
    backend: Any, server: Any, frames: dict[str, pd.DataFrame]
) -> None:
    names = {"x": "probability", "z": "rank", "word": "prediction"}
    spec = TrainSpec(target="bad", entity="loan_id", frame_name="known")
    known = frames["known"].drop(columns="Prediction")
    with pytest.raises(BadData, match=r"A column called pred_proba_AutoML cannot be sent to Lexsi\."):
        backend.train(known.rename(columns={"x": "pred_proba_AutoML"}), spec)
    assert server.seen == []
    trained = backend.train(known.rename(columns=names), spec)
    assert set(trained.features) == set(names.values())
    new = frames["new"].rename(columns=names)
    predicted = backend.predict(trained, new, frame_name="new", keep=["probability"])
    assert list(predicted.frame.columns)[:2] == ["loan_id", "probability"]
    assert predicted.score_column not in names


def test_names_that_differ_only_as_objects_are_refused_before_anything_is_sent(
    backend: Any, server: Any, frames: dict[str, pd.DataFrame]
) -> None:
    known = frames["known"].rename(columns={"x": 1, "z": "1"})
    with pytest.raises(BadData, match=r"Two columns are called 1 on their way to Lexsi: 1 and '1'\."):
        backend.train(known, TrainSpec(target="bad", entity="loan_id", frame_name="known"))
    assert server.seen == []


def ids_like(kind: str, n: int) -> list[Any]:
    return {
        "zeros": [f"{i:05d}" for i in range(n)], "missing": ["NA", "null", *(f"c{i}" for i in range(2, n))],
        "powers": [f"{i}e5" for i in range(n)], "blanks": [f" a {i} " for i in range(n)],
        "signs": [f'Ž"{i}\',;' for i in range(n)], "dates": list(pd.date_range("2020-01-01", periods=n)),
        "long": [2**60 + i for i in range(n)], "floats": [i + 0.0 for i in range(n)],
        "huge": [float(10**20 + i * 10**17) for i in range(n)],
    }[kind]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "by_entity"),
    [("zeros", False), ("missing", False), ("powers", False), ("blanks", True), ("signs", True), ("dates", False),
     ("long", True), ("floats", True), ("huge", False)],
)  # fmt: skip
def test_ids_go_by_row_number_where_a_file_would_change_them(kind: str, by_entity: bool) -> None:
    ids = pd.Series(ids_like(kind, 12))
    assert lasting(ids, tuple(map(id_text, ids.tolist()))) == by_entity


@pytest.mark.parametrize("kind", ["zeros", "missing", "signs", "dates"])
def test_every_row_comes_back_whatever_its_id(backend: Any, frames: dict[str, pd.DataFrame], kind: str) -> None:
    known = frames["known"].assign(loan_id=lambda f: ids_like(kind, len(f)))
    new = frames["new"].assign(loan_id=lambda f: ids_like(kind, 2 * len(f))[len(f) :])
    trained = backend.train(known, TrainSpec(target="bad", entity="loan_id", frame_name="known"))
    predicted = backend.predict(trained, new, frame_name="new", keep=["x"])
    assert sorted(predicted.frame["loan_id"].tolist()) == sorted(new["loan_id"].tolist())
    # Each score stands beside the row that it is of.
    merged = predicted.frame.merge(new, on="loan_id")
    assert (merged["x_x"] == merged["x_y"]).all()
    ids = predicted.frame["loan_id"].head(2).tolist()
    explained = backend.explain(trained, new, ids, frame_name="new")
    assert explained.frame["loan_id"].tolist() == ids
    chances = predicted.frame["probability"].head(2)
    np.testing.assert_allclose(1 / (1 + np.exp(-explained.frame["raw_score"])), chances, atol=1e-6)
    assert set(backend.told(trained, new, ids)) == {str(i) for i in ids}


def test_what_the_platform_tells_is_of_the_same_rows_where_it_knows_them_by_number(
    backend: Any, server: Any, frames: dict[str, pd.DataFrame]
) -> None:
    known, new = (f.assign(loan_id=ids_like("zeros", len(f))) for f in (frames["known"], frames["new"]))
    trained = backend.train(known, TrainSpec(target="bad", entity="loan_id", frame_name="known"))
    backend.predict(trained, new, frame_name="new")
    assert list(backend.told(trained, new, ["00007"])) == ["00007"]
    assert [s.body["unique_identifier"] for s in server.to("v2/ai-models/get_case_info_components")] == ["7"]
    assert server.to("v2/agents/explainability_summary")[0].body["viewed_case_id"] == "d7"
