"""Scored rows as a live table with *Explain*; which frames of the user are scored rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.results import Attribution
from lexsi_nb.errors import RunFailed
from lexsi_nb.widgets.explanation import selection_sentence
from lexsi_nb.widgets.live.explained import explained_html
from lexsi_nb.widgets.live.table import PAGE, LiveTable, Looks, Notes
from lexsi_nb.widgets.ranking import (
    MOVED,
    UNCALIBRATED,
    moved,
    moved_text,
    moved_title,
    score_decimals,
    shared_ranks,
)

if TYPE_CHECKING:
    from lexsi_nb.app.explaining import Explainer, LateExplainer

# Above so many rows, a frame is looked up by its index only.
MANY_ROWS = 1_000_000


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

    def noted(places: Sequence[int]) -> list[tuple[str, str]]:
        asked = (found.get(str(v)) for v in rows.iloc[list(places), case].tolist())
        reasons = [() if a is None else moved(a) for a in asked]
        return [(moved_text(r, values=False), moved_title(r)) for r in reasons]

    looks = _looks(made, rows)

    return LiveTable(
        rows,
        name=name or made.predicted.variable,
        made_by=made_by,
        title=f"Scores of {len(rows):,} rows",
        units=units,
        looks=looks,
        case=case,
        explain=explain,
        notes=Notes(MOVED, noted, after=len(looks.first)),
        static=static,
        page=page,
    )


def _looks(made: Explainer, rows: Any) -> Looks:
    """Return rank, case and score first; the score under that name, whatever its column is called."""
    score, rank = str(made.predicted.score_column), str(made.predicted.rank_column)
    names = list(map(str, rows.columns))
    first = tuple(n for n in (rank, str(made.predicted.entity), score) if n in names)
    if made.trained.task != "classification":
        return Looks(first, {rank: ("#", "rank")})
    hint = "calibrated probability" if made.trained.calibrated else UNCALIBRATED
    scores = rows[score].to_numpy()
    ranks = {rank: lambda places: shared_ranks(scores, places)} if rows is made.predicted.frame else {}
    decimals = {score: score_decimals(scores[: 2 * PAGE].tolist())}
    return Looks(first, {rank: ("#", "rank"), score: ("score", f"{hint} (column {score})")}, decimals, ranks, (score,))


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
