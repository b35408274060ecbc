"""Early stopping, the plain regression beside the model, calibration, lift and thresholds."""

from __future__ import annotations

import contextlib
import time

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData
from lexsi_nb.modeling.deadline import TrainingTooLong, deadline
from lexsi_nb.modeling.decisions import thresholds


@pytest.fixture(scope="module")
def many(make_cases):
    """Return 12,000 cases, 2,400 of them bad, enough for early stopping."""
    return make_cases(12_000)


@pytest.fixture(scope="module")
def fair(backend, make_cases, spec):
    """One model on 2,500 rows with 500 cases: calibrated, with lift and out-of-fold scores."""
    return backend.train(make_cases(2_500), spec(features=("amount", "noise", "region")))


@pytest.fixture
def alone(run_cells):
    """Return a function that compares what cells alone make of a frame with a trained model; returns the source."""

    def check(made, frame):
        names = run_cells(made.cells, {"context_df": frame})
        pd.testing.assert_frame_equal(names["quality"], made.quality.frame)
        if made.out_of_fold is not None:
            pd.testing.assert_frame_equal(names["out_of_fold"], made.out_of_fold)
        return made.cells[0].source

    return check


def test_larger_data_stop_early_on_later_rows(backend, many, spec, alone, model_type):
    made = backend.train(many, spec(time_column="opened", model_type=model_type, repeats=1))
    source = alone(made, many)
    assert "the rows later than " in source
    assert 5 < made.card["rounds"] < 400
    assert made.quality.enough
    assert "num_threads" in source or "nthread" in source


def test_early_stopping_keeps_entities_apart(backend, many, spec, alone):
    many = many.head(6_000)
    frame = pd.concat([many, many.assign(amount=many["amount"] + 1)], ignore_index=True)
    made = backend.train(frame.drop(columns="opened"), spec(repeats=1))
    assert "every fifth of the groups (rows of one case_id)" in alone(made, frame)
    made = backend.train(frame, spec(repeats=1, time_column="opened"))
    source = alone(made, frame)
    assert "learn = ~held & ~np.isin(groups, groups[held])" in source
    assert "and rows of one case_id with them" in source


def test_small_data_train_a_fixed_number_of_rounds(trained):
    assert "early_stopping" not in trained.cells[0].source
    assert trained.card["rounds"] == 60
    assert trained.out_of_fold is not None
    assert trained.quality.platt is None


def test_few_cases_have_no_lift_and_no_out_of_fold_scores(backend, make_cases, spec):
    made = backend.train(make_cases(234, rate=0.1), spec())
    assert made.out_of_fold is None
    assert made.quality.lift == ()
    assert "out_of_fold" not in made.cells[1].source
    with pytest.raises(BadData, match="too few cases; at least 50"):
        thresholds(made, cost_missed=5, cost_false_alarm=1)


def test_a_plain_regression_stands_beside_the_model(backend, make_cases, spec):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    frame = make_cases(1500)
    straight = backend.train(frame, spec(features=("amount", "region"))).quality.beside
    assert straight.kind == "logistic regression"
    assert straight.as_good
    assert "as good as can be told" in straight.text or "is better: use it" in straight.text
    rng = np.random.default_rng(0)
    frame["bad"] = ((frame["amount"] - 3000).abs() + 800 * rng.normal(size=1500) > 1800).astype(int)
    bent = backend.train(frame, spec(features=("amount",))).quality.beside
    assert not bent.as_good
    assert bent.text.endswith("the trees are better")


