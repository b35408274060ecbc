"""A follow-up about what came out: `only those above 200,000` of groups, `how many of them are women` of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lexsi_nb.grounding.conversation.conversing import Before, conditions_of, unresolved
from lexsi_nb.grounding.forms.asking import split_by
from lexsi_nb.grounding.language import conversation
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Reading
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.relations import noticed

_SAID = ("question", "list", "and")  # words of a follow-up that say nothing of the rows


def bounded(base: str, question: str, index: SchemaIndex, read: Callable[[str], Any]) -> str | None:
    """`mean size by town`, `only those above 300`: the groups whose figure is, and no figure of other rows.

    None where no bare number is compared with, or no figure of groups was asked for. A bound that can't be said of the
    figure comes back as a question that is declined.
    """
    said = [m for m in noticed(question, index).items if m.entries or not any(m.tag(t) is not None for t in _SAID)]
    compared = bool(said) and said[0].tag("cmp") is not None and not said[0].entries
    if not compared or len(said) < 2 or said[1].number is None or any(m.entries for m in said):
        return None
    b = Before(base.strip().rstrip(" ?."), read(base), index, read)
    found, items = b.found, b.items
    of_groups = isinstance(found, Reading) and found.keys and _one_figure(found) and not found.having
    if not of_groups or any(m.tag("cmp") is not None and not m.entries for m in items):
        return None
    figure = [m for m in split_by(items)[0] if m.tag("agg") is not None or m.of("column", "metric", "table")]
    rows = [m for m in figure if m.of("table")]
    bound = _text(said)
    ways = [conversation.FIGURE_BOUND.format(b.text, _text(figure), bound)]
    ways += [conversation.NUMBER_BOUND.format(b.text, _text(rows[:1]), bound)] if rows else []
    for way in ways:
        got = read(way)
        alike = b.kept_in(got) and (got.measures, got.links) == (found.measures, found.links)
        if alike and len(got.having) == 1 and conditions_of(got) == conditions_of(found):
            none = found.measures[0].function == "count" and index.engine.query(got.sql).empty
            return None if none else way  # "loans by status", "only those over 300k": no number of loans
    return unresolved(question)


def _one_figure(found: Reading) -> bool:
    """Whether one figure is told of groups; a rate may have the number of its rows beside it."""
    beside = [m for m in found.measures[1:] if m.function != "count" or found.measures[0].function != "metric"]
    return bool(found.measures) and not beside


def lost(before: Any, whole: Any) -> bool:
    """Whether a condition of the question before is not in the whole one, though nothing took its place."""
    if not isinstance(before, Reading) or not isinstance(whole, Reading) or not whole.sql:
        return False
    return not (conditions_of(whole) >= conditions_of(before) and len(whole.links) >= len(before.links))


def _text(items: Sequence[Mention]) -> str:
    return " ".join(m.words for m in items)
