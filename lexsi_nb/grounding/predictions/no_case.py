"""Predictive questions that no ranking of cases answers: figures of a time to come, of groups, of most cases."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import grammar, lexicon, undefined
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Unread
from lexsi_nb.grounding.words import singular


def time_ahead(question: str, words: Sequence[str]) -> Declined | None:
    """Return why `next month` is not told of, where that is what no word of the data stands for; None otherwise."""
    m = undefined.AHEAD.search(question)
    if m is None or not {w.casefold() for w in words} & set(m[0].casefold().split()):
        return None
    how = f"Ask for the figure by {m['grain']} to see how it went so far; single cases can be predicted."
    return Declined(f"'{m[0]}' is beyond the data, and I forecast no figures over time. {how}", (m[0],))


def refuse_figures(items: Sequence[Mention]) -> None:
    """Refuse a figure over cases that are still open: a score ranks them.

    Raises:
        Unread: `how many will default`, `what share is likely to`, `are most loans likely to`.
    """
    told = [m.words for m in items if not m.entries and any(m.tag(t) is not None for t in ("count", "agg", "share"))]
    of = told or [m.words for m in (_of_them_all(items),) if m is not None]
    if of:
        what = next((str(e.value) for m in items for e in m.of("outcome")), "")
        asked = f"'{told[0]}'" if told else f"'{of[0]}' as a whole"
        text = f"A score ranks single cases and is no figure over them, so there is no honest answer for {asked}."
        if what:
            text += f" Ask which ones are likely to {what} for the ranking, or for the share of {what} observed so far."
        raise Unread(Declined(text, tuple(of)))


def _of_them_all(items: Sequence[Mention]) -> Mention | None:
    """Return the noun of `are (most) loans likely to default?`, which asks of all of them; None for other questions."""
    first = next((m for m in items if m.entries), None)
    if first is None or not first.of("table") or any(m.number is not None or m.literal is not None for m in items):
        return None
    word, opens = first.words.casefold(), {w for m in items[: items.index(first) + 1] for w in m.gap}
    opens |= {m.words.casefold() for m in items[: items.index(first)]}
    asked = bool(opens & (lexicon.ASKING | grammar.WILL))
    return first if asked and word != singular(word) and not opens & lexicon.THERE else None


def groups_said(outcome: str) -> str:
    """Return why a prediction with groups is none, and what can be asked."""
    return (
        "I read a prediction with conditions only, not with groups or figures: "
        f"ask for the share observed so far by group, as in '{outcome} rate by ...'."
    )


def others_hint(items: Sequence[Mention]) -> str:
    """Return what a prediction of rows that are not there yet needs: `clients likely to take a loan`."""
    tables = list(dict.fromkeys(e.table for m in items if m.of("table", "value") for e in m.of("table", "value")))
    if len(tables) < 2:
        return ""
    who, what = singular(tables[0].casefold()), singular(tables[1].casefold())
    return (
        f" Whether a {who} comes to have a {what} is no column: add one to {tables[0]}, as of a day and with what was "
        "known until then, and ask to predict that."
    )