def test_the_logistic_regression_is_that_of_the_textbook(make_cases):
    linear = pytest.importorskip("sklearn.linear_model", reason="scikit-learn is not installed")
    from lexsi_nb.modeling.quality_sources import DESIGN, LOGISTIC, PLATT

    names = {"pd": pd, "np": np}
    exec(DESIGN + LOGISTIC + PLATT, names)
    frame = make_cases(500)
    X, y = frame[["amount", "noise", "region"]].astype({"region": "category"}), frame["bad"].to_numpy()
    Z = names["design_of"](X)
    test = np.arange(500) % 5 == 0
    theirs = linear.LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(Z[~test, 1:], y[~test])
    np.testing.assert_allclose(names["logistic_scores"](Z, y, test), theirs.decision_function(Z[test, 1:]), atol=1e-4)
    log_odds = 2 * Z[:, 1] - 1
    ours = names["platt"](log_odds[None, :], y)
    free = linear.LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(log_odds[:, None], y)
    np.testing.assert_allclose(ours, [free.intercept_[0], free.coef_[0, 0]], atol=1e-4)


def test_a_linear_regression_stands_beside_a_number(backend, make_cases, spec):
    frame = make_cases(800)
    frame["cost"] = 2 * frame["amount"] + 500 * np.random.default_rng(0).normal(size=800)
    beside = backend.train(frame, spec(target="cost", task="regression", features=("amount", "noise"))).quality.beside
    assert beside.kind == "linear regression"
    assert beside.value > 0.95
    assert beside.as_good


def test_wide_frames_have_no_plain_regression(backend, spec):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 250)), columns=[f"m{i}" for i in range(250)])
    frame["bad"], frame["case_id"] = rng.integers(0, 2, 80), np.arange(80)
    assert backend.train(frame, spec(repeats=1)).quality.beside is None


def test_calibration_is_a_line_in_log_odds_and_parts_still_add_up(backend, fair, make_cases, run_cells):
    platt = fair.quality.platt
    assert platt is not None
    assert platt.used
    assert fair.quality.calibration.startswith("calibrated: log-odds = ")
    scored = make_cases(300, seed=8)
    predicted = backend.predict(fair, scored)
    explained = backend.explain(fair, scored)
    raw = fair.model.predict(inputs(fair, scored), raw_score=True)
    expected = 1 / (1 + np.exp(-(platt.intercept + platt.slope * raw)))
    p = predicted.frame.set_index("case_id")["probability"].loc[scored["case_id"]]
    np.testing.assert_allclose(p, expected, atol=1e-12)
    total = explained.frame[list(fair.features)].sum(axis=1) + explained.frame["base_value"]
    np.testing.assert_allclose(total, explained.frame["raw_score"], atol=1e-9)
    np.testing.assert_allclose(1 / (1 + np.exp(-explained.frame["raw_score"])), p, atol=1e-9)
    names = run_cells(
        [*fair.cells, predicted.cell, explained.cell], {"context_df": make_cases(2_500), "predict_df": scored}
    )
    pd.testing.assert_frame_equal(names["predictions"], predicted.frame, rtol=0, atol=1e-9)
    pd.testing.assert_frame_equal(names["attributions"], explained.frame, rtol=0, atol=1e-6)
    assert "quality" in predicted.cell.requires
    assert "quality" in explained.cell.requires


def inputs(made, frame):
    from lexsi_nb.modeling.libraries.library import library_of
    from lexsi_nb.modeling.source import Shape
    from lexsi_nb.modeling.training import feature_matrix

    return feature_matrix(frame, Shape(made.features, tuple(made.categories), library_of("LightGBM")))


def test_calibration_can_be_asked_for_or_declined(backend, make_cases, spec):
    frame = make_cases(400)
    assert backend.train(frame, spec(repeats=1)).quality.platt is None  # 80 cases
    assert backend.train(frame, spec(repeats=1, calibrate=True)).quality.platt is not None
    made = backend.train(make_cases(2000), spec(repeats=1, calibrate=False))
    assert made.quality.platt is None
    assert made.quality.calibration.startswith("not calibrated; out of fold, mean score")
    assert "by tenths" in made.quality.calibration


