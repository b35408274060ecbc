"""The gates between a planner's call and a tool, each a small wrapper over the next.

Order: unknown tool, scope, arguments, the tool's own check, dry run, finished before, approval, run. What reveals
nothing comes before what reveals how a tool works, the cheap before the dear. "Finished before" stands ahead of
approval, so that nobody is asked again about what is done.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from lexsi_nb.errors import nearest
from lexsi_nb.toolkit.call import Approval, ApprovalRequest, Call, canonical
from lexsi_nb.toolkit.declare import Tool
from lexsi_nb.toolkit.effect import Effect, effect_of
from lexsi_nb.toolkit.finished import FinishedCalls, Record, fingerprint
from lexsi_nb.toolkit.schema import Invalid
from lexsi_nb.toolkit.spec import OUTSIDE, Outcome, ToolResult

_MOST_NAMES = 40
Next = Callable[[Call], Awaitable[Outcome]]


class Gate:
    """The delegating base: a gate that lets every call through."""

    def __init__(self, inner: Next) -> None:
        self.inner = inner

    async def __call__(self, call: Call) -> Outcome:
        """Return the outcome: of this gate when it stops the call, else of the next."""
        return await self.inner(call)


class UnknownToolGate(Gate):
    """Stops a call of a tool that is not there; names the nearest that the caller may use."""

    def __init__(self, inner: Next, tools: Mapping[str, Tool]) -> None:
        super().__init__(inner)
        self.tools = tools

    async def __call__(self, call: Call) -> Outcome:
        found = self.tools.get(call.name) if isinstance(call.name, str) else None
        if found is None:
            return call.leave("unknown_tool", self._text(call))
        call.tool = found
        return await self.inner(call)

    def _text(self, call: Call) -> str:
        usable = [name for name, tool in self.tools.items() if tool.spec.scopes <= call.scopes]
        if near := nearest(str(call.name), usable):
            return f"No tool {call.name!r}. Nearest: {', '.join(near)}."
        if not usable:
            return f"No tool {call.name!r}."
        more = ", ..." if len(usable) > _MOST_NAMES else ""
        return f"No tool {call.name!r}. There is: {', '.join(usable[:_MOST_NAMES])}{more}."


class ScopeGate(Gate):
    """Stops a caller that lacks a scope; it learns nothing else about the tool.

    A scope that was withdrawn because text from data was read comes back for one call by a person's yes. Tools that
    never ask a person are denied.
    """

    async def __call__(self, call: Call) -> Outcome:
        spec = call.tool.spec
        missing = spec.scopes - call.scopes
        if missing - call.withdrawn:
            names = ", ".join(sorted(missing - call.withdrawn))
            text = f"{call.name} is not permitted here. Missing scope: {names}. Do not retry; tell the user."
            return call.leave("denied", text)
        if missing and spec.side_effect not in OUTSIDE and spec.needs_approval is None:
            text = (
                f"{call.name} is not permitted any more in this run: text that came from data was read, and such text "
                f"may ask for things. Withdrawn scope: {', '.join(sorted(missing))}. Do not retry; tell the user to "
                f'name it, approve=("{call.name}",) or --approve {call.name}, or to ask in a question of its own.'
            )
            return call.leave("denied", text, withdrawn=sorted(missing))
        call.withheld = missing
        return await self.inner(call)


class ArgumentGate(Gate):
    """Stops arguments that do not fit the schema, with every problem at once."""

    async def __call__(self, call: Call) -> Outcome:
        try:
            call.values = call.tool.schema.validate(call.args, media=call.media)
        except Invalid as invalid:
            lines = "\n".join(f"- {problem}" for problem in invalid.problems)
            return call.leave("invalid", f"Invalid arguments for {call.name}:\n{lines}", problems=invalid.problems)
        return await self.inner(call)


class CheckGate(Gate):
    """Stops what the tool's own check refuses: well formed and still wrong, such as a table that is not there."""

    async def __call__(self, call: Call) -> Outcome:
        check = call.tool.spec.check
        if check is not None:
            said = check(call.values, call.context) if call.tool.check_takes_context else check(call.values)
            if inspect.isawaitable(said):
                said = await said
            if said is not None and not isinstance(said, str | list | tuple):
                raise TypeError(
                    f"check= returned {type(said).__name__}; return a list of problems, empty when all is well"
                )
            problems = [said] if isinstance(said, str) and said else list(said or ())
            if problems:
                return call.leave("rejected", "\n".join(str(p) for p in problems), problems=problems)
        return await self.inner(call)


