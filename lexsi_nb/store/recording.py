"""A recorded run: what was asked, of which data, what the planner decided and said. Data only; nothing here runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.errors import LexsiError

FORMAT = 1
# More of these than any run of ours makes is no recording of ours.
MOST_STEPS = 100
MOST_CALLS = 50
MOST_REPLIES = 200
ENDINGS = ("answered", "declined")


class BadRecording(LexsiError):
    """A file that is no recording, or one that cannot be used."""


@dataclass(frozen=True)
class RecordedCall:
    """One call as decided, how it left the gates, and 8 hex digits of what the planner then saw."""

    tool: str
    args: dict[str, Any] = field(default_factory=dict)
    outcome: str = "ok"
    saw: str = ""


@dataclass(frozen=True)
class RecordedStep:
    """One decision."""

    calls: tuple[RecordedCall, ...]
    thought: str = ""


@dataclass(frozen=True)
class SideReply:
    """A model's reply to a tool during decision `step`; `asked` stands for the prompt, which is not kept."""

    step: int
    asked: str
    reply: Any


@dataclass(frozen=True)
class RecordedData:
    """The data asked about: `uses` has the types of the columns that the decisions name, by table."""

    id: str
    title: str = ""
    schema: str = ""
    content: str = ""
    uses: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class RecordedSent:
    """What went to one addressee while the question was asked: how many requests, of how many bytes together."""

    to: str
    requests: int
    bytes: int


