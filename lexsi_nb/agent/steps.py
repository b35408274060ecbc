"""The steps of a run, how it ends, where it parks, and what it needs of others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from lexsi_nb.agent.planner import Message, ToolCall
from lexsi_nb.artifacts.secrets import MASK
from lexsi_nb.toolkit.redaction import masked
from lexsi_nb.toolkit.refs import LoopController
from lexsi_nb.toolkit.spec import Outcome


@dataclass
class Step:
    """One tool call of the run, as it went."""

    number: int
    thought: str
    tool: str
    args: dict[str, Any]
    status: str
    seconds: float
    summary: str = ""
    call_id: str = ""
    usage: dict[str, int] = field(default_factory=dict)  # of its decision and its side queries, by what is counted


@dataclass
class Ending:
    """How the run ended; `status` is a run status of the public contract."""

    status: str = "failed"
    answer: str = ""
    choice: Any = None
    traceback: str = ""
    said: str | None = None  # the planner's own words, where the answer has more than those


@dataclass(frozen=True)
class Parked:
    """Where a run stopped for a person: the turn under way, its calls, and the conversation up to there.

    `waiting` is the call that needs the person; calls with a result in `messages` are finished, the others have not
    run. `approval` is what the gate said about the call: tool, args, digest, effect.
    """

    step: int  # number of the decision
    base: int  # tool calls before this turn
    errors: int
    thought: str
    calls: tuple[ToolCall, ...]
    waiting: ToolCall
    messages: tuple[Message, ...]
    approval: dict[str, Any] = field(default_factory=dict)

    @property
    def rest(self) -> tuple[tuple[int, ToolCall], ...]:
        """The calls of the turn that have not run, with their step numbers."""
        turn = self.messages[max(i for i, m in enumerate(self.messages) if m.role == "assistant") :]
        done = {m.call_id for m in turn if m.role == "tool"}
        return tuple((self.base + i + 1, c) for i, c in enumerate(self.calls) if c.id not in done)

    def edited(self, args: dict[str, Any]) -> Parked:
        """Return the same place with other arguments for the waiting call; those left masked keep their value."""
        kept = {k: self.waiting.args.get(k, v) if v == MASK else v for k, v in args.items()}
        call = replace(self.waiting, args=kept)
        calls = tuple(call if c.id == call.id else c for c in self.calls)
        messages = list(self.messages)
        at = max(i for i, m in enumerate(messages) if m.role == "assistant")
        messages[at] = replace(
            messages[at], calls=tuple(noted(call) if c.id == call.id else c for c in messages[at].calls)
        )
        return replace(self, calls=calls, waiting=call, messages=tuple(messages))


class Caller(Protocol):
    """Runs one call through the gates. `parallel_safe` says whether it may overlap others."""

    def parallel_safe(self, name: str) -> bool:
        """Whether the tool may run beside others of the same turn."""
        ...

    async def __call__(
        self, call: ToolCall, step: int, controller: LoopController, tick: Callable[..., None]
    ) -> Outcome:
        """Return how the call left the gates."""
        ...


class Closing(Protocol):
    """What an answer has to carry, whoever wrote it."""

    def owed(self, steps: list[Step], *, failed: bool = False) -> ToolCall | None:
        """Return the call that a run with these steps still lacks before it may answer; None when it lacks none.

        One that `failed` is not to ask a model for it.
        """
        ...

    def complete(self, answer: str) -> str:
        """Return the answer with what it has to carry."""
        ...

    def beside(self, why: str) -> str:
        """Return why a run failed, with what it had come to by then after an empty line."""
        ...


def args_of(call: ToolCall) -> dict[str, Any]:
    """Return the arguments as they may be shown and kept: secrets reach the tool and nothing else."""
    return masked(call.args) if isinstance(call.args, dict) else {}


def noted(call: ToolCall) -> ToolCall:
    """Return the call as the history keeps it."""
    return replace(call, args=args_of(call)) if isinstance(call.args, dict) else call
