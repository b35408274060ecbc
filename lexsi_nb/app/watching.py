"""What is kept of a run while it goes: its messages, and spans where somebody traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lexsi_nb.agent.events import Event
from lexsi_nb.agent.planner import Message
from lexsi_nb.app.tracing import Spans, Tracing, spans_for

if TYPE_CHECKING:
    from lexsi_nb.agent.history import History
    from lexsi_nb.agent.loop import Loop
    from lexsi_nb.app.run import Run


class Watch:
    """Follows one run. Events go to the spans, messages into a list that no compaction shortens."""

    def __init__(self, tracing: Tracing | None) -> None:
        self.messages: list[Message] = []
        self._spans: Spans | None = spans_for(tracing)

    def begin(self, earlier: Iterable[Message]) -> None:
        """Take up the messages of a run that another kernel began: those since its question."""
        held = list(earlier)
        start = max((n for n, m in enumerate(held) if m.role == "user"), default=0)
        self.messages = held[start:]

    @contextmanager
    def following(self, history: History) -> Iterator[None]:
        """Follow what is added to a conversation."""
        history.listeners.append(self.messages.append)
        try:
            yield
        finally:
            history.listeners.remove(self.messages.append)

    def on(self, event: Event) -> None:
        """Follow the run by one event."""
        if self._spans is not None:
            self._spans.on(event)

    def kept(self, run: Run, loop: Loop) -> None:
        """Give the run its messages and framing as the planner read them, under the data policy."""
        run.messages, run.system = tuple(loop.shown(self.messages)), loop.system

    def finish(self, run: Run) -> None:
        """End the spans, where somebody traces."""
        if self._spans is not None:
            self._spans.end(run)
