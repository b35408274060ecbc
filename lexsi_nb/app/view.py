"""What of a conversation a planner is shown: cut by the policy that holds now, whoever wrote it then."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from lexsi_nb.agent.planner import Message, ToolCall
from lexsi_nb.artifacts.secrets import mask_known
from lexsi_nb.egress.policy import Policy
from lexsi_nb.egress.redaction import redact

WITHHELD = "[withheld by the data policy]"
ANSWERED = "Answered on this machine; the words are withheld by the data policy."


@dataclass(frozen=True)
class View:
    """Cuts messages for one planner. `policy()` is the one that holds at that moment."""

    policy: Callable[[], Policy]
    local: bool

    def __call__(self, messages: Iterable[Message]) -> tuple[Message, ...]:
        """Return the messages as the planner may read them."""
        policy = self.policy()
        out: list[Message] = []
        asked: list[str] = []
        for message in messages:
            if message.role == "user":
                asked.append(message.text.casefold())
            out.append(self._cut(message, policy, asked))
        return tuple(out)

    def _cut(self, message: Message, policy: Policy, asked: list[str]) -> Message:
        if message.seen is not None:
            text = policy.observe(message.seen, local=self.local)
            return message if text == message.text else replace(message, text=text)
        if self.local:
            return message
        if not message.here or (policy.allows("rows") and not policy.private):
            return _masked(message)
        calls = tuple(ToolCall(c.name, {k: _told(v, asked) for k, v in c.args.items()}, c.id) for c in message.calls)
        text = message.text if _asked(message.text, asked) else ("" if calls else ANSWERED)
        return _masked(replace(message, text=text, calls=calls, parts=None))


def _masked(message: Message) -> Message:
    """Return what a person or a model wrote without secrets: the gate would refuse every request that has one."""
    text = redact(message.text)
    calls = tuple(ToolCall(c.name, _without_secrets(c.args), c.id) for c in message.calls)
    if text == message.text and calls == message.calls and mask_known(str(message.parts)) == str(message.parts):
        return message
    return replace(message, text=text, calls=calls, parts=None)


def _without_secrets(value: Any) -> Any:
    """Return arguments with secrets masked; SQL that compares columns named like secrets stays as it is."""
    if isinstance(value, str):
        return mask_known(value)
    if isinstance(value, dict):
        return {k: _without_secrets(v) for k, v in value.items()}
    return [_without_secrets(v) for v in value] if isinstance(value, list | tuple) else value


def _told(value: Any, asked: list[str]) -> Any:
    """Return an argument as it may leave: what the user's own questions say, and no other value."""
    if value is None or isinstance(value, bool) or (isinstance(value, str) and _asked(value, asked)):
        return value
    if isinstance(value, dict):
        return {k: _told(v, asked) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_told(v, asked) for v in value]
    return WITHHELD


def _asked(text: str, asked: list[str]) -> bool:
    wanted = " ".join(text.casefold().split())
    return not wanted or any(wanted in " ".join(a.split()) for a in asked)
