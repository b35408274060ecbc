"""A dry run with a planner elsewhere: the answer is the first request, word for word, and nothing of it leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from lexsi_nb.agent.planner import AnswerPart, Decision, Planner, Thought, Turn, UsageReport
from lexsi_nb.agent.tokens import CHARS_A_TOKEN
from lexsi_nb.egress.gate import Outgoing, Unsent


class Rehearsal:
    """Asks a planner while the gate is shut, and answers with what it would have sent."""

    local = False

    def __init__(self, planner: Planner, policy: str) -> None:
        self._planner, self._policy = planner, policy
        self.name = planner.name

    async def decide(self, turn: Turn) -> AsyncIterator[Thought | AnswerPart | UsageReport | Decision]:
        """Yield what the planner yields; where it would send something, the decision to say what."""
        try:
            async for item in self._planner.decide(turn):
                yield item
        except Unsent as held:
            yield Decision(answer=request_text(held.outgoing, self._policy))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._planner, name)


def request_text(outgoing: Outgoing, policy: str) -> str:
    """Return a request in words, its body as it would be sent."""
    tokens, size = len(outgoing.body) // CHARS_A_TOKEN + 1, len(outgoing.body.encode())
    return (
        f"Dry run: nothing was sent. The first request would go to {outgoing.to} ({outgoing.host}).\n"
        f"{outgoing.method} {outgoing.url}, about {tokens:,} tokens, {size:,} bytes, under the data policy {policy}."
        f"\n\n{outgoing.body}"
    )
