"""`lx.explain(row)`, `lx.what_if(row)` and `lx.shap()`: what moved scores, as things that show themselves."""

from __future__ import annotations

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
        session: The session that ranked it; the notebook's own when omitted.

    Raises:
        RunFailed: nothing was ranked yet.
        UnknownCase: not among the scored rows; lists the nearest ids.
        StaleResult: the data changed since the scores were made.
    """
    if session is None:
        session = _notebook_session()
    return Explanation(session.explain(row))


def what_if(row: Any, *, session: Any = None) -> WhatIfForm:
    """Return one case of the last ranking with its values as fields: change one, see the score and what moved it.

    Nothing of yours is changed; *Show code* gives the cell that makes the same. What moves a score is no advice and no
    cause. Without a live notebook it shows the case as it is; `.what_if.tried({"amount": 1000})` gives the numbers.

    Args:
        row: A case id, a row of the predictions, or a mapping with the entity column.
        session: The session that ranked it; the notebook's own when omitted.

    Raises:
        RunFailed: nothing was ranked yet.
        UnknownCase: not among the scored rows; lists the nearest ids.
        StaleResult: the data changed since the scores were made.
        BadData: the model is on the Lexsi platform.
    """
    from lexsi_nb.app.explaining import nothing_to_explain
    from lexsi_nb.widgets.live.what_if import WhatIfForm

    if session is None:
        session = _notebook_session()
    if session.explainer is None:
        raise nothing_to_explain()
    return WhatIfForm(session.explainer, row)


def shap(plot: Plot = "importance", *, session: Any = None, **chosen: Any) -> ShapPlots:
    """Return pictures of what moved the scores of the last ranking, to switch between.

    Up to 2,000 of the scored rows are explained by exact TreeSHAP. *Show code* gives the cell of what is shown.

    Args:
        plot: importance (mean absolute contributions), beeswarm (a point a case and feature), dependence (one
            feature's contributions over its values) or waterfall (one case, from base value to raw score).
        session: The session that ranked; the notebook's own when omitted.
        chosen: `feature` and `by` (the feature that colours) of a dependence, `case` of a waterfall.

    Raises:
        RunFailed: nothing was ranked yet.
        StaleResult: the data changed since the scores were made.
        UnknownColumn, UnknownCase: no such feature or case, with the nearest.
        BadData: the model is on the Lexsi platform.
    """
    from lexsi_nb.app.explaining import nothing_to_explain
    from lexsi_nb.widgets.live.shap import ShapPlots

    if session is None:
        session = _notebook_session()
    if session.explainer is None:
        raise nothing_to_explain()
    return ShapPlots(session.explainer, plot, **chosen)


def _notebook_session() -> Any:
    from lexsi_nb.app.explaining import nothing_to_explain
    from lexsi_nb.kernel.frontends import shell_now
    from lexsi_nb.magics import ATTRIBUTE

    magics = getattr(shell_now(), ATTRIBUTE, None)
    if magics is None:
        raise nothing_to_explain()
    return magics.session
