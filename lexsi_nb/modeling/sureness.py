"""How sure a score is: what came of known cases that scored alike, how good the model is, what it has not seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lexsi_nb.modeling.backend import TOO_FEW
from lexsi_nb.modeling.whatif import short

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Trained

ALIKE = 30  # known cases that scored nearest
MOST_NAMED = 5


def base_rate(trained: Trained) -> str:
    """Return the share of known cases that ended so, as in `0.13 (31 of 234)`; "" where nothing is counted.

    >>> from types import SimpleNamespace as N
    >>> base_rate(N(task="classification", n_positive=31, n_rows=234))
    '0.13 (31 of 234)'
    """
    if trained.task != "classification" or trained.n_positive is None or not trained.n_rows:
        return ""
    return f"{trained.n_positive / trained.n_rows:.2f} ({trained.n_positive:,} of {trained.n_rows:,})"


def sureness(trained: Trained, score: float, values: Mapping[Any, Any]) -> list[str]:
    """Return in sentences how sure one score is. values: the case's features as they stand in the frame."""
    said = [_alike(trained, score), f"The model: {trained.quality.text}."]
    unknown = outside(trained, values)
    if unknown:
        rest = len(unknown) - MOST_NAMED
        more = f" and {rest} more" if rest > 0 else ""
        said.append(f"Outside of what was learned from: {'; '.join(unknown[:MOST_NAMED])}{more}.")
    return [s for s in said if s]


def outside(trained: Trained, values: Mapping[Any, Any]) -> list[str]:
    """Return each value of a case that lies beyond the known cases, in words."""
    import numpy as np

    found = []
    for feature, labelled in trained.training.items():
        known = labelled[np.isfinite(labelled)]
        value = _number(values.get(feature))
        if value is None or not len(known):
            continue
        low, high = float(known.min()), float(known.max())
        if not low <= value <= high:
            found.append(f"{feature} {short(value)} (known: {short(low)} to {short(high)})")
    for feature, known_words in trained.categories.items():
        value = values.get(feature)
        if _is_missing(value) or str(value) in set(map(str, known_words)):
            continue
        found.append(f"{feature} {value} (no known case has it)")
    return found


def share_interval(hits: int, n: int) -> tuple[float, float]:
    """Return the 95% interval of a share by the score method (E. B. Wilson, JASA 22, 1927).

    >>> [round(v, 3) for v in share_interval(5, 30)]
    [0.073, 0.336]
    """
    z = 1.959963984540054
    centre = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * (hits * (n - hits) / n + z * z / 4) ** 0.5
    return max(0.0, centre - half), min(1.0, centre + half)


def _alike(trained: Trained, score: float) -> str:
    if trained.task != "classification":
        return ""
    unseen = trained.out_of_fold
    if unseen is None or len(unseen) < ALIKE:
        cases = "" if trained.n_positive is None else f" ({trained.n_positive:,} with that outcome are known)"
        return f"How often such a score comes true: {TOO_FEW}{cases}."
    scores = unseen["score"].to_numpy(dtype="float64")
    nearest = abs(scores - score).argsort(kind="stable")[:ALIKE]
    hits = int(unseen["outcome"].to_numpy()[nearest].sum())
    low, high = share_interval(hits, len(nearest))
    band = f"{scores[nearest].min():.3f} to {scores[nearest].max():.3f}"
    return (
        f"Of the {len(nearest)} known cases that scored nearest ({band}, by models that had not seen them) {hits} "
        f"ended so: {hits / len(nearest):.0%}, 95% interval {low:.0%} to {high:.0%}."
    )


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if number == number else None


def _is_missing(value: Any) -> bool:
    return value is None or value != value or str(value) in ("<NA>", "NaT")
