"""About how many tokens a request has, counted without any provider: the same on every machine."""

from __future__ import annotations

import json
from dataclasses import dataclass

from lexsi_nb.agent.planner import Message, Turn

CHARS_A_TOKEN = 4
MOST_AT_ONCE = 8.0  # times the estimate: no script has more tokens than that
MEDIA_TOKENS = 1_500  # of a picture or a page, however many bytes it has


def size(message: Message) -> int:
    """Return about how many tokens a message has."""
    calls = json.dumps([c.args for c in message.calls], default=str, ensure_ascii=False) if message.calls else ""
    return (len(message.text) + len(calls)) // CHARS_A_TOKEN + MEDIA_TOKENS * len(message.media)


def estimate(turn: Turn) -> int:
    """Return about how many tokens a turn has."""
    text = json.dumps([turn.system, turn.dataset, turn.tools], default=str, ensure_ascii=False)
    return len(text) // CHARS_A_TOKEN + sum(map(size, turn.messages)) + 1


@dataclass
class Measure:
    """How many tokens a provider counted for one of ours, in its last request: other scripts have more a letter."""

    times: float = 1.0

    def learn(self, estimated: int, counted: int) -> None:
        """Take over what a provider counted for a request; never less than the estimate, so that nothing overflows."""
        if estimated and counted:
            self.times = min(max(1.0, counted / estimated), MOST_AT_ONCE)

    def of(self, estimated: int) -> int:
        """Return about how many tokens the provider will count."""
        return int(estimated * self.times)
