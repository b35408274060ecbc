"""What decides: the planner protocol, the turn it reads and the decision it ends with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.artifacts.observation import Observation

Ending = Literal["answered", "declined", "needs_choice", "failed"]


@dataclass(frozen=True)
class ToolCall:
    """A request to run a tool. `id` is unique within the run."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True)
class Message:
    """One entry of the conversation, neutral to providers.

    role `user`: `text`. role `assistant`: `text` and `calls` (and the provider's opaque `parts`).
    role `tool`: the observation `text` of `call_id`, with its outcome `status`, and `media` that the planner may see.
    role `system`: a host event.
    """

    role: Literal["user", "assistant", "tool", "system"]
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    name: str = ""
    status: str = ""
    parts: Any = None
    # Pictures and PDFs that a tool's result shows, cut by the data policy; `text` names them.
    media: tuple[BinaryContent, ...] = field(default=(), repr=False)
    seen: Observation | None = None  # what `text` was cut from: another planner, or another policy, cuts it anew
    over: str = ""  # of a question: the dataset that it was asked about
    here: bool = False  # written on this machine by one who reads all: no other machine is sent it below policy rows


@dataclass(frozen=True)
class Turn:
    """Everything a planner may base a decision on."""

    question: str
    system: str
    dataset: str  # the dataset summary, cut by the data policy
    tools: tuple[dict[str, Any], ...]  # definitions: name, description, input_schema
    messages: tuple[Message, ...]
    step: int  # 1-based
    force_final: bool = False

    def observations(self, name: str | None = None) -> list[Message]:
        """The tool results of this question, oldest first, only of `name` where given."""
        start = max((i for i, m in enumerate(self.messages) if m.role == "user"), default=0)
        return [m for m in self.messages[start:] if m.role == "tool" and (name is None or m.name == name)]


@dataclass(frozen=True)
class Thought:
    """A piece of thinking, shown while the run goes."""

    text: str


@dataclass(frozen=True)
class AnswerPart:
    """A piece of the final answer as it is written."""

    text: str


@dataclass(frozen=True)
class UsageReport:
    """What one request cost; of `input_tokens` some were read from or written to the provider's cache.

    Local planners report none. `model` is `provider:model`, which prices are found by.
    """

    requests: int = 1
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    model: str = ""


@dataclass(frozen=True)
class Decision:
    """How `decide` ends: tool calls, or a final answer (`answer` is not None)."""

    calls: tuple[ToolCall, ...] = ()
    answer: str | None = None
    status: Ending = "answered"
    thought: str = ""
    choice: Any = None  # an artifact `Choice` for status needs_choice
    parts: Any = None  # opaque provider parts, carried along


class Planner(Protocol):
    """Decides the next step of a run. `local` says that nothing it reads leaves the machine.

    One whose answers are a language model's own words has a true attribute `writes`: their numbers are checked.
    """

    name: str
    local: bool

    def decide(self, turn: Turn) -> AsyncIterator[Thought | AnswerPart | UsageReport | Decision]:
        """Yield thoughts, answer parts and usage, and last one Decision."""
        ...


class Model(Protocol):
    """Answers side queries (`oneshot`, `text_to_sql`, `summarize_result`)."""

    name: str
    local: bool

    async def complete(self, prompt: str, *, system: str = "", output_type: type[Any] = str) -> Any:
        """Return the model's reply to one prompt, parsed as `output_type`."""
        ...
