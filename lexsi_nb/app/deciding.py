"""Who decides and who answers side queries: what the user chose, else the embedded planner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lexsi_nb.agent.planner import Model, Planner
from lexsi_nb.egress.gate import Gate
from lexsi_nb.errors import UnknownName
from lexsi_nb.planners.choice import ModelChoice
from lexsi_nb.planners.chosen import model_of, planner_of, read

EMBEDDED = ("auto", "embedded", "grounded")
AS_MODEL = "A model is written provider:NAME."


class UnknownPlanner(UnknownName):
    """No planner of that name."""

    kind = "planner"


def planner_for(chosen: Any, gate: Gate, grounder: Callable[[], Any]) -> Any:
    """Return the planner that a name, a choice or an object means.

    Raises:
        UnknownPlanner: no planner of that name; lists those there are.
        UnknownProvider, BadModel, MissingExtra, NoKey: the model cannot be used as it was chosen.
    """
    chosen = read(chosen)
    if isinstance(chosen, ModelChoice):
        return planner_of(chosen, gate)
    if not isinstance(chosen, str):
        return chosen
    if chosen in EMBEDDED:
        from lexsi_nb.planners.grounded import GroundedPlanner

        return GroundedPlanner(grounder)
    raise UnknownPlanner.among(chosen, EMBEDDED[:2], next=AS_MODEL)


def side_model_for(chosen: Any, planner: Planner, gate: Gate) -> Model | None:
    """Return the model of side queries: the chosen one, else the planner's own, None where it is no model.

    Raises:
        UnknownProvider, BadModel, MissingExtra, NoKey: the model cannot be used as it was chosen.
    """
    chosen = read(chosen, always=True)
    if isinstance(chosen, ModelChoice):
        return model_of(chosen, gate)
    return chosen if chosen is not None else getattr(planner, "model", None)