class DryRunGate(Gate):
    """Describes instead of running, when the run is a rehearsal; every earlier gate has passed."""

    async def __call__(self, call: Call) -> Outcome:
        if not call.dry_run:
            return await self.inner(call)
        planned = canonical(call.args)
        asks = " It would ask for approval first." if needs_approval(call) else ""
        text = f"Dry run: would call {call.name} with {planned}.{asks} Nothing was changed."
        return call.leave("dry_run", text, ok=True)


class FinishedGate(Gate):
    """Answers a repeated call from the store: same key, tool, arguments and principal act once."""

    def __init__(self, inner: Next, store: FinishedCalls) -> None:
        super().__init__(inner)
        self.store = store
        self._running: set[tuple[str, str]] = set()  # claimed by this process and not over

    async def __call__(self, call: Call) -> Outcome:
        key = call.idempotency_key
        key = key(call) if callable(key) else key
        if key is None:
            return await self.inner(call)
        digest = fingerprint(call.name, canonical(call.told), call.principal)
        # Claimed in one step: of two calls with one key, at the same time even, one gets None and runs.
        earlier = self.store.claim(call.principal, key, digest)
        if earlier is not None and not self._left_half_way(call, key, earlier, digest):
            return await self._repeat(call, earlier, digest)
        self._running.add((call.principal, key))
        call.late = lambda result: self._settle(call, key, digest, result)
        keep = False
        try:
            outcome = await self.inner(call)
            keep = outcome.status == "ok" or call.late_pending or bool(outcome.result.meta.get("uncertain"))
            if outcome.status == "ok":
                self.store.finish(call.principal, key, Record(digest, "finished", outcome.result))
            return outcome
        except BaseException:
            # Stopped half-way: what acts outside the kernel may have acted.
            keep = call.late_pending or (call.begun and unsure(call))
            raise
        finally:
            self._running.discard((call.principal, key))
            if not keep:
                self.store.release(call.principal, key)

    def _left_half_way(self, call: Call, key: str, earlier: Record, digest: str) -> bool:
        """Return whether a resumable call was left half-way by a kernel that is gone, so that it may go on."""
        begun = earlier.state == "started" and earlier.digest == digest
        return begun and call.tool.spec.resumable and (call.principal, key) not in self._running

    def _settle(self, call: Call, key: str, digest: str, result: ToolResult | None) -> None:
        if result is not None:
            self.store.finish(call.principal, key, Record(digest, "finished", result))
        elif not unsure(call):  # what acts outside may have acted before it raised
            self.store.release(call.principal, key)

    async def _repeat(self, call: Call, earlier: Record, digest: str) -> Outcome:
        if earlier.digest != digest:
            return call.leave("rejected", "The key belongs to another tool or to other arguments. Use a new key.")
        if earlier.state == "finished" and earlier.result is not None:
            return await self._restored(call, earlier.result)
        return call.leave(
            "rejected",
            f"An earlier {call.name} with this key was started and has not reported back; it may or may not have "
            "acted. Do not retry; tell the user to check, and to ask with again=True (--again) if it has not.",
        )

    @staticmethod
    async def _restored(call: Call, first: ToolResult) -> Outcome:
        """Return the first result, after what it left in the kernel was brought back where its tool knows how."""
        restore = call.tool.spec.restore
        if restore is None:
            return Outcome("duplicate", first, tool=call.name, args=call.args or {})
        back = await asyncio.to_thread(restore, call.values, call.context, first)
        if inspect.isawaitable(back):
            back = await back
        result = back if isinstance(back, ToolResult) else first
        meta = {**first.meta, **result.meta, "restored": True}
        return Outcome("duplicate", dataclasses.replace(result, meta=meta), tool=call.name, args=call.args or {})


