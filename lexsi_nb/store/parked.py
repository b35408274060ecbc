"""Runs that wait for a person: kept until they are taken up, declined or discarded."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lexsi_nb.errors import LexsiError, UnknownName
from lexsi_nb.store.database import transaction

KEEP = 30 * 86_400.0
WAITING = "waiting"


class UnknownApproval(UnknownName):
    """No run waits under that id."""

    kind = "approval"


class AlreadySettled(LexsiError):
    """Somebody answered this approval before; it acts once."""


@dataclass(frozen=True)
class ParkedRow:
    """A parked run as stored. `state`: waiting, or how it was settled."""

    id: str
    state: str
    body: dict[str, Any]
    at: float


class ParkedRuns:
    """The parked runs of one machine. `take` settles one atomically: two clicks, two kernels, one act."""

    def __init__(self, *, now: Callable[[], float] = time.time) -> None:
        self.now = now

    def put(self, id: str, body: dict[str, Any], *, owner: str = "") -> bool:
        """Return whether a run that waits is kept under the id; False where the id belongs to somebody else.

        What the same owner has waiting under it is replaced. An id that was answered is not used again, so that an old
        answer cannot act on a new wait.
        """
        text = json.dumps({**body, "owner": owner} if owner else body)  # ASCII: half a character cannot be stored
        with transaction() as db:
            db.execute("DELETE FROM parked WHERE at < ?", (self.now() - KEEP,))
            taken = db.execute("SELECT state, body FROM parked WHERE id = ?", (id,)).fetchone()
            if taken is not None and (taken[0] != WAITING or json.loads(taken[1]).get("owner", "") != owner):
                return False
            db.execute("INSERT OR REPLACE INTO parked VALUES (?, ?, ?, ?, NULL)", (id, WAITING, text, self.now()))
        return True

    def get(self, id: str) -> ParkedRow:
        """Return a run by the id of its approval.

        Raises:
            UnknownApproval: nothing is kept under that id; lists those that wait.
        """
        with transaction() as db:
            found = db.execute("SELECT id, state, body, at FROM parked WHERE id = ?", (id,)).fetchone()
        if found is None:
            raise UnknownApproval.among(id, [row.id for row in self.waiting()], next="See: %lexsi parked")
        return ParkedRow(found[0], found[1], json.loads(found[2]), found[3])

    def take(self, id: str, state: str) -> ParkedRow:
        """Return a waiting run after settling it as `state` (approved, declined, discarded, ...).

        Raises:
            UnknownApproval: nothing is kept under that id.
            AlreadySettled: it was answered before; says how.
        """
        with transaction() as db:
            won = db.execute(
                "UPDATE parked SET state = ?, settled = ? WHERE id = ? AND state = ?", (state, self.now(), id, WAITING)
            ).rowcount
        row = self.get(id)
        if not won:
            raise AlreadySettled(
                f"Approval {id} was {row.state} before.", "An approval acts once.", "See: %lexsi audit"
            )
        return row

    def give_back(self, id: str) -> None:
        """Let a run wait again that was taken and could not be resumed."""
        with transaction() as db:
            db.execute("UPDATE parked SET state = ?, settled = NULL WHERE id = ?", (WAITING, id))

    def forget_body(self, id: str) -> None:
        """Forget the conversation of a run that is settled; that it was settled stays known."""
        with transaction() as db:
            db.execute("UPDATE parked SET body = '{}' WHERE id = ? AND state != ?", (id, WAITING))

    def waiting(self) -> list[ParkedRow]:
        """Return the runs that wait, oldest first."""
        with transaction() as db:
            rows = db.execute(
                "SELECT id, state, body, at FROM parked WHERE state = ? ORDER BY at", (WAITING,)
            ).fetchall()
        return [ParkedRow(r[0], r[1], json.loads(r[2]), r[3]) for r in rows]
