"""Leakage audit before training: what would give the answer away, and what says the same thing twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import Cancelled

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from lexsi_nb.modeling.columns import Columns

NEAR_PERFECT = 0.49  # |AUC - 0.5| of one feature alone
ENOUGH = 10  # rows of either class before a single feature is judged
RELATION_ROWS, RELATION_COLUMNS = 500, 20


@dataclass(frozen=True)
class Audit:
    """`drop`: column -> reason it was left out; `warnings`: what stays and should be known."""

    drop: dict[Any, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def audit(X: Any, y: np.ndarray, columns: Columns, *, task: str, target: str, cancelled: Callable[[], bool]) -> Audit:
    """Return what of the features `X` leaks the target or repeats another one.

    X: the feature matrix as trained on; numbers float64, words category. y: (n_rows,).
    """
    drop: dict[Any, str] = {}
    for column in columns.features:
        if cancelled():
            raise Cancelled("The audit before training was stopped.")
        why = (gives_away_class if task == "classification" else gives_away_number)(X[column], y, target)
        if why:
            drop[column] = why
    kept = [c for c in columns.features if c not in drop]
    drop |= repeated(X, kept)
    numbers = [c for c in columns.numbers if c not in drop]
    return Audit(drop, relations(X[numbers]))


def gives_away_class(values: pd.Series, y: np.ndarray, target: str) -> str:
    """Return why the feature alone tells the class, or ""."""
    if min(y.sum(), len(y) - y.sum()) < ENOUGH:
        return ""
    if copies(values, y):
        return f"a copy of the target {target}, maybe recoded"
    numeric = values.dtype.kind == "f"
    codes = values.fillna(float("-inf")).to_numpy() if numeric else category_rates(values, y)
    if codes is None:
        return ""
    gone: Any = values.isna().to_numpy()
    if gone.any() and abs(rank_auc(y, gone.astype(float)) - 0.5) > NEAR_PERFECT:
        return f"missing in just the rows of one class of {target}; known only afterwards?"
    strength = abs(rank_auc(y, codes) - 0.5)
    if strength > NEAR_PERFECT:
        return f"tells {target} nearly perfectly by itself (AUC {0.5 + strength:.3f}); known only afterwards?"
    return ""


def copies(values: pd.Series, y: np.ndarray) -> bool:
    """Return whether the values and the classes determine each other, one to one."""
    import pandas as pd

    codes, _ = pd.factorize(values)
    return len(set(codes[:1000].tolist())) <= 2 and len(pd.DataFrame({"v": codes, "y": y}).drop_duplicates()) == 2


def category_rates(values: pd.Series, y: np.ndarray) -> np.ndarray | None:
    """Return the rate of the class by category, a value a row; None where categories are too thin to judge."""
    import pandas as pd

    codes = values.cat.codes.to_numpy()
    if len(values) / max(1, len(set(codes.tolist()))) < ENOUGH:
        return None
    return pd.Series(y).groupby(codes).transform("mean").to_numpy()


def gives_away_number(values: pd.Series, y: np.ndarray, target: str) -> str:
    """Return why the feature alone gives the target number, or ""."""
    import pandas as pd

    if values.dtype.kind != "f":
        return ""
    both: Any = pd.DataFrame({"v": values.to_numpy(), "y": y}).dropna()
    if len(both) < 2 * ENOUGH or both["v"].nunique() < ENOUGH:
        return ""
    strength = abs(float(both.rank().corr().to_numpy()[0, 1]))
    return f"gives {target} nearly by itself (rank correlation {strength:.3f})" if strength > 0.999 else ""


def rank_auc(y: np.ndarray, score: np.ndarray) -> float:
    """Return the area under the ROC curve by mid-ranks (Mann-Whitney)."""
    import pandas as pd

    n_bad = int(y.sum())
    rank = pd.Series(score).rank().to_numpy()
    return float((rank[y == 1].sum() - n_bad * (n_bad + 1) / 2) / (n_bad * (len(y) - n_bad)))


def repeated(X: pd.DataFrame, columns: list[Any]) -> dict[Any, str]:
    """Return later columns that hold the same values as an earlier one, with the reason."""
    import pandas as pd

    seen: dict[Any, Any] = {}
    drop: dict[Any, str] = {}
    for column in columns:
        values = X[column]
        words = values.dtype.kind != "f"
        numbers = pd.factorize(values)[0] if words else values.to_numpy() + 0.0  # -0.0 becomes 0.0
        key = (words, hashlib.sha256(numbers.tobytes()).digest())
        if key in seen:
            drop[column] = f"says the same as {seen[key]} in every row"
        else:
            seen[key] = column
    return drop


def relations(X: pd.DataFrame) -> tuple[str, ...]:
    """Return one sentence for each feature that is the product, ratio, sum or difference of two others.

    Looked for among the first 20 number features on up to 500 rows, to a relative 0.1 %.
    """
    import numpy as np

    names = list(X.columns)[:RELATION_COLUMNS]
    rows = X[names].dropna().iloc[:RELATION_ROWS]
    if len(names) < 3 or len(rows) < 20:
        return ()
    values = rows.to_numpy()
    varied = [i for i in range(len(names)) if len(np.unique(values[:, i])) > 2]
    found: dict[frozenset[int], str] = {}
    for i, j in combinations(varied, 2):
        a, b = values[:, i], values[:, j]
        with np.errstate(all="ignore"):
            made = (("*", i, j, a * b), ("/", i, j, a / b), ("/", j, i, b / a), ("+", i, j, a + b), ("-", i, j, a - b))
            for sign, p, q, out in made:
                near = np.isclose(values[:, varied], out[:, None], rtol=1e-3, atol=0).all(axis=0)
                for k in (varied[n] for n in np.flatnonzero(near)):
                    if k not in (i, j):
                        text = f"{names[k]} equals {names[p]} {sign} {names[q]}: it adds nothing of its own."
                        # One sentence a triple; the column that stands last is most often the derived one.
                        if frozenset((i, j, k)) not in found or k > max(i, j):
                            found[frozenset((i, j, k))] = text
    return tuple(found.values())
