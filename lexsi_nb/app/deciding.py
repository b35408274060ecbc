"""Who decides, who answers side queries, who makes models: what the user chose, else what is embedded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from lexsi_nb.agent.planner import Model, Planner
from lexsi_nb.app.hosted import backend_for
from lexsi_nb.egress.gate import Gate
from lexsi_nb.errors import MissingExtra, UnknownName
from lexsi_nb.planners.choice import ModelChoice
from lexsi_nb.planners.chosen import model_of, planner_of, read
from lexsi_nb.planners.keys import NoKey

if TYPE_CHECKING:
    from lexsi_nb.app.binding import Binding

EMBEDDED = ("auto", "embedded", "grounded")
SAME = ("same", "auto")  # side queries go to the planner's own model
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


class Deciders:
    """The planner, the side model and the model backend of a session, as they were chosen."""

    def __init__(self, planner: Any, model: Any, backend: Any, gate: Gate, binding: Binding) -> None:
        self.planner, self.model, self.backend = planner, model, backend
        self._gate, self._binding = gate, binding
        self._standing: tuple[Any, Any] | None = None  # the chosen backend and what it means

    def the_planner(self) -> Planner:
        """Return the planner that was chosen. Raises as `planner_for` does."""
        return planner_for(self.planner, self._gate, self._binding.grounder)

    def side_model(self, planner: Planner) -> Model | None:
        """Return the model of side queries of a run with `planner`. Raises as `side_model_for` does."""
        return side_model_for(self.model, planner, self._gate)

    def the_backend(self) -> Any:
        """Return the model backend that was chosen. Raises as `backend_for` does."""
        if self._standing is None or self._standing[0] is not self.backend:
            self._standing = (self.backend, backend_for(self.backend, self._gate))
        return self._standing[1]

    def use(self, planner: Any, model: Any, backend: Any, *, recorded: Callable[[], bool]) -> None:
        """Choose others: all that are given, or none where one cannot work. None: leave as it is.

        `recorded()` says whether there are recordings, which run without the model's library or key.
        """
        before = self.planner, self.model, self.backend
        try:
            if planner is not None:
                self.planner = planner
                self._try(self.the_planner, recorded)
            if model is not None:
                self.model = None if isinstance(model, str) and model in SAME else model
                self._try(lambda: side_model_for(self.model, cast(Any, None), self._gate), recorded)
            if backend is not None:
                self.backend = backend
                self.the_backend()
        except BaseException:
            self.planner, self.model, self.backend = before
            raise

    def _try(self, make: Callable[[], Any], recorded: Callable[[], bool]) -> None:
        try:
            make()
        except (MissingExtra, NoKey):
            if not recorded():
                raise
