"""Cases picked out of a frame by entity id, and what moved their scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.results import Reason
from lexsi_nb.errors import BadData, UnknownCase
from lexsi_nb.modeling.backend import CaseReasons
from lexsi_nb.modeling.source import plain_value

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

MANY_CASES = 1000  # reasons a case are made for so many cases; the frame has them all


def positions_of(ids: pd.Series, wanted: Sequence[Any], *, where: str) -> list[int]:
    """Return the row number of each wanted id, in the order asked; "5314" finds 5314, and so does 5314.0.

    Raises: UnknownCase: no such id, with the nearest; BadData: an id stands in more than one row (named), or none
    is asked for.
    """
    if not len(wanted):
        raise BadData("No case to explain.", "The list of ids is empty.", f"Give ids of rows of {where}.")
    where_is: dict[str, list[int]] = {}
    needed = {id_text(w) for w in wanted}
    for i, value in enumerate(ids.tolist()):
        if (text := id_text(value)) in needed:
            where_is.setdefault(text, []).append(i)
    found = []
    for w in wanted:
        rows = where_is.get(id_text(w), [])
        if not rows:
            raise UnknownCase.among(str(w), near_ids(str(w), ids), where=where, next="Give ids of rows that are there.")
        found.append(rows[0])
    twice = [text for text, rows in where_is.items() if len(rows) > 1]
    if twice:
        raise BadData(
            f"{ids.name} {', '.join(twice[:5])} stands in more than one row of {where}.",
            "It is not clear which row to explain.",
            "Make one row an entity, with GROUP BY or DISTINCT.",
        )
    return list(dict.fromkeys(found))


def id_text(value: Any) -> str:
    """Return an id as text; a whole number that was read as a float loses its `.0`."""
    value = plain_value(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value)
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text


def near_ids(wanted: str, ids: Any) -> list[str]:
    """Return up to 2,000 ids to look for the nearest among: those that begin alike first."""
    texts = ids.dropna().map(id_text)
    if len(texts) > 2000:
        for n in range(len(wanted), -1, -1):
            alike = texts[texts.str.startswith(wanted[:n])]
            if len(alike):
                return alike.iloc[:2000].tolist()
    return texts.tolist()


def reasons(
    ids: Sequence[Any], values: Any, contributions: np.ndarray, base: np.ndarray, raw: np.ndarray,
    score: np.ndarray, *, top: int,
) -> tuple[CaseReasons, ...]:  # fmt: skip
    """Return the strongest contributions each way of up to 1,000 cases.

    values: the features as they stand in the frame. contributions: float64 (n_cases, n_features).
    """
    import numpy as np

    out = []
    features = list(values.columns)
    for i in range(min(len(values), MANY_CASES)):
        order = np.argsort(-np.abs(contributions[i]), kind="stable")
        moved = [
            Reason(str(features[j]), plain_value(values.iat[i, j]), float(contributions[i, j]))
            for j in order
            if contributions[i, j] != 0
        ]
        out.append(
            CaseReasons(
                plain_value(ids[i]), float(score[i]), float(base[i]), float(raw[i]),
                tuple(r for r in moved if r.contribution > 0)[:top],
                tuple(r for r in moved if r.contribution < 0)[:top],
            )
        )  # fmt: skip
    return tuple(out)
