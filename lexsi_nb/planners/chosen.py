"""The planner and the side model of a choice."""

from __future__ import annotations

from lexsi_nb.agent.planner import Model, Planner
from lexsi_nb.egress.gate import Gate
from lexsi_nb.planners import gateway
from lexsi_nb.planners.choice import ModelChoice, looks_like_a_model, parse
from lexsi_nb.planners.clients import check
from lexsi_nb.planners.json_decisions import JsonPlanner
from lexsi_nb.planners.provider import ProviderModel, ProviderPlanner


def read(chosen: object, *, always: bool = False) -> object:
    """Return a line that names a model as its choice; everything else as it is. `always`: no other line is known.

    Raises:
        UnknownProvider: lists the nearest providers.
        BadModel: an option that is not there, or a value it cannot have.
    """
    return parse(chosen) if isinstance(chosen, str) and (always or looks_like_a_model(chosen)) else chosen


def planner_of(choice: ModelChoice, gate: Gate) -> Planner:
    """Return the planner of a chosen model.

    Raises:
        MissingExtra: the provider's library is not installed; the exact %pip line.
        NoKey: where a key is looked for.
    """
    model = model_of(choice, gate)
    if isinstance(model, ProviderModel) and not choice.json:
        return ProviderPlanner(model)
    return JsonPlanner(model)


def model_of(choice: ModelChoice, gate: Gate) -> Model:
    """Return a chosen model for side queries. Raises as `planner_of` does."""
    if choice.provider == "lexsi":
        gateway.check(choice, gate)
        return gateway.GatewayModel(choice, gate)
    check(choice, gate)
    return ProviderModel(choice, gate)
