"""A run as a record that any program or person can read: messages by role, as Markdown and as strict JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.planner import Message, ToolCall
from lexsi_nb.egress.redaction import redact
from lexsi_nb.errors import BadData
from lexsi_nb.toolkit.redaction import masked

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

ROLES = ("system", "user", "assistant", "tool")
FORMS = ("md", "json")
_DEEPEST = 40


@dataclass(frozen=True)
class Trajectory:
    """The messages of one run, oldest first, as plain values; neutral to providers.

    system, user: `content`. assistant: `thinking`, `content`, `tool_calls` (`tool_call_id`, `name`, `arguments`, which
    is None where the model sent no object). tool: `tool_call_id`, `name`, `response`, `status`, `is_retry_prompt` where
    the call did not run as asked.
    """

    id: str
    messages: tuple[dict[str, Any], ...]
    about: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return strict JSON: what JSON lacks is described, never left to the reader's parser."""
        fields = {"id": self.id, "about": self.about, "messages": list(self.messages)}
        return json.dumps(fields, indent=2, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Trajectory:
        """Return the trajectory that `to_json` wrote.

        Raises:
            BadData: it is no trajectory; says what is wrong.
        """
        try:
            fields = json.loads(text)
            messages = tuple(fields["messages"])
            unknown = [m.get("role") for m in messages if m.get("role") not in ROLES]
            made = cls(str(fields["id"]), messages, dict(fields.get("about") or {}))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadData("This is no trajectory.", f"{type(error).__name__}: {error}.") from error
        if unknown:
            raise BadData(f"A message has the role {unknown[0]!r}.", f"There is: {', '.join(ROLES)}.")
        return made

    def to_markdown(self) -> str:
        """Return the record as Markdown with an index; no content can end its own block."""
        lines = [f"# Run {self.id}", ""]
        lines += [f"- {k}: {_line(v)}" for k, v in self.about.items()]
        lines += ["", "## Index", ""]
        titles = [f"{n}. {_title(m)}" for n, m in enumerate(self.messages, 1)]
        lines += [f"- [{_escaped(t)}](#message-{n})" for n, t in enumerate(titles, 1)]
        for number, (title, message) in enumerate(zip(titles, self.messages, strict=True), 1):
            lines += ["", f'<a id="message-{number}"></a>', "", f"## {_escaped(title)}", ""]
            lines += _body(message)
        return "\n".join(lines).rstrip() + "\n"


def trajectory_of(run: Run) -> Trajectory:
    """Return the record of a run. Secrets are masked; bytes, frames and other objects are described."""
    used = run.usage
    about = {
        "question": run.question, "status": run.status, "planner": run.planner, "backend": run.backend,
        "dataset": run.dataset, "seed": run.seed, "versions": run.versions,
        "usage": {"requests": used.requests, "input_tokens": used.input_tokens, "output_tokens": used.output_tokens},
        "answer": run.answer,
    }  # fmt: skip
    system = [Message("system", run.system)] if run.system else []
    messages = tuple(_fields(m) for m in [*system, *_settled(run.messages)])
    return Trajectory(run.id, messages, plain(about))


def written(run: Run, form: str) -> str:
    """Return the record of a run as text.

    Raises:
        BadData: another form than md or json.
    """
    if form not in FORMS:
        raise BadData(f"There is no form {form!r} of a trajectory.", f"There is: {', '.join(FORMS)}.")
    made = trajectory_of(run)
    return made.to_markdown() if form == "md" else made.to_json()


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as strict JSON knows it: text without secrets, objects described."""
    if depth > _DEEPEST:
        return f"<{type(value).__name__}, nested too deep>"
    if isinstance(value, str):
        return redact(value).encode("utf-8", "replace").decode("utf-8")
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"<{len(bytes(value)):,} bytes>"
    if isinstance(value, Mapping):
        return {plain(str(k)): plain(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        return [plain(v, depth + 1) for v in items]
    shape = getattr(value, "shape", None)
    described = f", shape {tuple(shape)}" if isinstance(shape, tuple) else ""
    return f"<{type(value).__name__}{described}>"


def _settled(messages: Iterable[Message]) -> list[Message]:
    """Return the messages, a call that waited for a person with its result alone."""
    kept = _in_order(messages)
    last = {m.call_id: n for n, m in enumerate(kept) if m.role == "tool"}
    return [m for n, m in enumerate(kept) if m.role != "tool" or last[m.call_id] == n]


def _in_order(messages: Iterable[Message]) -> list[Message]:
    """Return the messages, the results of calls that ran side by side in the order of the calls."""
    kept: list[Message] = []
    place: dict[str, int] = {}
    for message in messages:
        if message.role == "assistant":
            place = {c.id: n for n, c in enumerate(message.calls)}
        at = len(kept)
        while message.role == "tool" and kept[at - 1 :] and kept[at - 1].role == "tool":
            if place.get(kept[at - 1].call_id, -1) <= place.get(message.call_id, len(place)):
                break
            at -= 1
        kept.insert(at, message)
    return kept


def _fields(message: Message) -> dict[str, Any]:
    if message.role == "assistant":
        calls = [_call(c) for c in message.calls]
        thinking, content = (message.text, "") if calls else ("", message.text)
        return {
            "role": "assistant",
            "thinking": plain(thinking) or None,
            "content": plain(content),
            "tool_calls": calls,
        }
    if message.role == "tool":
        media = [
            f"<{getattr(m, 'media_type', 'media')}, {len(getattr(m, 'data', b'')):,} bytes>" for m in message.media
        ]
        return {
            "role": "tool", "tool_call_id": message.call_id, "name": plain(message.name), "status": message.status,
            "response": "\n".join([plain(message.text), *media]),
            "is_retry_prompt": message.status in ("invalid", "rejected", "unknown_tool"),
        }  # fmt: skip
    return {"role": message.role, "content": plain(message.text)}


def _call(call: ToolCall) -> dict[str, Any]:
    args: Any = call.args  # what a model sent may be no object
    return {
        "tool_call_id": call.id,
        "name": plain(call.name),
        "arguments": masked(plain(args)) if isinstance(args, Mapping) else None,
    }


def _title(message: Mapping[str, Any]) -> str:
    calls = message.get("tool_calls") or []
    if calls:
        return f"assistant calls {', '.join(str(c['name']) for c in calls)}"
    if message["role"] == "tool":
        return f"tool {message.get('name') or ''}: {message.get('status') or 'done'}"
    return {"assistant": "assistant answers", "user": "user asks"}.get(message["role"], str(message["role"]))


def _body(message: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    if message.get("thinking"):
        lines += ["Thought:", "", *_fenced(message["thinking"])]
    for call in message.get("tool_calls") or []:
        lines += [f"{_escaped(str(call['name']))} (`{_line(call['tool_call_id'])}`):", ""]
        args = call["arguments"]
        text = "no object was sent" if args is None else json.dumps(args, indent=2, ensure_ascii=False)
        lines += _fenced(text, "json" if args is not None else "")
        # SQL in JSON has no line ends; as it is read it has.
        for name, value in (args or {}).items():
            if isinstance(value, str) and "\n" in value:
                lines += [f"`{_line(name)}`:", "", *_fenced(value)]
    said = message.get("response") if message["role"] == "tool" else message.get("content")
    return lines + (_fenced(str(said)) if said else [])


def _fenced(text: str, language: str = "") -> list[str]:
    """Return a block whose fence is longer than any run of backticks inside."""
    longest = max((len(m) for m in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", text, fence, ""]


def _line(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _escaped(" ".join(text.split()))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", " ".join(text.split()))
