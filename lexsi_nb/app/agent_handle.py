"""What a tool that asks for `AgentRef` gets: the run it is part of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lexsi_nb.agent.history import History
from lexsi_nb.agent.usage import Usage
from lexsi_nb.errors import RunFailed


@dataclass
class AgentHandle:
    """The agent of one run, as tools see it."""

    planner: str
    dataset: str
    tools: tuple[str, ...]
    messages: History
    usage: Usage
    complete: Callable[[str, str], str] | None = None  # (prompt, query) -> reply

    def oneshot(self, *, prompt: str, query: str) -> str:
        """Return a model's answer to `query` under `prompt`; it leaves no trace in the history.

        Raises:
            RunFailed: the planner of this run is no language model.
        """
        if self.complete is None:
            raise RunFailed(
                "This tool asks a language model.",
                f"The planner of this run ({self.planner}) is none.",
                "Use a tool without a side query, or a planner that is a model.",
            )
        return self.complete(prompt, query)

    def inspect(self) -> Mapping[str, Any]:
        """Return what the run is: planner, dataset, tools, usage."""
        used = {"requests": self.usage.requests, "input_tokens": self.usage.input_tokens}
        return {"planner": self.planner, "dataset": self.dataset, "tools": self.tools, "usage": used}

    @property
    def history(self) -> tuple[Any, ...]:
        """The messages so far, read only."""
        return tuple(self.messages.messages)

    def add_context(self, text: str) -> None:
        """Add `text` to what the planner reads from the next step on."""
        self.messages.note_event(text)
