"""The emitted cells alone, in a bare namespace, compute what the backend handed out."""

from __future__ import annotations

import linecache
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData, UnknownCase, UnknownColumn
from lexsi_nb.modeling.libraries.library import library_of


def test_cells_alone_give_the_same_model_scores_and_attributions(backend, make_cases, spec, model_type, check_cells):
    scored = make_cases(80, seed=9).drop(columns="bad")
    asked = spec(time_column="opened", model_type=model_type)
    made, predicted, explained = check_cells(backend, make_cases(), asked, scored)
    p = predicted.frame["probability"]
    assert p.dtype == np.float64
    assert p.between(0, 1).all()
    assert p.is_monotonic_decreasing
    assert predicted.frame["rank"].tolist() == list(range(1, 81))
    assert list(explained.frame.columns) == ["case_id", "base_value", *made.features, "raw_score"]
    assert [c.case_id for c in explained.cases] == predicted.frame["case_id"].head(10).tolist()


def test_cells_run_where_scikit_learn_and_this_package_are_absent(backend, make_cases, spec, tmp_path, model_type):
    frame = make_cases()
    made = backend.train(frame, spec(time_column="opened", model_type=model_type))
    predicted = backend.predict(made, frame)
    explained = backend.explain(made, frame, [100, 107])
    frame.to_pickle(tmp_path / "frame.pkl")
    lines = [
        "import sys; sys.modules['sklearn'] = None; sys.modules['lexsi_nb'] = None",
        "import pandas as pd",
        f"context_df = predict_df = pd.read_pickle({str(tmp_path / 'frame.pkl')!r})",
        *(c.source for c in (*made.cells, predicted.cell, explained.cell)),
        f"predictions.to_pickle({str(tmp_path / 'predictions.pkl')!r})",
        f"attributions.to_pickle({str(tmp_path / 'attributions.pkl')!r})",
    ]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, cwd=tmp_path)
    pd.testing.assert_frame_equal(pd.read_pickle(tmp_path / "predictions.pkl"), predicted.frame, rtol=0, atol=1e-9)
    pd.testing.assert_frame_equal(pd.read_pickle(tmp_path / "attributions.pkl"), explained.frame, rtol=0, atol=1e-6)


def test_awkward_names_work_and_are_shown_as_they_are(backend, make_cases, spec, model_type, check_cells):
    frame = make_cases().rename(
        columns={"amount": 'the "amount" [EUR], {net}', "noise": "bruit d'été", "region": "région: où"}
    )
    frame = frame.rename(
        columns={"case_id": "case id"},
    )
    frame["a b"], frame["a_b"] = frame["bruit d'été"].abs(), -frame["bruit d'été"].round(1)
    frame["x\\y\n"] = frame["bruit d'été"].round(2) ** 2
    made, _, explained = check_cells(backend, frame, spec(entity="case id", model_type=model_type))
    assert set(made.features) >= {'the "amount" [EUR], {net}', "région: où", "a b", "a_b"}
    assert {r.feature for c in explained.cases for r in c.raises} <= set(made.features)


def test_column_and_variable_names_that_ours_could_clash_with(backend, make_cases, spec, check_cells):
    frame = make_cases().rename(columns={"amount": "base_value", "noise": "raw_score", "region": "probability"})
    frame["rank"] = frame["base_value"].round(-3)
    made, predicted, explained = check_cells(backend, frame, spec())
    assert set(made.features) == {"base_value", "raw_score", "probability", "rank", "opened"}
    kept = backend.predict(made, frame, keep=["probability", "rank"])
    assert (kept.score_column, kept.rank_column) == ("probability_2", "rank_2")
    assert (explained.base_column, explained.raw_column) == ("base_value_2", "raw_score_2")
    assert predicted.score_column == "probability"


def test_variable_names_follow_the_spec_and_a_frame_called_x(backend, make_cases, spec, run_cells):
    names = {"model": "model_2", "quality": "quality_2"}
    frame = make_cases()
    made = backend.train(frame, spec(frame_name="X", names=names))
    out = run_cells(made.cells, {"X": frame})
    assert out["X"] is frame
    assert "model_2" in out
    assert "quality_2" in out
    assert "model" not in out


