"""A table's name in a question: what is counted or listed, what it belongs to, or one row of it by its key."""

from __future__ import annotations

from abc import abstractmethod
from itertools import pairwise

from lexsi_nb.grounding.language import grammar, lexicon, schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.drafts import FilterDraft, LinkDraft, MeasureDraft, Ref
from lexsi_nb.grounding.parsing.grouping import Grouping
from lexsi_nb.grounding.parsing.open_choices import number_or_sum
from lexsi_nb.grounding.reading import Choice, Column, Declined, Unread
from lexsi_nb.grounding.rendering.phrasing import figure_of
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.periods import is_year
from lexsi_nb.grounding.wordings.verbs import told_by_verb
from lexsi_nb.grounding.words import name_words, singular

HAD = grammar.HAVING


def _of_words(m: Mention | None) -> bool:
    """Whether a mention names columns that hold no number."""
    return (
        m is not None and bool(m.of("column")) and all(e.column and e.column.type != "number" for e in m.of("column"))
    )


class Nouns(Grouping):
    """Reads a table at the current place into the draft."""

    @abstractmethod
    def _on_column(self) -> None:
        """Read a column at the current place."""

    @abstractmethod
    def _having(self) -> None:
        """Read a condition on what a group comes to."""

    @abstractmethod
    def _of_money(self, *, said: bool = False) -> bool:
        """Whether a sum is asked for and no number of rows."""

    def _on_table(self, item: Mention) -> None:
        tables = list(dict.fromkeys(e.table for e in item.of("table")))
        if len(tables) > 1:
            raise Unread(Choice(f"'{item.words}' can be more than one table.", tuple(tables), item.words))
        table = tables[0]
        if self.distinct and self.counting and all(e.weak for e in item.of("table")):
            return self._kinds_of(item, table)
        if self.distinct and self.counting and (named := self._many_of_one(item, table)):
            self.at += 1
            self._say(table)
            ref = Ref(named, item.words, table, table)
            self.draft.measures.append(MeasureDraft("distinct", ref, words=item.words))
            self.counting = self.distinct = False
            return None
        if self._which_kinds(item, table):
            return self._on_column()
        dated = self._participle(self.peek(1))
        counted = self.counting and not self.distinct
        grouped = dated and not self.functions and (self._grouped_after(2) or not self._filter_follows(1))
        done = dated and (grouped or counted or bool(self.functions))  # "average loan granted in 1997"
        named = not grouped and not done and not self._state_next(table)
        told = counted or (bool(self.functions) and _of_words(self.peek(1)))  # "sum of orders of status A"
        if self._own_column_next(item) and named and not (told and self._filter_follows(1)):
            return self._on_column()
        self.at += 1
        already = table in self.draft.said
        if self._modifies_next(table) and not self.functions and self.negation is None:
            self._say(table)
            self.draft.links.append(LinkDraft(table, words=item.words))  # "loan accounts": accounts with a loan
            return None
        self._say(table)
        if self.counting:
            self.draft.measures.append(MeasureDraft("count", table=table, words=item.words))
            self.counting, self.distinct, self.draft.distinct = False, False, False
            self.draft.head = self.draft.head or table
            self._by_id(table, item)
        elif self.functions:
            size = self.index.size_of(table)
            money = self.functions != ["sum"] or self._of_money(said=True) or self._added_up(table)
            if size is not None and money and not self.index.facts.empty:
                functions = ["sum" if f == "value" else f for f in self.functions]
                sized = Ref([size], item.words, table, table)
                self.draft.measures += [MeasureDraft(f, sized, words=item.words) for f in functions]
                self.functions = []
                self._having()
                self.draft.head = self.draft.head or table
            elif self.functions == ["sum"]:
                numeric = self.index.numeric(table)
                if numeric:
                    ways = (f"number of {table}", *(f"{figure_of('sum', c.name)} of {table}" for c in numeric[:4]))
                    names = [c.name for c in numeric[:4]]
                    number_or_sum(self._figure_said("total"), item.words, ways, names)
                self.functions = []
                self.draft.measures.append(MeasureDraft("count", table=table, words=item.words))
                self.draft.head = self.draft.head or table
            else:
                self._aggregate_later(item, table)
        elif self.negation is not None:
            self.draft.links.append(LinkDraft(table, self._negated(), words=item.words))
        elif not self.draft.head and not self.draft.measures and not self.draft.shown:
            self.draft.head = table
            self._by_id(table, item)
        elif table != self.draft.head and not already:
            had = bool(set(item.gap) & HAD)
            self.draft.links.append(LinkDraft(table, words=item.words, had=had))
            self._by_id(table, item)

    def _added_up(self, table: str) -> bool:
        """Whether a value of these rows said before is what is paid: `total rent payments in the bookings`."""
        values = [m for m in self.items[: self.at] if any(e.table == table for e in m.of("value"))]
        return any(singular(m.words.casefold().split()[-1]) in grammar.PAID for m in values)

    def _grouped_after(self, ahead: int) -> bool:
        after = self.peek(ahead)
        return after is not None and (after.tag("by") is not None or self.draft.head != "")

    def _which_kinds(self, item: Mention, table: str) -> bool:
        """Whether `which prizes` asks for the values of prize_id: no table is called so, and rows share a prize."""
        asked = self.at == 1 and self.items[0].words.casefold() in grammar.WHICH
        kinds = [e.column for e in item.of("column") if e.column is not None and e.table == table]
        if not asked or self.counting or len(kinds) != 1 or not all(e.weak for e in item.of("table")):
            return False
        return kinds[0].type == "text" and not self.index.unique(table, kinds[0].name)

    def _many_of_one(self, item: Mention, table: str) -> list[Column]:
        """Return the id of the things of a table in which one thing has many rows: different teams, a row a season."""
        word = singular(item.words.casefold())
        named = [
            c
            for n, c in self.index.columns[table].items()
            if len(w := name_words(n)) == 2 and w[0] == word and w[1] in schema_words.ID_OR_CODE
        ]
        return named if len(named) == 1 and not self.index.unique(table, named[0].name) else []

    def _kinds_of(self, item: Mention, table: str) -> None:
        """`different awards`, where no table is called so: the values of the column named after them."""
        word = singular(item.words.casefold())
        named = [c for n, c in self.index.columns[table].items() if name_words(n)[0] == word]
        if len(named) != 1:
            self.refuse(f"I can't tell which column says what different {item.words} there are.", item.words)
        self.at += 1
        self._say(table)
        ref = Ref(named, item.words, table, table)
        self.draft.measures.append(MeasureDraft("distinct", ref, words=item.words))
        self.counting = self.distinct = False

    def _modifies_next(self, table: str) -> bool:
        """Whether the table just read stands before another one without a word between: the last noun is the head."""
        after = self.peek()
        named = after is not None and after.of("table") and not after.gap
        named = named and not any(e.table == table for e in (after.of("column") if after else ()))
        named = named and not (after is not None and told_by_verb(self.items[self.at - 1], after, self.index))
        return bool(named) and (self.counting or not self.draft.head)

    def _aggregate_later(self, item: Mention, table: str) -> None:
        """`average loans by amount` has no reading; `average loan amount` was read before. Ask for the column."""
        numeric = [c.name for c in self.index.numeric(table)]
        word = lexicon.FUNCTIONS.get(self.functions[0], "total")
        word = " ".join(w for w in word.split() if w not in grammar.OF)
        raise Unread(
            Choice(f"The {word} of which column of {table}?", tuple(numeric[:8]), item.words, lasting=False)
            if numeric
            else Declined(f"{table} has no number, which '{word}' needs.")
        )

    def _by_id(self, table: str, item: Mention) -> None:
        """`account 12`: a number right after a table's name is a key, unless a unit or a column follows it."""
        number, after, key = self.peek(), self.peek(1), self.index.key_of(table)
        if number is None or not isinstance(number.number, int) or not number.words.isdigit() or number.gap:
            return
        measured = after is not None and not after.gap and bool(after.of("unit", "column") or after.tag("post"))
        many = item.words.casefold().endswith("s") or table in self.draft.said[:-1]
        if key is None or key.type != "number" or measured or (is_year(number) and many):
            return
        self.at += 1
        column, name = quote(key.name), quote(table)
        held = f"SELECT 1 AS x FROM {name} WHERE {column} = {number.number} LIMIT 1"
        if not len(self.index.engine.query(held)):
            self.refuse(f"There is no {table} with {key.name} {number.number}.", number.words)
        self.draft.filters.append(
            FilterDraft(Ref([key], key.name, table, table), "=", (number.number,), words=number.words)
        )

    def _figure_said(self, figure: str) -> str:
        """Return the word of a question that asks for a figure."""
        return next((m.words for m in self.items if m.tag("agg") is not None and not m.entries), figure)

    def _said_together(self) -> list[str]:
        """Return the pairs of mentions that stand side by side."""
        return [f"{a.words} {b.words}" for a, b in pairwise(self.items) if not b.gap]

    def _coded_alone(self) -> bool:
        """Whether all that is said of the rows is one value that a code book names: card withdrawals."""
        values = [m for m in self.items if m.of("value")]
        coded = len(values) == 1 and all(self.index.named_code(e) for e in values[0].of("value"))
        return coded and not any(m.of("table", "column", "condition", "metric", "outcome") for m in self.items)
