"""Groups told by a share: which has the highest, which are above a percentage, and a share of rows named first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.groups import counted_rows
from lexsi_nb.grounding.reading import Having, Order, Reading
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL


def ranked_share(ask: Ask) -> Reading | None:
    """Return the reading of `which region has the highest share of ...`, `top 3 regions by share of ...`."""
    at = ask.at("share") or 0
    before = ask.items[at - 1] if at else None
    if before is None or before.entries:
        return None
    lead = ask.items[: at - 1]
    numbers = [int(m.number) for m in lead if isinstance(m.number, int) and not m.entries]
    tops = [m.tag("top") for m in lead if m.tag("top") is not None and not m.entries]
    nouns = [m for m in lead if m.of("table", "column")]
    plain = [
        m for m in lead if m in nouns or m.number is not None or m.tag("list") is not None or m.tag("top") is not None
    ]
    if len(plain) < len(lead) or not nouns or len(numbers) > 1:
        return None
    if before.tag("super") in ("desc", "asc"):
        way, limit = before.tag("super"), numbers[0] if numbers else 1
    elif before.tag("by") is not None and tops:
        way, limit = tops[0], numbers[0] if numbers else 10
    elif before.tag("by") is not None and not numbers and lead[0] in nouns:
        way, limit = "desc", None
    else:
        return None
    found = _grouped(ask, ask.items[at + 1 :], nouns)
    made = replace(found, kind="topk", order=Order(measure=found.measures[0], descending=way == "desc"), limit=limit)
    return _written(ask, made)


def share_above(ask: Ask) -> Reading | None:
    """Return the reading of `regions where more than 5% of the loans are in default`."""
    at = ask.at("share") or 0
    if at < 3 or ask.items[at - 1].number is None or ask.items[at - 2].tag("cmp") is None:
        return None
    lead = [m for m in ask.items[: at - 2] if m.tag("list") is None or m.entries]
    counts = bool(lead) and lead[0].tag("count") is not None and not lead[0].entries
    nouns = lead[1:] if counts else lead
    if not nouns or any(not m.of("table", "column") for m in nouns):
        return None
    found = _grouped(ask, ask.items[at + 1 :], nouns)
    op, number = ask.items[at - 2].tag("cmp") or ">", ask.items[at - 1].number
    made = _written(ask, replace(found, having=(Having(found.measures[0], op, number),)))
    return counted_rows(made) if counts else made


def share_within(ask: Ask) -> Reading | None:
    """Return the reading of `of the accounts opened in each year, what share has a loan`."""
    from lexsi_nb.grounding.forms.shares import part_rows

    at = ask.at("share") or 0
    if at < 1 or ask.first not in grammar.PART_OPENS:
        return None
    lead = [m for m in ask.items[:at] if not any(m.tag(t) is not None for t in ("among", "list")) or m.entries]
    while lead and (lead[-1].words in (",", "&") or lead[-1].tag("and") is not None):
        lead.pop()
    by = next((i for i, m in enumerate(lead) if m.tag("by") is not None and not m.entries), None)
    held = [m for m in ask.items[at + 1 :] if m.tag("in") is None or m.entries]
    if not lead or not held:
        return None
    if by is None:
        return part_rows(ask, lead, held, ())
    if not lead[by + 1 :]:
        refuse("I can't tell what to group by.", lead[by].words)
    return part_rows(ask, lead[:by], held, lead[by:])


def _grouped(ask: Ask, rest: Sequence[Mention], nouns: Sequence[Mention]) -> Reading:
    from lexsi_nb.grounding.forms.shares import of_groups

    found = of_groups(ask, list(rest), nouns)
    if not found.keys or not found.measures or not found.measures[0].share:
        refuse("I can't tell which share of which groups is meant.")
    return found


def _written(ask: Ask, made: Reading) -> Reading:
    made = replace(made, sql="")
    made = replace(made, sql=ReadingSQL(made, ask.index).text())
    return replace(made, text=phrasing(replace(made, measures=made.measures[:1])))
