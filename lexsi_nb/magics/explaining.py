"""`lx.explain(row)`: what moved the score of one case, as a thing that shows itself."""

from __future__ import annotations

from typing import Any

from lexsi_nb.artifacts.results import Attribution


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


def _notebook_session() -> Any:
    from lexsi_nb.app.explaining import nothing_to_explain
    from lexsi_nb.kernel.frontends import shell_now
    from lexsi_nb.magics import ATTRIBUTE

    magics = getattr(shell_now(), ATTRIBUTE, None)
    if magics is None:
        raise nothing_to_explain()
    return magics.session
