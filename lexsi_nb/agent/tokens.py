"""About how many tokens a request has, counted without any provider: the same on every machine."""

from __future__ import annotations

import json

from lexsi_nb.agent.planner import Message, Turn

CHARS_A_TOKEN = 4
MEDIA_TOKENS = 1_500  # of a picture or a page, however many bytes it has


def size(message: Message) -> int:
    """Return about how many tokens a message has."""
    calls = json.dumps([c.args for c in message.calls], default=str, ensure_ascii=False) if message.calls else ""
    return (len(message.text) + len(calls)) // CHARS_A_TOKEN + MEDIA_TOKENS * len(message.media)


def estimate(turn: Turn) -> int:
    """Return about how many tokens a turn has."""
    text = json.dumps([turn.system, turn.dataset, turn.tools], default=str, ensure_ascii=False)
    return len(text) // CHARS_A_TOKEN + sum(map(size, turn.messages)) + 1
