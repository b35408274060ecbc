"""The conversation of a session: messages in order, every call with a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lexsi_nb.agent.planner import Message, ToolCall
from lexsi_nb.artifacts.observation import Observation

INTERRUPTED = "Interrupted before a result arrived; it may or may not have happened."


class History:
    """Messages of all turns so far. `close_open_calls` keeps call/result pairs whole after any ending."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self.messages: list[Message] = list(messages)
        self.listeners: list[Callable[[Message], None]] = []  # told of each message as it is added

    def add(self, message: Message) -> None:
        """Append one message."""
        self.messages.append(message)
        for tell in self.listeners:
            tell(message)

    def open_calls(self) -> list[ToolCall]:
        """The calls that have no result yet, in order."""
        waiting: dict[str, ToolCall] = {}
        for m in self.messages:  # in order: ids repeat from run to run
            if m.role == "assistant":
                waiting.update({c.id: c for c in m.calls})
            elif m.role == "tool":
                waiting.pop(m.call_id, None)
        return list(waiting.values())

    def close_open_calls(self, text: str, status: str) -> None:
        """Give every open call a result that says why there is none."""
        for call in self.open_calls():
            self.add(Message("tool", text, call_id=call.id, name=call.name, status=status))

    def note_event(self, description: str | Observation) -> None:
        """Append something that happened outside the conversation ("user changed loans")."""
        seen = description if isinstance(description, Observation) else None
        self.add(Message("system", description if isinstance(description, str) else description.text, seen=seen))

    def shorten(self, messages: Iterable[Message]) -> None:
        """Put a shorter conversation in the place of the one so far; listeners keep what they were told."""
        self.messages[:] = messages

    def clear(self) -> None:
        """Forget the conversation."""
        self.messages.clear()
