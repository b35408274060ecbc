"""Whether a share keeps to a bound (`is the share of women above 40%?`), and what is open about its whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.language import lexicon, retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import literal
from lexsi_nb.grounding.rendering.sql import measure_name
from lexsi_nb.grounding.schema.names import quote


@dataclass(frozen=True)
class Bound:
    """What is held against a number: the mentions of a share, how it is compared, and the percentage."""

    items: tuple[Mention, ...]
    op: str
    percent: float
    words: str


def bound_of(ask: Ask) -> Bound | None:
    """Return the share and the number that a question for yes or no holds it against; None where it has no number.

    Raises:
        Unread: there is a percentage at the end, and it cannot be told how it is meant.
    """
    items = list(ask.items)
    if ask.first not in lexicon.ASKING or len(items) < 4:
        return None
    if _bare(items[0], "cmp") and items[1].number is not None and _bare(items[2], "share"):
        share = Mention(items[2].words, tags=items[2].tags)
        return _bound(items[0], items[1], (share, *items[3:]), percent=True)
    if not _bare(items[0], "share"):
        return None
    percent = _bare(items[-1], "share")
    end = items[:-1] if percent else items
    if len(end) > 3 and _bare(end[-2], "cmp") and end[-1].number is not None:
        return _bound(end[-2], end[-1], tuple(end[:-2]), percent=percent)
    if percent:
        refuse("I can't read this as a question for yes or no; ask for the share instead.", items[-1].words)
    return None


def held_against(found: Reading | None, bound: Bound) -> Reading:
    """Return whether the percentage of a reading keeps to the bound.

    Raises:
        Unread: the reading has not one percentage.
    """
    if found is None or found.kind != "share" or found.keys or not found.measures or not found.measures[0].share:
        refuse("I can't read this as a question for yes or no; ask for the share instead.", bound.words)
    name = quote(measure_name(found.measures[0]))
    inner = found.sql.replace("\n", "\n    ")
    sql = f"SELECT {name} {bound.op} {literal(bound.percent)} AS answer, *\nFROM (\n    {inner}\n) AS figure"
    return replace(found, kind="yesno", text=f"whether {found.text} is {bound.words}", sql=sql)


def placed_last(base: Sequence[Mention], held: Sequence[Mention], whole: Reading) -> None:
    """Ask what `the share of urgent calls in 2021` is of: the calls of 2021, or the urgent ones?

    Raises:
        Unread: rows told by what they are, and then a time or a place without a verb.
    """
    told = [m for m in base if m.entries and not m.of("table")]
    if not _bare(held[0], "in") or held[0].gap or not (whole.filters or whole.links) or not told:
        return
    rows = next((m.words for m in base if m.of("table")), whole.table)
    place, cond = _said(held), _said(told)
    ways = (f"of {rows} {place}, those that are {cond}", f"of {_said(base)}, those {place}")
    asks = tuple(retold.PERCENTAGE.format(*x) for x in ((f"{rows} {place}", cond), (_said(base), place)))
    raise Unread(Choice("A percentage of which rows?", ways, questions=asks, lasting=False))


def _said(items: Sequence[Mention]) -> str:
    return " ".join(" ".join((*m.gap, m.words)) if i else m.words for i, m in enumerate(items))


def _bound(compared: Mention, number: Mention, items: Sequence[Mention], *, percent: bool) -> Bound:
    """Return the bound; a number of at most 1 that is not said in percent is a part of the whole."""
    value = float(number.number or 0)
    said = value if percent or value > 1 else 100 * value
    return Bound(tuple(items), compared.tag("cmp") or ">", said, f"{compared.words} {said:g} percent")


def _bare(m: Mention, tag: str) -> bool:
    return m.tag(tag) is not None and not m.entries