def test_numbers_as_column_names_and_no_entity(backend, spec, model_type, check_cells):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200, 3)))
    frame["bad"] = (frame[0] + rng.normal(size=200) > 0).astype(int)
    made, predicted, explained = check_cells(backend, frame, spec(entity=None, model_type=model_type))
    assert made.features == (0, 1, 2)
    assert predicted.entity == explained.entity == "row"
    best = predicted.frame["row"].iloc[0]
    assert explained.case(best).score == pytest.approx(predicted.frame["probability"].iloc[0])


def test_classes_in_words_and_gaps_in_the_target(backend, make_cases, spec, check_cells):
    frame = make_cases()
    frame["bad"] = pd.Series(np.where(frame["bad"] == 1, 'bad "loan"', "fine")).where(np.arange(300) % 9 > 0)
    check_cells(backend, frame, spec(time_column="opened"))


@pytest.mark.parametrize("zone", [None, "Europe/Prague"])
def test_time_columns_of_any_kind_split_the_rows(backend, make_cases, spec, zone, check_cells):
    frame = make_cases()
    if zone:
        frame["opened"] = frame["opened"].dt.tz_localize(zone)
    made, _, _ = check_cells(backend, frame, spec(time_column="opened"))
    assert made.quality.out_of_time.n_later == pytest.approx(100, abs=5)


def test_dates_written_as_text_or_numbers_split_the_rows(backend, make_cases, spec, check_cells):
    frame = make_cases()
    text = frame.assign(opened=frame["opened"].dt.strftime("%Y-%m-%d"))
    number = frame.assign(opened=frame["opened"].dt.strftime("%Y%m%d").astype(int))
    for other in (text, number):
        again, _, _ = check_cells(backend, other, spec(time_column="opened"))
        assert again.quality.out_of_time.value is not None
        assert "opened" not in again.features


def test_polars_and_arrow_frames(backend, make_cases, spec, check_cells):
    pl = pytest.importorskip("polars", reason="polars is not installed")
    frame = make_cases().drop(columns="opened")
    want = backend.train(frame, spec())
    for other in (pl.from_pandas(frame), pl.from_pandas(frame).to_arrow()):
        made, _, _ = check_cells(backend, other, spec())
        assert "to_pandas()" in made.cells[0].source
        assert made.quality.value == want.quality.value


def test_equal_scores_are_in_entity_order(backend, make_cases, spec):
    frame = make_cases().sample(frac=1, random_state=1).reset_index(drop=True)
    frame["amount"] = 1000 * (frame["amount"] > 3000)
    made = backend.train(frame, spec(features=("amount", "region")))
    predicted = backend.predict(made, frame)
    out = predicted.frame
    same = out.groupby("probability", sort=False)["case_id"]
    assert same.apply(lambda ids: ids.is_monotonic_increasing).all()
    first = int((out["probability"] == out["probability"].iloc[0]).sum())
    assert predicted.tie_at(first) == ""
    assert predicted.tie_at(first - 1).startswith(f"{first} rows share the score at rank {first - 1}")
    assert predicted.tie_at(len(out)) == ""


def test_mixed_ids_are_scored_and_explained(backend, make_cases, spec):
    frame = make_cases()
    frame["case_id"] = [f"c{i}" if i % 2 else i for i in range(300)]
    made = backend.train(frame, spec())
    assert len(backend.predict(made, frame).frame) == 300
    assert [c.case_id for c in backend.explain(made, frame, ["c1", "2"]).cases] == ["c1", 2]
    dates = frame.assign(case_id=pd.date_range("2020-01-01", periods=300))
    one = backend.explain(backend.train(dates, spec()), dates, [dates["case_id"].iloc[5]])
    assert len(one.cases) == 1
    assert "iloc[case_rows]" in one.cell.source


def test_contributions_add_up_to_the_log_odds_and_equal_shap(backend, make_cases, spec):
    shap = pytest.importorskip("shap", reason="shap is not installed: exact SHAP is not compared")
    from lexsi_nb.modeling.source import Shape
    from lexsi_nb.modeling.training import feature_matrix

    for seed in range(2):
        frame = make_cases(400, seed=seed)
        made = backend.train(frame, spec(seed=seed))
        out = backend.explain(made, frame)
        total = out.frame[list(made.features)].sum(axis=1) + out.frame["base_value"]
        np.testing.assert_allclose(total, out.frame["raw_score"], atol=1e-6)
        p = backend.predict(made, frame).frame.set_index("case_id")["probability"]
        np.testing.assert_allclose(1 / (1 + np.exp(-total)), p.loc[frame["case_id"]], atol=1e-9)
        # shap hands LightGBM models back to LightGBM; "internal" makes it use its own code, which knows numbers only.
        numbers = ("amount", "noise")
        made = backend.train(frame, spec(features=numbers))
        out = backend.explain(made, frame)
        explainer = shap.TreeExplainer(made.model)
        explainer.model.model_type = "internal"
        theirs = explainer.shap_values(
            feature_matrix(frame, Shape(numbers, (), library_of("LightGBM"))), check_additivity=False
        )
        np.testing.assert_allclose(out.frame[list(numbers)], theirs, atol=1e-6)


