"""Numbers and dates that a condition compares with: over 100, between two days, in a year, twice the average."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.drafts import Ref, RelativeDraft
from lexsi_nb.grounding.parsing.places import Places
from lexsi_nb.grounding.schema.names import phrase
from lexsi_nb.grounding.wordings.periods import is_year, period
from lexsi_nb.grounding.words import name_words, singular

VERBS = grammar.CLAUSE


class Comparisons(Places, ABC):
    """Reads what is compared with at the current place."""

    @abstractmethod
    def _filter_follows(self, ahead: int) -> bool:
        """Whether a comparison, value or null test comes right after the mention at `ahead`."""

    def _counts_rows(self) -> bool:
        """Whether a comparison here is of a number of rows: `durations that have more than 130 loans`."""
        ahead = 1 if self.tagged("cmp") is not None else 0
        number, noun = self.peek(ahead), self.peek(ahead + 1)
        if number is None or number.number is None or noun is None or set(noun.gap) & VERBS:
            return False
        return bool(noun.of("table")) and not noun.of("unit", "column") and not self._own_column_next(noun, ahead + 1)

    def _without_rows(self, found: list[tuple[Any, Any]]) -> tuple[Mention | None, Mention | None]:
        """Return (what negates the rows named next, what negates the value): `without insurance order`."""
        after = self.peek()
        rows = {e.table for e in after.of("table")} if after is not None and not after.gap else set()
        without = self.negation is not None and self.negation.tag("without") is not None
        theirs = without and bool(rows & {c.table for c, _ in found}) and not rows & {self.draft.head, *self.draft.said}
        return (self.negation, None) if theirs else (None, self.negation)

    def _listed_value(self, item: Mention) -> bool:
        """Whether a value that a code book names is the first thing of a list: it says itself what is listed."""
        d, at = self.draft, next((i for i, m in enumerate(self.items) if m.entries), -1)
        free = not (d.head or d.measures or d.shown or d.keys or self.counting or self.functions)
        first = at >= 0 and self.items[at] is item and d.listed and at > 0
        return free and first and all(self.index.named_code(e) for e in item.of("value")) and bool(item.of("value"))

    def _happened_next(self, ahead: int = 0) -> bool:
        """Whether what follows is only what happened to each row: `over 15 loans were granted`."""
        rows, done = self.peek(ahead), self.peek(ahead + 1)
        if rows is None or done is None or not self._participle(done) or self._filter_follows(ahead + 1):
            return False
        times = {c for e in rows.of("table") for c in self.index.time_of(e.table)}
        return bool(times & {e.column for e in done.of("column")})

    def _no_place_of_life(self, item: Mention, ref: Ref) -> None:
        """Refuse `born in Prague` where only the day is told: a place said after it is that of something else."""
        told = all(set(name_words(c.name)) & lexicon.OF_LIFE for c in ref.options)
        place = self.peek(1)
        if not (told and self._participle(item) and self.tagged("in") is not None and place and place.of("value")):
            return
        if not any(set(name_words(e.column.name)) & lexicon.OF_LIFE for e in place.of("value") if e.column):
            self.refuse(
                f"Nothing in the data says where, only when; '{place.words}' is told of something else.", item.words
            )

    def _some_of_rows(self, item: Mention) -> bool:
        """Read the number of rows that a list opens with, `show 5 pets`; False (and no move) for any other number.

        They are the first by key: nothing says which are meant, and the note tells so.
        """
        lead, number = self.items[: self.at], item.number
        opens = all(m.tag("list") is not None and not m.entries for m in lead) and not (self.counting or self.functions)
        if not opens or is_year(item) or not isinstance(number, int) or number < 2:
            return False
        end = self.at + 1
        while end < len(self.items) - 1 and self.items[end].of("value") and not self.items[end].of("table", "column"):
            end += 1
        noun = self.items[end] if end < len(self.items) else Mention("")
        plural = bool(noun.of("table")) and not noun.gap and singular(noun.words.casefold()) != noun.words.casefold()
        ends = ("super", "most", "mode", "top", "by", "sort", "agg", "count", "share", "more", "than", "vs", "sized")
        told = any(m.tag(t) is not None for m in self.items[end + 1 :] if not m.entries for t in ends)
        if not plural or told:
            return False
        self.draft.limit, self.at = number, self.at + 1
        self.draft.notes.append(f"no order was said: the first {number} by key")
        return True

    def _skip_unit(self, ref: Ref) -> None:
        """Pass over the unit after a number (`at least 24 months`), when it is the column's own."""
        after = self.peek()
        if after and any(e.column in ref.options for e in after.of("unit", "column")) and not self._filter_follows(0):
            self.at += 1

    def _or_more(self, made: tuple[str, tuple[Any, ...]]) -> tuple[str, tuple[Any, ...]]:
        """Read `or more` after a number and its unit: `48 months or more`."""
        post = self.tagged("post")
        if post and made[0] == "in" and len(made[1][0]) == 1:
            self.at += 1
            return post, tuple(made[1][0])
        return made

    def _dates(self, item: Mention) -> tuple[str, tuple[Any, ...]] | None:
        """Read a date condition: in a period, before, after, between; (op, values) with half-open ranges."""
        start = self.at
        before = item.tag("date") if item.tag("in") is None else None
        cmp = item.tag("cmp")
        if item.tag("between") is not None or item.tag("date") == ">=":
            self.at += 1
            first = period(self.items, self.at) if self.peek() else None
            if first:
                self.at += first[2]
                if self.tagged("and") is not None or self.tagged("to") is not None or self.tagged("date") == "<=":
                    second = period(self.items, self.at + 1) if self.peek(1) else None
                    if second:
                        self.at += 1 + second[2]
                        return "range", (first[0], second[1])
                if item.tag("between") is None and before:
                    return ">=", (first[0],)
            self.at = start
            if item.tag("between") is not None or before:
                return None
        if item.tag("in") is not None or cmp == "=" or before or cmp:
            self.at += 1
        span = period(self.items, self.at) if self.peek() else None
        if span is None:
            self.at = start
            return None
        self.at += span[2]
        while (  # "in 1997 or 1998": years side by side
            self.tagged("or") is not None
            and self.peek(1) is not None
            and (more := period(self.items, self.at + 1)) is not None
            and more[0] == span[1]
        ):
            self.at += 1 + more[2]
            span = (span[0], more[1], span[2])
        op = before or (cmp if cmp and cmp != "=" else None)
        if op is None:
            return "range", (span[0], span[1])
        return {"<": ("<", (span[0],)), "<=": ("<", (span[1],)), ">": (">=", (span[1],)), ">=": (">=", (span[0],))}[op]

    def _numbers(self, item: Mention) -> tuple[str, tuple[Any, ...]] | None:
        """Read a number condition: compared, between, `24 or more`, a plain number; (op, values)."""
        start = self.at
        if item.tag("between") is not None or item.tag("date") == ">=":
            low, joint, high = self.peek(1), self.peek(2), self.peek(3)
            if (
                low
                and high
                and joint
                and low.number is not None
                and high.number is not None
                and (joint.tag("and") is not None or joint.tag("to") is not None)
            ):
                self.at += 4
                return "between", (low.number, high.number)
            return None
        op = item.tag("cmp")
        if op or item.tag("in") is not None:
            self.at += 1
        number = self.peek()
        if op and number is not None and (number.tag("agg") or number.tag("twice") is not None):
            times = number.tag("twice")
            relative = self._relative(float(times or 2), 1) if times is not None else self._relative(1.0, 0)
            if relative:
                return op, (relative,)
        if number is None or number.number is None:
            self.at = start
            return None
        self.at += 1
        if self.tagged("times") is not None and (relative := self._relative(float(number.number), 1)):
            return op or "=", (relative,)
        post = self.tagged("post")
        if post and not op:
            self.at += 1
            return post, (number.number,)
        if not op or op == "=":
            values = [number.number]
            while (
                (self.tagged("or") is not None or self.tagged("and") is not None)
                and (more := self.peek(1))
                and more.number is not None
            ):
                values.append(more.number)
                self.at += 2
            return "in", (tuple(values),)
        return op, (number.number,)

    def _relative(self, factor: float, ahead: int) -> RelativeDraft | None:
        """Read `times the average`, `twice the median`: a figure of the compared column itself."""
        function = self.tagged("agg", ahead)
        if function not in ("avg", "median"):
            return None
        whole = self.tagged("whole", ahead) is not None
        self.at += ahead + 1
        return RelativeDraft(function, factor, whole)

    def _written(self, text: str) -> list[tuple[Any, Any]]:
        """Return (column, value) of what a quoted text stands for; what is written just so goes before the rest."""
        key, listed = phrase(text), self.index.values
        found = [(c, x) for c, v in listed.items() if key in v for x in self.index.meant(c, text, v[key])]
        return [(c, x) for c, x in found if x == text] or found

    def _both(self, start: int) -> bool:
        """Whether the values read since `start` are joined by `and` alone: A and B, not A, B or C."""
        joints = [m for m in self.items[start : self.at] if m.tag("and") is not None or m.tag("or") is not None]
        return any(m.tag("and") is not None and m.words != "," for m in joints) and not any(
            m.tag("or") is not None for m in joints
        )

    def _same_column(self, group: list[Mention], more: Mention) -> bool:
        mine = {e.column for e in group[0].of("value")}
        return bool(mine & {e.column for e in more.of("value")}) and not more.of("table")
