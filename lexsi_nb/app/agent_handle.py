"""What a tool that asks for `AgentRef` gets: the run it is part of."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lexsi_nb.agent.history import History
from lexsi_nb.agent.planner import Model, UsageReport
from lexsi_nb.agent.tokens import CHARS_A_TOKEN
from lexsi_nb.agent.usage import Usage
from lexsi_nb.artifacts.observation import Observation, Segment, SegmentClass
from lexsi_nb.egress.policy import Policy
from lexsi_nb.errors import RunFailed
from lexsi_nb.toolkit.redaction import mask


@dataclass
class AgentHandle:
    """The agent of one run, as tools see it. `reveals` is what the calling tool says its texts tell about the data."""

    planner: str
    local: bool
    dataset: str
    tools: tuple[str, ...]
    messages: History
    usage: Usage
    policy: Callable[[], Policy]
    model: Model | None = None
    aio: asyncio.AbstractEventLoop | None = None
    count: Callable[[UsageReport], None] = lambda report: None
    before: Callable[[str, int], None] = lambda model, tokens: None  # raises where the budget is spent
    tell: Callable[[Observation], None] = lambda told: None
    reveals: SegmentClass = "rows"
    tool: str = field(default="")

    def of(self, tool: str, reveals: SegmentClass) -> AgentHandle:
        """Return the handle for one call of a tool."""
        return replace(self, tool=tool, reveals=reveals)

    def oneshot(self, *, prompt: str, query: str) -> str:
        """Return a model's answer to `query` under `prompt`: counted in the run's usage, absent from its history.

        Raises:
            RunFailed: the session has no model for side queries, or the data policy keeps the tool's text here.
        """
        model = self.model
        if model is None or self.aio is None:
            raise RunFailed(
                "This tool asks a language model.",
                f"The planner of this run ({self.planner}) is none, and the session has no other.",
                "Pass Session(model=...), or use a tool without a side query.",
            )
        policy = self.policy()
        if not model.local and not policy.allows(self.reveals, self.dataset):
            raise RunFailed(
                f"{self.tool or 'The tool'} may not ask {model.name}.",
                f"Its texts may tell {self.reveals}; the policy lets {policy.level_of(self.dataset)} out.",
                f'Declare @tool(reveals="schema") if it tells less, or use Session(policy="{self.reveals}").',
            )
        return self._counted(model, query, prompt)

    def reply(self, said: str | Observation, *, system: str = "") -> str:
        """Return a model's answer to classified text: whole where the model is on this machine, else cut by the policy.

        Raises:
            RunFailed: the session has no model for side queries.
        """
        model = self.model
        if model is None or self.aio is None:
            raise RunFailed("This needs a language model.", "The session has none.", "Pass Session(model=...).")
        observation = Observation.of(said) if isinstance(said, str) else said
        return self._counted(
            model, self.policy().observe(replace(observation, dataset=self.dataset), local=model.local), system
        )

    def _counted(self, model: Model, query: str, prompt: str) -> str:
        """Ask, and count what it cost in the run's usage."""
        if not model.local:
            self.before(model.name, (len(query) + len(prompt)) // CHARS_A_TOKEN + 1)
        reply = self._wait(model, query, prompt)
        spent = getattr(model, "last_usage", None)
        report = spent if isinstance(spent, UsageReport) else UsageReport(model=model.name)
        if self.aio is not None and self.aio.is_running():
            self.aio.call_soon_threadsafe(self.count, report)
        return reply

    def _wait(self, model: Model, query: str, prompt: str) -> str:
        aio = self.aio
        assert aio is not None
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if here is not aio:
            return asyncio.run_coroutine_threadsafe(model.complete(query, system=prompt), aio).result()
        # An async tool stands on the run's own loop, which cannot wait for itself.
        replies: list[Any] = []
        failures: list[BaseException] = []

        def aside() -> None:
            try:
                replies.append(asyncio.run(model.complete(query, system=prompt)))
            except BaseException as error:  # noqa: BLE001 - raised again on the caller's thread
                failures.append(error)

        thread = threading.Thread(target=aside, name="lexsi-aside", daemon=True)
        thread.start()
        thread.join()
        if failures:
            raise failures[0]
        return replies[0]

    def inspect(self) -> Mapping[str, Any]:
        """Return what the run is: planner, dataset, tools, usage."""
        used = {
            "requests": self.usage.requests,
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
        }
        return {"planner": self.planner, "dataset": self.dataset, "tools": self.tools, "usage": used}

    @property
    def history(self) -> tuple[Any, ...]:
        """The messages so far, read only."""
        return tuple(self.messages.messages)

    def add_context(self, text: str) -> None:
        """Add `text` to what the planner reads from the next step on, under the data policy."""
        self.tell(Observation((Segment(mask(str(text)), self.reveals),), self.dataset))
