"""Training: which columns, which target, how good, how sure."""

from __future__ import annotations

import datetime
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData, BadTarget, Cancelled, LexsiError, MissingExtra, UnknownColumn
from lexsi_nb.modeling.libraries.library import library_of
from lexsi_nb.modeling.libraries.lightgbm_trees import broken


def test_same_seed_gives_the_same_model(backend, make_cases, spec, model_type):
    one, two = (backend.train(make_cases(), spec(model_type=model_type)) for _ in range(2))
    content = library_of(model_type).content
    assert one.model_id == two.model_id
    assert content(one.model) == content(two.model)
    assert one.model_id.startswith(f"{model_type}_")
    assert one.card["library"].startswith(f"{model_type.lower()} ")
    assert backend.train(make_cases(), spec(seed=1, model_type=model_type)).model_id != one.model_id
    pd.testing.assert_frame_equal(one.quality.frame, two.quality.frame)


def test_training_leaves_the_frame_as_it_was(backend, make_cases, spec):
    frame = make_cases()
    before = frame.copy(deep=True)
    backend.train(frame, spec())
    pd.testing.assert_frame_equal(frame, before)


def test_target_entity_and_time_are_never_features(trained_by):
    trained = trained_by
    assert trained.features == ("amount", "noise", "region")
    assert dict(trained.left_out)["opened"] == "the date of the case; used only for the time split"
    assert trained.categories == {"region": ("east", "north", "south")}


