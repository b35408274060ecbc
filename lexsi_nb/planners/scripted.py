"""A planner that says what it was told to say: for tests, replays and examples."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from lexsi_nb.agent.planner import Decision, Thought, ToolCall, Turn

Line = Decision | Callable[[Turn], Decision]


def call(name: str, /, **args: Any) -> Decision:
    """Return a decision that calls one tool."""
    return Decision(calls=(ToolCall(name, args),))


def calls(*several: Decision) -> Decision:
    """Return one decision with the calls of `several`, for tools called in one turn."""
    return Decision(calls=tuple(c for d in several for c in d.calls))


def say(answer: str) -> Decision:
    """Return the decision that ends the run with `answer`."""
    return Decision(answer=answer)


def decline(answer: str) -> Decision:
    """Return the decision that ends the run without an answer to the question."""
    return Decision(answer=answer, status="declined")


class ScriptedPlanner:
    """Plays its lines in order; `turns` keeps what it was shown.

    A line may be a function of the turn. When it is forced to answer it says `last_words`.
    """

    name = "scripted"
    local = True

    def __init__(self, lines: list[Line], *, last_words: str = "No answer within the allowed steps.") -> None:
        self.lines = list(lines)
        self.last_words = last_words
        self.turns: list[Turn] = []

    async def decide(self, turn: Turn) -> AsyncIterator[Thought | Decision]:
        """Yield the next line."""
        self.turns.append(turn)
        if turn.force_final:
            yield Decision(answer=self.last_words)
            return
        if len(self.turns) > len(self.lines):
            raise IndexError(f"the script has {len(self.lines)} lines and was asked for line {len(self.turns)}")
        line = self.lines[len(self.turns) - 1]
        decision = line(turn) if callable(line) else line
        if decision.thought:
            yield Thought(decision.thought)
        yield decision
