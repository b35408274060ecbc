"""Words that point back at the question before: `how many visits did they make`, `sort it by plan`."""

from __future__ import annotations

from lexsi_nb.grounding.language import conversation
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.relations import noticed


def points_back(question: str, index: SchemaIndex) -> bool:
    """Whether a question is about the rows of the one before, by a pronoun that nothing in itself stands for."""
    text = " ".join(question.split()).strip(" ?.!,")
    if conversation.SORTED.fullmatch(text):
        return True
    found = next((m for p in conversation.POINTS_BACK if (m := p.fullmatch(text))), None)
    if found is None:
        return False
    before = noticed(text[: found.start("back")], index).items
    figure = any(m.tag(t) is not None for m in before for t in ("count", "agg"))
    named = sum(bool(m.of("table", "value")) for m in before)
    joined = any(m.tag("and") is not None for m in before[1:])
    return named <= int(figure) and not joined
