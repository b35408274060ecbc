"""`lx.explain(row)`, `lx.what_if(row)` and `lx.shap()`: what moved scores, as things that show themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.results import Attribution

if TYPE_CHECKING:
    from lexsi_nb.app.shap_views import Plot
    from lexsi_nb.widgets.live.shap import ShapPlots
    from lexsi_nb.widgets.live.what_if import WhatIfForm


class Explanation:
    """One case's contributions; `attribution` has the numbers, a notebook shows bars."""

    def __init__(self, attribution: Attribution) -> None:
        self.attribution = attribution

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return self.attribution._repr_mimebundle_()

    def __repr__(self) -> str:
        return str(self.attribution._repr_mimebundle_()["text/plain"])


def explain(row: Any, *, session: Any = None) -> Explanation:
    """Return what moved the score of one case of the last ranking.

    Args:
        row: A case id, a row of the predictions, or a mapping with the entity column.
        session: The session that ranked it; when omitted the notebook's own, else the one open session that did.

    Raises:
        RunFailed: nothing was ranked yet, no session is open, or several are meant.
        UnknownCase: not among the scored rows; lists the nearest ids.
        StaleResult: the data changed since the scores were made.
    """
    return Explanation(_meant(session, "lx.explain(row)").explain(row))


def what_if(row: Any, changes: Mapping[str, Any] | None = None, *, session: Any = None) -> WhatIfForm:
    """Return one case of the last ranking with its values as fields: change one, see the score and what moved it.

    Nothing of yours is changed; *Show code* gives the cell that makes the same. What moves a score is no advice and no
    cause. `.tried({"amount": 1000})` gives the numbers: its `attribution` has the score and the contributions.

    Args:
        row: A case id, a row of the predictions, or a mapping with the entity column.
        changes: Values by feature that stand there at first, in place of the case's own.
        session: The session that ranked it; when omitted the notebook's own, else the one open session that did.

    Raises:
        RunFailed: nothing was ranked yet, no session is open, or several are meant.
        UnknownCase: not among the scored rows; lists the nearest ids.
        UnknownColumn: a change names no feature of the model; lists the nearest.
        StaleResult: the data changed since the scores were made.
        BadData: the model is on the Lexsi platform, or a change is no value of its feature.
    """
    from lexsi_nb.widgets.live.what_if import WhatIfForm

    return WhatIfForm(_meant(session, "lx.what_if(row)").what_if(row), changes)


def shap(plot: Plot = "importance", *, session: Any = None, **chosen: Any) -> ShapPlots:
    """Return pictures of what moved the scores of the last ranking, to switch between.

    Up to 2,000 of the scored rows are explained by exact TreeSHAP. *Show code* gives the cell of what is shown.

    Args:
        plot: importance (mean absolute contributions), beeswarm (a point a case and feature), dependence (one
            feature's contributions over its values) or waterfall (one case, from base value to raw score).
        session: The session that ranked; when omitted the notebook's own, else the one open session that did.
        chosen: `feature` and `by` (the feature that colours) of a dependence, `case` of a waterfall.

    Raises:
        RunFailed: nothing was ranked yet, no session is open, or several are meant.
        StaleResult: the data changed since the scores were made.
        UnknownColumn, UnknownCase: no such feature or case, with the nearest.
        BadData: the model is on the Lexsi platform.
    """
    from lexsi_nb.widgets.live.shap import ShapPlots

    return ShapPlots(_meant(session, "lx.shap()").shap(), plot, **chosen)


def _meant(session: Any, called: str) -> Any:
    """Return the session that was passed, or is meant where none was."""
    from lexsi_nb.app.explaining import nothing_to_explain
    from lexsi_nb.magics.meant import session_meant

    if session is not None:
        return session
    return session_meant(
        lambda s: s.explainer is not None, called=called, did="ranked cases", without=nothing_to_explain()
    )
