"""A figure that was kept under a name, `revenue` for a total of settled bills: its conditions hold where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lexsi_nb.grounding.reading import Declined, Filter, Measure, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import condition


def conditions_of_figures_held(
    reading: Reading, asked: str, kept: Sequence[tuple[str, str]], read: Callable[[str], Reading]
) -> None:
    """Hold a reading against the conditions of the figures that were kept under a name and stand in the question.

    Raises:
        Unread: a condition of a figure is not in the reading, or holds for another part of it.
    """
    for words, means in kept:
        if means.casefold() in asked.casefold() or not re.search(rf"(?<!\w){re.escape(words)}(?!\w)", asked, re.I):
            continue
        try:
            figure = read(means)
        except Unread:
            continue
        if len(figure.measures) == 1 and (figure.filters or figure.links) and not _held(reading, figure):
            said = f"'{words}' is {means}, and I can't read this question with its condition."
            raise Unread(Declined(f"{said} Ask for it in these words, or with less beside it.", (words,)))


def _held(reading: Reading, figure: Reading) -> bool:
    wanted = figure.measures[0]
    same = [m for m in _measures(reading) if (m.function, m.column) == (wanted.function, wanted.column)]
    whole = {_said(f) for f in reading.filters}
    needed = {_said(f) for f in figure.filters}
    own = {str(m.column) for m in same if m.column is not None}
    bounded = any(str(f.column) in own and _said(f) not in needed for f in reading.filters)
    each = all(needed <= whole | {_said(f) for f in m.where} for m in same)
    links = all(k in reading.links for k in figure.links)
    return bool(same) and each and links and not bounded and not any(m.share for m in same)


def _measures(reading: Reading) -> list[Measure]:
    ordered = [reading.order.measure] if reading.order and reading.order.measure else []
    return [*reading.measures, *ordered, *(h.measure for h in reading.having)]


def _said(f: Filter) -> tuple[str, str]:
    return f.home, condition(f, "")
