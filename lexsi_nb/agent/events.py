"""What a run tells while it goes: a discriminated union of frozen events.

Events say what happened, never how it looks. The magic, tests and programs consume the same stream.
`to_dict` and `from_dict` carry them over a wire.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Event:
    """Base of all events; `kind` tells them apart."""

    kind: ClassVar[str] = "event"

    def to_dict(self) -> dict[str, Any]:
        """Return the event as JSON-ready fields with its `kind`."""
        return {"kind": self.kind, **asdict(self)}


@dataclass(frozen=True)
class RunStarted(Event):
    """A run began; nothing has been decided yet."""

    kind: ClassVar[str] = "run_started"
    run_id: str
    question: str
    planner: str


@dataclass(frozen=True)
class StepStarted(Event):
    """The planner is asked for decision number `step` (1-based)."""

    kind: ClassVar[str] = "step_started"
    step: int
    forced: bool = False


@dataclass(frozen=True)
class ThinkingDelta(Event):
    """A piece of the planner's thought."""

    kind: ClassVar[str] = "thinking_delta"
    content: str


@dataclass(frozen=True)
class NarrationDelta(Event):
    """Text of a turn that went on to make calls; it is told whole when that is known."""

    kind: ClassVar[str] = "narration_delta"
    content: str


@dataclass(frozen=True)
class AnswerDelta(Event):
    """A piece of the answer as it is written. `TurnFinished.answer` is the pieces since the last `AnswerWithdrawn`."""

    kind: ClassVar[str] = "answer_delta"
    content: str


@dataclass(frozen=True)
class AnswerWithdrawn(Event):
    """What was told of the answer so far is not it: calls followed, or it was made complete. Begin anew."""

    kind: ClassVar[str] = "answer_withdrawn"


@dataclass(frozen=True)
class ToolStarted(Event):
    """A tool was called, with the arguments as the planner gave them."""

    kind: ClassVar[str] = "tool_started"
    tool_call_id: str
    name: str
    args: dict[str, Any]
    step: int = 0


@dataclass(frozen=True)
class ToolProgress(Event):
    """How far a call is; `total` is None where no end is known."""

    kind: ClassVar[str] = "tool_progress"
    tool_call_id: str
    completed: float
    total: float | None
    stage: str = ""


@dataclass(frozen=True)
class ToolFinished(Event):
    """A call left the gates. `status` is the registry's; `summary` is the observation's text."""

    kind: ClassVar[str] = "tool_finished"
    tool_call_id: str
    name: str
    status: str
    summary: str
    seconds: float = 0.0
    step: int = 0


@dataclass(frozen=True)
class UsageUpdated(Event):
    """Cumulative usage of the run, side queries included. `cost`: US dollars, "unknown" where a price is."""

    kind: ClassVar[str] = "usage_updated"
    requests: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: str = ""


@dataclass(frozen=True)
class CompactionStarted(Event):
    """The conversation has grown too long and is shortened; `tokens` is about what the request would have."""

    kind: ClassVar[str] = "compaction_started"
    tokens: int


@dataclass(frozen=True)
class CompactionFinished(Event):
    """The conversation was shortened to about `tokens`; `results` of calls and earlier `questions` were left out."""

    kind: ClassVar[str] = "compaction_finished"
    tokens: int
    results: int
    questions: int


@dataclass(frozen=True)
class RequestWaiting(Event):
    """A request is held back by the limits of the session; `seconds` is None where another request has to end."""

    kind: ClassVar[str] = "request_waiting"
    reason: str
    seconds: float | None = None


@dataclass(frozen=True)
class TurnFinished(Event):
    """The last event of a run that came to an end by itself."""

    kind: ClassVar[str] = "turn_finished"
    run_id: str
    status: str
    answer: str
    steps: int
    details: dict[str, Any] = field(default_factory=dict)


KINDS: dict[str, type[Event]] = {
    c.kind: c
    for c in (
        RunStarted, StepStarted, ThinkingDelta, NarrationDelta, AnswerDelta, AnswerWithdrawn, ToolStarted, ToolProgress,
        ToolFinished, UsageUpdated, CompactionStarted, CompactionFinished, RequestWaiting, TurnFinished,
    )
}  # fmt: skip


def from_dict(fields: dict[str, Any]) -> Event:
    """Return the event that `to_dict` wrote.

    Raises:
        ValueError: the `kind` is not one of ours; the message lists those that are.
    """
    rest = dict(fields)
    kind = rest.pop("kind", None)
    if kind not in KINDS:
        raise ValueError(f"unknown event kind {kind!r}; known: {', '.join(KINDS)}")
    return KINDS[kind](**rest)
