"""What rows are grouped by: columns, tables, pieces of a date."""

from __future__ import annotations

from lexsi_nb.grounding.language import lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.drafts import KeyDraft, Ref
from lexsi_nb.grounding.parsing.ranking import Ranking


class Grouping(Ranking):
    """Reads group keys at the current place into the draft."""

    def _on_by(self, item: Mention) -> None:
        self.at += 1
        if (
            self.draft.top
            and self.draft.order
            and self.draft.order.ref is None
            and self.draft.order.measure is None
            and not self.draft.order.by_time
        ):
            return self._ordered_by(self.draft.order)
        self._keys()

    def _keys(self) -> None:
        got = 0
        across = self.at > 0 and self.items[self.at - 1].words.casefold() in lexicon.ACROSS
        while True:
            skip = 1 if got and self.tagged("and") is not None else 0
            skip += 1 if skip and self.tagged("by", skip) is not None else 0
            item = self.peek(skip)
            if item is None or (got and not skip):
                break
            grain = item.tag("grain")
            if grain and not item.entries:
                self.at += skip + 1
                self.draft.keys.append(KeyDraft(grain=grain, words=item.words, ref=self._date_of_key()))
            elif item.of("table") and (
                not item.of("column") or not self.draft_has(item) or self._parent_meant(item, skip)
            ):
                if self._own_column_next(item, skip):
                    self.at += skip
                    self.draft.keys.append(KeyDraft(ref=self._ref(), words=item.words))
                else:
                    self.at += skip + 1
                    key = KeyDraft(table=item.of("table")[0].table, words=item.words, across=across)
                    self.draft.keys.append(key)
            elif item.of("column") and not (got and self._filter_follows(skip)):
                self.at += skip
                ref = self._ref()
                grain = self.tagged("grain") or ""
                self.at += bool(grain)
                self._no_name(item)
                self.draft.keys.append(KeyDraft(ref=ref, grain=grain, words=item.words))
            else:
                break
            got += 1
        if not got:
            item = self.peek()
            self.refuse("I can't tell what to group by.", item.words if item else "by")

    def _no_name(self, item: Mention) -> None:
        """Refuse a group with a value of another column right behind it: `paid by bank transfer` names no group."""
        after = self.peek()
        if after is None or after.gap or not after.of("value") or after.of("table", "column"):
            return
        columns = {e.column for e in item.of("column")}
        if not columns & {e.column for e in after.of("value")}:
            self.refuse(f"I can't tell whether '{item.words} {after.words}' is a group.", item.words)

    def _parent_meant(self, item: Mention, ahead: int) -> bool:
        """Whether a word for a table and a column means the table: `transactions per account`, not a column account."""
        table = item.of("table")[0].table
        columns = [e.column for e in item.of("column") if e.column]
        joined = {(j.child, j.child_column) for j in self.index.joins.into(table)}
        if any(c.table == table or (c.table, c.name) in joined for c in columns) or self._own_column_next(item, ahead):
            return False
        return any(self.index.joins.up(t, table) for t in self.draft.said if t != table)

    def draft_has(self, item: Mention) -> bool:
        """Whether a table said before owns the column that the mention could be."""
        return any(e.table in self.draft.said for e in item.of("column"))

    def _date_of_key(self) -> Ref | None:
        item = self.peek()
        if item and item.of("column") and any(e.column and e.column.type == "date" for e in item.of("column")):
            return self._ref()
        return None
