"""What the numbers of a model's answer are held against: the results, the facts, what tools said, the questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.planner import Message
from lexsi_nb.artifacts.figures import Known, marked
from lexsi_nb.artifacts.results import Attribution, ModelCard, Table
from lexsi_nb.toolkit.spec import GOOD

if TYPE_CHECKING:
    from lexsi_nb.tools.context import RunContext

_FENCE = re.compile(r"</?data>")


def known_in(context: RunContext, messages: Iterable[Message]) -> Known:
    """Return the numbers that an answer may have. What a model said before supports nothing."""
    known = Known()
    for message in messages:
        if message.role == "user" or (message.role == "tool" and message.status in GOOD):
            known.add_text(message.text)
    notes = context.notes
    for text in (
        context.question,
        notes.read_as,
        *notes.apart,
        *notes.warnings,
        *(w for lines in notes.facts.values() for w in lines),
    ):
        known.add_text(text)
    known.add_text(context.cache.get("last_summary", ""))
    known.add_text("\n".join(f"{what} {why}" for what, why in notes.left_out))
    for shown in context.artifacts:
        _add(known, shown.artifact)
    for bound in context.bound:
        known.add_text(bound.description)
    return known


def _add(known: Known, artifact: Any) -> None:
    if isinstance(artifact, Table):
        known.add_frame(artifact.frame)
    elif isinstance(artifact, Attribution):
        known.add_text(artifact.case)
        known.add_values([artifact.base, artifact.raw_score])
        known.add_values([artifact.probability] if artifact.probability is not None else [])
        for reason in artifact.reasons:
            known.add_values([reason.contribution])
            known.add_text(str(reason.value))
    elif isinstance(artifact, ModelCard):
        known.add_text("\n".join([artifact.headline, *(f"{n} {v}" for n, v in artifact.facts), *artifact.warnings]))


def checker(context: RunContext, messages: Callable[[], Iterable[Message]]) -> Callable[[str], str]:
    """Return a function that marks the numbers of a text which no result has; fences that were copied along go."""
    return lambda text: marked(_FENCE.sub("", text).strip(), known_in(context, messages()))
