"""References: parameters that a run fills in and a planner neither sees nor supplies.

A tool asks for one by annotation, whatever the parameter is called::

    @tool
    def ask_again(query: str, agent: AgentRef) -> str: ...

`ContextRef` alone is untyped; a package with a context class of its own writes
`Context = Annotated[RunContext, CONTEXT]` and annotates with that.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

ReferenceKind = Literal["agent", "tool_fn", "tool_name", "loop_controller", "context"]


@dataclass(frozen=True)
class Reference:
    """The mark, inside `Annotated`, that says what a run puts in a parameter's place."""

    kind: ReferenceKind


@runtime_checkable
class Agent(Protocol):
    """What a tool may do with the agent that called it."""

    def oneshot(self, *, prompt: str, query: str) -> str:
        """Return a model's answer to `query` under `prompt`: counted in the run's usage, absent from its history."""
        ...

    def inspect(self) -> Mapping[str, Any]:
        """Return what the run is: planner, dataset, tools, step, usage."""
        ...

    @property
    def history(self) -> tuple[Any, ...]:
        """The messages so far, read only."""
        ...

    def add_context(self, text: str) -> None:
        """Add `text` to what the planner reads from the next step on."""
        ...


class LoopState(Enum):
    """What the loop does after the call that set it."""

    PROCEED = "proceed"
    STOP_SUCCESS = "stop_success"  # the tool's own result is the answer
    STOP_FATAL = "stop_fatal"  # the run fails with the reason


class LoopController:
    """One call's say in whether the loop goes on; the loop reads `state` when the call is over."""

    PROCEED = LoopState.PROCEED
    STOP_SUCCESS = LoopState.STOP_SUCCESS
    STOP_FATAL = LoopState.STOP_FATAL

    def __init__(self) -> None:
        self.state: LoopState = LoopState.PROCEED
        self.reason: str = ""

    def set_state(self, state: LoopState, reason: str = "") -> None:
        """Set what the loop does next; `reason` is shown to the person.

        Raises:
            ValueError: not one of PROCEED, STOP_SUCCESS, STOP_FATAL.
        """
        if not isinstance(state, LoopState):
            raise ValueError(f"No loop state {state!r}. Use PROCEED, STOP_SUCCESS or STOP_FATAL of the controller.")
        self.state, self.reason = state, reason

    @property
    def stops(self) -> bool:
        """Whether the loop ends after this call."""
        return self.state is not LoopState.PROCEED

    def __repr__(self) -> str:
        return f"LoopController({self.state.name})"


AGENT = Reference("agent")
TOOL_FN = Reference("tool_fn")
TOOL_NAME = Reference("tool_name")
LOOP_CONTROLLER = Reference("loop_controller")
CONTEXT = Reference("context")

AgentRef = Annotated[Agent, AGENT]
ToolFnRef = Annotated[typing.Callable[..., Any], TOOL_FN]
ToolNameRef = Annotated[str, TOOL_NAME]
LoopControllerRef = Annotated[LoopController, LOOP_CONTROLLER]
ContextRef = Annotated[Any, CONTEXT]


def reference_of(annotation: Any) -> Reference | None:
    """Return the reference an annotation stands for, or None when it is an ordinary type."""
    for mark in getattr(annotation, "__metadata__", ()):
        if isinstance(mark, Reference):
            return mark
    return None


def holds_reference(annotation: Any) -> bool:
    """Return whether a reference hides anywhere inside the annotation, `Optional[AgentRef]` for one."""
    if reference_of(annotation):
        return True
    return any(
        holds_reference(part)
        for part in typing.get_args(annotation)
        if part is not Ellipsis and not isinstance(part, (str, bytes, int, types.NoneType))
    )
