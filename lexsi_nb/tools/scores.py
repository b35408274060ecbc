"""Which columns of a frame of predictions hold the case, the prediction and the probability."""

from __future__ import annotations

from typing import Any

# Names that backends give them, the likeliest first; compared without case, blanks and underscores.
PROBABILITIES = ("pred_proba_AutoML", "probability", "proba", "pred_proba", "prob", "score", "predicted_probability")
PREDICTIONS = ("Predicted_value_AutoML", "prediction", "predicted", "predicted_value", "pred", "y_pred", "forecast")


def columns_of(frame: Any, *, entity: str | None = None) -> dict[str, str | None]:
    """Return {"pred", "prob", "entity"} -> column name; None where no column looks like it.

    >>> import pandas as pd
    >>> columns_of(pd.DataFrame({"id": [1], "Predicted_value_AutoML": [1], "pred_proba_AutoML": [0.8]}))
    {'pred': 'Predicted_value_AutoML', 'prob': 'pred_proba_AutoML', 'entity': 'id'}
    """
    names = [str(c) for c in frame.columns]
    probability = _first(PROBABILITIES, names)
    prediction = _first(PREDICTIONS, names) or probability
    if entity not in names:
        taken = {probability, prediction, "rank"}
        entity = next((n for n in names if n not in taken and frame[n].is_unique), None)
    return {"pred": prediction, "prob": probability, "entity": entity}


def _first(wanted: tuple[str, ...], names: list[str]) -> str | None:
    known = {_plain(n): n for n in reversed(names)}
    return next((known[_plain(w)] for w in wanted if _plain(w) in known), None)


def _plain(name: str) -> str:
    return name.casefold().replace("_", "").replace(" ", "")
