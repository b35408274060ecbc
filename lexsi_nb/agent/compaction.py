"""Shortening a conversation that grows too long for a model: oldest first, calls and results together.

The same messages always give the same shorter ones, so that a run shortens in the same place each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from lexsi_nb.agent.planner import Message
from lexsi_nb.agent.tokens import size
from lexsi_nb.errors import BadData

NOTE = "Earlier parts of this conversation were left out to save room."
LEFT_OUT = "[result left out to save room; variables it made are still there]"
RESERVE = 32_000  # tokens of a model's window that are left to its reply, or a quarter of a smaller window
ASKED_CHARS = 120  # of an earlier question, in the note
MOST_ASKED = 12


@dataclass(frozen=True)
class Room:
    """Tokens a request may have before the conversation is shortened (`most`), and what it is shortened to."""

    most: int = 100_000
    target: int = 25_000

    def __post_init__(self) -> None:
        if not 0 < self.target < self.most:
            raise BadData(
                f"The conversation cannot be shortened to {self.target:,} from {self.most:,} tokens.",
                "It is shortened to a quarter of the limit.",
                "Give a limit of at least 4 tokens.",
            )

    @classmethod
    def of(cls, tokens: int) -> Room:
        """Return the room of a limit in tokens; a quarter of it is what is kept."""
        return cls(tokens, tokens // 4)

    def within(self, window: int | None) -> Room:
        """Return the room in a model's window: less where that is smaller, in the same proportion. None: not known.

        >>> Room().within(64_000), Room().within(1_000_000) == Room().within(None) == Room()
        (Room(most=48000, target=12000), True)
        """
        most = self.most if window is None else window - min(RESERVE, window // 4)
        return self if most >= self.most else Room(most, max(1, self.target * most // self.most))


@dataclass(frozen=True)
class Shortened:
    """Messages after shortening; `results` and `questions`: how many were left out."""

    messages: tuple[Message, ...]
    results: int = 0
    questions: int = 0


def shorten(
    messages: Sequence[Message], target: int, *, sizes: Callable[[Message], int] = size, fixed: int = 0
) -> Shortened:
    """Return the messages shortened until they and `fixed` tokens are at most `target`, or as far as it goes.

    Of questions before the latest go, oldest first: the results of calls, then calls, then answers, then the question.
    Then the older results of the latest question go. That question, its last calls and their results stay whole. A
    message that changed loses the provider's own parts. `sizes` is what a message has when it is sent.
    """
    asked = [_with_what_led_to_it(messages, i) for i, m in enumerate(messages) if m.role == "user"]
    if not asked:
        return Shortened(tuple(messages))
    # Beside the checkpoint itself, which is written anew.
    lead = [m for m in messages[: asked[0]] if not _is_note(m)]
    turns = [list(messages[a:b]) for a, b in zip(asked, [*asked[1:], len(messages)], strict=True)]
    before = _asked_in(messages[: asked[0]])
    counts = [0, 0]

    def small() -> bool:
        return fixed + sum(sizes(m) for t in (lead, *turns) for m in t) <= target

    for cut in (_without_results, _without_calls, _question_alone, _nothing):
        for at in range(len(turns) - 1):
            if small():
                break
            kept = cut(turns[at])
            counts[0] += _results(turns[at]) - _results(kept)
            counts[1] += bool(turns[at]) and not kept
            if not kept and turns[at]:
                before += [m.text for m in turns[at] if m.role == "user"]
            turns[at] = kept
    latest = turns[-1]
    last = max((i for i, m in enumerate(latest) if m.role == "assistant" and m.calls), default=len(latest))
    for i in range(last):
        if small():
            break
        if latest[i].role == "tool" and latest[i].text != LEFT_OUT:
            latest[i] = _left_out(latest[i])
            counts[0] += 1
    if not any(counts):
        return Shortened(tuple(messages))
    rest = [m for t in (lead, *turns) for m in t]
    return Shortened((Message("system", _note(before)), *rest), *counts)


def _without_results(turn: list[Message]) -> list[Message]:
    return [_left_out(m) if m.role == "tool" else m for m in turn]


def _without_calls(turn: list[Message]) -> list[Message]:
    return [m for m in turn if m.role != "tool" and not m.calls]


def _question_alone(turn: list[Message]) -> list[Message]:
    return [m for m in turn if m.role == "user"]


def _with_what_led_to_it(messages: Sequence[Message], at: int) -> int:
    """Return where a question begins: with what had happened since the answer before it."""
    while at > 1 and messages[at - 1].role == "system" and not _is_note(messages[at - 1]):
        at -= 1
    return at


def _nothing(turn: list[Message]) -> list[Message]:
    return []


def _left_out(message: Message) -> Message:
    return replace(message, text=LEFT_OUT, media=(), seen=None, parts=None)


def _results(turn: Iterable[Message]) -> int:
    return sum(m.role == "tool" and m.text != LEFT_OUT for m in turn)


def _is_note(message: Message) -> bool:
    return message.role == "system" and message.text.startswith(NOTE)


def _note(asked: list[str]) -> str:
    lines = [" ".join(a.split())[:ASKED_CHARS] for a in asked[-MOST_ASKED:]]
    return "\n".join([NOTE, *(["Asked before:"] if lines else []), *(f"- {line}" for line in lines)])


def _asked_in(lead: Sequence[Message]) -> list[str]:
    """Return the questions that an earlier note names."""
    noted = [m.text for m in lead if _is_note(m)]
    return [line[2:] for text in noted for line in text.splitlines() if line.startswith("- ")]
