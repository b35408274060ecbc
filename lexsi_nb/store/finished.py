"""Idempotency keys that survive the kernel: which calls acted, and what they returned."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lexsi_nb.store.database import transaction

DAY = 86_400.0


@dataclass(frozen=True)
class Kept:
    """What a key is taken by. `state`: started | finished. `result`: JSON fields of the first result, or None."""

    digest: str
    state: str
    result: dict[str, Any] | None
    at: float


class Keys:
    """Keys of one machine, for `keep` seconds each. A key of one principal says nothing about the same of another."""

    def __init__(self, *, keep: float = DAY, now: Callable[[], float] = time.time) -> None:
        self.keep, self.now = keep, now

    def claim(self, principal: str, key: str, digest: str) -> Kept | None:
        """Return what the key is taken by, or None after taking it; of two kernels at once, one gets None."""
        with transaction() as db:
            db.execute("DELETE FROM finished WHERE at < ?", (self.now() - self.keep,))
            found = db.execute(
                "SELECT digest, state, result, at FROM finished WHERE principal = ? AND key = ?", (principal, key)
            ).fetchone()
            if found is None:
                db.execute(
                    "INSERT INTO finished VALUES (?, ?, ?, 'started', NULL, ?)", (principal, key, digest, self.now())
                )
                return None
        return Kept(found[0], found[1], json.loads(found[2]) if found[2] else None, found[3])

    def finish(self, principal: str, key: str, digest: str, result: dict[str, Any]) -> None:
        """Keep the result of a claimed key."""
        with transaction() as db:
            db.execute(
                "INSERT INTO finished VALUES (?, ?, ?, 'finished', ?, ?) ON CONFLICT (principal, key) "
                "DO UPDATE SET digest = excluded.digest, state = 'finished', result = excluded.result",
                (principal, key, digest, json.dumps(result), self.now()),
            )

    def release(self, principal: str, key: str) -> None:
        """Forget a claimed key."""
        with transaction() as db:
            db.execute("DELETE FROM finished WHERE principal = ? AND key = ?", (principal, key))
