"""What is to be learned: the target read as two classes, up to 20 classes, or a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData, BadTarget
from lexsi_nb.modeling.source import is_literal, plain_value

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from lexsi_nb.modeling.backend import TrainSpec

YES = ("1", "true", "yes", "y", "t", "bad", "default", "defaulted", "churned", "positive")
MANY_CLASSES = 20


@dataclass(frozen=True)
class Target:
    """`y`: int32 (0/1, or the number of the class) or float64, one a usable row; `usable`: bool, (n_rows,).

    `classes`: more than two classes in order, else empty; `positive` is then None, or the class that ranks the rows.
    """

    y: np.ndarray
    usable: np.ndarray
    positive: Any
    warnings: tuple[str, ...]
    classes: tuple[Any, ...] = ()

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
    return read_classes(frame, spec, known) if spec.task == "classification" else a_number(frame, spec, known)


def read_classes(frame: pd.DataFrame, spec: TrainSpec, known: np.ndarray) -> Target:
    """Return the target as 0/1, or as class numbers where there are more than two."""
    values = frame.loc[known, spec.target]
    try:
        classes = sorted(values.unique().tolist(), key=lambda v: (str(type(v)), v))
    except TypeError:
        raise BadTarget(
            f"Target {spec.target!r} holds nested or mixed values.", "Classes must be comparable.", "Recode it to 0/1."
        ) from None
    check_classes(classes, len(values), spec)
    if spec.positive is not None and spec.positive not in classes:
        raise BadTarget(
            f"Target {spec.target!r} has no class {spec.positive!r}.",
            f"It has: {', '.join(map(repr, classes))}.",
            "Give one of them as `positive`.",
        )
    if len(classes) > 2:
        return several_classes(values, classes, spec, known)
    positive, guessed = spec.positive, ""
    if positive is None:
        positive, guessed = positive_class(values, classes, spec)
    y = (values == positive).to_numpy(dtype="int32")
    if min(y.sum(), len(y) - y.sum()) < 2:
        raise BadTarget(
            f"Target {spec.target!r} has a class with a single row.",
            "One case cannot be learned from and checked as well.",
            "Use rows with more cases.",
        )
    return Target(y, known, positive, (*missing(known, spec), *([guessed] if guessed else [])))


def several_classes(values: pd.Series, classes: list[Any], spec: TrainSpec, known: np.ndarray) -> Target:
    """Return the target as the number of its class in `classes`; those without a literal are named by their text."""
    import numpy as np
    import pandas as pd

    plain = all(map(is_literal, classes))
    named = classes if plain else sorted(values.astype("string").unique().tolist())
    y = pd.Index(named).get_indexer(values if plain else values.astype("string")).astype("int32")
    counts = np.bincount(y)
    if counts.min() < 2:
        raise BadTarget(
            f"Target {spec.target!r} has a class with a single row: {named[int(counts.argmin())]!r}.",
            "One case cannot be learned from and checked as well.",
            "Group it with another class, or leave it out.",
        )
    positive = None if spec.positive is None else plain_value(spec.positive) if plain else str(spec.positive)
    return Target(y, known, positive, missing(known, spec), tuple(map(plain_value, named)))


def check_classes(classes: list[Any], n: int, spec: TrainSpec) -> None:
    """Return nothing for 2 to 20 classes. Raises: BadTarget otherwise."""
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
    if numeric and (not whole or len(classes) > MANY_CLASSES):
        raise BadTarget(
            f"{what} is a number with {len(classes):,} different values, not classes.",
            f"A classification needs 2 to {MANY_CLASSES} classes.",
            'Use task="regression", or make it 0/1 with a threshold.',
        )
    if len(classes) <= MANY_CLASSES:
        return
    shown = ", ".join(map(repr, classes[:5])) + ", ..."
    raise BadTarget(
        f"{what} has {len(classes)} classes, more than {MANY_CLASSES}: {shown}.",
        f"The embedded backend learns 2 to {MANY_CLASSES} classes.",
        "Group the rare ones, or predict one against the rest with a 0/1 column.",
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
