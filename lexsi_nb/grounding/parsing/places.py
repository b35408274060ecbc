"""Places in a question: the current mention, what follows it, and columns as they are named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.drafts import Draft, OrDraft, Ref
from lexsi_nb.grounding.reading import Column, Declined, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.naming import year_like
from lexsi_nb.grounding.wordings.periods import is_year


class Places:
    """The mentions of one question with a current place, and the draft that grows."""

    def __init__(self, items: list[Mention], index: SchemaIndex) -> None:
        self.items, self.index, self.at, self.draft = items, index, 0, Draft()
        self.negation: Mention | None = None
        self.functions: list[str] = []
        self.began: list[int] = []  # the mention that each condition began with
        self.ors: list[OrDraft] = []
        self.ended = 0  # the mention after the last condition
        self.counting = self.most = self.distinct = False

    def peek(self, ahead: int = 0) -> Mention | None:
        """Return the mention at the current place, or further on."""
        i = self.at + ahead
        return self.items[i] if i < len(self.items) else None

    def tagged(self, name: str, ahead: int = 0) -> str | None:
        """Return the argument of a tag at a place, None when the mention there has no such tag."""
        item = self.peek(ahead)
        return item.tag(name) if item else None

    def refuse(self, reason: str, *words: str) -> NoReturn:
        """End the reading with a decline."""
        raise Unread(Declined(reason, tuple(words)))

    @property
    def anchor(self) -> str:
        """The last table that was said."""
        return self.draft.said[-1] if self.draft.said else ""

    @property
    def dated(self) -> str:
        """The table that a period said here is of: `accounts with the most visits in 1996` counts visits of 1996."""
        ranked = self.draft.order.measure if self.draft.order else None
        by = ranked.ref if ranked is not None else self.draft.order.ref if self.draft.order else None
        tables = {c.table for c in by.options} if by is not None else set()
        table = (ranked.table if ranked is not None else "") or (tables.pop() if len(tables) == 1 else "")
        return table if table and (self.index.time_of(table) or self.index.year_of(table)) else self.anchor

    def _own_column_next(self, item: Mention, ahead: int = 0) -> bool:
        after = self.peek(ahead + 1)
        tables = {e.table for e in item.of("table")}
        return bool(
            after
            and not set(after.gap) - grammar.ARTICLES
            and any(e.table in tables for e in after.of("column"))
            and not after.of("table")
        )

    def _participle(self, item: Mention | None) -> bool:
        """Whether a mention names a date by what happened then: `opened`, not `opening date`."""
        if item is None or item.of("table") or not item.of("column"):
            return False
        dates = all(e.column and e.column.type == "date" for e in item.of("column"))
        return dates and item.words.casefold().split()[-1] not in lexicon.DATE_NOUNS

    def _done_to_others(self, item: Mention, ref: Ref) -> bool:
        """Whether a word tells what happened to the rows right before it: `districts with cards issued to men`."""
        at = next((i for i, m in enumerate(self.items) if m is item), 0)
        before = {e.table for e in self.items[at - 1].of("table", "value")} if at else set()
        return self._participle(item) and bool(before) and before <= {c.table for c in ref.options}

    def _ref(self) -> Ref | None:
        """Read `column`, `table column` or `column (of) table`; None (and no move) when no column is there."""
        item, qualifier, start = self.peek(), "", self.at
        if (item and item.of("table") and not item.of("column")) or (
            item and item.of("table") and self._own_column_next(item)
        ):
            assert item is not None
            after = self.peek(1)
            if not (after and after.of("column")):
                return None
            tables = [e.table for e in item.of("table")]
            owners = [t for t in tables if any(e.table == t for e in after.of("column"))]
            self._say((owners or tables)[0])
            qualifier, self.at, item = (owners or [""])[0], self.at + 1, after
        if item is None or not item.of("column"):
            self.at = start
            return None
        columns = [e.column for e in item.of("column") if e.column]
        if qualifier:
            columns = [c for c in columns if c.table == qualifier]
        self.at += 1
        columns = self._of_year(self._told_apart(self._of_coded(columns)))
        ref = Ref(columns, item.words, qualifier, self.anchor, item.fused)
        after = self.peek()
        if not qualifier and after and after.of("table") and not self._own_column_next(after):
            owner = next((e.table for e in after.of("table") if any(c.table == e.table for c in columns)), "")
            if owner:
                ref.options, ref.qualifier, ref.anchor = [c for c in columns if c.table == owner], owner, owner
                ref.of_row = owner if grammar.OF & set(after.gap) else ""
        return ref

    def _told_apart(self, columns: list[Column]) -> list[Column]:
        """Of several columns of one name, keep the one that the next word names as well: `amount lent`."""
        after = self.peek()
        if len(columns) < 2 or after is None or after.gap or after.of("table") or after.tags:
            return columns
        both = [c for c in columns if c in [e.column for e in after.of("column")]]
        if len(both) != 1:
            return columns
        self.at += 1
        return both

    def _of_coded(self, columns: list[Column]) -> list[Column]:
        """Of several columns of one name, keep that of the rows whose value comes next: `amount of rent payments`."""
        after = self.peek()
        if len(columns) < 2 or after is None or not grammar.OF & set(after.gap) or after.kinds() != {"value"}:
            return columns
        if not all(self.index.named_code(e) for e in after.entries):
            return columns  # "population of Europe" may be that of its countries
        tables = {e.table for e in after.entries}
        own = [c for c in columns if c.table in tables]
        return own if len(own) == len(tables) == 1 else columns

    def _of_year(self, columns: list[Column]) -> list[Column]:
        """Of columns that differ by a year in their name, keep the one of the year that follows, and pass over it."""
        skip = 1 if self.tagged("in") is not None else 0
        year = self.peek(skip)
        if year is None or not isinstance(year.number, int):
            return self._of_later_year(columns)
        hits = [c for c in columns if re.search(rf"(?<!\d){year.number}$", c.name)]
        others = [c for c in columns if c not in hits and c.table == (hits[0].table if hits else "")]
        plain = [c for c in others if not re.search(r"\d{4}$", c.name)]
        if len(hits) != 1 or plain:
            return columns
        self.at += skip + 1
        return hits

    def _of_later_year(self, columns: list[Column]) -> list[Column]:
        """Of columns told apart by a year alone, keep the one of the only year of the question, said further on."""
        if len(columns) < 2 or len({re.sub(r"\d{4}$", "", c.name) for c in columns}) > 1:
            return columns
        years = [i for i in range(self.at, len(self.items)) if is_year(self.items[i])]
        hits = [c for c in columns if years and re.search(rf"(?<!\d){self.items[years[0]].number}$", c.name)]
        if len(years) != 1 or len(hits) != 1 or len({c.table for c in columns}) > 1:
            return columns
        at = years[0]
        lead = 1 if at > self.at and self.items[at - 1].tag("in") is not None else 0
        del self.items[at - lead : at + 1]
        return hits

    def _say(self, table: str) -> None:
        if table not in self.draft.said:
            self.draft.said.append(table)
        else:
            self.draft.said.append(self.draft.said.pop(self.draft.said.index(table)))

    def _negated(self) -> bool:
        negated, self.negation = self.negation is not None, None
        return negated

    def _year_bound(self, columns: Sequence[Column | None], ahead: int) -> bool:
        """Whether a bound on a column of years comes next: `whose year is before 1980`."""
        item, year = self.peek(ahead), self.peek(ahead + 1)
        bound = item is not None and item.tag("date") in ("<", ">") and year is not None and is_year(year)
        return bound and any(c is not None and c.type == "number" and year_like(c.name) for c in columns)
