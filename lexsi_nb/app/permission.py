"""What one run may do without asking: names given beforehand, answers a person gave, and what reading data changes."""

from __future__ import annotations

import getpass
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexsi_nb.egress.redaction import redact
from lexsi_nb.kernel.frames import frame_library
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.gates import Approval, ApprovalRequest, Call
from lexsi_nb.toolkit.redaction import masked
from lexsi_nb.toolkit.spec import Outcome, ToolSpec

if TYPE_CHECKING:
    from lexsi_nb.kernel.variables import Variables
    from lexsi_nb.store.audit import AuditLog

_MOST_LOGGED = 2_000
OUTSIDE = ("write", "irreversible")


def who() -> str:
    """Return the name decisions are logged under: the hub's user, else the system's."""
    named = os.environ.get("JUPYTERHUB_USER")
    if named:
        return named
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container without a user entry
        return "user"


def named_tools(approve: str | Iterable[str] | None) -> frozenset[str]:
    """Return the tools that may act without asking: names, or one text of names with commas; "ask" names none.

    >>> sorted(named_tools("upload, refund")), named_tools("ask")
    (['refund', 'upload'], frozenset())
    """
    names = approve.split(",") if isinstance(approve, str) else approve or ()
    return frozenset(n.strip() for n in names if n.strip() and n.strip() != "ask")


def steady(args: Any) -> str:
    """Return arguments as text that does not depend on the order they came in."""
    return json.dumps(args or {}, sort_keys=True, ensure_ascii=False, default=str)


@dataclass
class Grant:
    """A person's yes to one call. Without a digest it holds for the arguments, which the person wrote."""

    tool: str
    args: str
    digest: str | None


@dataclass
class Permission:
    """Answers for the person in one run; keeps to what was named, granted and declined.

    `named`: tools approved for this run by name. `standing`: tools approved for the session by name; that does not
    hold for what cannot be undone once text from data was read, because such text may ask for it.
    """

    variables: Variables
    principal: str
    run_id: str
    log: Callable[[], AuditLog]
    named: frozenset[str] = frozenset()
    standing: frozenset[str] = frozenset()
    key_base: str = ""
    granted: Grant | None = None
    declined: dict[str, str] = field(default_factory=dict)  # call -> reason
    read_data: bool = False

    def __call__(self, request: ApprovalRequest) -> Approval | None:
        """Return the answer to a request, None where nobody has given one."""
        args = steady(request.args)
        mark = f"{request.name} {args}"
        if mark in self.declined:
            return Approval(False, self.declined[mark])
        grant = self.granted
        if grant is not None and grant.tool == request.name:
            fits = grant.args == args if grant.digest is None else grant.digest == request.digest
            if fits:
                self.granted = None  # it holds once
                return Approval(True)
        if request.name in self.named or (request.name in self.standing and not self._lapsed(request)):
            self.note("approved by name", request.name, request.args, digest=request.digest)
            return Approval(True)
        return None

    def _lapsed(self, request: ApprovalRequest) -> bool:
        return request.cautious and request.tool.spec.side_effect == "irreversible"

    def decline(self, tool: str, values: Any, reason: str) -> None:
        """Keep a no for the rest of the run: the same call is not asked about again."""
        self.declined[f"{tool} {steady(values)}"] = reason

    def why(self, spec: ToolSpec) -> str:
        """Return why a call of this tool asks, in a line."""
        if spec.side_effect == "irreversible":
            return "It cannot be undone."
        if self.read_data and spec.side_effect in OUTSIDE:
            return "It acts outside this notebook, after text from the data was read."
        return "Its author wants a person to agree."

    def key(self, spec: ToolSpec, args: Any) -> str | None:
        """Return the idempotency key of a call that acts outside the kernel: the same ask and data, the same key."""
        if spec.side_effect not in OUTSIDE:
            return None
        marks = "|".join(self.variables.fingerprint(n) for n in self._frames(args))
        return hashlib.sha256("\x1f".join([self.key_base, spec.name, steady(args), marks]).encode()).hexdigest()[:32]

    def describe(self, call: Call) -> Effect:
        """Return the frames a call names, with their rows, columns and content."""
        names = self._frames(call.values)
        frames = tuple((n, *_shape(self.variables.namespace[n])) for n in names)
        mark = " ".join(self.variables.fingerprint(n) for n in names)
        spec = call.tool.spec
        cost = "it costs money; the tool does not say how much" if spec.cost_class == "paid" else ""
        return Effect(frames=frames, mark=mark, cost=cost)

    def read(self, outcome: Outcome) -> None:
        """Note whether the planner read text that came from data."""
        if any(s.kind == "rows" and s.text.strip() for s in outcome.result.observation.segments):
            self.read_data = True

    def record(self, spec: ToolSpec, args: Any, outcome: Outcome) -> None:
        """Log a call that a person had to agree to, or that acts outside the kernel, with how it went."""
        about = outcome.result.meta.get("approval")
        if outcome.status not in ("ok", "failed", "duplicate"):
            return
        if about is not None or spec.side_effect in OUTSIDE:
            digest = about["digest"] if isinstance(about, dict) else ""
            self.note("ran", spec.name, args, digest=digest, status=outcome.status)

    def note(self, event: str, tool: str, args: Any, **more: Any) -> None:
        """Write one entry of the audit log."""
        text = redact(steady(masked(args)))[:_MOST_LOGGED]
        self.log().add(event, who=self.principal, tool=tool, args=text, run=self.run_id, **more)

    def _frames(self, args: Any) -> list[str]:
        """Return the variables with frames that the arguments name, in order."""
        found: dict[str, None] = {}
        for text in _texts(args):
            name = self.variables.named(text) or text
            if frame_library(self.variables.namespace.get(name)) is not None:
                found[name] = None
        return list(found)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [t for v in value.values() for t in _texts(v)]
    if isinstance(value, (list, tuple, set)):
        return [t for v in value for t in _texts(v)]
    return []


def _shape(frame: Any) -> tuple[int, tuple[str, ...]]:
    names = getattr(frame, "column_names", None)
    columns = names if names is not None else getattr(frame, "columns", ())
    return int(frame.shape[0]), tuple(map(str, columns))
