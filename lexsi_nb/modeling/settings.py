"""Settings by the number of cases: few cases, few and strongly regularised leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.modeling.libraries.library import Trees

if TYPE_CHECKING:
    from lexsi_nb.modeling.libraries.library import Library


MANY = 2000  # cases from which training stops early


@dataclass(frozen=True)
class Settings:
    """Parameters for the library, rounds, and how often the cross-validation is repeated; `why` is one comment line.

    `rounds` are at most so many where `patience` is not 0: training then stops after that many rounds without gain.
    """

    params: dict[str, Any]
    rounds: int
    folds: int
    repeats: int
    why: str
    patience: int = 0


def settings_for(
    library: Library, *, task: str, n_rows: int, n_features: int, n_cases: int, seed: int, repeats: int | None = None,
    classes: int = 0,
) -> Settings:  # fmt: skip
    """Return fixed settings; nothing but the number of rounds on larger data is tuned.

    n_cases: rows of the rarest class (classification) or rows (regression). Under 200 cases: trees of 4 leaves; under
    2,000: 8; both with a fixed number of rounds. Else trees of 31 leaves and early stopping. One thread on small data,
    so that the number of cores changes nothing. Cross-validation is repeated 20 times where that takes seconds, less
    often on larger data, where the spread is small anyway. Classes are never re-weighted: scores stay probabilities.
    """
    patience = 0
    if n_cases < 200:
        rate, leaves, l2, leaf, rounds, size = 0.05, 4, 5.0, clip(n_rows // 12, 3, 20), 60, "few"
    elif n_cases < MANY:
        rate, leaves, l2, leaf, rounds, size = 0.05, 8, 2.0, 30, 150, "a fair number"
    else:
        rate, leaves, l2, leaf, rounds, size, patience = 0.1, 31, 1.0, 100, 400, "many", 30
    share = n_cases / n_rows
    curvature = 1.0 if task == "regression" else share * (1 - share)
    trees = Trees(
        task, rate, leaves, l2, leaf, curvature, rounds, seed, one_thread=n_rows < 20_000, classes=classes,
        patience=patience,
    )  # fmt: skip
    cases = f"{n_rows:,} rows" if task == "regression" else f"{n_cases:,} cases among {n_rows:,} rows"
    if classes:
        cases = f"{n_cases:,} rows of the rarest of {classes} classes among {n_rows:,}"
    how = "the rounds that held-out rows gain from, nothing else tuned" if patience else (
        "a fixed number of rounds, nothing tuned")  # fmt: skip
    why = f"{cases}, {size}: trees of {leaves} leaves, {how}."
    repeats = repeats or clip(40_000_000 // (n_rows * n_features * rounds * max(1, classes)), 1, 20)
    return Settings(library.params(trees), rounds, max(2, min(5, n_cases)), repeats, why, patience)


def clip(value: int, low: int, high: int) -> int:
    """Return `value` held between `low` and `high`."""
    return max(low, min(high, value))
