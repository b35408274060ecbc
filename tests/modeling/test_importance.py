"""Importance, beeswarm, dependence and counterfactuals."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData, UnknownCase, UnknownColumn
from lexsi_nb.modeling.importance import (
    beeswarm,
    beeswarm_spec,
    dependence,
    dependence_spec,
    importance,
    importance_spec,
)
from lexsi_nb.modeling.whatif import NOT_ADVICE, counterfactual


@pytest.fixture(scope="module")
def explained(backend, trained, make_cases):
    frame = make_cases(seed=3)
    return backend.explain(trained, frame, frame["case_id"].iloc[::-1].tolist())


def test_importance_is_the_mean_size_of_the_contributions(explained, trained):
    frame = importance(explained)
    assert frame["feature"].iloc[0] == "amount"
    assert frame["share"].sum() == pytest.approx(1)
    sizes = explained.frame[list(trained.features)].abs().mean().sort_values(ascending=False)
    np.testing.assert_allclose(frame["importance"], sizes)


def test_a_beeswarm_has_a_point_a_case_and_feature(explained, make_cases):
    frame = make_cases(seed=3)
    points = beeswarm(explained, frame)
    assert len(points) == 300 * 3
    amounts = points[points["feature"] == "amount"].set_index("case_id")
    case = explained.cases[5].case_id
    assert float(amounts.at[case, "value"]) == frame.set_index("case_id").at[case, "amount"]
    assert amounts["place"].corr(amounts["contribution"], method="spearman") > 0.8
    assert points.loc[points["feature"] == "region", "place"].isna().all()


def test_dependence_pairs_value_and_contribution(explained, make_cases):
    frame = make_cases(seed=3)
    points = dependence(explained, frame, "amount").set_index("case_id")
    case = explained.cases[7].case_id
    assert points.at[case, "value"] == frame.set_index("case_id").at[case, "amount"]
    assert points.at[case, "contribution"] == explained.frame.set_index("case_id").at[case, "amount"]
    with pytest.raises(UnknownColumn, match="Nearest: amount"):
        dependence(explained, frame, "amuont")
    with pytest.raises(BadData, match="not in the frame"):
        beeswarm(explained, frame.head(5))


def test_specs_are_drawn(explained, make_cases):
    convert = pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    frame = make_cases(seed=3)
    over = [dependence_spec(explained, frame, feature) for feature in ("amount", "region")]
    for spec in (importance_spec(explained), beeswarm_spec(explained, frame), *over):
        json.dumps(spec, allow_nan=False)
        assert "<svg" in convert.vegalite_to_svg(spec, vl_version="5.20")


def test_a_counterfactual_passes_the_mark_and_keeps_what_may_not_change(backend, trained, make_cases):
    frame = make_cases(seed=3)
    worst = backend.predict(trained, frame).frame["case_id"].iloc[0]
    before = frame.copy(deep=True)
    free = counterfactual(backend, trained, make_cases(), frame, worst)
    pd.testing.assert_frame_equal(frame, before)
    assert free.reached
    assert free.score > free.mark == pytest.approx(0.2)
    assert free.text.endswith(NOT_ADVICE)
    changed = frame[frame["case_id"] == worst].copy()
    for change in free.frame.itertuples():
        assert change.value == changed[change.feature].iloc[0] or pd.isna(change.value)
        changed[change.feature] = change.instead
        score = backend.predict(trained, changed).frame["probability"].iloc[0]
        assert score == pytest.approx(change.score, abs=1e-9)
    assert score <= free.mark
    held = counterfactual(backend, trained, make_cases(), frame, worst, immutable=["amount"])
    assert "amount" not in set(held.frame["feature"])
    assert not held.reached
    assert "comes closest to" in held.text or "no observed value" in held.text
    with pytest.raises(BadData, match="All of them are immutable"):
        counterfactual(backend, trained, make_cases(), frame, worst, immutable=trained.features)
    with pytest.raises(UnknownColumn, match="Nearest: amount"):
        counterfactual(backend, trained, make_cases(), frame, worst, immutable=["amounts"])
    with pytest.raises(UnknownCase):
        counterfactual(backend, trained, make_cases(), frame, -5)


def test_counterfactuals_of_dates_and_toward_higher_scores(backend, make_cases, spec):
    frame = make_cases(400)
    frame["bad"] = (frame["opened"].dt.year == 2021).astype(int) ^ (np.random.default_rng(0).random(400) < 0.1)
    made = backend.train(frame, spec(repeats=1))
    low = backend.predict(made, frame).frame["case_id"].iloc[-1]
    up = counterfactual(backend, made, frame, frame, low, toward="higher")
    assert up.reached
    assert up.frame["feature"].tolist() == ["opened"]
    assert up.frame["instead"].iloc[0].year == 2021
    assert " instead of 20" in up.text
    already = counterfactual(backend, made, frame, frame, low)
    assert already.frame.empty
    assert "already there" in already.text


def test_counterfactuals_of_a_class_need_one_that_ranks(backend, make_cases, spec):
    frame = make_cases(400)
    frame["bad"] = pd.qcut(
        frame["amount"] + 900 * np.random.default_rng(0).normal(size=400), 3, labels=list("abc")
    ).astype(str)
    made = backend.train(frame, spec(repeats=1))
    with pytest.raises(BadData, match="which class's score"):
        counterfactual(backend, made, frame, frame, 100)
    made = backend.train(frame, spec(repeats=1, positive="c"))
    worst = backend.predict(made, frame).frame["case_id"].iloc[0]
    assert counterfactual(backend, made, frame, frame, worst).reached
