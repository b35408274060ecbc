"""What a tool says about itself and what a call hands back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from lexsi_nb.artifacts.observation import Observation, SegmentClass

SideEffect = Literal["none", "kernel", "write", "irreversible"]
CostClass = Literal["free", "cheap", "slow", "paid"]
# How a call left the gates; the registry document's names, plus `failed` and `skipped`.
Status = Literal[
    "ok", "dry_run", "duplicate", "unknown_tool", "denied", "invalid", "rejected",
    "awaiting_approval", "declined", "failed", "skipped", "cancelled",
]  # fmt: skip
# What a failed step cannot take back.
OUTSIDE: frozenset[str] = frozenset({"write", "irreversible"})
GOOD: frozenset[str] = frozenset({"ok", "dry_run", "duplicate"})


@dataclass(frozen=True)
class ToolSpec:
    """Everything a planner, a gate or a router needs to know about a tool.

    `args_schema` is a pydantic model class, built on first use by `toolkit.schema`.
    """

    name: str
    description: str
    args_schema: Callable[[], type[Any]]
    returns: str = ""
    capabilities: tuple[str, ...] = ()
    cost_class: CostClass = "cheap"
    requires: tuple[str, ...] = ()  # cache keys (patterns) read
    produces: tuple[str, ...] = ()  # cache keys (patterns) written
    parallel_safe: bool = False
    thread_safe: bool = False
    scopes: frozenset[str] = frozenset()
    side_effect: SideEffect = "none"
    # (args) or (args, context) -> SideEffect, where it depends on the call; `side_effect` is the most it may do.
    acts: Callable[..., SideEffect] | None = None
    # A call that was stopped half-way may be made again: begun twice, it still acts once.
    resumable: bool = False
    # (args, context, first result): brings back into the kernel what a call left there that is not made again.
    restore: Callable[..., Any] | None = None
    needs_approval: Callable[..., bool] | None = None
    check: Callable[..., list[str]] | None = None
    effect: Callable[..., Any] | None = None  # (args) or (args, context) -> Effect, for the approval card
    # (args) or (args, context) -> labels and variables a call reads beside those its arguments name: what is approved
    # or done before holds for their content.
    reads: Callable[..., Iterable[str]] | None = None
    timeout: float | None = None
    max_output_chars: int | None = 20_000
    # The class of what the function returns when it is no ToolResult: rows unless its author says it tells less.
    reveals: SegmentClass = "rows"


@dataclass
class ToolResult:
    """Two channels: `summary` is what a planner reads, `payload` never leaves the kernel."""

    ok: bool
    summary: Observation | str
    payload: Any = None
    artifacts: tuple[Any, ...] = ()
    error: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def observation(self) -> Observation:
        """The summary as classified segments."""
        said: Any = self.summary  # a tool of a user may hand over anything
        if isinstance(said, Observation):
            return said
        return Observation() if said is None else Observation.of(str(said))


@dataclass(frozen=True)
class Outcome:
    """How a call left the gates, and its result. `result.summary` is empty only when the tool returned None or ""."""

    status: Status
    result: ToolResult
    seconds: float = 0.0
    tool: str = ""
    args: dict[str, Any] = field(default_factory=dict)
    side_effect: SideEffect = "none"  # of this very call

    @property
    def is_error(self) -> bool:
        """Whether the planner should treat the call as failed."""
        return self.status not in GOOD
