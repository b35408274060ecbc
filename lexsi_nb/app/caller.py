"""One call of a planner, run through the registry with the run's context, committed or dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.agent.planner import ToolCall
from lexsi_nb.app.threads import StoppableThreads
from lexsi_nb.toolkit.refs import LoopController
from lexsi_nb.toolkit.registry import Registry
from lexsi_nb.toolkit.spec import Outcome
from lexsi_nb.tools.context import RunContext

# Runs a function on the cell's thread; user tools that are not thread-safe go there.
CellThread = Callable[[Callable[[], Any]], Awaitable[Any]]


@dataclass
class RegistryCaller:
    """The loop's way to a tool: gates, injection, then commit of what the step wrote."""

    registry: Registry
    context: RunContext
    scopes: frozenset[str]
    threads: StoppableThreads = field(default_factory=StoppableThreads)
    cell_thread: CellThread | None = None
    approver: Callable[..., bool] | None = None
    dry_run: bool = False
    extra: Mapping[Any, Any] = field(default_factory=dict)  # further injected references

    def parallel_safe(self, name: str) -> bool:
        """Whether the tool may run beside others of the same turn."""
        return name in self.registry.names() and self.registry.spec(name).parallel_safe

    async def __call__(
        self, call: ToolCall, step: int, controller: LoopController, tick: Callable[..., None]
    ) -> Outcome:
        """Return how the call left the gates; what the step wrote stands only if it succeeded."""
        scope = self.context.step(step, call.name, tick)
        outcome = await self.registry.call(
            call.name,
            call.args,
            context=scope,
            injected={**self.extra, "loop": controller},
            scopes=self.scopes,
            dry_run=self.dry_run,
            approver=self.approver,
            cell_thread=self.cell_thread,
            executor=self.threads,
        )
        if outcome.status == "ok" and outcome.result.ok:
            if self.context.stop.is_set():
                raise asyncio.CancelledError
            scope.commit(outcome.result.artifacts)
        else:
            scope.drop()
        return outcome
