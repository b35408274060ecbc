"""What rows or groups are ordered by: top and bottom, superlatives, most and fewest, sorting."""

from __future__ import annotations

from lexsi_nb.grounding.language import grammar, lexicon, retold, vocabulary
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.drafts import KeyDraft, MeasureDraft, OrderDraft, Ref
from lexsi_nb.grounding.parsing.open_choices import ask, by_what, groups_by
from lexsi_nb.grounding.parsing.truths import Truths
from lexsi_nb.grounding.reading import Choice, Unread
from lexsi_nb.grounding.wordings.periods import is_year
from lexsi_nb.grounding.words import name_words, singular


class Ranking(Truths):
    """Reads orders at the current place into the draft."""

    def _on_agg(self, item: Mention) -> None:
        if item.tag("agg") == "spread":
            ways = ("standard deviation", "range from lowest to highest", "interquartile range")
            raise Unread(Choice(f"'{item.words}' can be more than one figure.", ways))
        self.functions.append(item.tag("agg") or "")
        self.at += 1
        while (self.tagged("and") is not None and self.tagged("agg", 1)) or self.tagged("agg"):
            self.at += self.tagged("and") is not None
            self.functions.append(self.tagged("agg") or "")
            self.at += 1

    def _on_top(self, item: Mention) -> None:
        self.draft.top = True
        self.draft.order = self.draft.order or OrderDraft(item.tag("top") == "desc", words=item.words)
        sort = [m.words for m in self.items if m.tag("sort") is not None and not m.entries]
        if self.draft.order.words in sort and not any(m.tag("asc") is not None for m in self.items):
            self.draft.order.descending = item.tag("top") == "desc"  # "sorted by weight, top 5"
        self.at += 1
        number = self.peek()
        self.draft.limit = 10
        if number and isinstance(number.number, int) and 0 < number.number <= 10_000:
            self.draft.limit, self.at = number.number, self.at + 1

    def _on_super(self, item: Mention) -> None:
        way = item.tag("super")
        if self.functions:
            self.refuse(f"I can't combine '{item.words}' with another aggregate here.", item.words)
        self.at += 1
        self.draft.limit = self.draft.limit or (10 if self.draft.top else 1)
        self.draft.top = True
        order = OrderDraft(way in ("desc", "last"), words=item.words)
        number = self.peek()
        if number and isinstance(number.number, int) and not is_year(number) and 0 < number.number <= 10_000:
            self.draft.limit, self.at = number.number, self.at + 1
        metric = self.peek()
        if self.tagged("agg") or (metric is not None and metric.of("metric") and not metric.of("column")):
            if self.tagged("agg"):
                self._on_agg(self.items[self.at])
            return self._ordered_by(order)
        if way in ("last", "first"):
            here = self.peek()
            self._one_ranked(item, here)
            order.by_time = True
            if here is not None and self._one_of_dates(here) and (ref := self._ref()) is not None:
                order.by_time, order.ref = False, ref  # "the latest Joined": of several dates, the one that is named
            self.draft.order = order
            return None
        here = self.peek()
        self._one_ranked(item, here)
        sized = here is not None and any(
            e.column and e.column.type != "text" and (not here.of("table") or e.table in self.draft.said)
            for e in here.of("column")
        )
        own = here is not None and self._own_column_next(here) and not self._value_of_next()
        own = own and not self._participle(self.peek(1))  # "the largest loan granted": granted only says which rows
        ref = None if here is not None and here.of("table") and not sized and not own else self._ref()
        if ref is None:
            self._coded_rows(here)
            # "5 largest loans": by what must follow ("by amount"), or be the only thing it can be.
            self.draft.order = order
            return None
        self._fitting(item, ref)
        rows = self._own_rows_next(ref)
        if not rows and not self.draft.head and not self.draft.keys and self.draft.limit == 1 and not self.draft.shown:
            if all(c.type == "text" for c in ref.options):
                groups_by(ref.options[0], f"{item.words} {ref.words}", self.index, way or "")
            self.draft.measures.append(MeasureDraft("max" if way == "desc" else "min", ref, words=item.words))
            self.draft.top, self.draft.limit = False, None
            return None
        order.ref, self.draft.order = ref, order
        return None

    def _one_of_dates(self, here: Mention) -> bool:
        """Whether one date of a table that has several stands here, after the rows that it is of."""
        dates = [e.column for e in here.of("column") if e.column and e.column.type == "date"]
        alone = len(dates) == len(here.entries) == 1
        several = alone and len(self.index.time_of(dates[0].table, loose=True)) > 1
        return several and dates[0].table in (self.draft.head, *self.draft.said)

    def _coded_rows(self, here: Mention | None) -> None:
        """`the largest card payment`: a value that a code book names says which rows are ranked by their size."""
        d, after = self.draft, self.peek(1)
        if here is None or not here.of("value") or here.of("table", "column") or d.head or d.said or d.measures:
            return
        tables = {e.table for e in here.of("value")}
        noun = after is not None and bool(after.of("table")) and not after.gap
        coded = len(tables) == 1 and all(self.index.named_code(e) for e in here.of("value"))
        if coded and not noun and self.index.size_of(table := tables.pop()) is not None:
            d.head = table
            self._say(table)

    def _value_of_next(self) -> bool:
        """Whether a column of words with a value follows the rows here: `the largest order to bank X`."""
        column = self.peek(1)
        named = [e.column for e in column.of("column") if e.column] if column is not None else []
        return bool(named) and all(c.type == "text" for c in named) and self._filter_follows(1)

    def _fitting(self, item: Mention, ref: Ref) -> None:
        """Refuse what an adjective does not fit: the longest of a serial number, the largest of a day."""
        if item.words.casefold() in grammar.BIGGEST and all(c.type == "date" for c in ref.options):
            self.refuse(f"'{ref.words}' is a day, and '{item.words}' is said of none; ask for the latest.", item.words)
        wanted = vocabulary.SIZES.get(item.words.casefold(), ())
        words = {w for c in ref.options for w in name_words(c.name)}
        spelt = words | {x for w in words for x in vocabulary.SHORT.get(w, w).split()}
        if wanted and not spelt & set(wanted) and not any(w in spelt for w in vocabulary.UNITS):
            self.refuse(f"I can't tell by what '{item.words} {ref.words}' is measured; name the column.", item.words)

    def _own_rows_next(self, ref: Ref) -> bool:
        """Whether the rows that the column is of come right after it: `heaviest product`."""
        after = self.peek()
        if after is not None and after.of("value") and not after.of("table", "column") and not after.gap:
            after = self.peek(1)  # "heaviest dog", whose rows are named next
        tables = {e.table for e in after.of("table")} if after is not None and not after.gap else set()
        return bool(tables & {c.table for c in ref.options})

    def _one_ranked(self, item: Mention, here: Mention | None) -> None:
        """Refuse a superlative of another table than the rows that were asked for: `loans in the 5 largest towns`."""
        mine = {e.table for e in here.of("table", "column")} if here is not None and here.of("table") else set()
        if here is not None and not mine and here.of("value"):  # "gold card": a value that names its own rows
            last = {e.table for e in self.index.lookup([here.words.casefold().split()[-1]]) if e.kind == "table"}
            mine = last & {e.table for e in here.of("value")}
        if here is None or not mine:
            return
        said = set(self.draft.said) | {c.table for s in self.draft.shown for c in s.options}
        if said and not said & mine:
            self.refuse(f"I can't place '{item.words} {here.words}' in this question.", item.words)

    def _on_mode(self, item: Mention) -> None:
        """`the most common type of card`: groups by the column, the largest group first."""
        self.at += 1
        start = self.at
        grain = self.tagged("grain") if self._dated_next() else None
        self.at += grain is not None
        ref = self._ref()
        if ref is None:
            self.refuse(f"'{item.words}' of which column?", item.words)
        tables = list(dict.fromkeys(c.table for c in ref.options))
        owner = ref.qualifier or ref.anchor or (tables[0] if len(tables) == 1 else "")
        if self.tagged("in") is not None and (beyond := self.peek(1)) is not None and beyond.of("table"):
            self.at += 1
        after = self.peek()
        if after is not None and after.of("table") and not self.draft.head:
            owner = owner or after.of("table")[0].table
        coded = [t for t in tables if t in {e.table for m in self.items for e in m.of("value")}]
        owner = owner or (coded[0] if len(coded) == 1 else "")
        if not owner:
            words = self.items[start].words
            raise Unread(Choice(f"'{words}' of which table?", tuple(map(str, ref.options[:8])), words))
        counted = MeasureDraft("count", table=owner, words=item.words)
        self.draft.keys.append(KeyDraft(ref=ref, grain=grain or "", words=ref.words))
        self.draft.measures.append(counted)
        self.draft.order = OrderDraft(item.tag("mode") == "desc", measure=counted, words=item.words)
        self.draft.limit, self.draft.top = self.draft.limit or 1, True
        self.draft.head = owner

    def _dated_next(self) -> bool:
        """Whether a piece of a date that is named stands here: `year of birth`."""
        item, after = self.peek(), self.peek(1)
        dated = after is not None and any(e.column and e.column.type == "date" for e in after.of("column"))
        return (
            item is not None and not item.entries and dated and after is not None and bool(grammar.OF & set(after.gap))
        )

    def _value_wins(self, item: Mention) -> bool:
        """A word that names a table and a value of another is the value before or after that other table, else open."""
        after = self.peek(1)
        tables = {e.table for e in item.of("value")}
        if after is not None and not set(after.gap) and tables & {e.table for e in after.of("table")}:
            return True
        if tables & set(self.draft.said):
            return True
        if any(e.table in self.draft.said for e in item.of("table")):
            return False
        if after is not None and not after.gap and after.of("column"):
            owners, mine = {e.table for e in after.of("column")}, {e.table for e in item.of("table")}
            if bool(owners & tables) != bool(owners & mine):
                return bool(owners & tables)
        ways = [f"{e.table}" for e in item.of("table")] + [f"{e.column} {e.value}" for e in item.of("value")]
        said = [e.table for e in item.of("table")]
        told = [(e.table, f"{e.column.name} {e.value}") for e in item.of("value") if e.column]
        said += [f"{table} {retold.WITH_THIS.format(value)}" for table, value in told]
        raise Unread(Choice(f"'{item.words}' can mean a table or a value.", tuple(ways), item.words, said=tuple(said)))

    def _on_most(self, item: Mention) -> None:
        self.at += 1
        order = OrderDraft(item.tag("most") == "desc", words=item.words)
        self.draft.limit, self.draft.top, self.counting = self.draft.limit or 1, True, True
        self._ordered_by(order)

    def _ordered_by(self, order: OrderDraft) -> None:
        """Read what to order by: a count of rows, an aggregate of a column, or a column."""
        if self.tagged("count") is not None:
            self.counting, self.at = True, self.at + 1
        elif self.tagged("agg"):
            self._on_agg(self.items[self.at])
        item = self.peek()
        if item is None:
            named = [c for s in self.draft.shown for c in s.options]
            if self.counting and len(named) == 1 and named[0].type == "text":  # "which product sold the most"
                groups_by(named[0], order.words, self.index)
            self.refuse(f"'{order.words}' of what?", order.words)
        if item.of("value") and (
            self._value_wins(item) if item.of("table") else len(item.of("value")) == len(item.entries)
        ):
            return self._on_named_rows(order, item)
        happened = self._participle(self.peek(1))
        if self.counting and (noun := self._noun_described()):
            self._on_described(order, noun)
        elif self.counting and item.of("table") and (happened or not self._own_column_next(item)):
            order.measure = MeasureDraft("count", table=item.of("table")[0].table, words=item.words)
            self.counting, self.at = False, self.at + 1
        elif self.functions and item.of("table") and (size := self._size_next(item)) is not None:
            function = "sum" if self.functions[0] == "value" else self.functions[0]
            order.measure, self.at = MeasureDraft(function, size, words=item.words), self.at + 1
            self.functions = []
        elif item.of("metric") and not item.of("column"):
            order.measure, self.at = MeasureDraft("metric", metric=item.of("metric")[0], words=item.words), self.at + 1
        elif (ref := self._ref()) is not None:
            function = self.functions[0] if self.functions else "distinct" if self.counting else ""
            amounts = function == "distinct" and all(c.type == "number" for c in ref.options)
            self.functions, self.counting = [], False
            if amounts:  # "most inhabitants": the largest number, a sum where there are many rows
                ref.fused, function = "sum", ""
            if function:
                order.measure = MeasureDraft(function, ref, words=ref.words)
            else:
                order.ref = ref
        else:
            table = next((e.table for m in self.items[self.at :] for e in m.of("table")), "")
            asked = f"I can't tell what '{order.words}' is measured by."
            ask(f"{asked} By what?", by_what(table, self.index) if table else (), order.words)
            self.refuse(asked, item.words)
        self.draft.order = order

    def _on_named_rows(self, order: OrderDraft, item: Mention) -> None:
        """Order by a count of rows whose name says a value of theirs: `the most gold cards`."""
        tables, last = {e.table for e in item.of("value")}, item.words.casefold().split()[-1]
        table = next(iter(tables)) if len(tables) == 1 else ""
        said = [e for w in (last, singular(last)) for e in self.index.entries.get((w,), ()) if e.kind == "table"]
        named = table in {e.table for e in (*said, *item.of("table"))}
        things = table and last != singular(last) and self.index.size_of(table) is None  # "the most women"
        if not self.counting or not (named or things):
            self.refuse(f"I can't tell what '{order.words}' is measured by.", item.words)
        order.measure = MeasureDraft("count", table=table, words=item.words)
        self.counting, self.draft.order = False, order
        self._on_value(item)

    def _noun_described(self) -> int:
        """Return the place of a table right after the values and conditions it is described by: `late red orders`."""
        at = self.at
        if not (self.draft.shown or self.draft.head or self.draft.said):
            return 0  # "most active account": how active is not said
        while at < len(self.items) and self._describes(self.items[at]) and (at == self.at or not self.items[at].gap):
            at += 1
        noun = self.items[at] if at < len(self.items) else None
        return at if at > self.at and noun is not None and noun.of("table") and not noun.gap else 0

    def _describes(self, m: Mention) -> bool:
        flags = m.of("column") and all(
            e.column and (e.column.type == "bool" or self._flag(e.column)) for e in m.of("column")
        )
        return not m.of("table") and bool(m.of("value", "condition") or flags)

    def _on_described(self, order: OrderDraft, noun: int) -> None:
        """Order by a count of rows of which more is said before their name."""
        said = self.items[noun]
        order.measure = MeasureDraft("count", table=said.of("table")[0].table, words=said.words)
        self.counting, self.draft.order = False, order
        while self.at < noun:
            item = self.items[self.at]
            if item.of("value", "condition"):
                self._on_value(item)
            elif not self._holds(item):
                self.refuse(f"I can't tell what '{item.words}' says of {said.words}.", item.words)
        self.at = noun + 1

    def _size_next(self, item: Mention) -> Ref | None:
        """Return the size of the table that stands here, for `the highest total of orders`."""
        table = item.of("table")[0].table
        if item.of("column") or self._own_column_next(item):
            return None
        size = self.index.size_of(table)
        return Ref([size], item.words, table, table) if size is not None else None

    def _on_sort(self, item: Mention) -> None:
        self.at += 1
        ranked = self.draft.top or item.words.casefold() in lexicon.RANKED
        order = OrderDraft(descending=ranked, words=item.words)
        self._ordered_by(order)
