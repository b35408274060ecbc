"""Columns that hold a condition by themselves: true or false ones, and those that are filled or not."""

from __future__ import annotations

from lexsi_nb.grounding.language import grammar, passed_over, vocabulary
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.conditions import Conditions
from lexsi_nb.grounding.parsing.drafts import FilterDraft, Ref
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.said_not import yes_and_no
from lexsi_nb.grounding.words import name_words


class Truths(Conditions):
    """Reads `gift orders`, `not refunded`, `with a coupon` into the draft."""

    def _holds(self, item: Mention) -> bool:
        """Read a column that is a condition where it stands; False (and no move) when it is none."""
        columns = [e.column for e in item.of("column") if e.column]
        if (
            not columns
            or self.functions
            or self.distinct
            or self._filter_follows(0)
            or self.tagged("by", -1) is not None
        ):
            return False
        if all(c.type == "bool" for c in columns) and self._about(columns):
            return self._condition_by_itself(item, columns, truth=True)
        if len(columns) == 1 and (yes := self._flag(columns[0])) and self._about(columns) and self._said_so(item):
            return self._flagged(item, columns[0], yes)
        held = (
            set(item.gap) & grammar.HAVING and not set(item.gap) & grammar.OF_ITS_OWN
        )  # "with their names" asks for these to be shown
        gaps = [c for c in columns if c.type != "bool" and self._has_gaps(c)] if held else []
        if gaps and self._about(gaps) and not item.of("table", "value") and self.negation is None:
            return self._condition_by_itself(item, gaps, truth=False)
        return False

    def _said_to_be(self, item: Mention, ref: Ref) -> bool:
        """Whether a column is what rows are said to be: `exhibits that are closed`."""
        return self._about(ref.options) and bool(set(item.gap) & passed_over.COPULA) and self._participle(item)

    def _stands(self, item: Mention, ref: Ref) -> bool:
        """Read `are closed` as filled and `are still open` as not ended; False where each row is so: `cards issued`.

        Raises:
            Unread: `open` is said of rows that all were opened, and no one column tells when that ended.
        """
        dates = [c for c in ref.options if c.type == "date" and not c.sql]
        dates = [c for c in dates if c.table in (self.draft.head, *self.draft.said)] or dates
        now = item.words.casefold().split()[-1] in grammar.OPEN and not set(item.gap) & grammar.DOES
        if len(dates) != 1 or not (now or (self.negation is None and self._has_gaps(dates[0]))):
            return False
        op, column = "notnull", dates[0]
        if now:
            columns = self.index.columns[column.table].values()
            ends = [c for c in columns if c.type == "date" and set(name_words(c.name)) & grammar.ENDED_ON]
            if len(ends) != 1 or not self._has_gaps(ends[0]):
                told = f"'{item.words}' says how a row stands now, and {column} only says when it began"
                self.refuse(f"{told}; no one column of {column.table} with gaps tells when that ended.", item.words)
            op, column = "null", ends[0]
        made = FilterDraft(Ref([column], item.words, "", self.anchor), op, words=item.words, anchor=self.anchor)
        made.negated = now and self._negated()
        self.draft.filters.append(made)
        return True

    def _about(self, columns: list[Column]) -> bool:
        """Whether rows of the column's table, or rows that reach it, are said before or right after."""
        ahead = 1
        while (beside := self.peek(ahead)) is not None and not beside.gap and beside.of("value", "condition"):
            ahead += 1  # "cancelled premium members"
        after = self.peek(ahead)
        tables = {c.table for c in columns}
        if after is not None and tables & {e.table for e in after.of("table")} and not after.gap:
            return True
        ranked = self.draft.order.measure if self.draft.order is not None else None
        counted = [*self.draft.measures, *([ranked] if ranked is not None else [])]
        said = [self.draft.head, *(m.table for m in counted), *self.draft.said]
        return any(t and (t in tables or any(self.index.joins.up(t, x) for x in tables)) for t in said)

    def _state_next(self, table: str) -> bool:
        """Whether what the rows of a table are said to be comes right after it: `orders paid but not shipped`."""
        after = self.peek(1)
        if after is None or after.gap or after.of("table", "value") or self.functions or self._filter_follows(1):
            return False
        done = after.words.casefold().endswith(grammar.PARTICIPLE_ENDS) or after.words in passed_over.PARTICIPLES
        own = [c for e in after.of("column") if (c := e.column) and c.table == table]
        return done and bool(own) and all(c.type == "bool" or self._flag(c) for c in own)

    def _condition_by_itself(self, item: Mention, columns: list[Column], *, truth: bool) -> bool:
        self.at += 1
        ref = Ref(columns, item.words, "", self.anchor)
        held = not self._negated()
        made = (
            FilterDraft(ref, "=", (held,), words=item.words) if truth else FilterDraft(ref, "notnull", words=item.words)
        )
        made.anchor = self.anchor
        self.draft.filters.append(made)
        return True

    def _flag(self, c: Column) -> str | int:
        """Return the value for yes of a column that holds yes and no, or 1 and 0, only; an empty text for any other."""
        both = yes_and_no(c, self.index) if c.type != "bool" else None
        return both[0] if both is not None else ""

    def _said_so(self, item: Mention) -> bool:
        """Whether a name says what rows are: `name and active` and `with their active` ask for it to be shown."""
        after = self.peek(1)
        if after is not None and after.of("table") and not after.gap:
            return not item.of("table")  # "the returned orders"
        joined = self.tagged("and", -1) is not None and bool(self.draft.shown)
        of_own = set(item.gap) & grammar.OF_ITS_OWN and not set(item.gap) & vocabulary.JOINING  # but "won the cup"
        return not item.of("table") and not joined and not of_own

    def _flagged(self, item: Mention, c: Column, yes: str | int) -> bool:
        """Read `active franchises` over a column of Y and N as those with Y."""
        self.at += 1
        ref = Ref([c], item.words, "", self.anchor)
        made = FilterDraft(ref, "in", ({c: (yes,)},), self._negated(), words=item.words, anchor=self.anchor)
        self.draft.filters.append(made)
        return True

    def _has_gaps(self, c: Column) -> bool:
        if c.sql:
            return False
        sql = f"SELECT count(*) > count({quote(c.name)}) AS gaps FROM {quote(c.table)}"
        return bool(self.index.engine.query(sql).iloc[0, 0])
