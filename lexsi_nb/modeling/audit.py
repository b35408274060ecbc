"""Leakage audit before training: what would give the answer away, and what says the same thing twice."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import Cancelled

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from lexsi_nb.modeling.source import Shape

NEAR_PERFECT = 0.49  # |AUC - 0.5| of one feature alone
NEAR_PURE = 0.98  # share of the guessing errors that one feature alone removes, several classes
ENOUGH = 10  # rows of either class before a single feature is judged
DIFFERS, CHANCE = 0.25, 1e-6  # a column that is constant in one class: how often the other differs, how odd that is
RELATION_ROWS, RELATION_COLUMNS = 500, 20


@dataclass(frozen=True)
class Audit:
    """`drop`: column -> reason it was left out; `warnings`: what stays and should be known."""

    drop: dict[Any, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def audit(X: Any, y: np.ndarray, shape: Shape, *, task: str, target: str, cancelled: Callable[[], bool]) -> Audit:
    """Return what of the features `X` leaks the target or repeats another one.

    X: the feature matrix as trained on; numbers float64, words category, dates as their parts. y: (n_rows,).
    """
    drop: dict[Any, str] = {}
    gives_away = {"classification": gives_away_class, "multiclass": gives_away_classes}.get(task, gives_away_number)
    for given, column in shape.inputs_by_feature:
        if cancelled():
            raise Cancelled("The audit before training was stopped.")
        why = "" if column in drop else gives_away(X[given], y, target)
        if why:
            drop[column] = why if given == column else f"its {str(given)[len(str(column)) :].strip('_ :/')}: {why}"
    kept = [c for c in (*shape.numbers, *shape.words) if c not in drop]
    drop |= repeated(X, [c for c in shape.features if c in kept])
    numbers = [c for c in shape.numbers if c not in drop]
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
    return constant_in_a_class(values, y, target)


def constant_in_a_class(values: pd.Series, y: np.ndarray, target: str) -> str:
    """Return why a column that has one value in all rows of one class looks like it was filled in afterwards, or "".

    The other class differs in at least a quarter and 10 of its rows, and such a split among all rows would come about
    by chance less than once in a million (hypergeometric): strong features that were known before do not look so.
    """
    import pandas as pd

    codes = pd.factorize(values)[0]
    for label in (0, 1):
        inside, others = codes[y == label], codes[y != label]
        if (inside != inside[0]).any():
            continue
        n, differ = len(inside), int((others != inside[0]).sum())
        if differ < max(ENOUGH, DIFFERS * len(others)) or log_chance(n, differ, len(y)) > math.log(CHANCE):
            continue
        what = "missing" if inside[0] < 0 else f"{values.iloc[int((y == label).argmax())]}"
        return f"{what} in all {n:,} rows of one class of {target}, other values in the other only; known afterwards?"
    return ""


def log_chance(n: int, differ: int, total: int) -> float:
    """Return the log of the chance that none of `differ` rows among `total` falls on `n` of them, drawn blindly."""
    keep = total - differ
    if n > keep:
        return -math.inf
    return math.lgamma(keep + 1) - math.lgamma(keep - n + 1) - math.lgamma(total + 1) + math.lgamma(total - n + 1)


def gives_away_classes(values: pd.Series, y: np.ndarray, target: str) -> str:
    """Return why the feature alone tells one of several classes from another, or ""."""
    import numpy as np
    import pandas as pd

    counts = np.bincount(y)
    if np.sort(counts)[-2] < ENOUGH:
        return ""
    codes = pd.factorize(values)[0]
    if codes.max() + 1 > min(50, len(y) // ENOUGH):
        if values.dtype.kind != "f":
            return ""
        binned: Any = pd.qcut(values, min(50, len(y) // ENOUGH), labels=False, duplicates="drop")
        codes = binned.fillna(-1).to_numpy()
    table = pd.crosstab(codes, y).to_numpy()
    if min(table.shape) == len(counts) == len(table) and (table > 0).sum() == len(table):
        return f"a copy of the target {target}, maybe recoded"
    guess = counts.max() / len(y)
    gain = (table.max(axis=1).sum() / len(y) - guess) / (1 - guess)
    if gain > NEAR_PURE:
        right = table.max(axis=1).sum() / len(y)
        return f"tells {target} nearly perfectly by itself (right in {right:.1%} of rows); known only afterwards?"
    return ""


def copies(values: pd.Series, y: np.ndarray) -> bool:
    """Return whether the values and the classes determine each other, one to one."""
    import pandas as pd

    codes, _ = pd.factorize(values)
    if len(set(codes[:1000].tolist())) > 2:
        return False
    pairs = pd.DataFrame({"v": codes, "y": y}).drop_duplicates()
    return len(pairs) == 2 and pairs["v"].is_unique


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
        mean = category_rates(values, y)
        if mean is None or ((y - mean) ** 2).sum() > 0.001 * ((y - y.mean()) ** 2).sum():
            return ""
        return f"a copy of the target {target}, recoded: its values hardly differ within a category"
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
