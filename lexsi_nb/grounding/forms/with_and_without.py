"""Rows that have something beside those that have not: `number of members with and without a boat`."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.shares import beyond
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.reading import Reading
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL, measure_name


def with_and_without(ask: Ask) -> Reading | None:
    """Return the reading of one figure, of the rows with something and of those without; None for another question.

    Raises:
        Unread: what they have is more than rows of one table, or the figure is open.
    """
    items = ask.items
    at = next((i for i in range(1, len(items) - 2) if _both(ask, i)), None)
    if at is None:
        return None
    noun, after = items[at + 2], items[at + 3 :]
    words = f"{items[at].words} {items[at + 1].words}"
    if not noun.of("table") or (after and (after[0].tag("by") is None or after[0].entries)):
        refuse(f"I read '{words}' before the name of one kind of rows only.", words)
    rows = ask.read([*items[:at], *after])
    held = ask.read([*items[:at], replace(noun, gap=items[at].gap), *after])
    where, links = beyond(held, rows)
    if where or len(links) != 1 or len(rows.measures) != 1 or links[0].op or rows.order or rows.limit:
        refuse(f"I can't tell the two parts of '{words}' apart here.", words)
    one, name = rows.measures[0], measure_name(rows.measures[0])
    parts = (
        replace(one, links=links, name=f"{name}_with"),
        replace(one, links=(replace(links[0], negated=True),), name=f"{name}_without"),
    )
    made = replace(rows, kind="groupby" if rows.keys else "aggregate", measures=parts, notes=(), sql="")
    return replace(made, sql=ReadingSQL(made, ask.index).text(), text=phrasing(made))


def _both(ask: Ask, at: int) -> bool:
    joint, other = ask.items[at : at + 2]
    joined = joint.tag("and") is not None and not joint.entries and bool(set(joint.gap) & grammar.HAVING)
    return joined and other.tag("without") is not None and not other.entries and not other.gap