class ApprovalGate(Gate):
    """Asks a person before what cannot be undone or what the tool says needs it."""

    async def __call__(self, call: Call) -> Outcome:
        if not needs_approval(call):
            return await self.inner(call)
        effect = await _effect(call)
        digest = digest_of(call.name, call.args, call.principal, effect, call.tool.mark)
        answer = await self._answer(call, digest, effect)
        about = {"tool": call.name, "args": call.args or {}, "digest": digest, "effect": effect}
        about |= {"side_effect": call.side_effect, "withheld": sorted(call.withheld), "insisted": _insisted(call)}
        if answer is None or (answer.digest is not None and answer.digest != digest):
            text = f"{call.name} waits for a person's approval and has not run. Do not retry; tell the user."
            return call.leave("awaiting_approval", text, approval=about)
        if not answer.approved:
            why = f" Reason: {answer.reason.rstrip('.')}." if answer.reason else ""
            text = f"A person declined {call.name}.{why} Do not retry; tell the user it was not approved."
            return call.leave("declined", text, approval=about)
        outcome = await self.inner(call)
        outcome.result.meta.setdefault("approval", about)
        return outcome

    @staticmethod
    async def _answer(call: Call, digest: str, effect: Effect) -> Approval | None:
        if call.approver is None:
            return None
        request = ApprovalRequest(
            call.name, dict(call.values), digest, call.tool, call.principal, effect, call.cautious, call.side_effect
        )
        said = call.approver(request)
        if inspect.isawaitable(said):
            said = await said
        if said is None or isinstance(said, Approval):
            return said
        return Approval(said is True)


def needs_approval(call: Call) -> bool:
    """Return whether a person has to agree to this call."""
    spec = call.tool.spec
    if _insisted(call):
        return True
    if call.withheld or call.side_effect == "irreversible" or (call.cautious and acts_outside(call)):
        return True
    if spec.needs_approval is None:
        return False
    asks = call.tool.approval_takes_context
    return bool(spec.needs_approval(call.values, call.context) if asks else spec.needs_approval(call.values))


def _insisted(call: Call) -> bool:
    return call.insists is not None and call.insists(call)


def acts_outside(call: Call) -> bool:
    """Return whether the call may change something that a failed step cannot take back."""
    return call.side_effect in OUTSIDE


def unsure(call: Call) -> bool:
    """Return whether a call that did not end well may have acted and must not be made again."""
    return acts_outside(call) and not call.tool.spec.resumable


async def _effect(call: Call) -> Effect:
    """Return what the person is shown: what the tool says, beside what the run knows of the frames it names."""
    known = call.describe(call) if call.describe is not None else Effect()
    asked = call.tool.spec.effect
    if asked is None:
        return known
    said = asked(call.values, call.context) if call.tool.effect_takes_context else asked(call.values)
    if inspect.isawaitable(said):
        said = await said
    return effect_of(said).beside(known)


def digest_of(name: str, args: Any, principal: str = "user", effect: Effect | None = None, mark: str = "") -> str:
    """Return the digest an approval of this call is bound to: tool, arguments, principal, and the effect as shown.

    `mark` says what the tool is: defined anew with other words or other code, it is asked about anew.
    """
    shown = effect.bound if effect is not None else ""
    return fingerprint(name, "\n".join(t for t in (canonical(args), shown, mark) if t), principal)


def chain(tools: Mapping[str, Tool], store: FinishedCalls, run: Next) -> Gate:
    """Return the gates in order around `run`."""
    return UnknownToolGate(
        ScopeGate(ArgumentGate(CheckGate(DryRunGate(FinishedGate(ApprovalGate(run), store))))),
        tools,
    )
