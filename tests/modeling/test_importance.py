"""Importance, beeswarm, dependence and counterfactuals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData, UnknownCase, UnknownColumn
from lexsi_nb.modeling.importance import dependence, feature_of, importance
from lexsi_nb.modeling.whatif import counterfactuals


@pytest.fixture(scope="module")
def explained(backend, trained, make_cases):
    return backend.explain(trained, make_cases(seed=3))


def test_importance_is_the_mean_size_of_the_contributions(explained, trained, run_cells):
    made = importance(explained)
    frame = made.frame
    assert frame["feature"].iloc[0] == "amount"
    assert frame["share"].sum() == pytest.approx(1)
    sizes = explained.frame[list(trained.features)].abs().mean().sort_values(ascending=False)
    np.testing.assert_allclose(frame["importance"], sizes)
    alone = run_cells([made.cell], {"attributions": explained.frame})["importance"]
    pd.testing.assert_frame_equal(alone, frame)


@pytest.mark.parametrize("feature", ["amount", "noise", "region"])
def test_dependence_is_the_mean_contribution_by_value(explained, trained, make_cases, run_cells, feature):
    frame = make_cases(seed=3)
    made = dependence(trained, explained, frame, feature)
    table = made.frame
    assert table["cases"].sum() == len(frame)
    total = (table["contribution"] * table["cases"]).sum()
    assert total == pytest.approx(explained.frame[feature].sum())
    gaps = frame[feature].isna()
    assert table["value"].eq("missing").any() == gaps.any()
    if gaps.any():
        row = table.set_index("value").loc["missing"]
        assert row["contribution"] == pytest.approx(explained.frame.loc[gaps.to_numpy(), feature].mean())
    if feature == "region":
        south = (frame["region"] == "south").to_numpy()
        assert table.set_index("value").at["south", "contribution"] == pytest.approx(
            explained.frame.loc[south, feature].mean()
        )
        assert table.set_index("value")["contribution"].idxmax() == "south"
    else:
        first = pd.qcut(frame[feature], 5, labels=False) == 0
        assert table["contribution"].iloc[0] == pytest.approx(explained.frame.loc[first.to_numpy(), feature].mean())
    alone = run_cells([made.cell], {"predict_df": frame, "attributions": explained.frame})["dependence"]
    pd.testing.assert_frame_equal(alone, table)


def test_a_number_of_few_values_has_a_row_a_value(backend, make_cases, spec):
    frame = make_cases(300)
    frame["floor"] = np.arange(300) % 4
    frame["bad"] ^= (frame["floor"] == 3) & (np.random.default_rng(0).random(300) < 0.5)
    made = backend.train(frame, spec(repeats=1))
    table = dependence(made, backend.explain(made, frame), frame, "floor").frame
    assert table["value"].tolist() == ["0", "1", "2", "3"]
    assert (table["cases"] == 75).all()


def test_dependence_on_dates_and_frames_of_other_libraries(backend, make_cases, spec):
    polars = pytest.importorskip("polars")
    frame = make_cases(300)
    made = backend.train(frame, spec(repeats=1))
    by_pandas = dependence(made, backend.explain(made, frame), frame, "opened").frame
    assert by_pandas["value"].iloc[0].startswith("2020-")
    assert len(by_pandas) == 5
    other = polars.from_pandas(frame)
    by_polars = dependence(made, backend.explain(made, other), other, "opened").frame
    pd.testing.assert_frame_equal(by_pandas, by_polars)


def test_a_feature_is_found_by_its_words_or_named(backend, trained, explained, make_cases, spec):
    assert feature_of(trained, "Amount") == "amount"
    with pytest.raises(UnknownColumn, match="Nearest: amount"):
        dependence(trained, explained, make_cases(seed=3), "amuont")
    with pytest.raises(BadData, match="is not what was explained"):
        dependence(trained, explained, make_cases(seed=3).head(5), "amount")
    with pytest.raises(UnknownColumn, match="It was left out: the date of the case"):
        feature_of(trained, "opened")
    frame = make_cases(300).rename(columns={"amount": "balance_mean", "noise": "balance_min"})
    made = backend.train(frame, spec(repeats=1))
    assert feature_of(made, "mean balance") == "balance_mean"
    with pytest.raises(UnknownColumn, match="balance could be several features: balance_mean, balance_min"):
        feature_of(made, "balance")


def what_if(trained, labelled, frame, case, **options):
    """Return the counterfactual of one case and all of them."""
    made = counterfactuals(trained, labelled, frame, [case], **options)
    return made.cases[0], made


def test_a_counterfactual_passes_the_mark_and_keeps_what_may_not_change(backend, trained_by, make_cases, run_cells):
    trained, frame = trained_by, make_cases(seed=3)
    worst = backend.predict(trained, frame).frame["case_id"].iloc[0]
    before = frame.copy(deep=True)
    free, made = what_if(trained, make_cases(), frame, worst)
    pd.testing.assert_frame_equal(frame, before)
    assert free.reached
    assert free.score > free.mark == pytest.approx(0.2)
    changed = frame[frame["case_id"] == worst].copy()
    for change in free.changes.itertuples():
        assert change.value == changed[change.feature].iloc[0] or pd.isna(change.value)
        changed[change.feature] = change.instead
        score = backend.predict(trained, changed).frame["probability"].iloc[0]
        assert score == pytest.approx(change.score, abs=1e-9)
    assert score <= free.mark
    names = {"predict_df": frame, "context_df": make_cases()}
    alone = run_cells([*trained.cells, made.cell], names)["counterfactuals"]
    pd.testing.assert_frame_equal(alone, made.frame)
    held, _ = what_if(trained, make_cases(), frame, worst, immutable=["amount"])
    assert "amount" not in set(held.changes["feature"])
    assert not held.reached
    assert "comes closest to" in held.text or "no observed value" in held.text
    with pytest.raises(BadData, match="All of them are immutable"):
        what_if(trained, make_cases(), frame, worst, immutable=trained.features)
    with pytest.raises(UnknownColumn, match="Nearest: amount"):
        what_if(trained, make_cases(), frame, worst, immutable=["amounts"])
    with pytest.raises(UnknownCase):
        what_if(trained, make_cases(), frame, -5)


def test_no_single_change_gets_there_with_a_smaller_move(backend, trained, make_cases):
    frame, known = make_cases(seed=3), make_cases()
    worst = backend.predict(trained, frame).frame["case_id"].iloc[0]
    found, _ = what_if(trained, known, frame, worst)
    first = found.changes.iloc[0]
    assert (len(found.changes), first["feature"]) == (1, "amount")
    values = known["amount"].drop_duplicates().sort_values()
    tried = values.iloc[np.unique(np.linspace(0, len(values) - 1, 20).round().astype(int))]
    now = frame.loc[frame["case_id"] == worst].assign(case_id=0)
    rows = pd.concat([now.assign(amount=v, case_id=i) for i, v in enumerate(tried)])
    score = backend.predict(trained, rows).frame.set_index("case_id")["probability"].sort_index()
    nearest = (tried - now["amount"].iloc[0]).abs().to_numpy()[score.to_numpy() <= found.mark].min()
    assert abs(first["instead"] - first["value"]) == nearest


def test_several_cases_share_a_table_and_ids_of_any_kind(backend, make_cases, spec):
    frame = make_cases(300)
    made = backend.train(frame, spec(repeats=1))
    worst = backend.predict(made, frame).frame["case_id"].head(3).tolist()
    both = counterfactuals(made, frame, frame, worst)
    assert [c.case_id for c in both.cases] == worst
    assert both.frame["case_id"].drop_duplicates().tolist() == worst
    one, _ = what_if(made, frame, frame, str(worst[1]))
    assert one.changes["score"].tolist() == both.cases[1].changes["score"].tolist()
    dated = frame.assign(case_id=pd.date_range("2020-01-01", periods=300))
    made = backend.train(dated, spec(repeats=1))
    worst = backend.predict(made, dated).frame["case_id"].iloc[0]
    assert what_if(made, dated, dated, worst)[0].reached
    loose = backend.train(frame.drop(columns="case_id"), spec(repeats=1, entity=None))
    first = backend.predict(loose, frame).frame["row"].iloc[0]
    assert what_if(loose, frame, frame, first)[1].frame["row"].tolist()[:1] == [first]


def test_calibrated_scores_move_as_they_are_shown(backend, make_cases, spec):
    frame = make_cases(1500)
    made = backend.train(frame, spec(repeats=1, calibrate=True))
    assert made.calibrated
    scored = backend.predict(made, frame).frame
    found, _ = what_if(made, frame, frame, scored["case_id"].iloc[0])
    assert found.score == pytest.approx(scored["probability"].iloc[0], abs=1e-12)


def test_gaps_and_nullable_numbers_are_changed_too(backend, make_cases, spec):
    frame = make_cases(300).convert_dtypes()
    made = backend.train(frame, spec(repeats=1))
    case = backend.predict(made, frame[frame["noise"].isna()]).frame["case_id"].iloc[0]
    found, _ = what_if(made, frame, frame, case)
    assert found.changes["score"].iloc[-1] < found.score


def test_counterfactuals_of_dates_and_toward_higher_scores(backend, make_cases, spec):
    frame = make_cases(400)
    frame["bad"] = (frame["opened"].dt.year == 2021).astype(int) ^ (np.random.default_rng(0).random(400) < 0.1)
    made = backend.train(frame, spec(repeats=1))
    low = backend.predict(made, frame).frame["case_id"].iloc[-1]
    up, _ = what_if(made, frame, frame, low, toward="higher")
    assert up.reached
    assert up.changes["feature"].tolist() == ["opened"]
    assert up.changes["instead"].iloc[0].year == 2021
    assert " instead of 20" in up.text
    already, _ = what_if(made, frame, frame, low)
    assert already.changes.empty
    assert "already there" in already.text


def test_counterfactuals_of_a_class_need_one_that_ranks(backend, make_cases, spec):
    frame = make_cases(400)
    frame["bad"] = pd.qcut(
        frame["amount"] + 900 * np.random.default_rng(0).normal(size=400), 3, labels=list("abc")
    ).astype(str)
    made = backend.train(frame, spec(repeats=1))
    with pytest.raises(BadData, match="which class's score"):
        what_if(made, frame, frame, 100)
    made = backend.train(frame, spec(repeats=1, positive="c"))
    worst = backend.predict(made, frame).frame["case_id"].iloc[0]
    assert what_if(made, frame, frame, worst)[0].reached
