"""The data policy: which classes of text may leave the machine, and the log of what did."""

from __future__ import annotations

from dataclasses import dataclass, field

from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.artifacts.observation import Observation
from lexsi_nb.errors import UnknownName

# Each level allows what the one before it allows, and one class more. `secret` is in none of them.
LEVELS: dict[str, frozenset[str]] = {
    "schema": frozenset({"schema"}),
    "stats": frozenset({"schema", "stats"}),
    "rows": frozenset({"schema", "stats", "rows"}),
}


@dataclass(frozen=True)
class Policy:
    """What a planner that is not on this machine may read of the data."""

    level: str = "schema"

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise UnknownName.among(self.level, LEVELS, where="the data policies")

    def observe(self, observation: Observation, *, local: bool) -> str:
        """Return the text a planner reads: whole where it stays here, cut by class where it leaves."""
        return observation.text if local else observation.cut(LEVELS[self.level])

    def attach(self, observation: Observation, *, local: bool) -> tuple[BinaryContent, ...]:
        """Return the pictures and PDFs a planner is shown: all where it stays here, cut by class where it leaves."""
        return observation.media() if local else observation.media(LEVELS[self.level])


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
