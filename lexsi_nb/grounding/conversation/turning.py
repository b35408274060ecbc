"""A follow-up that turns the question before: `and the fewest?`, `and the total?`, `list them`, `and how many?`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.language import vocabulary
from lexsi_nb.grounding.mentions import Mention, said_again
from lexsi_nb.grounding.reading import Reading
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.relations import noticed

LIST, COUNT = Mention("list", tags=("list",)), Mention("how many", tags=("count",))
_ENDS = ("most", "super", "mode")  # the two ends of a ranking


def turned(base: str, question: str, index: SchemaIndex, read: Callable[[str], Any]) -> str | None:
    """Return the question before with the figure, or the end of the ranking, that the new one asks for instead.

    None where the new question is another one, or the one before has no such thing to turn.
    """
    text = " ".join(question.split()).strip(" ?.!").casefold()
    before = noticed(base, index).items
    found = read(base)
    if not isinstance(found, Reading) or not before:
        return None
    if re.fullmatch(vocabulary.LIST_THEM, text):
        return _rows(base, before, found, read)
    if re.fullmatch(vocabulary.COUNT_THEM, text):
        counted = [COUNT, *(m for m in before if m.tag("list") is None or m.entries)]
        return _if_read(counted, read) if found.kind == "list" and not found.limit else None
    said = [m for m in noticed(question, index).items if not _joint(m)]
    if (limited := _limited(before, said, text)) is not None:
        return _if_read(limited, read)
    if len(said) != 1 or said[0].entries or set(said[0].gap) - vocabulary.ARTICLES:
        return None
    if said[0].tag("agg"):
        at = [i for i, m in enumerate(before) if m.tag("agg") and not m.entries]
        new = said[0]
    else:
        at = [i for i, m in enumerate(before) if not m.entries and any(m.tag(t) for t in _ENDS)]
        new = _end(before[at[0]], said[0]) if len(at) == 1 else None
    if len(at) != 1 or new is None or new.words.casefold() == before[at[0]].words.casefold():
        return None
    return _if_read([*before[: at[0]], replace(new, gap=before[at[0]].gap), *before[at[0] + 1 :]], read)


def _limited(before: Sequence[Mention], said: Sequence[Mention], text: str) -> list[Mention] | None:
    """Return the ranking before with another number of places, or its other end: `make it 10`, `and the bottom 5`."""
    top = [m for m in said if m.tag("top") is not None and not m.entries]
    number = [m for m in said if isinstance(m.number, int)]
    ranks = [m for m in said if m.tag("super") is not None and not m.entries]
    if len(ranks) == len(number) == 1 and len(said) == 2:
        return _other_few(before, ranks[0], number[0])
    at = [i for i, m in enumerate(before) if m.tag("top") is not None and not m.entries]
    plain = bool(top) or re.match(vocabulary.MAKE_IT, text)
    if len(at) != 1 or len(number) != 1 or len(top) + len(number) != len(said) or not plain:
        return None
    i = at[0]
    after = i + 1 + (i + 1 < len(before) and before[i + 1].number is not None)
    return [*before[:i], replace((top or [before[i]])[0], gap=()), replace(number[0], gap=()), *before[after:]]


def _other_few(before: Sequence[Mention], rank: Mention, number: Mention) -> list[Mention] | None:
    """`three largest loans`, `and the three smallest?`: the other end of the ranking, as many as are said."""
    at = [i for i, m in enumerate(before) if m.tag("super") is not None and not m.entries]
    if len(at) != 1 or not isinstance(number.number, int):
        return None
    i = at[0]
    near = next((j for j in (i - 1, i + 1) if 0 <= j < len(before) and isinstance(before[j].number, int)), None)
    new = _end(before[i], rank)
    if near is None or new is None:
        return None
    out = list(before)
    out[i], out[near] = replace(new, gap=before[i].gap), replace(number, gap=before[near].gap)
    return out


def _joint(m: Mention) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in ("and", "list", "question"))


def _end(of: Mention, said: Mention) -> Mention | None:
    """Return the word for an end of the same ranking: the most becomes the fewest, the highest the lowest."""
    way = next((w for t in _ENDS if (w := said.tag(t))), "")
    for tag in _ENDS if way else ():
        if of.tag(tag) and said.tag(tag):
            return said
        now = of.tag(tag)
        if now and (word := vocabulary.TURNED.get(f"{tag}:{_way(now, way)}")):
            return Mention(word, tags=(f"{tag}:{_way(now, way)}",))
    return None


def _way(now: str, wanted: str) -> str:
    """Return the wanted end in the words of the ranking: by size, or by time."""
    timed = now in ("first", "last")
    return {"desc": "last", "asc": "first"}.get(wanted, wanted) if timed else wanted


def _rows(base: str, before: Sequence[Mention], found: Reading, read: Callable[[str], Any]) -> str | None:
    """Return the question for the rows that were counted."""
    if found.kind == "list":
        return base
    alone = found.kind == "count" and len(found.measures) == 1 and found.measures[0].function == "count"
    if not alone or found.measures[0].where or found.measures[0].links:
        return None
    text = said_again([LIST, *(m for m in before if m.entries or not (_joint(m) or m.tag("count") is not None))])
    rows = read(text)
    same = isinstance(rows, Reading) and rows.kind == "list" and rows.table == found.table and not rows.distinct
    held = same and (rows.filters, rows.links) == (found.filters, found.links)
    return text if held else None


def _if_read(items: Sequence[Mention], read: Callable[[str], Any]) -> str | None:
    text = said_again(items)
    return text if isinstance(read(text), Reading) else None
