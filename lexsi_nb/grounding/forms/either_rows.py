"""Rows that have one of two others, both, or the one alone: `with a loan or a card`, `with a red cup but no blue`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Filter, Link, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex

Items = Sequence[Mention]
_ENDS = ("by", "sort", "asc", "desc")  # what comes after the conditions
_JOINTS = ("and", "or", "vs", "between")


@dataclass(frozen=True)
class _Said:
    """The parts of a question: what stands before both, each of the two, and what stands after them."""

    before: Items
    first: Items
    second: Items
    after: Items
    again: bool = False  # `with` or `without` is said of the second as well


def either_rows(items: Items, index: SchemaIndex, plain: Callable[[Items], Reading]) -> Reading | None:
    """Return the reading of rows that have the one or the other; None where the question is no such one.

    Each is read alone, and the two readings may differ in nothing but the rows that have to exist. `without a loan
    or a card` has neither; `without a loan or without a card` lacks one of them at least.

    Raises:
        Unread: a condition after the second may be said of both.
    """
    if (said := _parts(items, "or")) is None or (pair := _pair(said, plain)) is None:
        return None
    one, two = pair
    own = [own_condition(one, two), own_condition(two, one)]
    if any(not isinstance(k, Link) for k in own) and not all(o is not None for o in own):
        return None
    if not any(isinstance(k, Link) for k in own):
        return None
    noun = next((i for i, m in enumerate(said.second) if m.of("table")), 0)  # "a gold prize"
    if len(said.second) > noun + 1 and len(said.first) == 1:
        after = said.second[noun + 1].words
        raise Unread(Declined(f"'{after}' may be said of one of the two that 'or' joins, or of both.", (after,)))
    filters = tuple(f for f in one.filters if f in two.filters)
    links = tuple(k for k in one.links if k in two.links)
    if not said.again and all(isinstance(k, Link) and k.negated for k in own):
        made = replace(one, filters=filters, links=(*links, *(k for k in own if isinstance(k, Link))))
    else:
        parts = tuple(f for f in own if isinstance(f, Filter))
        beside = tuple(k for k in own if isinstance(k, Link))
        words = said.second[0].words
        any_of = Filter(None, "any", parts=parts, links=beside, table=one.table, words=words)
        made = replace(one, filters=(*filters, any_of), links=links)
    notes = tuple(dict.fromkeys((*one.notes, *two.notes)))
    return replace(made, sql=ReadingSQL(made, index).text(), text=phrasing(made), notes=notes)


def both_rows(items: Items, index: SchemaIndex, plain: Callable[[Items], Reading]) -> Reading | None:
    """Return the reading of rows that have two kinds of rows of one table: `with a red cup and a blue cup`, `but no`.

    No one cup is both, so each is looked for by itself. None where the rows are not said twice, or of several tables.
    """
    if (said := _parts(items, "and")) is None or (pair := _pair(said, plain)) is None:
        return None
    one, two = pair
    first, second = own_condition(one, two), own_condition(two, one)
    if not isinstance(first, Link) or not isinstance(second, Link) or first.table != second.table:
        return None
    if not all(any(first.table in {e.table for e in m.of("table")} for m in own) for own in (said.first, said.second)):
        return None  # "with a red cup and a blue saucer"
    made = replace(one, links=(*(k for k in one.links if k in two.links), first, second))
    notes = tuple(dict.fromkeys((*one.notes, *two.notes)))
    return replace(made, sql=ReadingSQL(made, index).text(), text=phrasing(made), notes=notes)


def _pair(said: _Said, plain: Callable[[Items], Reading]) -> tuple[Reading, Reading] | None:
    """Return the readings of both parts alone; None where one has none, or they differ in more than their rows."""
    try:
        one, two = (plain([*said.before, *own, *said.after]) for own in (said.first, said.second))
    except Unread:
        return None
    return (one, two) if alike(one, two) else None


def _parts(items: Items, joint: str) -> _Said | None:
    """Return the parts of `... with A or B ...`; None where the joint does not stand between two such nouns."""
    joints = [i for i, m in enumerate(items) if not m.entries and m.tag(joint) is not None]
    if len(joints) != 1 or not 0 < joints[0] < len(items) - 1:
        return None
    at = joints[0]
    start = next((i for i in range(at - 1, 0, -1) if _opens(items, i)), 0)
    if not start:
        return None
    lead = items[start - 1] if _lacks(items[start - 1]) else None
    end = next((i for i in range(at + 1, len(items)) if any(_is(items[i], t) for t in _ENDS)), len(items))
    first, second = list(items[start:at]), list(items[at + 1 : end])
    if not second or any(_is(m, t) for m in (*first, *second) for t in _JOINTS):
        return None
    again = bool(grammar.HAVING & set(second[0].gap)) or _lacks(second[0])
    if again:  # "without a loan or with a card"
        before = items[: start - 1] if lead else items[:start]
        lacking, second = (second[:1], second[1:]) if _lacks(second[0]) else ([], second)
        first, second = [*([lead] if lead else []), *first], [*lacking, *second]
    else:
        before = items[:start]
        second[0] = replace(second[0], gap=first[0].gap)
    plain = second and (second[0].of("table", "value") or second[0].tag("cmp") is not None or _lacks(second[0]))
    return _Said(before, first, second, items[end:], again) if plain else None


def _opens(items: Items, i: int) -> bool:
    """Whether what somebody has begins here: `with a loan`, `have more than 3 orders`, `without a card`."""
    return bool(grammar.HAVING & set(items[i].gap)) or _lacks(items[i - 1])


def _lacks(m: Mention) -> bool:
    return _is(m, "without")


def _is(m: Mention, tag: str) -> bool:
    return not m.entries and m.tag(tag) is not None


def own_condition(reading: Reading, other: Reading) -> Filter | Link | None:
    """Return the one condition that a reading has and the other has not; None where there is another number."""
    own = [*(f for f in reading.filters if f not in other.filters), *(k for k in reading.links if k not in other.links)]
    return own[0] if len(own) == 1 else None


def alike(one: Reading, two: Reading) -> bool:
    """Whether two readings differ in nothing but what tells their rows."""
    bare = [replace(r, filters=(), links=(), sql="", text="", notes=(), apart=()) for r in (one, two)]
    return bare[0] == bare[1]
