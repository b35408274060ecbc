"""predict: the same rows and model are scored once, side effects are replayed, columns are told by their names."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.artifacts.results import Chart, Table
from lexsi_nb.modeling.embedded import EmbeddedBackend
from lexsi_nb.planners.scripted import call
from lexsi_nb.tools.scores import columns_of


class Quick(EmbeddedBackend):
    """The embedded backend, which measures quality by one round of folds."""

    def train(self, frame: Any, spec: Any, **options: Any) -> Any:
        """Train."""
        return super().train(frame, dataclasses.replace(spec, repeats=1), **options)


class Counting(Quick):
    """The embedded backend, which counts how often it scores."""

    def __init__(self) -> None:
        self.scored: list[str] = []

    def predict(self, trained: Any, frame: Any, **options: Any) -> Any:
        """Score, and note the columns of what was scored."""
        self.scored.append(",".join(frame.columns))
        return super().predict(trained, frame, **options)


@pytest.fixture
def frames() -> dict[str, Any]:
    """Return sixty labelled and twenty open cases, and the open ones once more."""
    rng = np.random.default_rng(3)
    known = pd.DataFrame({"case": range(60), "x": rng.normal(size=60), "kind": rng.choice(list("ab"), 60)})
    known["bad"] = (known["x"] + rng.normal(size=60) > 0).astype(int)
    scored = pd.DataFrame({"case": range(100, 120), "x": rng.normal(size=20), "kind": rng.choice(list("ab"), 20)})
    return {"known": known, "opened": scored, "twin": scored.copy(), "other": scored.head(15).reset_index(drop=True)}


TRAIN = call("train_tabular_model", df_label="known", target_column="bad", entity_column="case")


def test_the_same_rows_are_scored_once_and_nothing_is_left_twice(frames, play):
    backend = Counting()
    once = play(TRAIN, call("predict", df_label="opened"), namespace=dict(frames), backend=backend)
    backend.scored.clear()
    twice = play(
        TRAIN, call("predict", df_label="opened"), call("predict", df_label="opened"), namespace=dict(frames),
        backend=backend,
    )  # fmt: skip
    assert len(backend.scored) == 1
    assert [s.status for s in twice.steps][:3] == ["ok"] * 3
    assert "scored before" in twice.steps[2].summary
    assert [c.source for c in twice.cells] == [c.source for c in once.cells]
    assert [s.id for s in twice.artifacts] == [s.id for s in once.artifacts]


def test_side_effects_are_replayed_after_another_prediction(frames, play):
    backend, names = Counting(), dict(frames)
    run = play(
        TRAIN,
        call("predict", df_label="opened"),
        call("predict", df_label="other"),
        call("predict", df_label="opened", top_k=3),
        namespace=names,
        backend=backend,
    )
    assert len(backend.scored) == 2
    assert len(names["predictions"]) == 20
    assert run.session.cache["last_predict_df_label"] == "opened"
    assert run.session.cache["last_predictions"] is names["predictions"]
    assert run.of(Table)[-1].frame.shape[0] == 3
    assert "All 20 scores, the 3 highest marked" in run.of(Chart)[-1].title
    scoring = [c for c in run.cells if c.produces == ("predictions",)]
    assert [c.requires[0] for c in scoring] == ["opened", "other", "opened"]
    # Those of the plain regression, which ranks better here, are of the same rows.
    assert set(names["regression_scores"]["case"]) == set(names["predictions"]["case"])


def test_equal_content_under_another_label_is_not_scored_again(frames, play):
    backend = Counting()
    play(TRAIN, call("predict", df_label="opened"), call("predict", df_label="twin"), namespace=frames, backend=backend)
    assert len(backend.scored) == 1


def test_edited_rows_are_scored_again(frames, play):
    def edit(turn: Any) -> Any:
        frames["opened"].loc[0, "x"] = 50.0
        return call("predict", df_label="opened")

    backend = Counting()
    run = play(TRAIN, call("predict", df_label="opened"), edit, namespace=frames, backend=backend)
    assert len(backend.scored) == 2
    assert run.steps[2].status == "ok"


def test_the_key_holds_the_result_of_the_call(frames, play):
    run = play(TRAIN, call("predict", df_label="opened"), namespace=frames, backend=Quick())
    keys = [k for k in run.session.cache if k.startswith("predict_cache:")]
    assert len(keys) == 1
    assert run.session.cache[keys[0]].payload.frame is frames["predictions"]


def test_a_target_that_is_all_null_is_stripped(frames, play):
    backend = Counting()
    frames["opened"]["bad"] = pd.Series([None] * 20, dtype="float64")
    run = play(TRAIN, call("predict", df_label="opened"), namespace=frames, backend=backend)
    assert backend.scored == ["case,x,kind"]
    assert not [w for w in run.facts.get("warnings", []) if "already" in w]


def test_known_outcomes_among_the_scored_rows_are_said(frames, play):
    frames["opened"]["bad"] = [1, 0] + [None] * 18
    run = play(TRAIN, call("predict", df_label="opened"), namespace=frames, backend=Quick())
    assert "2 rows of opened have a bad already." in run.facts["warnings"]


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_frames_of_other_libraries_are_stripped_and_scored(frames, play, library):
    import polars as pl

    frames["opened"]["bad"] = pd.Series([None] * 20, dtype="float64")
    frame = pl.from_pandas(frames["opened"])
    frames["opened"] = frame if library == "polars" else frame.to_arrow()
    run = play(TRAIN, call("predict", df_label="opened"), namespace=frames, backend=Quick())
    assert run.steps[1].status == "ok", run.steps[1].summary
    assert len(frames["predictions"]) == 20


def test_a_pod_is_accepted_and_a_top_k_below_one_is_not(frames, play):
    run = play(
        TRAIN, call("predict", df_label="opened", pod="large"), call("predict", df_label="opened", top_k=0),
        namespace=frames, backend=Quick(),
    )  # fmt: skip
    assert [s.status for s in run.steps[1:3]] == ["ok", "rejected"]
    assert "top_k" in run.steps[2].summary


def test_top_k_limits_what_is_shown_and_not_what_is_scored(frames, play):
    run = play(TRAIN, call("predict", df_label="opened", top_k=2), namespace=frames, backend=Quick())
    assert len(run.steps[1].summary.splitlines()) == 4  # what was done, the head, two rows
    assert len(frames["predictions"]) == 20


def test_an_unknown_model_and_an_unknown_label_name_the_nearest(frames, play):
    run = play(
        TRAIN,
        call("predict", df_label="opend"),
        call("predict", df_label="opened", model_id="LightGBM"),
        namespace=frames,
    )
    assert "opened" in run.steps[1].summary
    assert "LightGBM" in run.steps[2].summary
    assert [s.status for s in run.steps[1:3]] == ["failed", "failed"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["id", "Predicted_value_AutoML", "pred_proba_AutoML"], ("Predicted_value_AutoML", "pred_proba_AutoML", "id")),
        (["id", "Prediction", "Probability"], ("Prediction", "Probability", "id")),
        (["id", "amount", "probability", "rank"], ("probability", "probability", "id")),
        (["id", "prediction", "rank"], ("prediction", None, "id")),
        (["id", "q17"], (None, None, "id")),
    ],
)
def test_columns_are_told_by_their_names(names, expected):
    frame = pd.DataFrame({n: [1, 2] for n in names})
    assert tuple(columns_of(frame)[k] for k in ("pred", "prob", "entity")) == expected


def test_a_model_before_the_last_is_shown_with_its_own_labelled_rows(frames, play):
    frames["few"] = frames["known"].assign(bad=lambda f: (f.index % 3 == 0).astype(int))
    run = play(
        TRAIN,
        call("train_tabular_model", df_label="few", target_column="bad", entity_column="case"),
        lambda turn: call("predict", df_label="opened", model_id=MODELS[0]),
        namespace=frames,
        backend=Noting(),
    )
    assert run.steps[2].status == "ok", run.steps[2].summary
    base = run.of(Chart)[-1].spec["layer"][1]["data"]["values"][0]["share"]
    assert base == pytest.approx(frames["known"]["bad"].mean())


MODELS: list[str] = []


class Noting(Quick):
    """The embedded backend, which notes the ids of the models it trained."""

    def train(self, frame: Any, spec: Any, **options: Any) -> Any:
        """Train, and note the id."""
        trained = super().train(frame, spec, **options)
        MODELS.append(trained.model_id)
        return trained


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_the_base_rate_is_that_of_the_rows_with_an_outcome_in_every_library(library, frames, play):
    known = frames["known"].astype({"bad": "Int64"})
    known.loc[:19, "bad"] = pd.NA
    rate = float(known["bad"].mean())
    if library == "polars":
        known = pytest.importorskip("polars").from_pandas(known)
    elif library == "pyarrow":
        known = pytest.importorskip("pyarrow").Table.from_pandas(known)
    frames["known"] = known
    explain = call("explain_prediction", top_k=2, include_similar=True, include_counterfactual=True)
    run = play(
        TRAIN, call("predict", df_label="opened"), explain, call("explain_model", feature="x"),
        call("summarize_result", question="q"), namespace=frames, backend=Quick(),
    )  # fmt: skip
    assert {s.status for s in run.steps} == {"ok"}, [s.summary for s in run.steps]
    ranking = next(c for c in run.of(Chart) if c.title.startswith("All 20 scores"))
    assert ranking.spec["layer"][1]["data"]["values"][0]["share"] == pytest.approx(rate)
    assert f"average of known cases {rate:.2f}" in ranking.alt
    assert frames["similar_cases"]["bad"].notna().all()
