"""Date columns are read as their parts, and explanations speak of the user's column."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import UnknownColumn


@pytest.fixture(scope="module")
def seasonal(make_cases):
    """Return 500 cases whose outcome depends on the month of a date and on the days from it to the case."""
    frame, rng = make_cases(500), np.random.default_rng(3)
    joined = frame["opened"] - pd.to_timedelta(rng.integers(0, 1500, 500), "D")
    age = (frame["opened"] - joined).dt.days
    risk = np.where(joined.dt.month.isin([1, 2, 12]), 2.5, 0) + np.where(age < 200, 2, 0) + rng.logistic(size=500)
    return frame.assign(joined=joined.where(rng.random(500) > 0.05), bad=(risk > 2.5).astype(int))


def test_dates_are_expanded_and_folded_back(backend, seasonal, spec, model_type, check_cells):
    made, predicted, explained = check_cells(backend, seasonal, spec(time_column="opened", model_type=model_type))
    assert made.features == ("amount", "noise", "region", "joined")
    assert (made.dates, made.moment) == (("joined",), "opened")
    assert list(explained.frame.columns) == ["case_id", "base_value", *made.features, "raw_score"]
    assert explained.importance[0][0] == "joined"
    total = explained.frame[list(made.features)].sum(axis=1) + explained.frame["base_value"]
    np.testing.assert_allclose(total, explained.frame["raw_score"], atol=1e-4 if model_type == "XGBoost" else 1e-9)
    row = seasonal.set_index("case_id").loc[explained.cases[0].case_id]
    assert {r.feature: r.value for r in explained.cases[0].raises}["joined"] == row["joined"]
    assert len(predicted.frame) == 500
    with pytest.raises(UnknownColumn, match="'opened'"):
        backend.predict(made, seasonal.drop(columns="opened"))


def test_the_parts_of_a_date_add_up(backend, seasonal, spec):
    from lexsi_nb.modeling.source import Shape
    from lexsi_nb.modeling.training import feature_matrix, library_of

    made = backend.train(seasonal, spec(time_column="opened"))
    words = tuple(made.categories)
    shape = Shape(made.features, words, library_of("LightGBM"), frozenset(), made.dates, made.moment)
    X = feature_matrix(seasonal, shape)
    parts = ["joined_year", "joined_month", "joined_day_of_week", "joined_days_before"]
    assert list(X.columns) == ["amount", "noise", "region", *parts]
    raw = made.model.predict(X, pred_contrib=True)
    out = backend.explain(made, seasonal).frame
    np.testing.assert_allclose(out["joined"], raw[:, 3:7].sum(axis=1), atol=1e-12)
    known = seasonal["joined"].dropna()
    assert (X.loc[known.index, "joined_month"] == known.dt.month).all()
    assert (X.loc[known.index, "joined_days_before"] == (seasonal["opened"] - known).loc[known.index].dt.days).all()
    assert X["joined_year"].isna().sum() == seasonal["joined"].isna().sum()


def test_dates_in_any_form_and_names_that_clash(backend, seasonal, spec, check_cells):
    frame = seasonal.assign(
        joined=seasonal["joined"].dt.strftime("%Y-%m-%d"), joined_month=1.5 * seasonal["amount"].round(-2),
        seen=seasonal["opened"].dt.tz_localize("UTC").dt.tz_convert("Europe/Prague"), day=seasonal["opened"].dt.date,
    ).drop(columns="opened")  # fmt: skip
    made, _, _ = check_cells(backend, frame, spec())
    assert set(made.dates) == {"joined", "seen", "day"}
    assert made.moment is None
    assert "joined month" in made.training
    assert "joined_month" in made.training


def test_dates_are_left_out_where_that_is_asked(backend, seasonal, spec):
    made = backend.train(seasonal, spec(time_column="opened", dates=False, repeats=1))
    assert dict(made.left_out)["joined"] == "a date; not expanded into features"
    assert made.dates == ()


def test_dates_beyond_those_learned_from_are_said(backend, seasonal, spec):
    made = backend.train(seasonal, spec(time_column="opened", repeats=1))
    later = seasonal.assign(joined=seasonal["joined"] + pd.DateOffset(years=9))
    assert any(
        "have joined_year" in w and "or more; the model saw only" in w for w in backend.predict(made, later).warnings
    )


def test_free_text_is_left_out_with_the_reason(backend, make_cases, spec):
    frame = make_cases(400)
    rng = np.random.default_rng(0)
    frame["remark"] = [" ".join(rng.choice(["late", "paid", "call", "letter", "visit"], 6)) for _ in range(400)]
    frame["reason"] = rng.choice(["car", "flat", "wedding"], 400)
    made = backend.train(frame, spec(repeats=1))
    assert "text" in dict(made.left_out)["remark"]
    assert "reason" in made.features
