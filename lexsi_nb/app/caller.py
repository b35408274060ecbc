"""One call of a planner, run through the registry with the run's context, committed or dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from lexsi_nb.agent.planner import ToolCall
from lexsi_nb.app.agent_handle import AgentHandle
from lexsi_nb.app.permission import Permission
from lexsi_nb.errors import Cancelled
from lexsi_nb.store.folder import StoreFailed
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
    permission: Permission
    agent: AgentHandle
    cell_thread: CellThread | None = None
    dry_run: bool = False
    noted: Callable[[ToolCall, int, Outcome], None] = lambda call, step, outcome: None  # each call that left the gates

    def parallel_safe(self, name: str) -> bool:
        """Whether the tool may run beside others of the same turn."""
        return name in self.registry and self.registry.spec(name).parallel_safe

    async def __call__(
        self, call: ToolCall, step: int, controller: LoopController, tick: Callable[..., None]
    ) -> Outcome:
        """Return how the call left the gates; what the step wrote stands only if it succeeded."""
        permission = self.permission
        scope = self.context.step(step, call.name, tick)
        spec = self.registry.spec(call.name) if call.name in self.registry else None
        withdrawn = permission.withdrawn(self.scopes, call.name)
        reads_only = spec is not None and spec.side_effect == "none"
        try:
            outcome = await self.registry.call(
                call.name,
                call.args,
                context=scope,
                injected={
                    "agent": self.agent.of(call.name, spec.reveals if spec else "rows"),
                    "loop_controller": controller,
                },
                principal=permission.principal,
                scopes=self.scopes - withdrawn,
                withdrawn=withdrawn,
                idempotency_key=permission.key,
                dry_run=self.dry_run and not reads_only,
                approver=permission,
                cell_thread=self.cell_thread,
                cautious=permission.read_data,
                describe=permission.describe,
                media=permission.picture,
                insists=permission.insists,
            )
            if spec is not None:
                self._record(call, outcome)
            told = replace(outcome.result.observation, dataset=self.context.dataset.id)
            outcome = replace(outcome, result=replace(outcome.result, summary=told))
            permission.read(outcome)
            self.noted(call, step, outcome)
            if outcome.status == "ok" and outcome.result.ok:
                scope.commit(outcome.result.artifacts)
            elif outcome.status == "duplicate":
                if outcome.result.meta.get("restored"):
                    scope.commit()
                self.context.notes.warn(_done_before(outcome))
            return outcome
        except Cancelled:
            raise asyncio.CancelledError from None
        finally:
            scope.drop()

    def _record(self, call: ToolCall, outcome: Outcome) -> None:
        """Log how a call went. It has run, so a log that fails now is a warning; before, it would have stopped it."""
        try:
            self.permission.record(call.args, outcome)
        except (StoreFailed, OSError) as error:
            self.context.notes.warn(f"How {call.name} went is not in the audit log: {error}")


def _done_before(outcome: Outcome) -> str:
    at = outcome.result.meta.get("first_at")
    when = f" on {datetime.fromtimestamp(at):%Y-%m-%d at %H:%M}" if isinstance(at, (int, float)) else " before"
    return (
        f"{outcome.tool} was not done again: it was done{when} for the same question, arguments and data. "
        "To do it again, ask with again=True (--again)."
    )
