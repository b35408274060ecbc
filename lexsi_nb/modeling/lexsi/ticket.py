"""Which call of ours a thread works for: what stops with it, and who hears what the SDK says meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.errors import Cancelled

_here = threading.local()


@dataclass
class Ticket:
    """One call of ours: what it is about, whether it was stopped, what its job said last."""

    what: str
    stop: threading.Event = field(default_factory=threading.Event)
    keep_uploads: bool = False  # a delete of a file is answered here and not sent
    status: str = ""
    event_id: str = ""
    tell: Callable[[str, float | None], None] = lambda text, share: None
    _open: list[Any] = field(default_factory=list, repr=False)  # HTTP clients that a request of it goes through
    _one: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def check(self) -> None:
        """Return nothing. Raises: Cancelled: the call was given up; nothing more of it is sent."""
        if self.stop.is_set():
            raise Cancelled(f"{self.what} was stopped.", "", "")

    @contextmanager
    def through(self, client: Any) -> Iterator[Any]:
        """Send through `client` meanwhile: giving the call up closes it, so that half a request is not finished."""
        with client:
            with self._one:
                self.check()
                self._open.append(client)
            try:
                yield client
            finally:
                with self._one:
                    self._open.remove(client)

    def give_up(self) -> None:
        """Let nothing more of the call be sent; what is being sent is cut off."""
        self.stop.set()
        with self._one:
            clients = list(self._open)
        for client in clients:
            client.close()


@contextmanager
def working(ticket: Ticket) -> Iterator[None]:
    """Let this thread work for a call meanwhile."""
    before = current()
    _here.ticket = ticket
    try:
        yield
    finally:
        _here.ticket = before


def current() -> Ticket | None:
    """Return the call that this thread works for, None for none of ours."""
    return getattr(_here, "ticket", None)
