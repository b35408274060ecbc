"""`or` between whole conditions: which of those before and after it are alternatives, asked where words don't say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lexsi_nb.grounding.mentions import Mention, said_again
from lexsi_nb.grounding.parsing.drafts import OrDraft
from lexsi_nb.grounding.parsing.nouns import Nouns
from lexsi_nb.grounding.reading import Choice, Unread
from lexsi_nb.grounding.words import CLOSE, OPEN

_ALONE = "I read 'or' between values of one column, or between two conditions: ask for each."
_WHICH = "I can't tell which conditions 'or' joins."


class Alternatives(Nouns):
    """Tells for each `or` between conditions which conditions it joins."""

    def _on_or(self, item: Mention) -> None:
        """`or` after a condition: what comes next must be one condition more."""
        ends_here = bool(self.began) and all(map(self._same_rows, self.items[self.ended : self.at]))
        if not ends_here or self.negation is not None or self.draft.filters[-1].negated:
            self.refuse(_ALONE, item.words)
        self.ors.append(OrDraft(self.at, len(self.draft.filters)))
        self.at += 1

    def _conditions_since(self, before: int) -> None:
        """Keep at which mention each new condition began, and where the last one ended."""
        new = len(self.draft.filters) - len(self.began)
        if new > 0:
            self.began += [before] * new
            self.ended = self.at

    def _join_alternatives(self) -> None:
        """Mark the conditions that `or` joins.

        Raises:
            Unread: `A and B or C` is asked about, or which ones it joins cannot be told.
        """
        if not self.ors:
            return
        n = len(self.draft.filters)
        if len(self.ors) > 1:
            each = [k.conditions for k in self.ors]
            if each != list(range(1, n)) or self._bracketed():
                self.refuse(_WHICH, "or")
            for k in each:
                self.draft.filters[k].other_way = (1, 1)
            return self._bounded_as_before()
        one = self.ors[0]
        before, after = one.conditions, n - one.conditions
        if (
            not after
            or len(self.began) != n
            or not all(map(self._same_rows, self.items[one.at + 1 : self.began[before]]))
        ):
            self.refuse(_WHICH, "or")
        if (held := self._in_brackets(one)) is not None:
            self.draft.filters[before].other_way = held
        elif (before, after) == (1, 1) or self._side_by_side(one):
            self.draft.filters[before].other_way = (1, 1)
            self._bounded_as_before()
        elif before == 1 or after == 1:
            self._which(one, after)
        else:
            self.refuse(_WHICH, "or")

    def _same_rows(self, m: Mention) -> bool:
        """Whether a mention only says again which rows the condition is on: `male clients or clients in Lund`."""
        named = {e.table for e in m.of("table")} - {k.table for k in self.draft.links}
        return named == {self.anchor} or (not m.entries and m.tag("in") is not None)

    def _bounded_as_before(self) -> None:
        """`born before 1950 or after 1980`, `length below 6 or above 14`: the second bound is of the first's column."""
        for before, f in pairwise(self.draft.filters):
            if f.other_way != (1, 1) or f.ref is not None or before.ref is None or f.entries:
                continue
            kind = "date" if f.when else "number"
            bounds = f.when or (before.op[:1] + f.op[:1]) in ("<>", "><")
            if bounds and all(c.type == kind for c in before.ref.options):
                f.ref, f.when = before.ref, False

    def _side_by_side(self, one: OrDraft) -> bool:
        """Whether a value stands right before `or` and another right after it: `in Lund or Oslo`."""
        left, right = self.items[one.at - 1], self.items[one.at + 1]
        bare = all(m.of("value") and not m.of("table") and not m.tags for m in (left, right))
        return bare and not right.gap and self.began[one.conditions - 1] in (one.at - 1, one.at - 2)

    def _bracketed(self) -> bool:
        return any({OPEN, CLOSE} & set(m.gap) for m in self.items)

    def _in_brackets(self, one: OrDraft) -> tuple[int, int] | None:
        """Return how many conditions before and after `or` its brackets take together; None where there are none."""
        opens = [i for i, m in enumerate(self.items) if OPEN in m.gap]
        if not opens:
            return None
        closed = next((i for i in range(opens[0] + 1, len(self.items)) if CLOSE in self.items[i].gap), len(self.items))
        left = sum(opens[0] <= b for b in self.began[: one.conditions])
        right = sum(b < closed for b in self.began[one.conditions :])
        if closed == one.at:
            right = len(self.began) - one.conditions  # "(A and B) or C"
        elif opens[0] == one.at + 1:
            left = one.conditions  # "A or (B and C)"
        outside = (closed == one.at and right > 1) or (opens[0] == one.at + 1 and left > 1)
        inside = opens[0] in self.began and (closed >= one.at or closed == len(self.items))
        if len(opens) > 1 or not (left and right and inside) or outside:
            self.refuse(_WHICH, "or")
        return left, right

    def _which(self, one: OrDraft, after: int) -> None:
        """Ask which conditions are alternatives: `A and B or C`, `A or B and C`."""
        first, k = self.began[0], one.conditions
        spans = (self.began[k - 1], self._end_of(k)), (first, one.at if after == 1 else self.ended)
        ways = tuple(_with_brackets(self.items, *s) for s in spans)
        words = self.items[one.at].words
        raise Unread(Choice(f"'{words}' joins which conditions?", ways, words, questions=ways, lasting=False))

    def _end_of(self, condition: int) -> int:
        """Return the mention after the last one of a condition: joints before the next one are not its own."""
        end = self.began[condition + 1] if condition + 1 < len(self.began) else self.ended
        while self.items[end - 1].tag("and") is not None and not self.items[end - 1].entries:
            end -= 1
        return end


def _with_brackets(items: Sequence[Mention], start: int, end: int) -> str:
    """Return the question with brackets around the mentions from `start` to before `end`."""
    lead = said_again(items[:start])
    gap = " ".join(g for g in items[start].gap if g not in "?!.,;:")
    inner = said_again([replace(items[start], gap=()), *items[start + 1 : end]])
    return " ".join(f"{lead} {gap} ({inner}) {said_again(items[end:])}".split())
