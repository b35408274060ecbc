"""Frames of every odd kind are learned from, scored and explained rightly, or refused with what is wrong."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData, BadTarget, UnknownColumn
from lexsi_nb.modeling.whatif import counterfactuals

N = 240


@pytest.fixture(scope="module")
def plain() -> pd.DataFrame:
    """Return 240 rows: `x` decides, `bad` is the target."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"case_id": np.arange(N) * 3 + 1, "x": rng.normal(size=N)})
    frame["bad"] = (frame["x"] + rng.normal(size=N) * 0.5 > 0.3).astype(int)
    return frame


def odd_columns() -> dict[str, Any]:
    rng = np.random.default_rng(2)
    n = np.arange(N)
    days = pd.Timestamp("2020-03-01") + pd.to_timedelta(n % 50, "D")
    return {
        "mixed types": [[1, "a", 2.5, None][i % 4] for i in n],
        "instants with a zone": pd.Series(days).dt.tz_localize("Europe/Prague"),
        "dates before and after what nanoseconds hold": [
            datetime.date([1, 1066, 2020, 9999][int(i) % 4], 1, 2) for i in n
        ],
        "instants in microseconds": pd.Series(np.array([f"{1000 + i}-01-01" for i in n], dtype="datetime64[us]")),
        "dates as text, some impossible": [f"{[1000, 2020, 9999][i % 3]}-02-{20 + i % 12}" for i in n],
        "decimals with gaps": [None if i % 9 == 0 else Decimal(int(i) % 7) / 3 for i in n],
        "infinity and gaps": np.where(n % 5 == 0, np.inf, np.where(n % 7 == 0, np.nan, rng.normal(size=N))),
        "truth values with gaps": pd.Series([True, False, None] * (N // 3), dtype="boolean"),
        "nullable whole numbers": pd.Series([1, 2, None] * (N // 3), dtype="Int64"),
        "categories with unused levels": pd.Categorical(["s", "m"] * (N // 2), categories=["s", "m", "never"]),
        "ordered categories of numbers": pd.Categorical(n % 3, categories=[2, 1, 0, 7], ordered=True),
    }


@pytest.mark.parametrize("kind", odd_columns())
def test_a_feature_of_an_odd_kind(backend, plain, spec, check_cells, kind):
    frame = plain.assign(odd=odd_columns()[kind])
    made, predicted, explained = check_cells(backend, frame, spec(repeats=1))
    assert set(made.features) == {"x", "odd"}, made.left_out
    total = explained.frame[["x", "odd"]].sum(axis=1) + explained.frame["base_value"]
    np.testing.assert_allclose(total, explained.frame["raw_score"], atol=1e-9)
    assert predicted.frame["probability"].between(0, 1).all()
    found = counterfactuals(made, frame, frame, [predicted.frame["case_id"].iloc[0]])
    assert found.cases[0].score == pytest.approx(predicted.frame["probability"].iloc[0])


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([["a"], ["b", "c"]] * (N // 2), "nested values"),
        ([{"a": 1}, {"a": 2}] * (N // 2), "nested values"),
        ([None] * N, "no values"),
        ([np.nan] * N, "no values"),
        ([7] * N, "constant: 7"),
        (["same"] * N, "constant: 'same'"),
        ([np.inf] * N, "no finite values"),
        (pd.to_timedelta(np.arange(N), "h"), "a span of time"),
        (pd.period_range("2000-01", periods=N, freq="M"), "a period"),
        (np.arange(N) * 1j, "complex numbers"),
        ([b"a", b"b"] * (N // 2), "bytes values"),
    ],
)
def test_a_column_that_says_nothing_is_left_out_with_the_reason(backend, plain, spec, values, why):
    frame = plain.assign(odd=values)
    made = backend.train(frame, spec(repeats=1))
    assert made.features == ("x",)
    assert why in dict(made.left_out)["odd"]
    assert len(backend.predict(made, frame).frame) == N
    assert len(backend.explain(made, frame, [1]).frame) == 1


NAMES = ["class", "lambda", "", " ", "a.b", "x[0]", "index", "level_0", "row", "probability", "rank", "base_value",
         "raw_score", "step", "feature", "value", "score", "é", "日本", "a'b\"c", "quality", "model"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_reserved_and_odd_names_of_features(backend, plain, spec, check_cells, name):
    rng = np.random.default_rng(3)
    frame = plain.rename(columns={"x": name}).assign(other=rng.normal(size=N))
    made, predicted, explained = check_cells(backend, frame, spec(repeats=1))
    assert set(made.features) == {name, "other"}
    assert explained.importance[0][0] == name
    worst = predicted.frame["case_id"].iloc[0]
    found = counterfactuals(made, frame, frame, [worst], immutable=["other"]).cases[0]
    assert found.changes["feature" if "feature" in found.changes else found.changes.columns[2]].tolist() == [name]


def test_names_that_stand_twice_are_refused_at_every_step(backend, plain, spec):
    made = backend.train(plain, spec(repeats=1))
    twice = pd.concat([plain, plain[["x"]]], axis=1)
    for act in (
        lambda: backend.train(twice, spec(repeats=1)),
        lambda: backend.predict(made, twice),
        lambda: backend.explain(made, twice, [1]),
        lambda: counterfactuals(made, plain, twice, [1]),
    ):
        with pytest.raises(BadData, match="more than once: x"):
            act()


def test_rows_to_score_without_any_value_of_a_feature(backend, plain, spec):
    frame = plain.assign(
        word=["a", "b"] * (N // 2), day=pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(N), "D")
    )
    made = backend.train(frame, spec(repeats=1))
    for empty in (None, np.nan, pd.NA):
        gaps = frame.assign(x=pd.Series([empty] * N, dtype=object), word=None, day=pd.NaT)
        if empty is pd.NA:
            gaps["x"] = gaps["x"].astype("Float64")
        scored = backend.predict(made, gaps)
        assert scored.frame["probability"].nunique() == 1
        assert any("no x" in e.text for e in scored.extrapolations)
        assert backend.explain(made, gaps, [1]).frame["x"].notna().all()


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_frames_of_other_libraries_give_what_pandas_gives(backend, plain, spec, library):
    module = pytest.importorskip(library)
    frame = plain.assign(word=["a", "b", None] * (N // 3), when=pd.Timestamp("2020-01-01", tz="UTC"))
    frame["when"] += pd.to_timedelta(np.arange(N) % 40, "D")
    other = module.from_pandas(frame) if library == "polars" else module.Table.from_pandas(frame)
    ours, theirs = (backend.train(f, spec(repeats=1)) for f in (frame, other))
    assert ours.features == theirs.features
    scores = [backend.predict(m, f).frame for m, f in ((ours, frame), (theirs, other))]
    pd.testing.assert_frame_equal(scores[0], scores[1], check_dtype=False)
    reasons = [backend.explain(m, f, [1, 4]).frame for m, f in ((ours, frame), (theirs, other))]
    pd.testing.assert_frame_equal(reasons[0], reasons[1], check_dtype=False)
    changes = [counterfactuals(m, f, f, [1, 4]).frame for m, f in ((ours, frame), (theirs, other))]
    pd.testing.assert_frame_equal(changes[0], changes[1], check_dtype=False)


def test_a_single_class_and_an_empty_frame(backend, plain, spec):
    with pytest.raises(BadTarget, match="single class: 0 in all"):
        backend.train(plain.assign(bad=0), spec(repeats=1))
    made = backend.train(plain, spec(repeats=1))
    for act in (backend.predict, backend.explain):
        with pytest.raises(BadData, match="has no rows"):
            act(made, plain.head(0))
    with pytest.raises(UnknownColumn, match="x"):
        backend.predict(made, plain.drop(columns="x"))
    with pytest.raises(BadData, match="x of predict_df: not numbers"):
        backend.predict(made, plain.assign(x="many"))
