"""The log of what left the machine."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sent:
    """One outgoing request: to whom, how much, and the exact body."""

    to: str
    body: str

    @property
    def bytes(self) -> int:
        """Size of the body as UTF-8."""
        return len(self.body.encode())


@dataclass
class SentLog:
    """Every request that left the machine in one session. Empty with the embedded planner and backend."""

    entries: list[Sent] = field(default_factory=list)

    def record(self, to: str, body: str) -> None:
        """Note a request before it is sent."""
        self.entries.append(Sent(to, body))

    def since(self, start: int) -> list[Sent]:
        """Return the requests after the first `start`."""
        return self.entries[start:]
