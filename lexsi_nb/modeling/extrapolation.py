"""Where the rows to score lie outside what was learned from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lexsi_nb.modeling.backend import Extrapolation

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

THIN = 0.10  # a range is thin where at most this share of the labelled rows lies in it
CROWDED = 0.25  # and it matters where at least this share of the rows to score does, and three times the labelled share
FEW = 20  # rows to score, below which shares say nothing


def extrapolations(
    training: Mapping[Any, np.ndarray], scored: pd.DataFrame, *, gaps: Mapping[Any, int], n_labelled: int
) -> tuple[Extrapolation, ...]:
    """Return, most crowded first, the thin ranges of the labelled rows that many rows to score lie in.

    training: number feature -> float64 (n_labelled,), NaN where missing. gaps: word feature -> labelled rows that lack
    it. scored: the feature matrix, the same names.
    """
    import numpy as np

    found: list[Extrapolation] = []
    if len(scored) < FEW:
        return ()
    for feature, labelled in training.items():
        values = scored[feature].to_numpy(dtype="float64")
        known = labelled[np.isfinite(labelled)]
        distinct, counts = np.unique(known, return_counts=True)
        if not len(distinct):
            continue
        from_above = np.cumsum(counts[::-1])[::-1]
        up = distinct[from_above <= THIN * len(labelled)]
        down = distinct[np.cumsum(counts) <= THIN * len(labelled)]
        candidates = [
            ("at least", float(up[0]) if len(up) else float(np.nextafter(distinct[-1], np.inf)), np.greater_equal),
            ("at most", float(down[-1]) if len(down) else float(np.nextafter(distinct[0], -np.inf)), np.less_equal),
        ]
        for side, threshold, compare in candidates:
            hit = compare(values, threshold)
            if not len(up) and side == "at least" and hit.any():
                threshold = float(values[hit].min())  # readable: the first value beyond the last one learned from
            if not len(down) and side == "at most" and hit.any():
                threshold = float(values[hit].max())
            add(found, feature, side, threshold, int(hit.sum()), len(values), int(compare(known, threshold).sum()),
                len(labelled))  # fmt: skip
        gone = int(np.isnan(values).sum())
        add(found, feature, "missing", None, gone, len(values), len(labelled) - len(known), len(labelled))
    for feature, labelled in gaps.items():
        gone = int(scored[feature].isna().to_numpy().sum())
        add(found, feature, "missing", None, gone, len(scored), labelled, n_labelled)
    return tuple(sorted(found, key=lambda e: (-e.scored, str(e.feature))))


def add(
    found: list[Extrapolation], feature: Any, side: Any, threshold: float | None,
    scored: int, n_scored: int, labelled: int, n_labelled: int,
) -> None:  # fmt: skip
    """Append the extrapolation when the range is thin in training and crowded in scoring."""
    thin, crowded = labelled / n_labelled, scored / n_scored
    if thin <= THIN and crowded >= max(CROWDED, 3 * thin):
        found.append(Extrapolation(str(feature), side, threshold, scored, n_scored, labelled, n_labelled))
