"""train_tabular_model: every kind of target end to end, the entity found, leaks named, costs, and the time limit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.artifacts.results import Table
from lexsi_nb.planners.scripted import call


@pytest.fixture
def frames():
    """Return 400 labelled and 40 open cases: a number, words, a date, a flag with a later date."""
    rng = np.random.default_rng(0)
    n = 440
    frame = pd.DataFrame({
        "case_id": np.arange(n) + 1000,
        "amount": rng.gamma(3, 1000, n).round(),
        "region": rng.choice(["north", "south"], n),
        "joined": pd.Timestamp("2015-01-01") + pd.to_timedelta(rng.integers(0, 1500, n), "D"),
    })  # fmt: skip
    risk = frame["amount"] / 1700 + 2.0 * (frame["joined"].dt.month < 4) + rng.logistic(size=n)
    frame["bad"] = (risk > np.quantile(risk, 0.7)).astype(int)
    frame["grade"] = pd.qcut(risk, 3, labels=list("ABC")).astype(str)
    frame["cost"] = 100 * risk
    return frame.iloc[:400].reset_index(drop=True), frame.iloc[400:].reset_index(drop=True)


def scored(frames, target):
    known, opened = frames
    others = [c for c in ("bad", "grade", "cost") if c != target]
    return {"known": known.drop(columns=others), "opened": opened.drop(columns=[*others, target])}


@pytest.mark.parametrize(
    ("target", "task"), [("bad", "classification"), ("grade", "classification"), ("cost", "regression")]
)
def test_each_kind_of_target_is_learned_scored_and_explained(play, frames, target, task):
    names = scored(frames, target)
    run = play(
        call("train_tabular_model", df_label="known", target_column=target, task_type=task, model_name="first try"),
        call("predict", df_label="opened", top_k=5),
        call("explain_prediction", top_k=3, include_similar=True),
        namespace=names,
    )
    assert {s.status for s in run.steps} == {"ok"}, [s.summary for s in run.steps]
    assert len(names["predictions"]) == 40
    assert names["predictions"].columns[0] == "case_id"  # found, as none was given
    assert {"amount", "region", "joined"} <= set(names["attributions"].columns)
    assert len(names["similar_cases"]) == 9
    assert "Called first try." in " ".join(run.facts["learned from"])
    assert any("regression beside it" in line for line in run.facts["quality"])
    if target == "grade":
        assert set(names["predictions"]["predicted"]) <= set("ABC")
        assert "3 classes of grade" in " ".join(run.facts["learned from"])
    alone = {k: v for k, v in scored(frames, target).items()}
    for cell in run.cells:
        if cell.kind != "chart":
            exec(cell.source, alone)
    pd.testing.assert_frame_equal(alone["predictions"], names["predictions"], rtol=0, atol=1e-9)
    pd.testing.assert_frame_equal(alone["attributions"], names["attributions"], rtol=0, atol=1e-6)


def test_what_was_only_known_afterwards_is_named(play, frames):
    names = scored(frames, "bad")
    rng = np.random.default_rng(1)
    names["known"]["collections_flag"] = np.where(names["known"]["bad"] == 1, rng.random(400) < 0.7, False)
    run = play(call("train_tabular_model", df_label="known", target_column="bad"), namespace=names)
    assert "collections_flag" in " ".join(run.facts["left out"])
    assert "known afterwards" in " ".join(run.facts["left out"])


def test_costs_make_a_table_of_thresholds(play, frames):
    names = scored(frames, "bad")
    train = {"df_label": "known", "target_column": "bad"}
    run = play(call("train_tabular_model", **train, cost_missed=5, cost_false_alarm=1), namespace=names)
    assert names["thresholds"]["cheapest"].sum() == 1
    assert any(t.name == "thresholds" for t in run.of(Table))
    assert any(line.startswith("Cheapest: flag from a score of ") for line in run.facts["quality"])
    assert any("top 10 % of the rows" in line for line in run.facts["quality"])
    assert list(names["out_of_fold"].columns) == ["case_id", "outcome", "score"]
    run = play(call("train_tabular_model", **train, cost_missed=5), namespace=scored(frames, "bad"))
    assert "give both or neither" in run.steps[0].summary


def test_training_stops_at_its_time_limit(play, frames):
    names = {"known": pd.concat([frames[0].drop(columns=["grade", "cost"])] * 60).assign(case_id=np.arange(24_000))}
    before = set(names)
    train = {"df_label": "known", "target_column": "bad"}
    run = play(call("train_tabular_model", **train, timeout_seconds=0.2), namespace=names)
    assert "Training was stopped after 0.2 seconds" in run.steps[0].summary
    assert "model" not in set(names) - before
    run = play(call("train_tabular_model", **train, timeout_seconds=0), namespace=names)
    assert "a number above 0" in run.steps[0].summary
