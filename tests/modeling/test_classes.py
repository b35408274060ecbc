"""Several classes: trained, measured, scored and explained, and the cells alone give the same."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData


@pytest.fixture(scope="module")
def graded(make_cases):
    """Return 500 cases with a grade A, B or C that amount and region move."""
    frame = make_cases(500)
    rng = np.random.default_rng(4)
    risk = frame["amount"] / 1700 + np.where(frame["region"] == "south", 1.5, 0) + rng.logistic(size=500)
    return frame.drop(columns="bad").assign(grade=pd.cut(risk, [-99, 1.5, 3, 99], labels=list("ABC")).astype(str))


def test_classes_are_scored_and_the_cells_alone_give_the_same(backend, graded, spec, model_type, check_cells):
    asked = spec(target="grade", time_column="opened", model_type=model_type)
    made, predicted, explained = check_cells(backend, graded, asked)
    assert (made.task, made.classes, made.positive, made.n_positive) == ("multiclass", ("A", "B", "C"), None, None)
    frame = predicted.frame
    assert predicted.class_columns == ("probability_A", "probability_B", "probability_C")
    by_class = frame[list(predicted.class_columns)]
    np.testing.assert_allclose(by_class.sum(axis=1), 1, atol=1e-6)
    assert (frame["predicted"] == by_class.idxmax(axis=1).str[-1]).all()
    np.testing.assert_array_equal(frame["probability"], by_class.max(axis=1))
    assert frame["probability"].is_monotonic_decreasing
    assert explained.class_column == "explained_class"
    assert explained.frame["explained_class"].tolist() == frame["predicted"].head(10).tolist()
    assert [c.predicted for c in explained.cases] == frame["predicted"].head(10).tolist()
    np.testing.assert_allclose([c.score for c in explained.cases], frame["probability"].head(10), atol=1e-6)
    total = explained.frame[list(made.features)].sum(axis=1) + explained.frame["base_value"]
    np.testing.assert_allclose(total, explained.frame["raw_score"], atol=1e-4 if model_type == "XGBoost" else 1e-9)
    assert explained.unit == "log-probability of the likeliest class before scaling"


def test_quality_of_classes_has_baselines_interval_and_cases(backend, graded, spec):
    q = backend.train(graded, spec(target="grade", time_column="opened")).quality
    assert q.metric == "macro AUC"
    assert q.method == "DeLong, a class against the rest"
    assert 0.5 < q.low < q.value < q.high < 1
    assert q.scores["log loss"][0] < q.scores["log loss"][1]
    share = graded["grade"].value_counts(normalize=True).max()
    assert q.scores["accuracy"][0] > q.scores["accuracy"][1] == pytest.approx(share)
    assert q.out_of_time.value > 0.6
    assert q.calibration.startswith("not calibrated; out of fold")
    assert q.beside.kind == "logistic regression"
    assert q.headline.startswith("macro AUC 0.")
    assert "cases" not in q.text.partition("; ")[2].replace("500 cases", "")


def test_each_class_is_measured_against_the_rest(backend, graded, spec):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    made = backend.train(graded, spec(target="grade", repeats=1))
    q, classes = made.quality, list(made.classes)
    scope = {"context_df": graded, "model": made.model}
    code = made.cells[1].source.replace("quality = quality_of(", "inputs, target = (")
    exec(compile(code, "<cell>", "exec"), scope)
    scores = scope["cross_validated"](scope["inputs"], scope["target"], scope["unseen_scores"])[0]
    y = scope["target"]
    table = q.frame.set_index("measure")
    said = scores.argmax(axis=1)
    precision, recall, _, _ = metrics.precision_recall_fscore_support(y, said, labels=range(len(classes)))
    for k, name in enumerate(classes):
        assert table.at[f"AUC, {name}", "value"] == pytest.approx(metrics.roc_auc_score(y == k, scores[:, k]))
        assert table.at[f"precision, {name}", "value"] == pytest.approx(precision[k])
        assert table.at[f"recall, {name}", "value"] == pytest.approx(recall[k])
        thirds = table[table.index.str.startswith(f"reliability, {name}, ")]
        assert thirds["rows"].sum() == len(graded)
        assert thirds["cases"].sum() == (y == k).sum()
        assert (thirds["value"] * thirds["rows"]).sum() == pytest.approx(scores[:, k].sum())
        assert thirds["baseline"].iloc[0] < thirds["baseline"].iloc[-1]
        assert f"{name} {table.at[f'AUC, {name}', 'value']:.2f}, {precision[k]:.2f}, {recall[k]:.2f}" in q.by_class
    assert "by thirds of each class's score the mean gap is 0.0" in q.calibration
    assert "are for two classes" in made.card["by_class"]


def test_macro_auc_is_that_of_the_textbook():
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    from lexsi_nb.modeling.quality_sources import MACRO_AUC_MOVES

    names = {"pd": pd, "np": np}
    exec(MACRO_AUC_MOVES, names)
    rng = np.random.default_rng(0)
    y = rng.choice(4, 400, p=[0.5, 0.2, 0.2, 0.1])
    scores = rng.dirichlet([1] * 4, 400) + 0.3 * np.eye(4)[y]
    scores /= scores.sum(axis=1, keepdims=True)
    value, moves = names["auc_and_moves"](y, scores)
    assert value == pytest.approx(metrics.roc_auc_score(y, scores, multi_class="ovr"), abs=1e-12)
    draws = []
    for _ in range(300):
        rows = rng.integers(0, 400, 400)
        draws.append(metrics.roc_auc_score(y[rows], scores[rows], multi_class="ovr"))
    assert np.sqrt((moves**2).sum()) == pytest.approx(np.std(draws), rel=0.15)


def test_a_class_can_rank_the_rows(backend, graded, spec):
    made = backend.train(graded, spec(target="grade", positive="C"))
    predicted = backend.predict(made, graded, keep=["probability_A"] if "probability_A" in graded else [])
    np.testing.assert_array_equal(predicted.frame["probability"], predicted.frame["probability_C"])
    assert predicted.frame["predicted"].iloc[0] == "C"


@pytest.mark.parametrize(
    ("write", "classes"),
    [
        (lambda g: g.map({"A": 1, "B": 2, "C": 3}), (1, 2, 3)),
        (lambda g: g.map({"A": 1.0, "B": 2.0, "C": 3.0}).where(np.arange(500) % 9 > 0), (1.0, 2.0, 3.0)),
        (lambda g: g.map({"A": 'the "best"', "B": "été", "C": "c"}), ("c", 'the "best"', "été")),
        (lambda g: pd.Categorical(g, categories=["C", "B", "A", "unused"]), ("A", "B", "C")),
        (lambda g: pd.to_datetime(g.map({"A": "2020-01-01", "B": "2021-01-01", "C": "2022-01-01"})),
         ("2020-01-01", "2021-01-01", "2022-01-01")),
    ],
)  # fmt: skip
def test_classes_of_any_kind(backend, graded, spec, write, classes, check_cells):
    made, predicted, _ = check_cells(
        backend, graded.assign(grade=write(graded["grade"])), spec(target="grade", repeats=1)
    )
    assert made.classes == classes
    assert set(predicted.frame["predicted"]) <= set(classes)


def test_twenty_classes_and_a_rare_one(backend, make_cases, spec):
    frame = make_cases(600)
    frame["bad"] = [f"k{i % 20}" for i in range(600)]
    made = backend.train(frame, spec(repeats=1))
    assert len(made.classes) == 20
    assert made.quality.low < 0.55
    frame["bad"] = np.where(np.arange(600) < 8, "rare", np.where(frame["amount"] > 3000, "high", "low"))
    made = backend.train(frame, spec(repeats=1, features=("noise", "region")))
    assert made.quality.headline == "too few cases to tell"
    assert "8 of the rarest class" in made.warnings[0]


def test_two_groups_cannot_be_checked_with_several_classes(backend, graded, spec):
    made = backend.train(graded, spec(target="grade", repeats=1))
    with pytest.raises(BadData, match="tells 3 classes, not two"):
        backend.check(made, graded.assign(case_id=-1), graded.assign(case_id=-2))
