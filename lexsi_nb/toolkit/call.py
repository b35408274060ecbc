"""One call on its way through the gates, and what a person is asked about it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from lexsi_nb.artifacts.secrets import mask_known
from lexsi_nb.toolkit.declare import Tool
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.redaction import hiding
from lexsi_nb.toolkit.signature import MISSING
from lexsi_nb.toolkit.spec import Outcome, SideEffect, Status, ToolResult

# (request) -> True, False, None (nobody can say now), or an Approval. May be async.
Approver = Callable[["ApprovalRequest"], Any]
# Runs a function on the cell's thread and returns an awaitable of what it returned.
CellThread = Callable[[Callable[[], Any]], Awaitable[Any]]


@dataclass(frozen=True)
class ApprovalRequest:
    """What a person is asked about. `digest` binds the answer to exactly this tool, arguments and effect."""

    name: str
    args: Mapping[str, Any]
    digest: str
    tool: Tool
    principal: str
    effect: Effect = field(default_factory=Effect)
    cautious: bool = False  # text from data was read before
    side_effect: SideEffect = "none"  # of this very call


@dataclass(frozen=True)
class Approval:
    """A person's answer. With a `digest` it holds for the request of that digest alone."""

    approved: bool
    reason: str = ""
    digest: str | None = None


@dataclass
class Call:
    """One call on its way through the gates; each gate adds what it found."""

    name: str
    args: Any
    context: Any = None
    injected: Mapping[str, Any] = field(default_factory=dict)
    principal: str = "user"
    scopes: frozenset[str] = frozenset()
    idempotency_key: str | Callable[[Call], str | None] | None = None
    dry_run: bool = False
    approver: Approver | None = None
    cell_thread: CellThread | None = None
    # Text that came from data was read before: what acts outside then needs a person, whatever the tool says.
    cautious: bool = False
    # Scopes that were held until such text was read: what needs one is denied, or asks where it can.
    withdrawn: frozenset[str] = frozenset()
    # What the run knows of a call's effect (the frames it names), beside what the tool says.
    describe: Callable[[Call], Effect] | None = None
    # The picture or PDF that a variable of this name holds.
    media: Callable[[str], Any] | None = None
    # Whether a person has a say in this call whatever its tool says: one that was declined, or changed by hand.
    insists: Callable[[Call], bool] | None = None
    tool: Tool = None  # type: ignore[assignment]  # set by the first gate
    values: dict[str, Any] = field(default_factory=dict)
    # Told the result (None: failed) of a tool whose thread finished after the call was given up.
    late: Callable[[ToolResult | None], None] | None = None
    late_pending: bool = False
    begun: bool = False  # the tool itself was entered
    withheld: frozenset[str] = frozenset()  # withdrawn scopes that only a person's yes gives back for this call
    _acts: SideEffect | None = None

    @property
    def side_effect(self) -> SideEffect:
        """What this very call does; what its tool may do at most, until the arguments were checked.

        Raises:
            TypeError: the tool's `acts` names none.
        """
        spec = self.tool.spec
        if spec.acts is None or (not self.values and self.tool.signature.parameters):
            return spec.side_effect
        if self._acts is None:
            said = spec.acts(self.values, self.context) if self.tool.acts_takes_context else spec.acts(self.values)
            if said not in get_args(SideEffect):
                raise TypeError(f"acts= returned {said!r}; return one of {', '.join(get_args(SideEffect))}")
            self._acts = said
        return self._acts

    @property
    def reads(self) -> tuple[str, ...]:
        """Labels and variables that the call reads beside those its arguments name, as its tool says."""
        reads = self.tool.spec.reads
        if reads is None:
            return ()
        return tuple(reads(self.values, self.context) if self.tool.reads_takes_context else reads(self.values))

    @property
    def told(self) -> dict[str, Any]:
        """The arguments as they came, without those that say what was the default anyway: one call, one form."""
        defaults = {p.name: p.default for p in self.tool.signature.parameters}
        args = self.args if isinstance(self.args, dict) else {}
        return {k: v for k, v in args.items() if not _is_default(self.values.get(k), defaults.get(k, MISSING))}

    def leave(self, status: Status, text: str, *, ok: bool = False, **meta: Any) -> Outcome:
        """Return the outcome of a call that ends at this gate, without the secrets among its arguments."""
        hide = hiding(self.args, mask_known)
        text = hide(text)
        meta = {k: [hide(v) for v in m] if isinstance(m, list) and all(isinstance(v, str) for v in m) else m
                for k, m in meta.items()}  # fmt: skip
        result = ToolResult(ok, text, error=None if ok else text, meta=meta)
        return Outcome(status, result, tool=self.name, args=self.args if isinstance(self.args, dict) else {})


def _is_default(value: Any, default: Any) -> bool:
    # Only what JSON knows: comparing a frame or a user's object may do anything.
    plain = (type(None), bool, int, float, str, list, dict)
    return isinstance(value, plain) and type(value) is type(default) and value == default


def canonical(args: Any) -> str:
    """Return the arguments as JSON that depends neither on their order nor on how a whole number is written.

    >>> canonical({"b": 2.0, "a": 1}) == canonical({"a": 1, "b": 2})
    True
    """
    return json.dumps(_steady(args or {}), sort_keys=True, ensure_ascii=False)


def _steady(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {k: _steady(v) for k, v in value.items()}
    return [_steady(v) for v in value] if isinstance(value, list | tuple) else value
