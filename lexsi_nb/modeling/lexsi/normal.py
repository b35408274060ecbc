"""What the platform answers, under our names: score columns found, probabilities of the right class, checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lexsi_nb.modeling.cases import id_text
from lexsi_nb.modeling.lexsi.failures import PlatformFailed

PREDICTED = ("predictedvalueautoml", "predictedvalue", "predvalue", "prediction", "predicted", "predictedlabel", "pred")
ADDED = ("predictedvalueautoml", "predprobaautoml")  # what the service is reported to call its columns
CHANCES = ("predprobaautoml", "predproba", "predictedproba", "probability", "proba", "prob", "score")


@dataclass(frozen=True)
class Answer:
    """Where the score stands: its column, and whether it is the probability of the class that was predicted."""

    score: str
    predicted: str
    of_predicted: bool


def folded(name: Any) -> str:
    """Return a column name without case, blanks and signs."""
    return re.sub(r"[^a-z0-9]", "", str(name).lower())


def answer_of(scored: Any, *, sent: tuple[str, ...], regression: bool) -> Answer:
    """Return which columns of an inference hold the scores.

    Raises: PlatformFailed: none does; lists the columns there are.
    """
    added = [c for c in scored.columns if str(c) not in sent]
    by_name = {folded(c): c for c in reversed(added)}
    predicted = next((by_name[n] for n in PREDICTED if n in by_name), None)
    chance = next((by_name[n] for n in CHANCES if n in by_name), None)
    for one in ("predproba1", "proba1", "prob1", "probability1", "predprobaautoml1"):
        chance = by_name.get(one, chance)
    wanted = predicted if regression else chance
    if wanted is None or not numeric(scored[wanted]):
        what = "prediction" if regression else "probability"
        raise PlatformFailed(
            f"The inference has no column of a {what} that is known here.",
            f"It added: {', '.join(map(str, added)) or 'none'}.", "Report these column names.",
        )  # fmt: skip
    if regression:
        return Answer(str(wanted), str(wanted), False)
    chances = scored[wanted].astype("float64")
    if chances.isna().any() or not chances.between(0, 1).all():
        raise PlatformFailed(
            f"{wanted} of the inference holds no probabilities.",
            "Some are missing or not between 0 and 1.",
            "Ask again.",
        )
    return Answer(str(wanted), str(predicted or ""), predicted is not None and of_predicted(scored[predicted], chances))


def of_predicted(predicted: Any, chances: Any) -> bool:
    """Return whether the probability is that of the predicted class: never under a half, though a 0 is predicted."""
    said = set(predicted.map(id_text))
    return "0" in said and said <= {"0", "1"} and bool((chances >= 0.5).all())


def numeric(values: Any) -> bool:
    """Return whether a column holds numbers."""
    return values.dtype.kind in "iufb"


def complete(scored: Any, ids: tuple[str, ...], id_column: str, what: str) -> None:
    """Return nothing when each row that was sent came back once.

    Raises: PlatformFailed: rows or the id are missing; how many.
    """
    if id_column not in scored.columns:
        raise PlatformFailed(
            f"The answer to {what} has no {id_column}.",
            f"It has: {', '.join(map(str, scored.columns[:12]))}.",
            "Ask again.",
        )
    back = [id_text(v) for v in scored[id_column].tolist()]
    missing = len(set(ids) - set(back))
    if missing or len(back) != len(ids):
        raise PlatformFailed(
            f"Lexsi scored {len(set(back) & set(ids)):,} of {len(ids):,} rows.",
            "The result of the inference is incomplete.", "Ask again.",
        )  # fmt: skip


def contributions_of(shap: Any, positive: Any) -> dict[str, float]:
    """Return feature -> contribution of a case: of the class that is meant, where nested by class."""
    if not isinstance(shap, dict):
        return {}
    if shap and all(isinstance(v, dict) for v in shap.values()):
        for key in (id_text(positive), "1", "1.0", "True", "true"):
            if key in shap:
                shap = shap[key]
                break
        else:
            shap = list(shap.values())[-1]
    return {str(k): float(v) for k, v in shap.items() if isinstance(v, (int, float)) and v == v}
