"""An amount with its period: `3,000 euros a month` says how a column is told, and asks for no groups of months."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import grammar, vocabulary
from lexsi_nb.grounding.mentions import TAGS, Mention
from lexsi_nb.grounding.reading import Declined, Unread
from lexsi_nb.grounding.words import name_words


def amounts_by_their_period(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions without the period of an amount, where the column's own name says the same period.

    Raises:
        Unread: nothing in the column's name says that it is told by that period.
    """
    out: list[Mention] = []
    for m in items:
        per = bool(out) and not out[-1].entries and out[-1].words.casefold() in grammar.PER
        amount = out[: -1 if per else None]
        grain = m.tag("grain") if not m.entries and (per or grammar.A & {*m.gap}) else None
        told = len(amount) > 1 and amount[-2].number is not None and bool(amount[-1].of("unit"))
        if not grain or not told or amount[-1].of("table", "column", "value"):
            out.append(m)
            continue
        columns = [e.column for e in amount[-1].of("unit") if e.column is not None]
        if not any(grain in _periods(c.name) for c in columns):
            said = f"{amount[-1].words} ... {m.words}"
            text = f"'{said}' is told for a {grain}, and no such column's name says that it is."
            raise Unread(Declined(f"{text} Leave the {grain} out, or name the column.", (said,)))
        out = list(amount)
    return out


def _periods(name: str) -> set[str]:
    """Return the periods that a column's name says: `month` of MTHLY_PAY."""
    words = {vocabulary.SHORT.get(w, w) for w in name_words(name)}
    tags = [t for w in words for t in TAGS.get((w,), ())]
    return {t.partition(":")[2] for t in tags if t.startswith("grain:")}
