"""A recording as planner and as model: decides what was decided, and stops where that no longer fits."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.agent.planner import Decision, Thought, ToolCall, Turn, UsageReport
from lexsi_nb.artifacts.secrets import MASK
from lexsi_nb.errors import LexsiError
from lexsi_nb.planners.rebinding import bound
from lexsi_nb.store.recording import RecordedCall, Recording, digest
from lexsi_nb.toolkit.spec import GOOD

SUMMARY = "summarize_result"
ANEW = "`--ask` to ask again"
Schema = Mapping[str, Mapping[str, str]]  # table -> column -> type


class ReplayStopped(LexsiError):
    """A recording that does not fit what is asked or what is there."""


@dataclass(frozen=True)
class Seen:
    """How a call of this run left the gates: status, digest and text of what was observed."""

    status: str
    digest: str
    text: str = ""


@dataclass(frozen=True)
class Surroundings:
    """What a replay compares its recording with, as it is now.

    `tools` gives the mark of each tool for the arguments recorded; `schema` the tables; `seen` the outcome of a call by
    its step number; `has_result` whether there is anything to put in words; `note` tells the person.
    """

    data: str
    tools: Callable[[Recording], Mapping[str, str]]
    schema: Callable[[], Schema]
    seen: Callable[[int], Seen | None]
    has_result: Callable[[], bool]
    note: Callable[[str], None]


class ReplayPlanner:
    """Plays a recording. Every call goes through the gates again; nothing of an approval is recorded or granted."""

    def __init__(self, recording: Recording, source: str) -> None:
        self.recording, self.source = recording, source
        self.name = f"replay of {recording.planner}"
        self.writes = not recording.local  # its answer is a model's, so its numbers are held against the results again
        self.local = recording.local  # so that the conversation holds what the planner then could read
        self.around: Surroundings | None = None

    @property
    def ran(self) -> frozenset[str]:
        """The statements that ran when they were recorded; not those that came back first."""
        first: dict[str, str] = {}
        for _, call in self.recording.numbered():
            sql = call.args.get("sql") if isinstance(call.args, Mapping) else None
            if isinstance(sql, str):
                first.setdefault(sql, call.outcome)
        return frozenset(sql for sql, outcome in first.items() if outcome in GOOD)

    async def decide(self, turn: Turn) -> AsyncIterator[Thought | Decision]:
        """Yield the thought and the decision recorded for this step, or a decision that says why it does not fit."""
        decision = self._decision(turn)
        if decision.thought:
            yield Thought(decision.thought)
        yield decision

    def _decision(self, turn: Turn) -> Decision:
        steps, number = self.recording.steps, turn.step
        misfit = self._before() if number == 1 else self._went(number - 1)
        if misfit:
            return self._stop(misfit)
        if turn.force_final and number < len(steps):
            return self._stop(f"it has {len(steps)} decisions and this run may take {number}")
        if number <= len(steps) and not turn.force_final:
            step = steps[number - 1]
            first = self._first(number)
            calls = tuple(ToolCall(c.tool, c.args, f"replay-{first + i}") for i, c in enumerate(step.calls))
            return Decision(calls=calls, thought=step.thought)
        return self._final(turn)

    def _final(self, turn: Turn) -> Decision:
        recording, around = self.recording, self._around
        calls = recording.numbered()
        if recording.ended == "tool":
            return self._stop("a tool ended the run when it was recorded and does not now", len(calls))
        same = all(c.saw == _digest_of(around.seen(n)) for n, c in calls)
        if recording.answer is not None and same:
            return Decision(
                answer=recording.answer, status="declined" if recording.status == "declined" else "answered"
            )
        if recording.status == "declined":
            return self._stop("it declined, and the data are no longer those it declined about")
        if self._summarised([*calls, (len(calls) + 1, RecordedCall(SUMMARY))]):
            if not same:
                around.note("its results differ from the recorded ones, so the answer was put in words anew")
            return Decision(answer="")  # the run completes it with that summary
        if turn.step > len(recording.steps) + 1 or turn.force_final or not around.has_result():
            return self._stop("the results changed, and the recorded answer is in words alone")
        return Decision(calls=(ToolCall(SUMMARY, {"question": turn.question}, f"replay-{len(calls) + 1}"),))

    def _summarised(self, calls: list[tuple[int, RecordedCall]]) -> bool:
        """Whether the last of the calls that went well is a summary, which is of these results."""
        good = [c.tool for n, c in calls if (s := self._around.seen(n)) and s.status in GOOD]
        return bool(good) and good[-1] == SUMMARY

    # -- what no longer fits

    @property
    def _around(self) -> Surroundings:
        if self.around is None:
            raise ReplayStopped("A replay was started without surroundings.", "A run gives them.", "Use Session.ask.")
        return self.around

    def _before(self) -> str:
        """Return why the recording cannot even begin, "" where it can."""
        recording, around = self.recording, self._around
        if around.data != recording.data.id:
            return f"it was asked of {recording.data.title or recording.data.id}, and these are other data"
        tools = around.tools(recording)
        for number, call in recording.numbered():
            if MASK in str(call.args):
                return _at(number, f"an argument of {call.tool} was a secret, which is not recorded")
            if call.outcome not in GOOD:
                continue
            if call.tool not in tools:
                return _at(number, f"the tool `{call.tool}` is gone")
            before, now = recording.tools.get(call.tool, ""), tools[call.tool]
            if before and _part(before, 0) != _part(now, 0):
                return _at(number, f"the tool `{call.tool}` takes other arguments now")
        changed = [t for t, m in recording.tools.items() if t in tools and m != tools[t]]
        if changed:
            around.note(f"{', '.join(changed)} describes itself in other words than when it was recorded")
        return ""

    def _went(self, step: int) -> str:
        """Return why the calls of a step did not go as recorded, "" where they did."""
        if step > len(self.recording.steps):
            return ""
        first = self._first(step)
        for number, call in enumerate(self.recording.steps[step - 1].calls, first):
            now = self._around.seen(number)
            if call.outcome in GOOD and (now is None or now.status not in GOOD):
                return _at(number, self._why(call, now))
        return ""

    def _why(self, call: RecordedCall, now: Seen | None) -> str:
        gone = gone_from(self.recording.data.uses, self._around.schema(), call.args)
        if gone:
            return gone
        if now is None:
            return f"{call.tool} did not run"
        said = " ".join(now.text.split())[:300]
        return f"{call.tool} was {call.outcome} when recorded and is {now.status} now: {said}".rstrip(": .")

    def _first(self, step: int) -> int:
        return 1 + sum(len(s.calls) for s in self.recording.steps[: step - 1])

    def _stop(self, why: str, number: int = 0) -> Decision:
        told = _at(number, why) if number else why
        return Decision(answer=f"Recording {self.source}, {told}; {ANEW}.", status="failed")


def gone_from(uses: Schema, now: Schema, args: Any) -> str:
    """Return which table or column that `args` name is gone or of another type, "" where none is.

    A column counts whichever table it was in: a step may read it by way of a label.
    """
    said = " ".join(texts(args))
    for table in uses:
        if table not in now and named(table, said):
            return f"table `{table}` is gone"
    for table, columns in uses.items():
        if table not in now:
            continue
        for column, kind in columns.items():
            if not named(column, said):
                continue
            if column not in now[table]:
                return f"column `{column}` is gone from `{table}`"
            if now[table][column] != kind:
                return f"column `{column}` of `{table}` was {kind} and is {now[table][column]}"
    return ""


def texts(value: Any) -> list[str]:
    """Return every text in plain values, at any depth."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [t for v in value.values() for t in texts(v)]
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in texts(v)]
    return []


