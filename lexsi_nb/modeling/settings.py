"""LightGBM settings by the number of cases: few cases, few and strongly regularised leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Settings:
    """Parameters for lightgbm, rounds, and how often the cross-validation is repeated; `why` is one comment line."""

    params: dict[str, Any]
    rounds: int
    folds: int
    repeats: int
    why: str


def settings_for(*, task: str, n_rows: int, n_features: int, n_cases: int, seed: int) -> Settings:
    """Return fixed settings; nothing is tuned on the data.

    n_cases: rows of the rarer class (classification) or rows (regression). Under 200 cases: trees of 4 leaves; under
    2,000: 8; else 31. One thread on small data, so that the number of cores changes nothing. Cross-validation is
    repeated 20 times where that takes seconds, less often on larger data, where the spread is small anyway.
    """
    if n_cases < 200:
        leaf = clip(n_rows // 12, 3, 20)
        shape = {"learning_rate": 0.05, "num_leaves": 4, "lambda_l2": 5.0, "min_data_in_leaf": leaf}
        rounds, size = 60, "few"
    elif n_cases < 2000:
        shape = {"learning_rate": 0.05, "num_leaves": 8, "lambda_l2": 2.0, "min_data_in_leaf": 30}
        rounds, size = 150, "a fair number"
    else:
        shape = {"learning_rate": 0.1, "num_leaves": 31, "lambda_l2": 1.0, "min_data_in_leaf": 100}
        rounds, size = 200, "many"
    shape["min_data_per_group"] = shape["min_data_in_leaf"]
    fixed: dict[str, Any] = {"seed": seed, "deterministic": True, "force_row_wise": True, "verbose": -1}
    if n_rows < 20_000:
        fixed["num_threads"] = 1
    params = {"objective": "binary" if task == "classification" else "regression", **shape, **fixed}
    cases = f"{n_cases:,} cases among {n_rows:,} rows" if task == "classification" else f"{n_rows:,} rows"
    why = f"{cases}, {size}: trees of {shape['num_leaves']} leaves, a fixed number of rounds, nothing tuned."
    repeats = clip(40_000_000 // (n_rows * n_features * rounds), 1, 20)
    return Settings(params, rounds, max(2, min(5, n_cases)), repeats, why)


def clip(value: int, low: int, high: int) -> int:
    """Return `value` held between `low` and `high`."""
    return max(low, min(high, value))
