"""What every live widget is in the kernel: its state, what it answers, its code cell, its static form."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import LexsiError
from lexsi_nb.widgets.blocks import Block

Answer = Callable[[Mapping[str, Any]], "dict[str, Any] | None"]


class Superseded(LexsiError):
    """Nobody wants the answer any more: something newer was asked for, or the person stopped it."""


def replied(message: Any, answer: Callable[[str, Mapping[str, Any]], dict[str, Any] | None]) -> dict[str, Any]:
    """Return the reply to a message of the page by `answer(request, content)`: {"id", "reply"} or {"id", "error"}.

    It never raises. A reply that nobody wants any more has `superseded`.
    """
    id = message.get("id", "") if isinstance(message, dict) else ""
    try:
        return {"id": id, "reply": answer(message["request"], message.get("content") or {}) or {}}
    except Superseded:
        return {"id": id, "reply": {"superseded": True}}
    except LexsiError as error:
        return {"id": id, "error": str(error)}
    except Exception as error:  # noqa: BLE001  (a page that gets no reply would wait for ever)
        return {"id": id, "error": f"That did not work: {type(error).__name__}: {error}"}


class LiveWidget:
    """A widget that a person can use. It imports no widget library: `wire.connected` puts it on the page.

    A subclass names its view in the page (`kind`), sets `state` (small, JSON), and adds to `answers()` a function for
    each thing the page may ask for. What it changes by `update` the page draws again.
    """

    kind: ClassVar[str] = ""

    def __init__(self, title: str, **state: Any) -> None:
        self.state: dict[str, Any] = {"title": title, "code": type(self).cell is not LiveWidget.cell, **state}
        self.on_update: Callable[[dict[str, Any]], None] | None = None
        # Messages come on the main thread or, while a cell runs, on another.
        self._lock = threading.RLock()

    def cell(self) -> CodeCell | None:
        """Return the cell that makes what is shown now. A widget that overrides it has *Show code*."""
        return None

    def static(self) -> dict[str, Any]:
        """Return the MIME bundle that stays: `text/html` without scripts, and `text/plain`."""
        raise NotImplementedError

    def blocks(self) -> list[Block]:
        """Return what a terminal shows of the widget; [] where its static text says it."""
        return []

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for: a name -> what answers it, from the request's content to a reply."""
        return {"code": self._code}

    def update(self, **state: Any) -> None:
        """Change the state, and what the page shows of it."""
        with self._lock:
            self.state = {**self.state, **state}
            if self.on_update is not None:
                self.on_update(self.state)

    def receive(self, message: Any) -> dict[str, Any]:
        """Return the reply to a message of the page: {"id", "reply"} or {"id", "error"}; never raises."""
        return replied(message, self._answered)

    def respond(self, message: Any, send: Callable[[dict[str, Any]], None]) -> None:
        """Have the reply to a message of the page sent: at once, or from a thread where it takes a while."""
        send(self.receive(message))

    def _answered(self, request: str, content: Mapping[str, Any]) -> dict[str, Any] | None:
        answer = self.answers().get(request)
        if answer is None:
            raise LexsiError(f"This widget has no {request!r}.", "", "Run the cell again.")
        with self._lock:
            return answer(content)

    def __repr__(self) -> str:
        return str(self.static()["text/plain"])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from lexsi_nb.widgets.live.offer import offered

        return offered(self)

    def _code(self, _: Mapping[str, Any]) -> dict[str, Any]:
        cell = self.cell()
        if cell is None:
            raise LexsiError("There is no code for what is shown.")
        return {"title": cell.title, "source": cell.source}
