"""Counterfactuals: which other values of a case's features would have moved its score past a mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from lexsi_nb.errors import BadData
from lexsi_nb.modeling.backend import Cancelled, never
from lexsi_nb.modeling.cases import positions_of
from lexsi_nb.modeling.columns import as_pandas, require
from lexsi_nb.modeling.source import plain_value

if TYPE_CHECKING:
    import pandas as pd

    from lexsi_nb.modeling.backend import Backend, Trained

NOT_ADVICE = "A what-if of the model: other inputs, other score. It is not advice, and not what a change would cause."
GRID = 20  # values of a number or date that are tried, spread over its quantiles


@dataclass(frozen=True)
class WhatIf:
    """A counterfactual of one case.

    `frame`: a row a change in the order they were made: `step`, `feature`, `value`, `instead`, `score` after it.
    `reached`: whether the score passed `mark`. `text` says it in a line, with what it is not.
    """

    case_id: Any
    score: float
    mark: float
    reached: bool
    frame: pd.DataFrame
    text: str


def counterfactual(
    backend: Backend, trained: Trained, labelled: Any, frame: Any, case_id: Any, *,
    immutable: Sequence[Any] = (), toward: Literal["lower", "higher"] = "lower", mark: float | None = None,
    most_changes: int = 3, cancelled: Cancelled = never,
) -> WhatIf:  # fmt: skip
    """Return up to `most_changes` changes of one feature each that move the score furthest toward the mark.

    Greedy: each step tries every observed value of every feature that may change (words: all learned; numbers and
    dates: up to 20 quantiles of `labelled`), and keeps the one that passes the mark with the smallest move of its
    feature, or else moves the score furthest. immutable: features that stay as they are. mark: the score to pass; None
    is the base rate, or the mean of a regression. For several classes the score is that of the class that ranks.

    Raises: UnknownColumn: an immutable feature is not there; UnknownCase; BadData: nothing may change, or several
    classes without one that ranks.
    """
    import pandas as pd

    data, known = as_pandas(frame), as_pandas(labelled)
    if trained.classes and trained.positive is None:
        raise BadData("It is not clear which class's score to move.", "", "Train with `positive`, which ranks.")
    require(data, immutable, where="the frame")
    ids = data[trained.entity] if trained.entity else pd.Series(range(len(data)), name="row")
    row = data.iloc[positions_of(ids, [case_id], where="the frame")]
    fixed = {str(c) for c in immutable}
    free = [f for f in trained.features if str(f) not in fixed]
    if not free:
        raise BadData("No feature may change.", "All of them are immutable.", "Leave one out of `immutable`.")
    mark = base_score(trained, known) if mark is None else mark
    sign = -1.0 if toward == "lower" else 1.0
    tried = {f: observed(trained, known, f) for f in free}

    def scores(rows: pd.DataFrame) -> Any:
        numbered = rows.assign(**({trained.entity: range(len(rows))} if trained.entity else {}))
        made = backend.predict(trained, numbered, frame_name="what_if", cancelled=cancelled)
        return made.frame.set_index(made.entity)[made.score_column].loc[range(len(rows))].to_numpy()

    start = score = float(scores(row)[0])
    changes: list[dict[str, Any]] = []
    while len(changes) < most_changes and sign * score < sign * mark and free:
        options = [(f, v) for f in free for v in tried[f]]
        rows = pd.concat([row] * len(options), ignore_index=True)
        for feature in free:
            place = [i for i, (f, _) in enumerate(options) if f == feature]
            values = rows[feature].astype(object)
            values.iloc[place] = [options[i][1] for i in place]
            rows[feature] = values.astype(wide(row[feature]))
        after = scores(rows)
        best = pick(options, after, row, tried, sign, mark)
        if best is None or sign * after[best] <= sign * score + 1e-12:
            break
        feature, value = options[best]
        changes.append({"step": len(changes) + 1, "feature": str(feature), "value": plain_value(row[feature].iloc[0]),
                        "instead": plain_value(value), "score": float(after[best])})  # fmt: skip
        row, score = rows.iloc[[best]], float(after[best])
        free = [f for f in free if f != feature]
    made = pd.DataFrame(changes, columns=["step", "feature", "value", "instead", "score"])
    reached = sign * score >= sign * mark
    return WhatIf(case_id, start, mark, reached, made, said(case_id, start, score, mark, reached, changes, toward))


def pick(options: list[tuple[Any, Any]], after: Any, row: Any, tried: Any, sign: float, mark: float) -> int | None:
    """Return the option that passes the mark with the smallest move of its feature; else the furthest one."""
    import numpy as np

    if not len(options):
        return None
    passing = np.flatnonzero(sign * after >= sign * mark)
    if not len(passing):
        return int(np.argmax(sign * after))
    moves = []
    for i in passing:
        feature, value = options[i]
        values, now = tried[feature], row[feature].iloc[0]
        try:
            span = values[-1] - values[0]
            moves.append(abs((value - now) / span) if span else 1.0)
        except TypeError:  # words
            moves.append(1.0)
    moves = [1.0 if m != m else float(m) for m in moves]
    return int(passing[int(np.argmin(moves))])


def observed(trained: Trained, known: Any, feature: Any) -> list[Any]:
    """Return the values of a feature to try, in order: all words learned, or quantiles of the labelled rows."""
    if feature in trained.categories:
        return list(trained.categories[feature])
    values = known[feature].dropna().sort_values().drop_duplicates().tolist()
    if len(values) > GRID:
        values = [values[round(i * (len(values) - 1) / (GRID - 1))] for i in range(GRID)]
    return values


def wide(column: Any) -> Any:
    """Return a type that holds the column's values and any observed ones."""
    kind = column.dtype.kind
    if kind in "iufb":
        return "float64"
    return column.dtype if kind == "M" else object


def base_score(trained: Trained, known: Any) -> float:
    """Return the base rate of the class that the score is for, or the mean of a regression."""
    if trained.task == "classification":
        return (trained.n_positive or 0) / trained.n_rows
    if trained.task == "multiclass":
        return float((known[trained.target].astype("string") == str(trained.positive)).mean())
    return float(known[trained.target].astype("float64").mean())


def said(
    case_id: Any, start: float, score: float, mark: float, reached: bool, changes: list[Any], toward: str
) -> str:  # fmt: skip
    """Return the counterfactual in a line."""
    if not changes:
        why = "already there" if reached else "no observed value of a feature that may change moves it that way"
        return f"Case {case_id} scores {start:.2f}, mark {mark:.2f}: {why}. {NOT_ADVICE}"
    listed = ", ".join(f"{c['feature']} {short(c['instead'])} instead of {short(c['value'])}" for c in changes)
    end = "passes" if reached else "comes closest to"
    return f"Case {case_id} scores {start:.2f}; with {listed} it {end} {mark:.2f}: {score:.2f}. {NOT_ADVICE}"


def short(value: Any) -> str:
    """Return a value as a person would write it."""
    if isinstance(value, float):
        return f"{value:,.6g}"
    return f"{value:%Y-%m-%d}" if hasattr(value, "strftime") else str(value)