def test_contributions_add_up_to_the_precision_of_the_library(backend, make_cases, spec, model_type):
    """Off by at most 1e-9 of the largest contribution in float64, 1e-5 in XGBoost's float32, whatever the unit."""
    share = 1e-9 if model_type == "LightGBM" else 1e-5
    frame = make_cases(600, seed=1)
    frame["cost"] = 1e6 * (frame["amount"] - 3000 + 800 * np.random.default_rng(0).normal(size=600))
    for task, target in (("classification", "bad"), ("regression", "cost")):
        features = ("amount", "noise", "region")
        made = backend.train(frame, spec(model_type=model_type, task=task, target=target, features=features))
        out = backend.explain(made, frame)
        parts = out.frame[[*features, "base_value"]]
        np.testing.assert_allclose(
            parts.sum(axis=1), out.frame["raw_score"], rtol=0, atol=share * parts.abs().max().max()
        )
        assert set(parts.dtypes) == {np.dtype("float64")}
        scored = backend.predict(made, frame)
        p = scored.frame.set_index("case_id")[scored.score_column].loc[frame["case_id"]]
        raw = out.frame["raw_score"]
        np.testing.assert_allclose(1 / (1 + np.exp(-raw)) if task == "classification" else raw, p, rtol=1e-5)


def test_a_model_without_a_split_is_explained(backend, spec, model_type):
    frame = pd.DataFrame({"case_id": range(200), "bad": [0, 1] * 100, "rare": [1.0] + [np.nan] * 199})
    made = backend.train(frame, spec(model_type=model_type))
    case = backend.explain(made, frame, [3]).cases[0]
    assert (case.raises, case.lowers) == ((), ())
    assert case.score == pytest.approx(0.5)
    assert made.quality.headline.startswith("no better than guessing")


def test_contributions_of_xgboost_equal_shap(backend, make_cases, spec):
    pytest.importorskip("xgboost", reason="XGBoost is not installed: not tested with it")
    shap = pytest.importorskip("shap", reason="shap is not installed: exact SHAP is not compared")
    from lexsi_nb.modeling.source import Shape
    from lexsi_nb.modeling.training import feature_matrix

    frame, numbers = make_cases(400), ("amount", "noise")
    made = backend.train(frame, spec(features=numbers, model_type="XGBoost"))
    explainer = shap.TreeExplainer(made.model)
    explainer.model.model_type = "internal"
    X = feature_matrix(frame, Shape(numbers, (), library_of("XGBoost")))
    theirs = explainer.shap_values(X, check_additivity=False)
    np.testing.assert_allclose(backend.explain(made, frame).frame[list(numbers)], theirs, atol=1e-5)


def test_the_first_of_the_predictions_are_read_off_them(backend, trained_by, make_cases, run_cells):
    frame = make_cases()
    predicted = backend.predict(trained_by, frame)
    ids = predicted.frame["case_id"].head(10).tolist()
    listed = backend.explain(trained_by, frame, ids)
    assert listed.cell.requires == ("predict_df", "model")
    read = backend.explain(trained_by, frame, ids, case_source=("predictions", predicted.frame, 10))
    assert 'case_ids = predictions["case_id"].head(10).tolist()' in read.cell.source
    assert read.cell.requires == ("predict_df", "model", "predictions")
    pd.testing.assert_frame_equal(read.frame, listed.frame)
    names = {"predict_df": frame, "model": trained_by.model}
    out = run_cells([predicted.cell, read.cell], names)
    pd.testing.assert_frame_equal(out["attributions"], read.frame, rtol=0, atol=1e-6)
    other = backend.explain(trained_by, frame, ids[::-1], case_source=("predictions", predicted.frame, 10))
    assert "case_ids = [" in other.cell.source


