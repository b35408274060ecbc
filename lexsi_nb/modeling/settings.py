"""Settings by the number of cases: few cases, few and strongly regularised leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.modeling.libraries.library import Trees

if TYPE_CHECKING:
    from lexsi_nb.modeling.libraries.library import Library


@dataclass(frozen=True)
class Settings:
    """Parameters for the library, rounds, and how often the cross-validation is repeated; `why` is one comment line."""

    params: dict[str, Any]
    rounds: int
    folds: int
    repeats: int
    why: str


def settings_for(
    library: Library, *, task: str, n_rows: int, n_features: int, n_cases: int, seed: int, repeats: int | None = None
) -> Settings:  # fmt: skip
    """Return fixed settings; nothing is tuned on the data.

    n_cases: rows of the rarer class (classification) or rows (regression). Under 200 cases: trees of 4 leaves; under
    2,000: 8; else 31. One thread on small data, so that the number of cores changes nothing. Cross-validation is
    repeated 20 times where that takes seconds, less often on larger data, where the spread is small anyway.
    """
    if n_cases < 200:
        rate, leaves, l2, leaf, rounds, size = 0.05, 4, 5.0, clip(n_rows // 12, 3, 20), 60, "few"
    elif n_cases < 2000:
        rate, leaves, l2, leaf, rounds, size = 0.05, 8, 2.0, 30, 150, "a fair number"
    else:
        rate, leaves, l2, leaf, rounds, size = 0.1, 31, 1.0, 100, 200, "many"
    share = n_cases / n_rows
    curvature = share * (1 - share) if task == "classification" else 1.0
    trees = Trees(task, rate, leaves, l2, leaf, curvature, rounds, seed, one_thread=n_rows < 20_000)
    cases = f"{n_cases:,} cases among {n_rows:,} rows" if task == "classification" else f"{n_rows:,} rows"
    why = f"{cases}, {size}: trees of {leaves} leaves, a fixed number of rounds, nothing tuned."
    repeats = repeats or clip(40_000_000 // (n_rows * n_features * rounds), 1, 20)
    return Settings(library.params(trees), rounds, max(2, min(5, n_cases)), repeats, why)


def clip(value: int, low: int, high: int) -> int:
    """Return `value` held between `low` and `high`."""
    return max(low, min(high, value))
