"""A follow-up that asks for a picture of what was asked before: `as a pie`, `make it a line`, `as a violin plot`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lexsi_nb.grounding.language import retold, undefined
from lexsi_nb.grounding.mentions import Mention, said_again
from lexsi_nb.grounding.reading import Declined, Reading
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.relations import noticed

_PICTURES = ("chart", "distribution")  # a histogram is a look at the distribution
_FRAMING = ("question", "list", "and", *_PICTURES)
MOST_WORDS = 3  # that nothing accounts for in the name of a picture


def picture_alone(question: str, index: SchemaIndex) -> bool:
    """Whether a question names a kind of picture and nothing else; also one that is not drawn."""
    items = noticed(question, index).items
    named = any(_picture(m) for m in items)
    if named and all(any(m.tag(t) is not None for t in _FRAMING) and not m.entries for m in items):
        return True
    unknown = [m.words for m in items if not m.known]
    other = undefined.OTHER_CHARTS.search(question)
    known = [m for m in items if m.known and (m.entries or not any(m.tag(t) is not None for t in _FRAMING))]
    return other is not None and not known and 0 < len(unknown) <= MOST_WORDS


def drawn_anew(base: str, question: str, index: SchemaIndex, read: Callable[[str], Any]) -> str:
    """Return the question before with the picture that is asked for now, in place of one that it had.

    A picture that does not fit it comes back as a question that says why it is not drawn.
    """
    items = noticed(question, index).items
    charts = [m.words for m in items if _picture(m)]
    if not charts or not all(m.known for m in items):
        return question
    before = noticed(base, index).items
    plain = [m for m in before if not _picture(m)]
    rows = base.strip().rstrip(" ?.") if len(plain) == len(before) else said_again(plain)
    lead = " ".join(charts)
    ways = [retold.OF.format(lead, rows), f"{lead} {rows}"]
    return next((w for w in ways if isinstance(read(w), Reading)), ways[0])


def _picture(m: Mention) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in _PICTURES)


def not_a_picture(question: str, whole: str, index: SchemaIndex, read: Callable[[str], Any]) -> bool:
    """Whether a question asked for a picture alone and got none: the next one goes on with the one before it."""
    return picture_alone(question, index) and isinstance(read(whole), Declined)
