"""What is to be learned: the target read as two classes or as a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData, BadTarget

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from lexsi_nb.modeling.backend import TrainSpec

YES = ("1", "true", "yes", "y", "t", "bad", "default", "defaulted", "churned", "positive")
MANY_CLASSES = 20


@dataclass(frozen=True)
class Target:
    """`y`: int32 0/1 or float64, one a usable row; `usable`: bool, (n_rows,)."""

    y: np.ndarray
    usable: np.ndarray
    positive: Any
    warnings: tuple[str, ...]

    @property
    def n_positive(self) -> int:
        """Rows of the positive class."""
        return int(self.y.sum())


def read_target(frame: pd.DataFrame, spec: TrainSpec) -> Target:
    """Return the target of `frame` as `spec.task` wants it.

    Raises: BadData: no rows; BadTarget: cannot be learned, with the reason and what to do.
    """
    if not len(frame):
        raise BadData(
            f"{spec.frame_name} has no rows.", "There is nothing to learn from.", "Loosen the filter of its query."
        )
    known = frame[spec.target].notna().to_numpy(dtype=bool)
    if not known.any():
        raise BadTarget(
            f"Target {spec.target!r} is empty in all {len(frame):,} rows.",
            "There is nothing to learn from.",
            f"Make {spec.frame_name} of rows whose outcome is known.",
        )
    return two_classes(frame, spec, known) if spec.task == "classification" else a_number(frame, spec, known)


def two_classes(frame: pd.DataFrame, spec: TrainSpec, known: np.ndarray) -> Target:
    """Return the target as 0/1."""
    values = frame.loc[known, spec.target]
    try:
        classes = sorted(values.unique().tolist(), key=lambda v: (str(type(v)), v))
    except TypeError:
        raise BadTarget(
            f"Target {spec.target!r} holds nested or mixed values.", "Classes must be comparable.", "Recode it to 0/1."
        ) from None
    check_classes(classes, len(values), spec)
    positive, guessed = spec.positive, ""
    if positive is None:
        positive, guessed = positive_class(values, classes, spec)
    elif positive not in classes:
        raise BadTarget(
            f"Target {spec.target!r} has no class {positive!r}.",
            f"It has: {', '.join(map(repr, classes))}.",
            "Give one of them as `positive`.",
        )
    y = (values == positive).to_numpy(dtype="int32")
    if min(y.sum(), len(y) - y.sum()) < 2:
        raise BadTarget(
            f"Target {spec.target!r} has a class with a single row.",
            "One case cannot be learned from and checked as well.",
            "Use rows with more cases.",
        )
    return Target(y, known, positive, (*missing(known, spec), *([guessed] if guessed else [])))


def check_classes(classes: list[Any], n: int, spec: TrainSpec) -> None:
    """Return nothing for two classes. Raises: BadTarget otherwise."""
    what = f"Target {spec.target!r}"
    if len(classes) == 1:
        raise BadTarget(
            f"{what} has a single class: {classes[0]!r} in all {n:,} rows.",
            "There is nothing to tell apart.",
            f"Make {spec.frame_name} of rows that hold both outcomes.",
        )
    if len(classes) == 2:
        return
    numeric = all(isinstance(c, (int, float)) for c in classes)
    whole = numeric and all(float(c).is_integer() for c in classes)
    if numeric and (not whole or len(classes) > max(MANY_CLASSES, n // 10)):
        raise BadTarget(
            f"{what} is a number with {len(classes):,} different values, not classes.",
            "A classification needs two classes.",
            'Use task="regression", or make it 0/1 with a threshold.',
        )
    many = f", more than {MANY_CLASSES}" if len(classes) > MANY_CLASSES else ""
    shown = ", ".join(map(repr, classes[:5])) + (", ..." if len(classes) > 5 else "")
    raise BadTarget(
        f"{what} has {len(classes)} classes{many}: {shown}.",
        "The embedded backend learns two classes.",
        "Group them into two, or predict one against the rest with a 0/1 column.",
    )


def positive_class(values: pd.Series, classes: list[Any], spec: TrainSpec) -> tuple[Any, str]:
    """Return the class whose probability is meant, and a warning where that is a guess."""
    if all(isinstance(c, (bool, int, float)) for c in classes):
        guess = max(classes)
        return guess, "" if guess == 1 else f"Read {spec.target} = {guess!r} as the outcome to predict."
    for c in classes:
        if str(c).strip().lower() in YES:
            return c, ""
    rare = values.value_counts().index[-1]
    return rare, f"Read {spec.target} = {rare!r}, the rarer class, as the outcome to predict."


def a_number(frame: pd.DataFrame, spec: TrainSpec, known: np.ndarray) -> Target:
    """Return the target as float64; infinite values count as missing."""
    import numpy as np

    try:
        numbers = frame[spec.target].astype("float64").to_numpy()
    except (TypeError, ValueError):
        raise BadTarget(
            f"Target {spec.target!r} is not a number.",
            "A regression needs one.",
            'Use task="classification", or cast it in SQL.',
        ) from None
    usable = known & np.isfinite(numbers)
    if not usable.any():
        raise BadTarget(f"Target {spec.target!r} has no finite value.", "There is nothing to learn from.")
    y = numbers[usable]
    if len(y) < 10:
        raise BadTarget(
            f"Target {spec.target!r} is known in {len(y)} rows only.",
            "A regression needs at least 10.",
            "Use more rows.",
        )
    if y.min() == y.max():
        raise BadTarget(
            f"Target {spec.target!r} is constant: {y[0]:.6g} in all {len(y):,} rows.",
            "There is nothing to learn.",
            "Predict another column.",
        )
    return Target(y, usable, None, missing(usable, spec))


def missing(usable: np.ndarray, spec: TrainSpec) -> tuple[str, ...]:
    """Return the warning about rows without a target, if there are any."""
    n = int((~usable).sum())
    return (f"{n:,} of {len(usable):,} rows have no {spec.target} and were not learned from.",) if n else ()