def named(name: str, said: str) -> bool:
    """Whether a text names a table or column as a word of its own."""
    return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", said.casefold()) is not None


def asked_mark(question: str, parameters: Mapping[str, Any], prompt: str, system: str, form: str) -> str:
    """Return the digits that stand for a side query; values that the question took from variables do not count."""
    text = "\x1f".join([system, prompt, form]).replace(bound(question, parameters), question)
    return digest(text, 12)


@dataclass
class ReplayModel:
    """Gives recorded side replies to the prompts that got them, and to no other."""

    recording: Recording
    values: Mapping[str, Any]
    source: str
    last_usage: UsageReport = field(default_factory=lambda: UsageReport(requests=0))

    def __post_init__(self) -> None:
        self.name, self.local = self.recording.model, self.recording.model_local
        self._left: dict[str, deque[Any]] = defaultdict(deque)
        for reply in self.recording.replies:
            self._left[reply.asked].append(reply.reply)

    async def complete(self, prompt: str, *, system: str = "", output_type: type[Any] = str) -> Any:
        """Return the recorded reply.

        Raises:
            ReplayStopped: the recording has none for this prompt.
        """
        form = "" if output_type is str else output_type.__name__
        left = self._left.get(asked_mark(self.recording.question, self.values, prompt, system, form))
        if not left:
            raise ReplayStopped(
                f"Recording {self.source} has no reply to what this tool asks a model.",
                "The data or the tool changed since.",
                f"{ANEW}.",
            )
        reply = left.popleft() if len(left) > 1 else left[0]
        if output_type is str:
            return reply if isinstance(reply, str) else str(reply)
        from pydantic import TypeAdapter

        return TypeAdapter(output_type).validate_python(reply)


def _at(number: int, why: str) -> str:
    return f"step {number}: {why}"


def _part(mark: str, at: int) -> str:
    return mark.split(", ")[at] if mark.count(", ") >= at else mark


def _digest_of(seen: Seen | None) -> str:
    return seen.digest if seen is not None else ""
