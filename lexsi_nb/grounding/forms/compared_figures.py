"""By which figure two things are compared: what a comparison must say, and where it says it."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.reading import Choice, Reading, Unread


def needs_figure(ask: Ask) -> None:
    """Refuse `larger loans` without a word for what is larger: a count would answer another question."""
    sized = [m for m in ask.items if not m.entries and (m.tag("more") is not None or m.tag("cmp") is not None)]
    sized = [
        m
        for m in sized
        if " ".join(w for w in m.words.casefold().split() if w not in grammar.THAN) not in lexicon.COUNTED_MORE
    ]
    figures = any(
        m.tag("agg") is not None or m.tag("count") is not None or m.tag("share") is not None or m.of("metric")
        or any(e.column and e.column.type == "number" and not m.of("table") for e in m.of("column")) for m in ask.items
    )  # fmt: skip
    if sized and not figures:
        refuse(f"I can't tell by which figure '{sized[0].words}' is meant.", sized[0].words)


def of_which_figure(ask: Ask) -> None:
    """Refuse `the difference between gold and silver`, `growth of refunds from 1995 to 1996`: of no figure."""
    asks = [m for m in ask.items if not m.entries and (m.tag("difference") is not None or m.tag("growth") is not None)]
    values = [m for m in ask.items if m.of("value")]
    own = {m.words for m in values if not m.of("table")}  # a value's own rows are said by no word of theirs
    figures = any(
        any(m.tag(t) is not None for t in ("agg", "count", "share", "more"))
        or (m.of("metric", "table", "condition", "outcome") and m.words not in own)
        or any(e.column and e.column.type == "number" for e in m.of("column")) for m in ask.items
    )  # fmt: skip
    if not asks or figures or not values or asks[0].words.casefold().startswith(tuple(grammar.HOW_MANY)):
        return
    sizes = [c for e in values[0].of("value") if (c := ask.index.size_of(e.table)) is not None]
    words = values[0].words
    if asks[0].tag("growth") is not None and sizes:
        ways = (f"number of {words}", f"total {sizes[0].name} of {words}")
        raise Unread(Choice(f"'{words}' can be a number of rows or a sum.", ways, words))
    if asks[0].tag("difference") is not None:
        refuse(f"'{asks[0].words}' in which figure? Say what is counted or measured.", asks[0].words)


def figure_said(ask: Ask, left: Reading, right: Reading, words: str) -> None:
    """Refuse `compare X and Y` of two names: each is one row, and no word says by what they are compared."""
    counted = left.measures[0].function == "count"
    said = any(m.tag(t) is not None for m in ask.items for t in ("count", "agg", "more")) or any(
        m.of("table", "metric") for m in ask.items
    )
    columns = {f.column for r in (left, right) for f in r.filters}
    own = [c for c in columns if c is not None and not c.sql and c.table == left.table]
    one = any(ask.index.unique(c.table, c.name) for c in own)
    if counted and one and not said:
        refuse(f"By which figure are {words} compared?")


def of_each(ask: Ask) -> None:
    """Refuse `shops with more buyers than sellers`: each shop is asked of, not all of them."""
    more, than = ask.at("more"), ask.at("than")
    noun = ask.items[more - 1] if more else None
    if more is None or than is None or than < more or noun is None or not noun.of("table", "column"):
        return
    if grammar.RELATIVE & set(ask.items[more].gap):
        refuse(f"I compare two figures with each other, not those of each of the {noun.words}.", noun.words)


def by_figure(ask: Ask) -> Ask:
    """`compare the north and the south by number of visits`: the figure is said last."""
    at = ask.at("by")
    if ask.at("compare") is None or at is None or at < 2 or at + 1 >= len(ask.items):
        return ask
    figure, before = ask.items[at + 1], ask.items[:at]
    figures = any(figure.tag(t) is not None for t in ("agg", "count")) or figure.of("metric") or figure.fused
    if not figures or any(m.tag(t) is not None for m in before for t in ("agg", "count")):
        return ask
    return replace(ask, items=(before[0], *ask.items[at + 1 :], *before[1:]))