def test_columns_that_cannot_be_learned_from_are_named_with_the_reason(backend, make_cases, spec):
    frame = make_cases()
    n = len(frame)
    frame["empty"] = None
    frame["same"] = 7
    frame["code"] = [f"K{i:05d}" for i in range(n)]
    frame["town"] = [f"town {i % 60}" for i in range(n)]
    frame["last_name"] = [f"name {i % 40}" for i in range(n)]
    frame["badge_no"] = np.random.default_rng(4).permutation(np.arange(n) * 7)
    frame["branch_id"] = np.arange(n) % 5
    frame["line"] = np.arange(n)[::-1]
    frame["when"] = [datetime.date(2020, 1, 1 + i % 28) for i in range(n)]
    frame["day"] = "2020-01-02"
    frame["tags"] = [["a"], ["b", "c"]] * (n // 2)
    frame["price"] = [Decimal(i % 9) for i in range(n)]
    frame["ratio"] = np.where(np.arange(n) % 7 == 0, np.inf, np.arange(n) % 11)
    frame["flag"] = pd.Series([True, False, None] * (n // 3), dtype="boolean")
    frame["size"] = pd.Categorical(["s", "m", "l"] * (n // 3), categories=["s", "m", "l", "unused"])
    frame["gender"] = ["f", "m"] * (n // 2)
    made = backend.train(frame, spec(exclude={"gender": "protected; not used unless asked", "status": "not here"}))
    out = dict(made.left_out)
    assert set(made.features) == {"amount", "noise", "region", "opened", "price", "ratio", "flag", "size", "when"}
    assert out["gender"] == "protected; not used unless asked"
    assert "status" not in out
    assert out["empty"] == "no values"
    assert out["same"].startswith("constant: 7")
    assert "identifier" in out["code"]
    assert out["town"].startswith("text with 60 distinct values")
    assert out["last_name"] == f"names: 40 different ones in {n} rows, too few rows each to learn from"
    assert out["badge_no"] == "a number that differs in every row: an identifier by its name"
    assert out["branch_id"] == "an identifier by its name"
    assert out["line"] == "a row counter"
    assert "constant" in out["day"]
    assert out["tags"] == "nested values"
    assert set(made.categories["size"]) == {"s", "m", "l"}


def test_a_planted_leak_is_left_out_and_named(backend, make_cases, spec):
    frame = make_cases()
    frame["collections_flag"] = np.where(frame["bad"] == 1, "yes", "no")
    frame["recoded"] = 2 - frame["bad"]
    frame["balance"] = frame["bad"] * 100 + np.random.default_rng(0).normal(size=len(frame))
    frame["closed_by"] = pd.Series(["desk", "phone"] * (len(frame) // 2)).where(frame["bad"] == 1)
    frame["amount_too"] = frame["amount"]
    frame["amount_mixed"] = np.random.default_rng(3).permutation(frame["amount"])
    made = backend.train(frame, spec())
    out = dict(made.left_out)
    assert "amount_mixed" in made.features
    assert out["collections_flag"].startswith("a copy of the target bad")
    assert out["recoded"].startswith("a copy of the target bad")
    assert "nearly perfectly" in out["balance"]
    assert "known only afterwards" in out["closed_by"]
    assert out["amount_too"] == "says the same as amount in every row"


def test_a_feature_made_of_two_others_is_noted(backend, make_cases, spec):
    frame = make_cases()
    frame["months"] = np.random.default_rng(1).choice([12, 24, 36, 48], len(frame))
    frame["payments"] = (frame["amount"] / frame["months"]).round(2)
    assert "payments equals amount / months: it adds nothing of its own." in backend.train(frame, spec()).warnings


def test_quality_has_spread_interval_baselines_and_the_out_of_time_check(trained):
    q = trained.quality
    assert q.metric == "AUC"
    assert (q.folds, q.repeats) == (5, 20)
    assert q.low < q.value < q.high
    assert q.sd > 0
    assert q.baseline == 0.5
    assert q.scores["log loss"][0] < q.scores["log loss"][1]
    assert q.scores["Brier score"][0] < q.scores["Brier score"][1]
    assert q.out_of_time.value is not None
    assert q.out_of_time.n_earlier + q.out_of_time.n_later == 300
    assert q.out_of_time.positives_earlier + q.out_of_time.positives_later == trained.n_positive == 60
    assert q.calibration.startswith("not calibrated")


def test_the_spread_over_the_repeats_is_said(backend, make_cases, spec, trained):
    q = trained.quality
    assert f"; sd {q.sd:.3f} over {q.repeats} repeats), guessing 0.50; 60 of 300 cases" in q.text
    assert 0 < q.sd < 0.1
    assert "sd" not in backend.train(make_cases(), spec(repeats=1)).quality.text


def test_few_cases_are_the_headline(backend, make_cases, spec):
    few = backend.train(make_cases(234, rate=0.1), spec(time_column="opened"))
    assert few.quality.headline == "too few cases to tell"
    assert not few.quality.enough
    assert "cases among 234 rows" in few.warnings[0]
    assert few.quality.out_of_time.text.startswith("not enough cases: ")
    assert few.quality.out_of_time.value is None


def test_a_handful_of_rows_is_never_called_certain(backend, make_cases, spec):
    made = backend.train(make_cases().groupby("bad").head(3), spec())
    assert made.quality.headline == "too few cases to tell"
    assert made.warnings[0] == "Learned from 3 cases among 6 rows: too few cases to tell."


def test_both_libraries_are_about_as_good(backend, make_cases, spec):
    pytest.importorskip("xgboost", reason="xgboost is not installed")
    frame = make_cases(600)
    one, two = (backend.train(frame, spec(model_type=m)).quality.value for m in ("LightGBM", "XGBoost"))
    assert one == pytest.approx(two, abs=0.03)


def test_many_cases_give_a_number_and_noise_is_called_noise(backend, make_cases, spec):
    assert backend.train(make_cases(3000), spec()).quality.headline.startswith("AUC 0.")
    frame = make_cases(3000)
    frame["bad"] = np.random.default_rng(5).permutation(frame["bad"].to_numpy())
    assert backend.train(frame, spec()).quality.headline.startswith("no better than guessing")


def test_auc_of_the_cell_is_that_of_the_textbook(trained, make_cases):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    from lexsi_nb.modeling.cells import AUC_SOURCE

    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 2, 200), rng.integers(0, 20, 200) / 20
    names = {"pd": pd}
    exec(AUC_SOURCE, names)
    value, variance = names["auc_and_variance"](y, score)
    assert value == pytest.approx(metrics.roc_auc_score(y, score), abs=1e-12)
    draws = []
    for _ in range(400):
        rows = rng.integers(0, 200, 200)
        draws.append(metrics.roc_auc_score(y[rows], score[rows]))
    assert np.sqrt(variance) == pytest.approx(np.std(draws), rel=0.15)


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ([None] * 300, "empty in all 300 rows"),
        ([1] * 300, "single class"),
        (["no"] * 300, "single class"),
        ([f"class {i % 40}" for i in range(300)], "40 classes, more than 20"),
        ([f"class {i % 21}" for i in range(300)], "21 classes, more than 20"),
        (["a", "b", "c"] + ["a", "b"] * 148 + ["a"], "a class with a single row: 'c'"),
        ([i * 0.37 for i in range(300)], "a number with 300 different values"),
        (list(range(300)), "a number with 300 different values"),
        ([1] + [0] * 299, "a class with a single row"),
        ([[1], [2]] * 150, "nested or mixed"),
    ],
)
def test_a_target_that_cannot_be_learned_is_refused(backend, make_cases, spec, target, says):
    frame = make_cases()
    frame["bad"] = target
    with pytest.raises(BadTarget, match=says) as caught:
        backend.train(frame, spec())
    assert caught.value.why


def test_regression_targets_that_cannot_be_learned_are_refused(backend, make_cases, spec):
    frame = make_cases()
    for target, says in (([3.5] * 300, "constant"), (["a", "b"] * 150, "not a number"), ([np.inf] * 300, "no finite")):
        frame["bad"] = target
        with pytest.raises(BadTarget, match=says):
            backend.train(frame, spec(task="regression"))


def test_frames_that_cannot_be_used_are_refused(backend, make_cases, spec):
    frame = make_cases()
    with pytest.raises(BadData, match="context_df has no rows"):
        backend.train(frame.iloc[:0], spec())
    with pytest.raises(BadData, match="more than once: amount, noise"):
        backend.train(pd.concat([frame, frame[["amount", "noise"]]], axis=1), spec())
    with pytest.raises(UnknownColumn, match="Nearest: amount"):
        backend.train(frame, spec(features=("amonut",)))
    with pytest.raises(UnknownColumn, match="'outcome'"):
        backend.train(frame, spec(target="outcome"))
    with pytest.raises(BadData, match=r"No column of context_df can be learned from.*opened: a date"):
        backend.train(frame[["case_id", "opened", "bad"]], spec(dates=False))
    with pytest.raises(BadData, match="list is not a table"):
        backend.train([1, 2], spec())


def test_class_names_are_read_and_a_guess_is_said(backend, make_cases, spec):
    frame = make_cases()
    frame["bad"] = np.where(frame["bad"] == 1, "B", "A")
    made = backend.train(frame, spec())
    assert made.positive == "B"
    assert made.n_positive == 60
    assert any("'B', the rarer class" in w for w in made.warnings)
    assert backend.train(frame, spec(positive="A")).n_positive == 240
    with pytest.raises(BadTarget, match="no class 'Z'"):
        backend.train(frame, spec(positive="Z"))
    frame["bad"] = [Decimal(int(v == "B")) for v in frame["bad"]]
    assert backend.train(frame, spec()).n_positive == 60
    frame["bad"] = frame["bad"].astype(float).astype(bool)
    assert backend.train(frame, spec()).positive is True


def test_rows_without_a_target_are_not_learned_from(backend, make_cases, spec):
    frame = make_cases()
    frame["bad"] = frame["bad"].astype(float).where(np.arange(300) % 10 > 0)
    made = backend.train(frame, spec())
    assert made.n_rows == 270
    assert any("30 of 300 rows have no bad" in w for w in made.warnings)


def test_regression_has_spread_and_the_mean_as_baseline(backend, make_cases, spec, model_type):
    frame = make_cases(600).drop(columns="bad")
    frame["cost"] = frame["amount"] * 2 + np.where(frame["region"] == "south", 900, 0)
    frame["cost"] += np.random.default_rng(2).normal(0, 500, 600)
    frame.loc[:9, "cost"] = np.nan
    made = backend.train(frame, spec(target="cost", task="regression", time_column="opened", model_type=model_type))
    q = made.quality
    assert q.metric == "R2"
    assert 0.5 < q.low < q.value < q.high < 1
    assert q.scores["mean absolute error"][0] < q.scores["mean absolute error"][1]
    assert q.out_of_time.value > 0.5
    assert made.n_positive is None
    scored = backend.predict(made, frame)
    assert scored.score_column == "prediction"
    why = backend.explain(made, frame, frame["case_id"].head(5).tolist())
    total = why.frame[list(made.features)].sum(axis=1) + why.frame["base_value"]
    np.testing.assert_allclose(total, why.frame["raw_score"], rtol=1e-9 if model_type == "LightGBM" else 1e-4)


def test_unknown_and_absent_model_types_say_what_there_is(backend, make_cases, spec, monkeypatch):
    with pytest.raises(LexsiError, match="There is: LightGBM, XGBoost"):
        backend.train(make_cases(), spec(model_type="TabPFN"))
    monkeypatch.setitem(sys.modules, "xgboost", None)
    with pytest.raises(MissingExtra, match=r'%pip install "lexsi-nb\[xgboost\]"'):
        backend.train(make_cases(), spec(model_type=" xgboost "))
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(MissingExtra, match=r"lightgbm is not installed"):
        backend.train(make_cases(), spec())


def test_a_sample_of_the_rows_is_learned_from(backend, make_cases, spec):
    frame = make_cases()
    made = backend.train(frame, spec(sample_percentage=50))
    assert made.n_rows == 150
    assert "context_df_sample = context_df.sample(frac=0.5, random_state=0)" in made.cells[0].source
    assert len(made.train_ids) == 150
    names = {"context_df": frame}
    for cell in made.cells:
        exec(cell.source, names)
    pd.testing.assert_frame_equal(names["quality"], made.quality.frame)
    assert names["model"].model_to_string() == made.model.model_to_string()
    for share in (0, -1, 101):
        with pytest.raises(BadData, match=f"Cannot train on {share} percent"):
            backend.train(frame, spec(sample_percentage=share))


def test_a_missing_openmp_library_names_the_package():
    error = broken(OSError("libgomp.so.1: cannot open shared object file"))
    assert "apt-get install libgomp1" in str(error)
    assert "brew install libomp" in str(error)
    assert "reinstall" in str(broken(OSError("wrong ELF class")))


def test_progress_rises_to_the_end_and_stops_when_asked(backend, make_cases, spec):
    seen = []
    backend.train(make_cases(), spec(), tick=lambda *args: seen.append(args))
    assert [d for d, _, _ in seen] == sorted(d for d, _, _ in seen)
    assert seen[-1][0] == seen[-1][1]
    polls = iter([False] * 12)
    with pytest.raises(Cancelled):
        backend.train(make_cases(), spec(), cancelled=lambda: next(polls, True))


def test_two_thousand_columns_are_taken(backend, spec):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 2000)), columns=[f"m{i}" for i in range(2000)])
    frame["bad"], frame["case_id"] = rng.integers(0, 2, 60), np.arange(60)
    made = backend.train(frame, spec(repeats=1))
    assert len(made.features) == 2000
    assert backend.predict(made, frame).frame["probability"].between(0, 1).all()
    assert len(backend.explain(made, frame, [3, 5]).importance) == 2000


def test_the_real_loans_are_too_few_to_tell(backend, loans, spec):
    finished, running, debt = loans
    made = backend.train(finished, spec(target="is_default", entity="loan_id", time_column="date", repeats=None))
    assert (made.n_rows, made.n_positive) == (234, 31)
    assert made.quality.headline == "too few cases to tell"
    assert 0.55 < made.quality.value < 0.80
    assert made.quality.out_of_time.text.startswith("not enough cases: ")
    scored = backend.predict(made, running, keep=["amount", "duration"])
    assert (
        "236 of the 403 rows to score have duration 48 or more; the model saw only 17 such of 234." in scored.warnings
    )
    check = backend.check(made, debt, running)
    assert check.low < check.auc < check.high
    assert (check.n_held, check.n_against) == (45, 403)
    with pytest.raises(BadData, match="234 of its rows were learned from"):
        backend.check(made, finished, running)
