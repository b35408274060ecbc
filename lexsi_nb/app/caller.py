"""One call of a planner, run through the registry with the run's context, committed or dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.agent.planner import ToolCall
from lexsi_nb.errors import Cancelled
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
    cell_thread: CellThread | None = None
    approver: Callable[..., Any] | None = None
    dry_run: bool = False
    injected: Mapping[str, Any] = field(default_factory=dict)  # the agent, for tools that ask for it

    def parallel_safe(self, name: str) -> bool:
        """Whether the tool may run beside others of the same turn."""
        return name in self.registry and self.registry.spec(name).parallel_safe

    async def __call__(
        self, call: ToolCall, step: int, controller: LoopController, tick: Callable[..., None]
    ) -> Outcome:
        """Return how the call left the gates; what the step wrote stands only if it succeeded."""
        scope = self.context.step(step, call.name, tick)
        reads_only = call.name in self.registry and self.registry.spec(call.name).side_effect == "none"
        try:
            outcome = await self.registry.call(
                call.name,
                call.args,
                context=scope,
                injected={**self.injected, "loop_controller": controller},
                scopes=self.scopes,
                dry_run=self.dry_run and not reads_only,
                approver=self.approver,
                cell_thread=self.cell_thread,
            )
            if outcome.status == "ok" and outcome.result.ok:
                scope.commit(outcome.result.artifacts)
            return outcome
        except Cancelled:
            raise asyncio.CancelledError from None
        finally:
            scope.drop()
