"""Scored rows as a live table with *Explain*; which frames of the user are scored rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.results import Attribution
from lexsi_nb.errors import RunFailed
from lexsi_nb.widgets.explanation import selection_sentence
from lexsi_nb.widgets.live.explained import explained_html
from lexsi_nb.widgets.live.table import PAGE, LiveTable, Notes
from lexsi_nb.widgets.ranking import reasons_of

if TYPE_CHECKING:
    from lexsi_nb.app.explaining import Explainer, LateExplainer

# Above so many rows, a frame is looked up by its index only.
MANY_ROWS = 1_000_000
SCORE_DECIMALS = 3
REASONS = ("raises", "lowers")


def predictions_table(
    explainer: Explainer | LateExplainer,
    *,
    frame: Any = None,
    name: str = "",
    made_by: str = "",
    page: int = PAGE,
    units: Mapping[str, str] | None = None,
    known: Sequence[Attribution] = (),
    static: Mapping[str, Any] | None = None,
) -> LiveTable:
    """Return all scored rows, or those of `frame`, as a live table.

    `made_by`: the expression that makes the rows, where no variable `name` holds them. `known`: explanations that are
    there already: their reasons stand in the rows.
    """
    made = explainer.made()
    rows = made.predicted.frame if frame is None else frame
    entity = str(made.predicted.entity)
    case = list(map(str, rows.columns)).index(entity)
    found = {a.case: a for a in known}

    def explain(places: Sequence[int]) -> tuple[str, str]:
        cases = [rows.iloc[place, case] for place in places]
        if made.backend.local:
            attributions = made.explain_all(cases)
        else:
            attributions = [_known(found, case) for case in cases]
        found.update((a.case, a) for a in attributions)
        return explained_html(attributions), selection_sentence(attributions)

    def noted(places: Sequence[int]) -> list[tuple[str, ...]]:
        asked = (found.get(str(v)) for v in rows.iloc[list(places), case].tolist())
        return [("", "") if a is None else tuple(", ".join(side) for side in reasons_of(a)) for a in asked]

    return LiveTable(
        rows,
        name=name or made.predicted.variable,
        made_by=made_by,
        title=f"Scores of {len(rows):,} rows",
        units=units,
        decimals={str(made.predicted.score_column): SCORE_DECIMALS} if made.trained.task == "classification" else {},
        case=case,
        explain=explain,
        notes=Notes(REASONS, noted),
        static=static,
        page=page,
    )


def _known(found: Mapping[str, Attribution], case: Any) -> Attribution:
    """Return an explanation that is there. Raises RunFailed: it is not, and a click does not send rows away."""
    if str(case) not in found:
        raise RunFailed(
            f"{case} is not explained yet.", "The model is hosted, so its row would be sent there.",
            f"%lexsi explain {case}",
        )  # fmt: skip
    return found[str(case)]


def is_scored(explainer: Explainer | LateExplainer, frame: Any) -> bool:
    """Return whether every row of a frame is a scored row: the predictions, a part of them, in any order."""
    predicted = explainer.made().predicted
    scored, entity, score = predicted.frame, predicted.entity, predicted.score_column
    if frame is scored:
        return True
    names = list(frame.columns)
    if names.count(entity) != 1 or names.count(score) != 1 or not 0 < len(frame) <= len(scored):
        return False
    ids, scores = frame[entity].to_numpy(), frame[score].to_numpy()
    if frame.index.isin(scored.index).all() and scored.index.is_unique:
        same = scored.loc[frame.index, [entity, score]]
        if (same[entity].to_numpy() == ids).all() and (same[score].to_numpy() == scores).all():
            return True
    if len(scored) > MANY_ROWS or not scored[entity].is_unique:
        return False
    return bool((scored.set_index(entity)[score].reindex(ids).to_numpy() == scores).all())