def test_the_first_rows_are_read_off_where_there_is_no_entity_or_ids_are_dates(backend, make_cases, spec):
    frame = make_cases().drop(columns=["case_id", "opened"])
    dated = frame.assign(case_id=pd.date_range("2020-01-01", periods=300))
    for rows, entity in ((frame, None), (dated, "case_id")):
        made = backend.train(rows, spec(entity=entity))
        predicted = backend.predict(made, rows)
        ids = predicted.frame[predicted.entity].head(5).tolist()
        why = backend.explain(made, rows, ids, case_source=("predictions", predicted.frame, 5))
        assert f'case_ids = predictions["{predicted.entity}"].head(5).tolist()' in why.cell.source
        assert [c.case_id for c in why.cases] == ids
        p = predicted.frame["probability"].head(5)
        np.testing.assert_allclose([c.score for c in why.cases], p, atol=1e-9)


def test_cells_bind_only_their_product_and_names_of_their_own(backend, trained_by, make_cases, run_cells):
    frame = make_cases()
    predicted = backend.predict(trained_by, frame)
    ids = predicted.frame["case_id"].head(3).tolist()
    why = backend.explain(trained_by, frame, ids)
    check = backend.check(trained_by, frame.assign(case_id=-frame.index), frame.assign(case_id=-1000 - frame.index))
    given = {"context_df": frame, "predict_df": frame, "already_df": frame}
    out = run_cells([*trained_by.cells, predicted.cell, why.cell, check.cell], given)
    modules = {"np", "pd", "lgb", "xgb", "json"}
    functions = {"inputs_of", "matrix_of", "model_of", "unseen_scores", "cross_validated", "quality_of",
                 "auc_and_variance", "auc_and_moves", "half_of", "design_of", "logistic_scores", "attributions_of",
                 "told_apart"}  # fmt: skip
    products = {"model", "quality", "out_of_fold", "predictions", "attributions", "check"}
    assert set(out) - modules - functions - products - set(given) == {"__builtins__", "model_features", "case_ids"}


@pytest.mark.parametrize("name", ["model_features", "inputs_of", "matrix_of", "model_of", "case_ids", "X", "rows"])
def test_a_frame_called_like_a_name_of_the_cells_stays(backend, make_cases, spec, name, model_type, run_cells):
    frame = make_cases(120)
    made = backend.train(frame, spec(frame_name=name, model_type=model_type, repeats=1))
    predicted = backend.predict(made, frame, frame_name=name)
    why = backend.explain(made, frame, [100, 107], frame_name=name)
    out = run_cells([*made.cells, predicted.cell, why.cell], {name: frame})
    assert out[name] is frame
    pd.testing.assert_frame_equal(out["attributions"], why.frame)


def test_reasons_are_ordered_and_carry_the_value(backend, trained, make_cases):
    frame = make_cases(seed=3)
    out = backend.explain(trained, frame, frame["case_id"].head(20).tolist(), top_reasons=2)
    for case in out.cases:
        assert len(case.raises) <= 2
        assert all(r.contribution > 0 for r in case.raises)
        assert all(r.contribution < 0 for r in case.lowers)
        assert [r.contribution for r in case.raises] == sorted((r.contribution for r in case.raises), reverse=True)
        row = frame[frame["case_id"] == case.case_id].iloc[0]
        assert all(r.value == row[r.feature] or pd.isna(r.value) for r in (*case.raises, *case.lowers))
    assert out.importance[0][0] == "amount"
    assert out.unit == "log-odds"


def test_whole_numbers_read_as_floats_are_found(backend, trained, make_cases):
    frame = make_cases().astype({"case_id": float})
    assert [c.case_id for c in backend.explain(trained, frame, [100, "107", "114.0"]).cases] == [100, 107, 114]
    with pytest.raises(BadData, match="No case to explain"):
        backend.explain(trained, frame, [])


def test_unknown_and_repeated_cases_are_named(backend, trained, make_cases):
    frame = make_cases()
    with pytest.raises(UnknownCase, match=r"No case '1001'.*Nearest: "):
        backend.explain(trained, frame, [1001])
    twice = pd.concat([frame, frame.head(2)])
    with pytest.raises(BadData, match="case_id 100 stands in more than one row"):
        backend.explain(trained, twice, [100])
    scored = backend.predict(trained, twice)
    assert len(scored.frame) == 302
    assert any("4 rows of predict_df share their case_id" in w for w in scored.warnings)


