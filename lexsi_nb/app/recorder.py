"""What a run decides, sees and is told by models, noted as it goes, and the recording made of it."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.planner import AnswerPart, Decision, Model, Planner, Thought, ToolCall, Turn, UsageReport
from lexsi_nb.app.surroundings import data_facts, tool_marks
from lexsi_nb.egress.policy import Policy
from lexsi_nb.egress.redaction import redact
from lexsi_nb.errors import LexsiError
from lexsi_nb.planners.replay import Seen, asked_mark
from lexsi_nb.store.recording import RecordedCall, RecordedSent, RecordedStep, Recording, SideReply, digest
from lexsi_nb.toolkit.redaction import mask, masked
from lexsi_nb.toolkit.spec import Outcome

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.app.running import Running

# Numbers of three digits and words of four letters: shorter ones stand in any text.
_TELLING = re.compile(r"\d[\d.,]{2,}|[^\W\d_]\w{3,}")


class NotRecordable(LexsiError):
    """A finished run that cannot be kept as a recording."""


@dataclass
class Recorder:
    """Notes of one run. `held` are words that only withheld parts of observations had, `open` all the others."""

    policy: Policy = field(default_factory=Policy)  # that of the last call
    decisions: list[tuple[str, tuple[ToolCall, ...]]] = field(default_factory=list)
    seen: dict[int, Seen] = field(default_factory=dict)
    replies: list[SideReply] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)

    def watched(self, planner: Planner) -> Planner:
        """Return the planner, its decisions noted."""
        return _WatchedPlanner(planner, self)

    def watched_model(self, model: Model, question: str, parameters: Mapping[str, Any]) -> Model:
        """Return the model, its replies noted."""
        return _WatchedModel(model, self, question, parameters)

    def note(self, call: ToolCall, number: int, outcome: Outcome, policy: Policy) -> None:
        """Note how a call left the gates, and what of its words the policy keeps here: by dataset, column and count."""
        self.policy = policy
        observation = outcome.result.observation
        self.seen[number] = Seen(outcome.status, digest(observation.text), observation.text)
        for segment in observation.segments:
            told = policy.told(segment, observation.dataset)
            whole = _words(segment.text)
            open = set() if told is None else whole if told in (segment.text, segment.brief) else whole & _words(told)
            self.open |= open
            self.held |= whole - open

    def fields(self) -> dict[str, Any]:
        """Return the notes as JSON fields, for a run that is parked."""
        noted = json.dumps([[c.args for _, cs in self.decisions for c in cs], self.replies], default=str)
        return {
            "decisions": [[t, [{"name": c.name, "args": masked(c.args)} for c in cs]] for t, cs in self.decisions],
            "seen": {str(n): [s.status, s.digest] for n, s in self.seen.items()},
            "replies": [asdict(r) for r in self.replies],
            # No more of what is kept here than stands in these notes already.
            "held": sorted(w for w in _words(noted) if w in self.held and w not in self.open),
        }  # fmt: skip

    def restore(self, fields: Mapping[str, Any]) -> None:
        """Take up the notes of a run that another kernel parked."""
        self.decisions = [(t, tuple(ToolCall(**c) for c in calls)) for t, calls in fields["decisions"]]
        self.seen = {int(n): Seen(*s) for n, s in fields["seen"].items()}
        self.replies = [SideReply(**r) for r in fields["replies"]]
        self.held = set(fields.get("held", ()))

    def recording(self, running: Running, run: Run, *, answer: str, asked: int, notebook: str) -> Recording:
        """Return the finished run as a recording; `answer` is what its planner said.

        Raises:
            NotRecordable: an argument has no plain form, or holds what the data policy keeps here.
        """
        planner, model = running.planner, running.model
        self.open |= _words(running.question)  # the person's own words are in the recording anyway
        if model is not None and model.local:
            self._refuse(json.dumps([r.reply for r in self.replies], ensure_ascii=False), "A side reply")
        statuses = {s.number: s.status for s in running.loop.steps} if running.loop is not None else {}
        steps, number = [], 0
        for thought, calls in self.decisions:
            kept = []
            for call in calls:
                number += 1
                kept.append(self._call(call, number, statuses.get(number, "skipped"), local=planner.local))
            steps.append(RecordedStep(tuple(kept), self._text(thought, local=planner.local)))
        recorded_calls = [c for s in steps for c in s.calls]
        told = [*(c.args for c in recorded_calls), *(r.reply for r in self.replies)]
        own = (
            "" if run.status == "answered" and self._ended_by_tool(running) else self._text(answer, local=planner.local)
        )
        return Recording(
            question=redact(running.tape.asked.template),
            planner=planner.name,
            data=data_facts(running, told),
            steps=tuple(steps),
            answer=own or None,
            status=run.status,
            ended="tool" if self._ended_by_tool(running) else "planner",
            local=planner.local,
            model=model.name if model is not None and self.replies else "",
            model_local=bool(model is not None and self.replies and model.local),
            tools=tool_marks(running.session.registry, recorded_calls),
            replies=tuple(sorted(self.replies, key=lambda r: (r.step, r.asked))),
            parameters=dict(running.tape.parameters),
            asked=asked,
            notebook=notebook,
            **_spent(run),
        )

    def _ended_by_tool(self, running: Running) -> bool:
        return running.loop is not None and not running.loop.decided

    def _call(self, call: ToolCall, number: int, status: str, *, local: bool) -> RecordedCall:
        args = plain(masked(call.args) if isinstance(call.args, dict) else {}, f"step {number} ({call.name})")
        if local:
            self._refuse(json.dumps(args, ensure_ascii=False), f"Step {number} ({call.name})")
        seen = self.seen.get(number)
        return RecordedCall(call.name, args, status, seen.digest if seen is not None else "")

    def _refuse(self, text: str, where: str) -> None:
        """Raise where a text that belongs into the recording holds what the policy keeps here."""
        found = self._withheld(text)
        if not found:
            return
        if self.policy.level == "rows":
            remedy = "To record it all the same, make the column public: %lexsi policy public COLUMN"
        else:
            remedy = 'To record it all the same: %config LexsiMagics.policy = "rows"'
        raise NotRecordable(
            f"{where} has {found!r} in it, which comes from the data."
            if where.startswith("A ")
            else f"{where} has {found!r} in its arguments, which comes from the data.",
            f"The policy {self.policy.words} keeps that here.",
            remedy,
        )

    def _text(self, text: str, *, local: bool) -> str:
        """Return a text as it is kept: without secrets, and not at all where it holds what the policy keeps here."""
        return "" if local and self._withheld(text) else mask(redact(text))

    def _withheld(self, text: str) -> str:
        known = self.open
        return next((w for w in sorted(_words(text)) if w in self.held and w not in known), "")


class _WatchedPlanner:
    def __init__(self, planner: Planner, recorder: Recorder) -> None:
        self._planner, self._recorder = planner, recorder
        self.name, self.local = planner.name, planner.local

    async def decide(self, turn: Turn) -> AsyncIterator[Thought | AnswerPart | UsageReport | Decision]:
        """Yield what the planner yields."""
        async for item in self._planner.decide(turn):
            if isinstance(item, Decision) and item.calls:
                self._recorder.decisions.append((item.thought, item.calls))
            yield item

    def __getattr__(self, name: str) -> Any:
        return getattr(self._planner, name)


class _WatchedModel:
    def __init__(self, model: Model, recorder: Recorder, question: str, parameters: Mapping[str, Any]) -> None:
        self._model, self._recorder, self._question, self._parameters = model, recorder, question, parameters
        self.name, self.local = model.name, model.local

    async def complete(self, prompt: str, *, system: str = "", output_type: type[Any] = str) -> Any:
        """Return the model's reply."""
        reply = await self._model.complete(prompt, system=system, output_type=output_type)
        form = "" if output_type is str else output_type.__name__
        mark = asked_mark(self._question, self._parameters, prompt, system, form)
        kept = plain(reply.model_dump(mode="json") if hasattr(reply, "model_dump") else reply, "a side reply")
        self._recorder.replies.append(SideReply(len(self._recorder.decisions), mark, kept))
        return reply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


def _spent(run: Run) -> dict[str, Any]:
    """Return what a run sent, to whom, and what it cost, as a recording keeps it."""
    sizes: dict[str, list[int]] = {}
    for sent in run.sent:
        sizes.setdefault(mask(sent.to), []).append(sent.bytes)
    cost = run.usage.cost if run.usage.requests else None
    return {
        "sent": tuple(RecordedSent(to, len(b), sum(b)) for to, b in sizes.items()),
        "used": run.usage.words,
        "usd": "" if cost is None else str(cost),
    }


def plain(value: Any, where: str) -> Any:
    """Return a value as JSON knows it, without secrets.

    Raises:
        NotRecordable: it has no such form.
    """
    try:
        return _clean(json.loads(json.dumps(value)))
    except (TypeError, ValueError, RecursionError) as error:
        raise NotRecordable(f"The arguments of {where} have no plain form.", f"{error}.") from error


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return mask(redact(value))
    if isinstance(value, dict):
        return {k: _clean(v) for k, v in value.items()}
    return [_clean(v) for v in value] if isinstance(value, list) else value


def _words(text: str) -> set[str]:
    return {w.casefold().rstrip(".,") for w in _TELLING.findall(text)}