def test_calibration_mends_scores_that_are_off(backend, make_cases, spec, monkeypatch):
    from lexsi_nb.modeling import training

    rare = {"LightGBM": {"scale_pos_weight": 8.0}}
    honest = training.settings_for

    def skewed(*args, **kwargs):
        made = honest(*args, **kwargs)
        return training.replace(made, params={**made.params, **rare["LightGBM"]})

    monkeypatch.setattr(training, "settings_for", skewed)
    made = backend.train(make_cases(3000), spec())
    row = made.quality.frame.set_index("measure")
    assert row.at["mean score", "value"] > row.at["mean score", "baseline"] + 0.15
    assert row.at["log loss, calibrated", "value"] < row.at["log loss, calibrated", "baseline"] - 0.05
    assert made.calibrated
    scored = backend.predict(made, make_cases(3000, seed=5)).frame["probability"]
    assert scored.mean() == pytest.approx(0.2, abs=0.03)


def test_lift_and_prevalence_are_on_the_card(fair):
    assert [share for share, *_ in fair.quality.lift] == [5, 10, 20]
    for share, lift, rows, cases in fair.quality.lift:
        assert rows == 2500 * share // 100
        assert lift == pytest.approx(cases / rows / 0.2)
    assert fair.card["lift"].startswith("top 5 % of the rows: ")
    assert fair.card["prevalence"] == "20.0%; classes are not re-weighted"
    top = fair.out_of_fold.nlargest(250, "score")["outcome"].sum()
    assert top == pytest.approx(fair.quality.lift[1][3], abs=3)


def test_thresholds_count_what_acting_would_have_cost(fair, run_cells):
    decided = thresholds(fair, cost_missed=5, cost_false_alarm=1)
    frame, unseen = decided.frame, fair.out_of_fold
    assert frame["cheapest"].sum() == 1
    best = frame[frame["cheapest"]].iloc[0]
    flagged = unseen["score"] >= best["threshold"]
    caught = int(unseen.loc[flagged, "outcome"].sum())
    assert (best["flagged"], best["caught"]) == (flagged.sum(), caught)
    assert best["cost"] == 5 * (500 - caught) + (flagged.sum() - caught)
    assert best["cost"] == frame["cost"].min() < min(5 * 500, 2000)
    # Calibrated scores: the cheapest threshold lies near 1 / (1 + 5).
    assert best["threshold"] == pytest.approx(1 / 6, abs=0.08)
    assert f"{caught:,} of 500 cases" in decided.text
    names = run_cells([decided.cell], {"out_of_fold": unseen})
    pd.testing.assert_frame_equal(names["thresholds"], frame)
    assert "flagging nobody is cheapest" in thresholds(fair, cost_missed=0, cost_false_alarm=1).text
    with pytest.raises(BadData, match="Costs are not below 0"):
        thresholds(fair, cost_missed=-1, cost_false_alarm=1)


def test_training_that_takes_too_long_is_stopped(backend, make_cases, spec):
    frame = make_cases(60_000)
    begin = time.perf_counter()
    with pytest.raises(TrainingTooLong, match=r"stopped after 0\.3 seconds\. .* sample_percentage"):
        backend.train(frame, spec(time_limit=0.3, repeats=20))
    assert time.perf_counter() - begin < 3
    with pytest.raises(BadData, match="leaves no time"):
        backend.train(frame, spec(time_limit=0))
    assert backend.train(make_cases(), spec(time_limit=600, model_name="first try")).card["model_name"] == "first try"


def test_work_within_the_limit_is_left_alone():
    late = 0
    for _ in range(50):
        with contextlib.suppress(TrainingTooLong), deadline(0.001):
            sum(range(1000))
        try:
            sum(range(1000))
        except TrainingTooLong:
            late += 1
    assert late == 0


def test_worse_than_guessing_is_not_called_good(backend, make_cases, spec):
    frame = make_cases(3000)
    frame["bad"] = np.random.default_rng(5).permutation(frame["bad"].to_numpy())
    assert backend.train(frame, spec()).quality.headline.startswith("no better than guessing")