@dataclass(frozen=True)
class Recording:
    """One finished run. `answer` None: it is put in words anew from the results.

    `parameters`: values that stood for `{name}` in `question`. `asked`: the how-manieth asking of that question.
    `local`: nothing that the planner read left the machine. `ended`: planner, or tool where a tool ended the run.
    `sent` and `used`: what the asking sent and cost; a replay sends nothing.
    """

    question: str
    planner: str
    data: RecordedData
    steps: tuple[RecordedStep, ...] = ()
    answer: str | None = None
    status: str = "answered"
    ended: str = "planner"
    local: bool = False
    model: str = ""
    model_local: bool = False
    tools: dict[str, str] = field(default_factory=dict)
    replies: tuple[SideReply, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    asked: int = 1
    notebook: str = ""
    sent: tuple[RecordedSent, ...] = ()
    used: str = ""
    usd: str = ""

    @property
    def key(self) -> str:
        """12 hex digits of the question as written, whatever its white space."""
        return key_of(self.question)

    def numbered(self) -> list[tuple[int, RecordedCall]]:
        """Return the calls with their step numbers, which count calls from 1."""
        return list(enumerate((c for s in self.steps for c in s.calls), 1))

    def fields(self) -> dict[str, Any]:
        """Return the recording as plain values in the order of the file; what is empty is left out."""
        data: dict[str, Any] = {"id": self.data.id, "title": self.data.title}
        data |= {"schema": self.data.schema, "content": self.data.content, "uses": self.data.uses}
        every: dict[str, Any] = {
            "format": FORMAT,
            "key": self.key,
            "question": self.question,
            "parameters": self.parameters,
            "asked": self.asked,
            "notebook": self.notebook,
            "planner": self.planner,
            "local": self.local,
            "model": {"name": self.model, "local": self.model_local} if self.model else {},
            "data": {k: v for k, v in data.items() if v},
            "tools": dict(sorted(self.tools.items())),
            "steps": [_step_fields(s) for s in self.steps],
            "replies": [{"step": r.step, "asked": r.asked, "reply": r.reply} for r in self.replies],
            "status": self.status,
            "ended": self.ended if self.ended != "planner" else "",
            "sent": [{"to": s.to, "requests": s.requests, "bytes": s.bytes} for s in self.sent],
            "used": self.used,
            "usd": self.usd,
        }
        kept = {k: v for k, v in every.items() if v not in ("", {}, [])}
        return {**kept, "answer": self.answer}


def key_of(question: str) -> str:
    """Return 12 hex digits that are equal for the same question, whatever its white space."""
    return hashlib.sha256(" ".join(question.split()).encode("utf-8", "replace")).hexdigest()[:12]


def digest(value: Any, length: int = 8) -> str:
    """Return hex digits of a JSON value or text, whatever the order of its keys."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:length]


def recording_from(fields: Any) -> Recording:
    """Return the recording that plain values describe, every type checked.

    Raises:
        BadRecording: something is missing, of a wrong type, too much, or unknown; says where.
    """
    top = _Reader(fields, "the recording")
    if (form := top.take("format", int)) != FORMAT:
        raise BadRecording(f"Its format is {form}.", f"This version reads {FORMAT}.", "Ask again with --ask.")
    top.take("key", str, "")
    data, model = _Reader(top.take("data", dict), "data"), _Reader(top.take("model", dict, {}), "model")
    steps, replies = top.take("steps", list, []), top.take("replies", list, [])
    if len(steps) > MOST_STEPS or len(replies) > MOST_REPLIES:
        raise BadRecording(f"It has {len(steps)} steps and {len(replies)} replies.", "No run has so many.")
    made = Recording(
        question=top.take("question", str),
        planner=top.take("planner", str),
        data=RecordedData(
            id=data.take("id", str),
            title=data.take("title", str, ""),
            schema=data.take("schema", str, ""),
            content=data.take("content", str, ""),
            uses=_uses(data.take("uses", dict, {})),
        ),
        steps=tuple(_step(s, n) for n, s in enumerate(steps, 1)),
        answer=top.take("answer", str, None),
        status=top.take("status", str, "answered"),
        ended=top.take("ended", str, "planner"),
        local=top.take("local", bool, False),
        model=model.take("name", str, ""),
        model_local=model.take("local", bool, False),
        tools=_texts(top.take("tools", dict, {}), "tools"),
        replies=tuple(_reply(r, n) for n, r in enumerate(replies, 1)),
        parameters=_scalars(top.take("parameters", dict, {})),
        asked=top.take("asked", int, 1),
        notebook=top.take("notebook", str, ""),
        sent=tuple(_sent(s, n) for n, s in enumerate(top.take("sent", list, []), 1)),
        used=top.take("used", str, ""),
        usd=top.take("usd", str, ""),
    )
    for reader in (top, data, model):
        reader.done()
    if made.status not in ENDINGS or made.ended not in ("planner", "tool"):
        raise BadRecording(f"It ended as {made.status!r} by {made.ended!r}.", "Only finished runs are recorded.")
    return made


class _Reader:
    """Takes fields out of a mapping, each of the type it must have."""

    def __init__(self, fields: Any, where: str) -> None:
        if not isinstance(fields, dict) or not all(isinstance(k, str) for k in fields):
            raise BadRecording(f"{where[:1].upper()}{where[1:]} is no mapping of names.")
        self._left, self._where = dict(fields), where

    def take(self, name: str, kind: type, *default: Any) -> Any:
        if name not in self._left and default:
            return default[0]
        if name not in self._left:
            raise BadRecording(f"{self._where} has no {name!r}.")
        value = self._left.pop(name)
        if value is None and default == (None,):
            return None
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise BadRecording(f"{name!r} of {self._where} is {type(value).__name__}, not {kind.__name__}.")
        return value

    def done(self) -> None:
        if self._left:
            raise BadRecording(f"{self._where} has {', '.join(map(repr, sorted(self._left)))}, which is unknown.")


def _step_fields(step: RecordedStep) -> dict[str, Any]:
    calls = []
    for c in step.calls:
        fields = {"tool": c.tool, "args": c.args, "outcome": c.outcome, "saw": c.saw}
        calls.append({k: v for k, v in fields.items() if v not in ("", {})})
    return {"thought": step.thought, "calls": calls} if step.thought else {"calls": calls}


def _step(fields: Any, number: int) -> RecordedStep:
    reader = _Reader(fields, f"step {number}")
    calls = reader.take("calls", list)
    if not 0 < len(calls) <= MOST_CALLS:
        raise BadRecording(f"Step {number} has {len(calls)} calls.")
    made = RecordedStep(tuple(_call(c, f"a call of step {number}") for c in calls), reader.take("thought", str, ""))
    reader.done()
    return made


def _call(fields: Any, where: str) -> RecordedCall:
    reader = _Reader(fields, where)
    args = reader.take("args", dict, {})
    if not _is_plain(args):
        raise BadRecording(f"The arguments of {where} are no plain values.")
    made = RecordedCall(reader.take("tool", str), args, reader.take("outcome", str, "ok"), reader.take("saw", str, ""))
    reader.done()
    return made


def _reply(fields: Any, number: int) -> SideReply:
    reader = _Reader(fields, f"reply {number}")
    made = SideReply(reader.take("step", int), reader.take("asked", str), reader.take("reply", object))
    reader.done()
    if not _is_plain(made.reply):
        raise BadRecording(f"Reply {number} is no plain value.")
    return made


def _sent(fields: Any, number: int) -> RecordedSent:
    reader = _Reader(fields, f"addressee {number}")
    made = RecordedSent(reader.take("to", str), reader.take("requests", int), reader.take("bytes", int))
    reader.done()
    return made


def _uses(fields: dict[Any, Any]) -> dict[str, dict[str, str]]:
    return {str(t): _texts(c, f"table {t}") for t, c in fields.items()}


def _texts(fields: Any, where: str) -> dict[str, str]:
    if not isinstance(fields, dict) or not all(isinstance(t, str) for pair in fields.items() for t in pair):
        raise BadRecording(f"{where} is no mapping of names to text.")
    return fields


def _scalars(fields: dict[Any, Any]) -> dict[str, Any]:
    if not all(isinstance(k, str) and k.isidentifier() and is_scalar(v) for k, v in fields.items()):
        raise BadRecording("'parameters' is no mapping of variable names to single values.")
    return fields


def is_scalar(value: Any) -> bool:
    """Whether a value is one that a recording keeps for a parameter."""
    return isinstance(value, (str, int, float, bool))


def _is_plain(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(k, str) and _is_plain(v) for k, v in value.items())
    if isinstance(value, list):
        return all(_is_plain(v) for v in value)
    return value is None or is_scalar(value)
