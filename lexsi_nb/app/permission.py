"""What one run may do without asking: names given beforehand, answers a person gave, and what reading data changes."""

from __future__ import annotations

import getpass
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.egress.redaction import redact
from lexsi_nb.errors import nearest
from lexsi_nb.kernel.frames import frame_library
from lexsi_nb.toolkit.call import Approval, ApprovalRequest, Call, canonical
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.redaction import masked
from lexsi_nb.toolkit.spec import OUTSIDE, Outcome

if TYPE_CHECKING:
    from lexsi_nb.kernel.variables import Variables
    from lexsi_nb.store.audit import AuditLog

_MOST_LOGGED = 2_000
# Scopes that stay once text from data was read: they look at things, and work on this machine.
KEPT = frozenset({"model:train", "model:use"})


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


def _mark(tool: str, values: Any) -> str:
    """Return what stands for a call, a hash: it is stored with a parked run, and arguments may be secrets."""
    return hashlib.sha256(f"{tool} {steady(values)}".encode()).hexdigest()


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
    edited: set[str] = field(default_factory=set)  # calls a person wrote, and has not seen as they would run
    read_data: bool = False

    def __call__(self, request: ApprovalRequest) -> Approval | None:
        """Return the answer to a request, None where nobody has given one."""
        args = steady(request.args)
        mark = _mark(request.name, request.args)
        if mark in self.declined:
            return Approval(False, self.declined[mark])
        grant = self.granted
        if grant is not None and grant.tool == request.name:
            fits = grant.args == args if grant.digest is None else grant.digest == request.digest
            if fits:
                self.granted = None  # it holds once
                self.edited.discard(mark)
                return Approval(True)
        if mark in self.edited:
            return None
        if request.name in self.named or (request.name in self.standing and not self._lapsed(request)):
            self.note("approved by name", request.name, request.args, digest=request.digest)
            return Approval(True)
        return None

    def withdrawn(self, scopes: Iterable[str], tool: str) -> frozenset[str]:
        """Return those of the session's scopes that the run has lost for this tool by reading text from data.

        A tool that the user named keeps all of them.
        """
        if not self.read_data or tool in self.named or tool in self.standing:
            return frozenset()
        return frozenset(s for s in scopes if s not in KEPT and not s.endswith(":read"))

    def unknown(self, tools: Iterable[str]) -> list[str]:
        """Return a warning for each name approved for the session that is no tool: it would approve nothing, unsaid."""
        known, found = list(tools), []
        for name in sorted(self.standing.difference(known)):
            near = ", ".join(nearest(name, known))
            found.append(f"approve names {name!r}, which is no tool.{f' Nearest: {near}.' if near else ''}")
        return found

    def _lapsed(self, request: ApprovalRequest) -> bool:
        return request.cautious and request.side_effect == "irreversible"

    def decline(self, tool: str, values: Any, reason: str) -> None:
        """Keep a no for the rest of the run: the same call is not asked about again."""
        self.declined[_mark(tool, values)] = reason

    def edit(self, tool: str, values: Any) -> None:
        """Keep that a person changed a call: it is shown as it would run, and runs after a yes to that."""
        self.declined.pop(_mark(tool, values), None)
        self.edited.add(_mark(tool, values))

    def grant(self, tool: str, values: Any, digest: str | None) -> None:
        """Keep a yes to one call. The latest word of a person counts."""
        self.declined.pop(_mark(tool, values), None)
        self.granted = Grant(tool, steady(values), digest)

    def insists(self, call: Call) -> bool:
        """Return whether a person's answer decides about a call, also where its tool would not ask (any more)."""
        mark = _mark(call.name, call.values)
        return mark in self.declined or mark in self.edited

    def why(self, about: Mapping[str, Any]) -> str:
        """Return why a call asks, in a line; `about` is what the gate said of it."""
        effect = about.get("side_effect")
        if about.get("insisted"):
            return "Its arguments were changed by hand; this is the call as it would run."
        if effect == "irreversible":
            return "It cannot be undone."
        if self.read_data and effect in OUTSIDE:
            return "It acts outside this notebook, after text from the data was read."
        if lost := about.get("withheld"):
            names = ", ".join(lost)
            return f"Text from the data was read, which took the scope {names} away; a yes gives it for this call."
        return "Its author wants a person to agree."

    def key(self, call: Call) -> str | None:
        """Return the idempotency key of a call that acts outside the kernel: the same ask and data, the same key."""
        if call.side_effect not in OUTSIDE:
            return None
        told = canonical(call.told)
        return hashlib.sha256("\x1f".join([self.key_base, call.name, told, self._marks(call)]).encode()).hexdigest()[
            :32
        ]

    def describe(self, call: Call) -> Effect:
        """Return the frames a call names, with their rows, columns and content."""
        frames = tuple((n, *_shape(self.variables.namespace[n])) for n in self._frames(_named(call)))
        mark = self._marks(call)
        spec = call.tool.spec
        cost = "it costs money; the tool does not say how much" if spec.cost_class == "paid" else ""
        return Effect(frames=frames, mark=mark, cost=cost)

    def read(self, outcome: Outcome) -> None:
        """Note whether the planner read text that came from data, or somebody else's words."""
        if outcome.result.observation.untrusted:
            self.read_data = True

    def record(self, args: Any, outcome: Outcome) -> None:
        """Log a call that a person had to agree to, or that acts outside the kernel, with how it went."""
        about = outcome.result.meta.get("approval")
        if outcome.status not in ("ok", "failed", "duplicate"):
            return
        if about is not None or outcome.side_effect in OUTSIDE:
            digest = about["digest"] if isinstance(about, dict) else ""
            self.note("ran", outcome.tool, args, digest=digest, status=outcome.status)

    def note(self, event: str, tool: str, args: Any, **more: Any) -> None:
        """Write one entry of the audit log."""
        text = redact(steady(masked(args)))[:_MOST_LOGGED]
        self.log().add(event, who=self.principal, tool=tool, args=text, run=self.run_id, **more)

    def picture(self, name: str) -> BinaryContent:
        """Return the picture or PDF that a variable holds.

        Raises:
            ValueError: no such variable, or none of these; lists the nearest names.
        """
        from lexsi_nb.toolkit.media import to_binary_content

        namespace = self.variables.namespace
        found = self.variables.named(name) or name
        if found in namespace:
            return to_binary_content(namespace[found])
        held = [n for n, v in list(namespace.items()) if _holds_media(v) and not n.startswith("_")]
        near = nearest(name, held) or held[:8]
        raise ValueError(
            f"no variable {name!r} holds a picture or a PDF" + (f"; nearest: {', '.join(near)}" if near else "")
        )

    def _marks(self, call: Call) -> str:
        """Return what the frames, pictures and PDFs are that a call names or reads."""
        held = self.variables.namespace
        others = [n for n in call.reads if n in held and frame_library(held[n]) is None]  # such as a model
        marks = [self.variables.fingerprint(n) for n in [*self._frames(_named(call)), *others]]
        for text in _texts(call.args):
            value = self.variables.namespace.get(self.variables.named(text) or text)
            data = getattr(value, "data", value)
            if isinstance(value, bytes | bytearray | BinaryContent) and isinstance(data, bytes | bytearray):
                marks.append(hashlib.sha256(data).hexdigest()[:16])
        return " ".join(marks)

    def _frames(self, args: Any) -> list[str]:
        """Return the variables with frames that the texts in `args` name, in order."""
        found: dict[str, None] = {}
        for text in _texts(args):
            name = self.variables.named(text) or text
            if frame_library(self.variables.namespace.get(name)) is not None:
                found[name] = None
        return list(found)


def _named(call: Call) -> list[Any]:
    return [call.args, call.values, call.reads]


def _holds_media(value: Any) -> bool:
    return isinstance(value, bytes | bytearray | BinaryContent) or hasattr(type(value), "_repr_png_")


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
