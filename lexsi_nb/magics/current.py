"""What holds in the kernel now, for the Lab extension's run view: stale variables, what waits for a person."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import LexsiError
from lexsi_nb.magics.recorded import recorded_here

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics

LAST = 20  # runs that are told


def state_of(magics: LexsiMagics) -> dict[str, Any]:
    """Return variables, the last runs, recordings of this notebook, approvals that wait, what could not be found out,
    and the seconds it took.

    It runs beside the cells, so it makes no session and loads nothing heavy where nothing was asked yet.
    """
    began = time.perf_counter()
    rows = magics.variables.listing() if magics.variables is not None else []
    variables = [{"name": r.name, "run": r.run_id, "state": r.state, "reason": r.reason} for r in rows]
    approvals, problem = [], ""
    try:
        approvals = _waiting(magics)
    except LexsiError as error:  # the folder of the store is gone or cannot be read
        problem = str(error)
    recorded = recorded_here(magics.session.recordings.files if magics.asked else None)
    return {
        "variables": variables, "runs": _runs(magics), "recorded": recorded, "approvals": approvals,
        "problem": problem, "seconds": time.perf_counter() - began,
    }  # fmt: skip


def _runs(magics: LexsiMagics) -> list[dict[str, Any]]:
    """Return the last runs as they are now, with the id of the cell that asked.

    Outputs may be cleared, and a run that went on after a click has left no newer one in its cell.
    """
    if not magics.asked:
        return []
    from lexsi_nb.widgets.record import record_of

    return [{**record_of(run), "cell": run.cell} for run in magics.session.runs[-LAST:]]


def _waiting(magics: LexsiMagics) -> list[dict[str, Any]]:
    """Return what waits, oldest first. `here`: this kernel asked; the others are of other notebooks or kernels."""
    from lexsi_nb.store.parked import ParkedRuns

    owner = magics.session.desk.owner if magics.asked else None
    return [
        {
            "id": row.id,
            "run": row.body["run_id"],
            "tool": row.body["approval"]["tool"],
            "question": row.body["approval"]["question"],
            "here": owner is not None and row.body.get("owner") == owner,
        }
        for row in ParkedRuns().waiting()
    ]
