"""What a session works with: tools, who decides, who makes models, limits and policy, each changed by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.compaction import Room
from lexsi_nb.agent.planner import Model, Planner
from lexsi_nb.app.finished import StoredFinishedCalls
from lexsi_nb.egress.limits import RateLimits
from lexsi_nb.egress.policy import Policy
from lexsi_nb.planners.choice import ModelChoice

if TYPE_CHECKING:
    from lexsi_nb.app.added_tools import AddedTools
    from lexsi_nb.app.binding import Binding
    from lexsi_nb.app.deciding import Deciders
    from lexsi_nb.app.recordings import Recordings
    from lexsi_nb.app.threads import StoppableThreads
    from lexsi_nb.data.dataset import Dataset
    from lexsi_nb.egress.gate import Gate


class Equipment:
    """The part of a `Session` that says what it works with; the session makes the fields."""

    binding: Binding
    gate: Gate
    policy: Policy
    recordings: Recordings
    room: Room
    threads: StoppableThreads
    _added: AddedTools
    _deciders: Deciders
    _limits: dict[str, tuple[str, tuple[str, ...]]]
    _registry: Any

    @property
    def registry(self) -> Any:
        """The tools of this session; built on first use."""
        if self._registry is None:
            from lexsi_nb.toolkit.registry import Registry
            from lexsi_nb.tools.catalogue import built_in

            finished = StoredFinishedCalls()
            self._registry = Registry(built_in(), executor=self.threads, finished=finished)
        return self._registry

    def add_tool(self, tool: Any, *, replace: bool | None = None) -> tuple[str, ...]:
        """Return the names added for a tool, a function or an object of a toolset.

        The same function defined again, in a cell that is run again, replaces itself by the next question.

        Raises:
            NameClash: another tool has the name; `replace=True` puts this one in its place.
            BadTool: it cannot be a tool; says every reason.
        """
        names = self.registry.add(tool, replace=replace)
        self._added.note(tool, names)
        return names

    def remove_tool(self, name: Any) -> tuple[str, ...]:
        """Return the names taken away: a tool by name or function, or all tools of a toolset object.

        Raises:
            UnknownTool: no such tool; lists the nearest names.
        """
        names = self.registry.remove(name)
        self._added.forget(names)
        return names

    @property
    def chosen_planner(self) -> str | ModelChoice | Planner:
        """The planner as it was chosen: a name or an object."""
        return self._deciders.planner

    @property
    def model(self) -> str | ModelChoice | Model | None:
        """What answers side queries, as it was chosen; None for the planner's own model."""
        return self._deciders.model

    @model.setter
    def model(self, chosen: str | ModelChoice | Model | None) -> None:
        self._deciders.model = chosen

    def planner(self) -> Planner:
        """Return the planner of the next run.

        Raises:
            UnknownPlanner: no planner of that name; lists those there are.
        """
        return self._deciders.the_planner()

    def side_model(self, planner: Planner) -> Model | None:
        """Return the model that answers side queries of a run with `planner`, None where there is none."""
        return self._deciders.side_model(planner)

    def backend(self) -> Any:
        """Return the model backend of the next run.

        Raises:
            UnknownBackend: lists those there are.
            MissingExtra: the exact %pip line.
        """
        return self._deciders.the_backend()

    def use(
        self,
        *,
        dataset: Any = None,
        planner: str | ModelChoice | Planner | None = None,
        model: str | ModelChoice | Model | None = None,
        backend: Any = None,
    ) -> None:
        """Change the dataset, the planner, the side model or the model backend for the runs to come.

        All that is named changes, or nothing where one of them cannot be used. A question that is running goes on with
        what it began with. model="same" gives side queries to the planner's own model. A model whose library or key is
        not here can be chosen where there are recordings: what was recorded runs.
        """
        self._deciders.use(planner, model, backend, recorded=self.recordings.files.any)
        if dataset is not None:
            self.binding.bind(dataset)

    @property
    def limits(self) -> RateLimits:
        """What requests to models keep within; set it as the argument of the session is written."""
        return self.gate.limits

    @limits.setter
    def limits(self, given: str | RateLimits | dict[str, int | None] | None) -> None:
        self.gate.limits = RateLimits.of(given)

    @property
    def context_tokens(self) -> int:
        """Tokens a request may have before the conversation is shortened."""
        return self.room.most

    @context_tokens.setter
    def context_tokens(self, tokens: int) -> None:
        self.room = Room.of(tokens)

    def policy_over(self, datasets: Iterable[Dataset]) -> Policy:
        """Return the policy with what these datasets, and all before them, say of their own confidentiality."""
        self._limits.update((d.id, d.limits) for d in datasets)
        policy = self.policy
        for id, (level, private) in self._limits.items():
            policy = policy.narrowed(id, level, private)
        return policy