def test_a_frame_that_lacks_what_the_model_reads_is_refused(backend, trained, make_cases):
    frame = make_cases().rename(columns={"amount": "amounts"})
    with pytest.raises(UnknownColumn, match=r"No column 'amount' in predict_df\. Nearest: amounts"):
        backend.predict(trained, frame)
    with pytest.raises(UnknownColumn, match="'case_id'"):
        backend.predict(trained, make_cases().drop(columns="case_id"))
    with pytest.raises(BadData, match="predict_df has no rows"):
        backend.predict(trained, make_cases().iloc[:0])
    with pytest.raises(BadData, match="amount of predict_df: not numbers"):
        backend.predict(trained, make_cases().assign(amount="much"))


def test_unseen_words_count_as_missing_and_are_said(backend, trained_by, make_cases):
    frame = make_cases(60, seed=4)
    frame["region"] = frame["region"].where(frame["region"] != "south", "west")
    out = backend.predict(trained_by, frame)
    assert any("a region not learned from ('west')" in w for w in out.warnings)
    gone = backend.predict(trained_by, frame.assign(region=frame["region"].where(frame["region"] != "west")))
    pd.testing.assert_frame_equal(out.frame, gone.frame)


def test_words_that_only_the_scored_rows_lack_are_said(backend, trained, make_cases):
    frame = make_cases(60, seed=4)
    assert not [w for w in backend.predict(trained, frame).warnings if "no region" in w]
    frame["region"] = frame["region"].where(np.arange(60) % 2 == 0)
    lacking = int(frame["region"].isna().sum())
    known = int(make_cases()["region"].isna().sum())
    said = f"{lacking} of the 60 rows to score have no region; the model saw only {known} such of 300."
    assert said in backend.predict(trained, frame).warnings


def test_order_and_absence_of_words_change_no_score(backend, trained_by, make_cases):
    frame = make_cases(60, seed=4)
    whole = backend.predict(trained_by, frame).frame.set_index("case_id")["probability"]
    for region in ("south", "north"):
        part = frame[frame["region"] == region]
        alone = backend.predict(trained_by, part).frame.set_index("case_id")["probability"]
        pd.testing.assert_series_equal(alone.sort_index(), whole[part["case_id"]].sort_index())
    none = backend.predict(trained_by, frame.assign(region=None)).frame
    assert none["probability"].notna().all()


def test_scored_rows_beyond_what_was_learned_from_are_counted(backend, trained, make_cases):
    near = backend.predict(trained, make_cases(seed=2))
    assert near.extrapolations == ()
    far = make_cases(100, seed=2)
    far.loc[:59, "amount"] += 50_000
    out = backend.predict(trained, far).extrapolations
    assert (out[0].feature, out[0].side, out[0].n_scored, out[0].n_labelled) == ("amount", "at least", 100, 300)
    assert out[0].scored >= 60
    gaps = backend.predict(trained, far.assign(amount=np.nan)).extrapolations
    assert gaps[0].text == "100 of the 100 rows to score have no amount; the model saw none such of 300."


def test_large_frames_go_in_chunks_and_give_the_same(backend, trained_by, make_cases, run_cells):
    frame = make_cases(45_000, seed=6)
    seen = []
    out = backend.predict(trained_by, frame, tick=lambda *a: seen.append(a))
    assert "range(0, len(predict_df), 20_000)" in out.cell.source
    assert seen[-1][0] == seen[-1][1]
    names = run_cells([out.cell], {"predict_df": frame, "model": trained_by.model})
    pd.testing.assert_frame_equal(names["predictions"], out.frame)
    why = backend.explain(trained_by, frame)
    assert "pd.concat" in why.cell.source
    assert why.frame["case_id"].tolist() == frame["case_id"].tolist()


def test_check_cell_alone_gives_the_same(backend, trained_by, make_cases, run_cells):
    held = make_cases(40, seed=7).assign(case_id=np.arange(40) + 90_000, amount=9000)
    against = make_cases(90, seed=8).assign(case_id=np.arange(90) + 80_000)
    out = backend.check(trained_by, held, against)
    names = run_cells([out.cell], {"already_df": held, "predict_df": against, "model": trained_by.model})
    assert names["check"].loc[0, "AUC"] == out.auc
    assert out.auc > 0.7
    assert "DeLong" in out.text


def test_cells_read_like_a_colleague_wrote_them(trained):
    train, quality = (len(c.source.splitlines()) for c in trained.cells)
    assert train <= 40
    assert quality <= 130
    assert all(len(line) <= 120 for c in trained.cells for line in c.source.splitlines())
    assert not [f for f in linecache.cache if "lexsi_nb" in f and "<" in f]
