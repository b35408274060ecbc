"""Finished calls by idempotency key: an in-memory store, and the protocol a persistent one follows."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from lexsi_nb.toolkit.spec import ToolResult

DAY = 86_400.0


@dataclass(frozen=True)
class Record:
    """What is known of a key: the call it belongs to, and its result once there is one."""

    digest: str
    state: Literal["started", "finished"]
    result: ToolResult | None = None


class FinishedCalls(Protocol):
    """Where keys are kept. A key of one principal says nothing about the same key of another."""

    def claim(self, principal: str, key: str, digest: str) -> Record | None:
        """Return what the key is taken by, or None after taking it for `digest`; atomic."""
        ...

    def finish(self, principal: str, key: str, record: Record) -> None:
        """Keep the result of a claimed key."""
        ...

    def release(self, principal: str, key: str) -> None:
        """Forget a claimed key: the call did not act, so it may be tried again."""
        ...


class MemoryFinishedCalls:
    """Keys of this process, each forgotten `keep` seconds after its claim."""

    def __init__(self, *, keep: float = DAY, now: Callable[[], float] = time.monotonic) -> None:
        self._records: dict[tuple[str, str], tuple[float, Record]] = {}
        self._keep, self._now = keep, now
        self._lock = threading.Lock()

    def claim(self, principal: str, key: str, digest: str) -> Record | None:
        """Return what the key is taken by, or None after taking it for `digest`."""
        with self._lock:
            oldest = self._now() - self._keep
            # Claims come in order of time, so the stale ones stand first.
            while self._records and self._records[first := next(iter(self._records))][0] < oldest:
                del self._records[first]
            taken = self._records.get((principal, key))
            if taken is not None:
                return taken[1]
            self._records[principal, key] = (self._now(), Record(digest, "started"))
            return None

    def finish(self, principal: str, key: str, record: Record) -> None:
        """Keep the result of a claimed key."""
        with self._lock:
            claimed = self._records.get((principal, key), (self._now(), record))[0]
            self._records[principal, key] = (claimed, record)

    def release(self, principal: str, key: str) -> None:
        """Forget a claimed key."""
        with self._lock:
            self._records.pop((principal, key), None)


def fingerprint(name: str, arguments: str, principal: str) -> str:
    """Return 32 hex digits that stand for one tool, one set of canonical arguments and one principal."""
    return hashlib.sha256(json.dumps([name, arguments, principal]).encode()).hexdigest()[:32]
