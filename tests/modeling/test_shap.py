"""Contributions of random models against Shapley values counted out from the trees, words and classes included."""

from __future__ import annotations

from itertools import combinations
from math import factorial, isnan

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.modeling.libraries.library import library_of
from lexsi_nb.modeling.source import Shape
from lexsi_nb.modeling.training import feature_matrix


def goes_left(node, value):
    """Whether LightGBM sends the value to the left child."""
    if node["decision_type"] == "==":
        return not isnan(value) and str(int(value)) in str(node["threshold"]).split("||")
    if isnan(value) and node["missing_type"] == "NaN":
        return node["default_left"]
    return (0.0 if isnan(value) else value) <= node["threshold"]


def expected(node, row, known):
    """Return the mean of the leaves that a row can end in where only the `known` features are, weighted by rows."""
    if "leaf_value" in node:
        return node["leaf_value"]
    left, right = node["left_child"], node["right_child"]
    if node["split_feature"] in known:
        return expected(left if goes_left(node, row[node["split_feature"]]) else right, row, known)
    rows = [c.get("internal_count", c.get("leaf_count")) for c in (left, right)]
    return (rows[0] * expected(left, row, known) + rows[1] * expected(right, row, known)) / sum(rows)


def shapley(trees, row):
    """Return (contribution of each feature, value of knowing none) by the definition: the mean over all orders."""
    n, values = len(row), {}
    for size in range(n + 1):
        for known in combinations(range(n), size):
            values[known] = sum(expected(t["tree_structure"], row, set(known)) for t in trees)
    out = np.zeros(n)
    for i in range(n):
        for known in values:
            if i not in known:
                weight = factorial(len(known)) * factorial(n - len(known) - 1) / factorial(n)
                out[i] += weight * (values[tuple(sorted((*known, i)))] - values[known])
    return out, values[()]


def inputs(made, frame):
    """Return what the model reads as numbers: words as the place of their category."""
    words = tuple(c for c in made.features if c in made.categories)
    X = feature_matrix(frame, Shape(made.features, words, library_of("LightGBM")))
    for c in words:
        codes = X[c].astype(object).map({v: float(i) for i, v in enumerate(made.categories[c])})
        X[c] = codes.astype("float64")
    return X.to_numpy()


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("task", ["classification", "multiclass", "regression"])
def test_contributions_are_the_shapley_values(backend, make_cases, spec, seed, task):
    frame = make_cases(260, seed=seed, strength=0.5).drop(columns="opened")
    rng = np.random.default_rng(seed)
    frame["town"] = pd.Series(rng.choice(list("pqrstu"), 260)).where(rng.random(260) > 0.1)
    pull = frame["town"].map(dict(zip("pqrstu", rng.normal(size=6) * 2, strict=True))).fillna(1).astype(float)
    risk = pull + frame["amount"] / 2000 + rng.logistic(size=260)
    frame["bad"] = {
        "classification": (risk > risk.quantile(0.7)).astype(int),
        "multiclass": pd.qcut(risk, 3, labels=list("xyz")).astype(str),
        "regression": risk * 1000,
    }[task]
    asked = spec(task="regression" if task == "regression" else "classification", repeats=1, seed=seed)
    made = backend.train(frame, asked)
    assert {"town", "region"} <= set(made.categories)
    out = backend.explain(made, frame.head(12)).frame
    trees, X, classes = made.model.dump_model()["tree_info"], inputs(made, frame.head(12)), len(made.classes) or 1
    for i in range(12):
        k = made.classes.index(out["explained_class"].iloc[i]) if made.classes else 0
        contributions, base = shapley(trees[k::classes], X[i])
        np.testing.assert_allclose(out[list(made.features)].iloc[i].astype(float), contributions, rtol=0,
                                   atol=1e-6 * max(1, np.abs(contributions).max()))  # fmt: skip
        assert out["base_value"].iloc[i] == pytest.approx(base, abs=1e-6 * max(1, abs(base)))
