"""A question on its way to a form: its mentions, and readings of parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from lexsi_nb.grounding.forms.either_rows import both_rows, either_rows
from lexsi_nb.grounding.forms.nested import asked_of_one, nested
from lexsi_nb.grounding.forms.two_periods import in_two_periods
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.grammar import Grammar
from lexsi_nb.grounding.parsing.resolve import Resolver
from lexsi_nb.grounding.reading import Declined, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.periods import period

COUNT = Mention("number of", tags=("count",))
SUM = Mention("total", tags=("agg:sum",))
IN = Mention("in", tags=("in", "date:>="))


@dataclass(frozen=True)
class Ask:
    """The mentions of one question over an index. `first` is its first word in lower case."""

    items: tuple[Mention, ...]
    index: SchemaIndex
    first: str = ""

    def read(self, items: Sequence[Mention]) -> Reading:
        """Return the plain reading of some mentions.

        Raises:
            Unread: they have none.
        """
        for two in (both_rows, in_two_periods):
            if (both := two(items, self.index, self.plain)) is not None:
                return both
        try:
            plain = self.plain(items)
        except Unread as end:
            declined = isinstance(end.outcome, Declined)
            found = either_rows(items, self.index, self.plain) if declined else None
            found = nested(items, self.index, self._part) if declined and found is None else found
            if found is None:
                raise
            return found
        if (noun := asked_of_one(items, plain, self.index)) is None:
            return plain
        found = nested(items, self.index, self._part)
        if found is None:
            refuse(f"This asks something of one of '{noun.words}', which has to be found first.", noun.words)
        return found

    def _part(self, items: Sequence[Mention]) -> Reading:
        """Return the reading of a part of a question: a plain one, or that of the second or third in an order."""
        if any(m.tag("nth") is not None and not m.entries for m in items):
            from lexsi_nb.grounding.forms.ranked import in_place

            if (found := in_place(Ask(tuple(items), self.index))) is not None:
                return found
        return self.plain(items)

    def plain(self, items: Sequence[Mention]) -> Reading:
        """Return the reading of some mentions as one question.

        Raises:
            Unread: they have none.
        """
        draft = Grammar(list(items), self.index).read()
        return Resolver(draft, self.index).reading()

    def tried(self, items: Sequence[Mention]) -> Reading | None:
        """Return the plain reading of some mentions, None when they have none."""
        try:
            return self.read(items)
        except Unread:
            return None

    def only_table(self) -> list[str]:
        """Return the table that needs no name, as there is no other; empty where there are several."""
        return list(self.index.columns) if len(self.index.columns) == 1 else []

    def at(self, tag: str, start: int = 0) -> int | None:
        """Return the place of the first mention with a tag."""
        return next((i for i in range(start, len(self.items)) if self.items[i].tag(tag) is not None), None)

    def without(self, *tags: str) -> tuple[Mention, ...]:
        """Return the mentions that have none of the tags."""
        return tuple(m for m in self.items if not any(m.tag(t) is not None for t in tags))


def figure(m: Mention) -> Mention:
    """Return the aggregate for a number column: the one its own name begins with, else the sum."""
    return Mention(m.fused, tags=(f"agg:{m.fused}",)) if m.fused else SUM


def refuse(reason: str, *words: str) -> NoReturn:
    """End the reading with a decline."""
    raise Unread(Declined(reason, words))


def is_period(items: Sequence[Mention], at: int) -> int:
    """Return how many mentions a period at a place takes, 0 when none stands there."""
    found = period(list(items), at)
    return found[2] if found else 0


def split_by(items: Sequence[Mention]) -> tuple[tuple[Mention, ...], tuple[Mention, ...]]:
    """Return (before, from) the first "by" of a question."""
    at = next((i for i, m in enumerate(items) if m.tag("by") is not None and not m.entries), len(items))
    return tuple(items[:at]), tuple(items[at:])
