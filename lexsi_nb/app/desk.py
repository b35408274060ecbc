"""Where parked runs wait for a person, in this kernel and in the store, and from where they go on."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from lexsi_nb.app import parking
from lexsi_nb.app.permission import steady, who
from lexsi_nb.artifacts.results import Approval
from lexsi_nb.errors import BadData, RunFailed
from lexsi_nb.store.audit import AuditLog
from lexsi_nb.store.parked import AlreadySettled, ParkedRow, ParkedRuns
from lexsi_nb.toolkit.redaction import masked
from lexsi_nb.toolkit.schema import Invalid

if TYPE_CHECKING:
    from lexsi_nb.agent.loop import Parked
    from lexsi_nb.app.running import Running
    from lexsi_nb.app.session import Session


@dataclass(frozen=True)
class Answer:
    """What a person said to an approval: yes, other arguments, or no with a reason."""

    approve: bool = False
    args: dict[str, Any] | None = None
    decline: str | None = None

    def __post_init__(self) -> None:
        if self.args is not None and not isinstance(self.args, dict):
            raise BadData(
                "The arguments are no mapping.", f"They are a {type(self.args).__name__}.", "Pass args={...}."
            )
        said = self.approve or self.args is not None or self.decline is not None
        if not said or (self.decline is not None and (self.approve or self.args is not None)):
            raise BadData(
                "Say one thing.", "An approval is given, changed or declined.",
                'Pass approve=True, args={...}, both, or decline="reason".',
            )  # fmt: skip

    @property
    def state(self) -> str:
        """The answer as stored."""
        return "declined" if self.decline is not None else "approved" if self.approve else "edited"

    @property
    def event(self) -> str:
        """The answer as logged: a yes to what the person wrote is none to what was shown."""
        return "edited and approved" if self.approve and self.args is not None else self.state


class Desk:
    """The approvals of one session."""

    def __init__(self, session: Session, parked: ParkedRuns | None = None, audit: AuditLog | None = None) -> None:
        self.session = session
        self.parked, self.audit = parked or ParkedRuns(), audit or AuditLog()
        self._live: dict[str, Running] = {}
        self._lock = threading.Lock()
        self.owner = secrets.token_hex(8)  # the same question in two notebooks waits twice

    def park(self, running: Running) -> Approval:
        """Return what the person is shown, after keeping the run."""
        place = running.parked
        assert place is not None
        for attempt in count():
            approval = parking.approval_of(running, place, attempt)
            if self.parked.put(approval.id, parking.fields_of(running, place, approval), owner=self.owner):
                break
        with self._lock:
            self._live[approval.id] = running
        running.permission.note("asked", approval.tool, approval.args, approval=approval.id,
                                digest=place.approval.get("digest", ""))  # fmt: skip
        return approval

    def waiting(self) -> list[tuple[Approval, ParkedRow, bool]]:
        """Return what waits, oldest first: approval, stored run, and whether this kernel still holds the run."""
        rows = self.parked.waiting()
        return [(parking.approval_from(r.body), r, r.id in self._live) for r in rows]

    def discard(self, id: str) -> Approval:
        """Return the approval of a run after forgetting it; nothing runs.

        Raises:
            UnknownApproval, AlreadySettled: it does not wait.
        """
        row = self.parked.take(id, "discarded")
        approval = parking.approval_from(row.body)
        self._log("discarded", row.body["run_id"], approval.tool, approval.args, id)
        self.parked.forget_body(id)
        self._forget(id)
        return approval

    def take_up(self, id: str, answer: Answer) -> Running:
        """Return the run, ready to go on with the answer. Of two answers the first counts.

        Raises:
            UnknownApproval, AlreadySettled: it does not wait.
            RunFailed: the kernel lacks what the run had made; says which labels.
            BadData: the arguments given do not fit the tool; says every problem.
        """
        row = self.parked.get(id)
        if row.state != "waiting":
            raise AlreadySettled(
                f"Approval {id} was {row.state} before.", "An approval acts once.", "See: %lexsi audit"
            )
        running = self._live.get(id) or self._revived(row)
        place = running.parked
        assert place is not None
        if answer.args is not None:
            place = place.edited(answer.args)
        if answer.decline is None:
            parking.check_secrets(place)
        values = self._values(running, place, answer)
        self.parked.take(id, answer.state)
        # Logged before anything runs: what cannot be logged does not act.
        try:
            # The digest is of what was shown, so it says nothing of arguments that the person wrote.
            digest = place.approval.get("digest", "") if answer.args is None else ""
            self._log(answer.event, row.body["run_id"], place.waiting.name, place.waiting.args, id,
                      digest=digest, reason=answer.decline or "")  # fmt: skip
        except BaseException:
            self.parked.give_back(id)
            raise
        self._forget(id)
        permission = running.permission
        permission.granted = None
        if answer.decline is not None:
            permission.decline(place.waiting.name, values, answer.decline)
        elif answer.approve:
            bound = None if answer.args is not None else digest
            permission.grant(place.waiting.name, values, bound)
        else:
            permission.edit(place.waiting.name, values)
        running.parked = place
        return running

    def give_back(self, id: str, running: Running) -> None:
        """Let a run wait again that could not go on."""
        with self._lock:
            self._live[id] = running
        self.parked.give_back(id)

    def _values(self, running: Running, place: Parked, answer: Answer) -> dict[str, Any]:
        registry, call = self.session.registry, place.waiting
        if call.name not in registry:
            if answer.decline is not None:
                return {}
            raise RunFailed(
                f"{call.name} is not among the tools.", "The run was parked with it.", "Add it, then approve."
            )
        try:
            return registry.tool(call.name).schema.validate(call.args, media=running.permission.picture)
        except Invalid as error:
            if answer.decline is not None:
                return {}
            raise BadData(f"Arguments for {call.name}: {'; '.join(error.problems)}") from error

    def _revived(self, row: ParkedRow) -> Running:
        from lexsi_nb.app.running import Running

        body = row.body
        needed = dict.fromkeys([*body["dataset"]["frames"], *body["variables"]])
        lacks = [n for n in needed if n not in self.session.namespace]
        if lacks:
            raise RunFailed(
                f"The run cannot go on: the kernel has no {', '.join(lacks)}.",
                "It was restarted since the run was parked.",
                f"Load your own data; %lexsi parked {row.id} prints the cells that make the rest. Then approve, or ask "
                "again.",
            )
        return Running.revived(self.session, body)

    def _log(self, event: str, run: str, tool: str, args: Any, id: str, **more: Any) -> None:
        from lexsi_nb.egress.redaction import redact

        text = redact(steady(masked(args)))
        self.audit.add(event, who=who(), tool=tool, args=text, run=run, approval=id, **more)

    def _forget(self, id: str) -> None:
        with self._lock:
            self._live.pop(id, None)
