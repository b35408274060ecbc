"""A question without one of its conditions: `mean fee of visits in Oslo by plan`, without Oslo."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from lexsi_nb.grounding.reading import Reading
from lexsi_nb.grounding.schema.names import phrase

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

MOST_WORDS = 3  # that lead up to a condition, as "who live in" does


def dropped(question: str, words: str, grounder: Grounder) -> str:
    """Return the question without some words and what leads up to them, where it then asks the same of more rows.

    Empty where that is no question, or where more than a condition would be gone.
    """
    place = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", question, re.IGNORECASE)
    before = grounder.read(question)
    if place is None or not isinstance(before, Reading):
        return ""
    lead, rest = question[: place.start()].split(), question[place.end() :].strip()
    named = (n for n, w in enumerate(reversed(lead)) if grounder.index.entries.get(phrase(w)))
    for n in range(min(MOST_WORDS, next(named, len(lead))), -1, -1):
        asked = " ".join([*lead[: len(lead) - n], *([rest] if rest else [])]).strip()
        reading = grounder.read(asked) if asked else None
        if isinstance(reading, Reading) and _same_of_more(before, reading):
            return asked
    return ""


def _same_of_more(before: Reading, after: Reading) -> bool:
    """Whether two readings differ by conditions of the first alone."""
    conditions = [*before.filters, *before.links], [*after.filters, *after.links]
    fewer = len(conditions[1]) < len(conditions[0]) and all(_there(c, conditions[0]) for c in conditions[1])
    return fewer and _bare(before) == _bare(after)


def _there(condition: object, conditions: list[object]) -> bool:
    return _said(condition) in map(_said, conditions)


def _said(condition: object) -> str:
    """Return a condition as what it asks, whatever its words were."""
    return str(replace(condition, words="")) if hasattr(condition, "words") else str(condition)  # type: ignore[type-var]


def _bare(r: Reading) -> str:
    kept = (
        r.kind,
        r.table,
        [(m.function, m.column, m.share) for m in r.measures],
        [(k.column, k.grain) for k in r.keys],
    )
    return str((*kept, r.order, r.limit, r.distinct, r.having))
