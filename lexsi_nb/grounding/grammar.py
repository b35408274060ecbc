"""From mentions to a draft: which operation, on what, by what, under which conditions. Refuses what it cannot place."""

from __future__ import annotations

from typing import Any, NoReturn

from lexsi_nb.grounding.drafts import Draft, FilterDraft, KeyDraft, LinkDraft, MeasureDraft, OrderDraft, Ref
from lexsi_nb.grounding.lexicon_en import FUNCTIONS
from lexsi_nb.grounding.index import SchemaIndex, phrase
from lexsi_nb.grounding.mentions import Mention, is_year, period
from lexsi_nb.grounding.reading import Choice, Column, Declined, Unread

_VERBS = frozenset({"have", "has", "had", "having", "with", "who", "that", "which", "whose"})


class Grammar:
    """Reads the mentions of one question from left to right into a Draft."""

    def __init__(self, items: list[Mention], index: SchemaIndex) -> None:
        self.items, self.index, self.at, self.draft = items, index, 0, Draft()
        self.negation: Mention | None = None
        self.functions: list[str] = []
        self.counting = self.most = self.distinct = False

    # -- places -----------------------------------------------------------------------------------------------

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

    # -- reading ----------------------------------------------------------------------------------------------

    def read(self) -> Draft:
        """Return the draft of the whole question.

        Raises:
            Unread: with the decline or the choice that the words lead to.
        """
        while self.at < len(self.items):
            before = self.at
            self._step(self.items[self.at])
            if self.at == before:
                self.refuse(f"I can't place '{self.items[before].words}' in this question.", self.items[before].words)
        self._finish()
        return self.draft

    def _step(self, item: Mention) -> None:
        tags = {t.partition(":")[0] for t in item.tags}
        for name in ("list", "count", "agg", "top", "super", "most", "distinct", "by", "sort", "not", "without", "and"):
            if name in tags and not item.entries:
                return getattr(self, f"_on_{name}")(item)
        if tags & {"between", "cmp", "date", "in", "null", "notnull", "half", "quarter", "monthname"} or item.day or item.number is not None:
            return self._loose_condition(item)
        if "or" in tags:
            self.refuse("I read 'or' only between values of one column.", "or")
        if "asc" in tags or "desc" in tags:
            if self.draft.order is None:
                return None
            self.draft.order.descending = "desc" in tags
            self.at += 1
            return None
        if item.of("term"):
            term = item.of("term")[0]
            if term.value:
                raise Unread(Choice(term.text, tuple(term.value), item.words))
            self.refuse(term.text, item.words)
        if item.of("table") and not self._column_wins(item):
            return self._on_table(item)
        if item.of("column"):
            return self._on_column()
        if item.of("metric"):
            return self._on_metric(item)
        if item.of("value", "condition", "outcome") or item.literal is not None:
            return self._on_value(item)
        return None

    def _column_wins(self, item: Mention) -> bool:
        """A word that names both a table and a column is the column after an aggregate, or when the table is not meant."""
        return bool(item.of("column")) and bool(self.functions)

    def _on_list(self, item: Mention) -> None:
        self.draft.listed = self.draft.listed or self.at == 0
        self.at += 1

    def _on_count(self, item: Mention) -> None:
        if self.functions:
            self.refuse("An average of counts needs two steps, which I don't read yet.", item.words)
        self.counting, self.at = True, self.at + 1

    def _on_agg(self, item: Mention) -> None:
        self.functions.append(item.tag("agg") or "")
        self.at += 1
        while (self.tagged("and") is not None and self.tagged("agg", 1)) or self.tagged("agg"):
            self.at += self.tagged("and") is not None
            self.functions.append(self.tagged("agg") or "")
            self.at += 1

    def _on_top(self, item: Mention) -> None:
        self.draft.top = True
        self.draft.order = self.draft.order or OrderDraft(item.tag("top") == "desc", words=item.words)
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
        if self.tagged("agg"):
            self._on_agg(self.items[self.at])
            return self._ordered_by(order)
        if way in ("last", "first"):
            order.by_time = True
            self.draft.order = order
            return None
        ref = self._ref()
        if ref is None:
            # "5 largest loans": by what must follow ("by amount"), or be the only thing it can be.
            self.draft.order = order
            return None
        if not self.draft.head and not self.draft.keys and self.draft.limit == 1 and not self.draft.shown:
            self.draft.measures.append(MeasureDraft("max" if way == "desc" else "min", ref, words=item.words))
            self.draft.top, self.draft.limit = False, None
            return None
        order.ref, self.draft.order = ref, order
        return None

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
            self.refuse(f"'{order.words}' of what?", order.words)
        if self.counting and item.of("table") and not self._own_column_next(item):
            order.measure = MeasureDraft("count", table=item.of("table")[0].table, words=item.words)
            self.counting, self.at = False, self.at + 1
        elif item.of("metric") and not item.of("column"):
            order.measure, self.at = MeasureDraft("metric", metric=item.of("metric")[0], words=item.words), self.at + 1
        elif (ref := self._ref()) is not None:
            function = self.functions[0] if self.functions else "distinct" if self.counting else ""
            self.functions, self.counting = [], False
            if function:
                order.measure = MeasureDraft(function, ref, words=ref.words)
            else:
                order.ref = ref
        else:
            self.refuse(f"I can't tell what '{order.words}' is measured by.", item.words)
        self.draft.order = order

    def _on_distinct(self, item: Mention) -> None:
        self.draft.distinct = self.distinct = True
        self.at += 1

    def _on_by(self, item: Mention) -> None:
        self.at += 1
        if self.draft.top and self.draft.order and self.draft.order.ref is None and self.draft.order.measure is None and not self.draft.order.by_time:
            return self._ordered_by(self.draft.order)
        self._keys()

    def _keys(self) -> None:
        got = 0
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
            elif item.of("table") and not item.of("column") or (item.of("table") and not self.draft_has(item)):
                if self._own_column_next(item, skip):
                    self.at += skip
                    self.draft.keys.append(KeyDraft(ref=self._ref(), words=item.words))
                else:
                    self.at += skip + 1
                    self.draft.keys.append(KeyDraft(table=item.of("table")[0].table, words=item.words))
            elif item.of("column") and not (got and self._filter_follows(skip)):
                self.at += skip
                ref = self._ref()
                grain = self.tagged("grain") or ""
                self.at += bool(grain)
                self.draft.keys.append(KeyDraft(ref=ref, grain=grain, words=item.words))
            else:
                break
            got += 1
        if not got:
            item = self.peek()
            self.refuse("I can't tell what to group by.", item.words if item else "by")

    def draft_has(self, item: Mention) -> bool:
        """Whether a table said before owns the column that the mention could be."""
        return any(e.table in self.draft.said for e in item.of("column"))

    def _date_of_key(self) -> Ref | None:
        item = self.peek()
        if item and item.of("column") and any(e.column and e.column.type == "date" for e in item.of("column")):
            return self._ref()
        return None

    def _on_sort(self, item: Mention) -> None:
        self.at += 1
        top = self.draft.top
        order = OrderDraft(descending=top, words=item.words)
        self._ordered_by(order)

    def _on_not(self, item: Mention) -> None:
        if self.negation is not None:
            self.refuse("I don't read two negations in a row.", item.words)
        self.negation, self.at = item, self.at + 1

    _on_without = _on_not

    def _negated(self) -> bool:
        negated, self.negation = self.negation is not None, None
        return negated

    def _on_and(self, item: Mention) -> None:
        self.at += 1

    # -- nouns ------------------------------------------------------------------------------------------------

    def _own_column_next(self, item: Mention, ahead: int = 0) -> bool:
        after = self.peek(ahead + 1)
        tables = {e.table for e in item.of("table")}
        return bool(after and not set(after.gap) - {"the", "a", "an"} and any(e.table in tables for e in after.of("column")) and not after.of("table"))

    def _ref(self) -> Ref | None:
        """Read `column`, `table column` or `column (of) table`; None (and no move) when no column is there."""
        item, qualifier, start = self.peek(), "", self.at
        if item and item.of("table") and not item.of("column") or (item and item.of("table") and self._own_column_next(item)):
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
        ref = Ref(columns, item.words, qualifier, self.anchor)
        after = self.peek()
        if not qualifier and after and after.of("table") and not self._own_column_next(after):
            owner = next((e.table for e in after.of("table") if any(c.table == e.table for c in columns)), "")
            if owner:
                ref.options, ref.qualifier, ref.anchor = [c for c in columns if c.table == owner], owner, owner
        return ref

    def _say(self, table: str) -> None:
        if table not in self.draft.said:
            self.draft.said.append(table)
        else:
            self.draft.said.append(self.draft.said.pop(self.draft.said.index(table)))

    def _on_table(self, item: Mention) -> None:
        tables = list(dict.fromkeys(e.table for e in item.of("table")))
        if len(tables) > 1:
            raise Unread(Choice(f"'{item.words}' can be more than one table.", tuple(tables), item.words))
        table = tables[0]
        if self._own_column_next(item) and not (self.counting and not self.distinct and self._filter_follows(1)):
            return self._on_column()
        self.at += 1
        already = table in self.draft.said
        self._say(table)
        if self.counting:
            self.draft.measures.append(MeasureDraft("count", table=table, words=item.words))
            self.counting, self.distinct, self.draft.distinct = False, False, False
            self.draft.head = self.draft.head or table
        elif self.functions:
            if self.functions == ["sum"]:
                self.functions = []
                self.draft.measures.append(MeasureDraft("count", table=table, words=item.words))
                self.draft.head = self.draft.head or table
            else:
                self._aggregate_later(item, table)
        elif self.negation is not None:
            self.draft.links.append(LinkDraft(table, self._negated(), words=item.words))
        elif not self.draft.head and not self.draft.measures and not self.draft.shown:
            self.draft.head = table
            number = self.peek()
            if number and isinstance(number.number, int) and number.words.isdigit() and not (is_year(number) and item.words.endswith("s")):
                self._by_id(table, number)
        elif table != self.draft.head and not already:
            self.draft.links.append(LinkDraft(table, words=item.words))
            number = self.peek()
            if number and isinstance(number.number, int) and number.words.isdigit() and not is_year(number):
                self._by_id(table, number)

    def _aggregate_later(self, item: Mention, table: str) -> None:
        """`average loans by amount` has no reading; `average loan amount` was read before. Ask for the column."""
        numeric = [c.name for c in self.index.numeric(table)]
        word = FUNCTIONS[self.functions[0]]
        raise Unread(Choice(f"The {word} of which column of {table}?", tuple(numeric[:8]), item.words) if numeric else Declined(f"{table} has no number to take the {word} of."))

    def _by_id(self, table: str, number: Mention) -> None:
        key = self.index.key_of(table)
        if key is None or key.type != "number":
            return
        self.at += 1
        self.draft.filters.append(FilterDraft(Ref([key], key.name, table, table), "=", (number.number,), words=number.words))

    def _on_column(self) -> None:
        item = self.peek()
        assert item is not None
        if self.functions or self.counting or self.distinct:
            return self._measured()
        if item.fused and not self._filter_follows(0) and not (self.functions or self.counting or self.distinct):
            self.functions = [item.fused]
            return self._measured()
        if item.of("value", "condition") and not self._filter_follows(0):
            values = [e for e in item.of("value") if e.table in (*self.draft.said, self.draft.head)]
            if values and self.draft.head:
                return self._on_value(item)
        ref = self._ref()
        if ref is None:
            self.refuse(f"I can't place '{item.words}' in this question.", item.words)
        if self._condition(ref):
            return
        if self.negation is not None:
            self.draft.filters.append(FilterDraft(ref, "null", words=ref.words, anchor=ref.anchor))
            self.negation = None
            return
        if self.draft.head and not self.draft.listed and not self.draft.top:
            self.refuse(f"I can't tell what '{ref.words}' is for in this question.", ref.words)
        if self.draft.measures and not self.draft.order:
            self.refuse(f"I can't tell what '{ref.words}' is for in this question.", ref.words)
        self.draft.shown.append(ref)

    def _measured(self) -> None:
        functions = self.functions or (["distinct"] if self.counting else [])
        ref = self._ref()
        if ref is None:
            self.refuse("I can't tell what to measure.")
        if self.distinct and not self.counting and not self.functions:
            self.draft.shown.append(ref)
        for f in functions:
            self.draft.measures.append(MeasureDraft(f, ref, words=ref.words))
        while functions and self.tagged("and") is not None and (more := self.peek(1)) and more.of("column") and not self._filter_follows(1):
            self.at += 1
            another = self._ref()
            self.draft.measures += [MeasureDraft(f, another, words=more.words) for f in functions]
        self.functions, self.counting, self.distinct = [], False, False

    def _on_metric(self, item: Mention) -> None:
        self.at += 1
        self.functions = []
        self.draft.measures.append(MeasureDraft("metric", metric=item.of("metric")[0], words=item.words))

    # -- conditions -------------------------------------------------------------------------------------------

    def _on_value(self, item: Mention) -> None:
        """A value, a named condition or an outcome without a column before it."""
        if item.literal is not None and not item.entries:
            found = [(c, v[key]) for c, v in self.index.values.items() if (key := phrase(item.literal)) in v]
            if not found:
                self.refuse(f"'{item.literal}' does not occur in the data's listed values.", item.words)
            self.at += 1
            self.draft.filters.append(self._open_values([item], found))
            return
        if item.of("value"):
            group, self.at = [item], self.at + 1
            while (self.tagged("or") is not None or self.tagged("and") is not None) and (more := self.peek(1)) and self._same_column(group, more):
                group.append(more)
                self.at += 2
            found = [(e.column, e.value) for m in group for e in m.of("value") if e.column]
            self.draft.filters.append(self._open_values(group, found))
            self._count_values(found[0][0].table if len({c.table for c, _ in found}) == 1 else "", item)
            after = self.peek()
            if after and after.of("column") and not after.of("table") and any(c.name == e.column.name for c, _ in found for e in after.of("column") if e.column):
                self.at += 1  # "gold type": the value's own column after it says nothing new
            return
        self.at += 1
        self.draft.filters.append(FilterDraft(None, "sql", negated=self._negated(), words=item.words, entries=item.of("condition", "outcome"), anchor=self.anchor))
        tables = {e.table for e in item.of("condition", "outcome")}
        self._count_values(tables.pop() if len(tables) == 1 else "", item)

    def _count_values(self, table: str, item: Mention) -> None:
        """`how many gold cards`, `how many women have a loan`: the value itself names what is counted."""
        after = self.peek()
        noun = after is not None and bool(after.of("table", "column")) and not set(after.gap) & _VERBS
        if self.counting and table and not noun and not (after is not None and after.of("value", "condition", "outcome")):
            self.draft.measures.append(MeasureDraft("count", table=table, words=item.words))
            self.draft.head, self.counting = self.draft.head or table, False
            self._say(table)

    def _same_column(self, group: list[Mention], more: Mention) -> bool:
        mine = {e.column for e in group[0].of("value")}
        return bool(mine & {e.column for e in more.of("value")}) and not more.of("table")

    def _open_values(self, group: list[Mention], found: list[tuple[Any, Any]]) -> FilterDraft:
        columns = [c for c in dict.fromkeys(c for c, _ in found) if sum(1 for x, _ in found if x == c) >= len(group)]
        values = {c: tuple(dict.fromkeys(v for x, v in found if x == c)) for c in columns}
        ref = Ref(columns, " or ".join(m.words for m in group), "", self.anchor)
        draft = FilterDraft(ref, "in", (values,), self._negated(), ref.words, anchor=self.anchor)
        return draft

    def _filter_follows(self, ahead: int) -> bool:
        """Whether a comparison, value or null test comes right after the mention at `ahead`."""
        item, after = self.peek(ahead), self.peek(ahead + 1)
        if item is None or after is None:
            return False
        if any(after.tag(t) is not None for t in ("cmp", "between", "null", "notnull")) or after.number is not None or after.literal is not None:
            return True
        if after.tag("date") is not None or after.tag("in") is not None:
            return any(e.column and e.column.type == "date" for e in item.of("column"))
        columns = {e.column for e in item.of("column")}
        return any(e.column in columns for e in after.of("value")) or any(phrase(after.words) in self.index.values.get(c, {}) for c in columns if c)

    def _condition(self, ref: Ref) -> bool:
        """Read the condition that follows a column; False (and no move) when there is none."""
        start, negated = self.at, self._negated()
        if self.tagged("not") is not None:
            negated, self.at = not negated, self.at + 1
        item = self.peek()
        made = None if item is None else self._condition_on(ref, item)
        if made is None:
            self.at = start
            if negated and self.items[start - 1].tag("not") is None:
                self.negation = self.items[start - 1]
            return False
        made.negated, made.anchor = negated != made.negated, ref.anchor
        self.draft.filters.append(made)
        return True

    def _condition_on(self, ref: Ref, item: Mention) -> FilterDraft | None:
        start = self.at
        if item.tag("null") is not None or item.tag("notnull") is not None:
            self.at += 1
            return FilterDraft(ref, "null" if item.tag("null") is not None else "notnull", words=f"{ref.words} {item.words}")
        dated = [c for c in ref.options if c.type == "date"]
        if dated and (made := self._dates(item)):
            ref.options = dated
            return FilterDraft(ref, made[0], made[1], words=ref.words)
        numeric = [c for c in ref.options if c.type == "number"]
        if numeric and (made := self._numbers(item)):
            ref.options = numeric
            self._skip_unit(ref)
            return FilterDraft(ref, made[0], made[1], words=ref.words)
        self.at = start
        if item.tag("cmp") == "=" or item.tag("in") is not None:
            self.at += 1
        return self._named_values(ref, start)

    def _skip_unit(self, ref: Ref) -> None:
        """Pass over the unit after a number (`at least 24 months`), when it is the column's own."""
        after = self.peek()
        if after and any(e.column in ref.options for e in after.of("unit", "column")) and not self._filter_follows(0):
            self.at += 1

    def _named_values(self, ref: Ref, start: int) -> FilterDraft | None:
        """Read `C`, `C or D`, `'C', 'D'` after a column: each must be a value of it."""
        values: list[Any] = []
        options = list(ref.options)
        while (item := self.peek()) is not None:
            key = phrase(item.literal if item.literal is not None else item.words)
            held = [c for c in options if key in self.index.values.get(c, {})]
            if not held:
                if item.literal is not None and not values:
                    return self._free_text(ref, item)
                break
            options = held
            values.append((key, item.words))
            self.at += 1
            if self.tagged("or") is None and self.tagged("and") is None:
                break
            self.at += 1
        if values and self.items[self.at - 1].tags and self.items[self.at - 1].tag("and") is not None:
            self.at -= 1
        elif values and self.items[self.at - 1].tag("or") is not None:
            self.refuse("I read 'or' only between values of one column.", "or")
        if not values:
            self.at = start
            return None
        ref.options = options
        found = {c: tuple(dict.fromkeys(self.index.values[c][k] for k, _ in values)) for c in options}
        return FilterDraft(ref, "in", (found,), words=f"{ref.words} {' or '.join(w for _, w in values)}")

    def _free_text(self, ref: Ref, item: Mention) -> FilterDraft:
        """A quoted literal on a column with too many values to list: it counts when it occurs."""
        from lexsi_nb.grounding.sql import literal, quote

        held = [
            c for c in ref.options
            if c.type == "text" and c not in self.index.values
            and len(self.index.engine.query(f"SELECT 1 AS x FROM {quote(c.table)} WHERE {quote(c.name)} = {literal(item.literal)} LIMIT 1"))
        ]  # fmt: skip
        if not held:
            self.refuse(f"'{item.literal}' does not occur in {ref.words}.", item.words)
        self.at += 1
        ref.options = held
        return FilterDraft(ref, "in", ({c: (item.literal,) for c in held},), words=f"{ref.words} {item.words}")

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
        op = before or (cmp if cmp and cmp != "=" else None)
        if op is None:
            return "range", (span[0], span[1])
        return {"<": ("<", (span[0],)), "<=": ("<", (span[1],)), ">": (">=", (span[1],)), ">=": (">=", (span[0],))}[op]

    def _numbers(self, item: Mention) -> tuple[str, tuple[Any, ...]] | None:
        """Read a number condition: compared, between, `24 or more`, a plain number; (op, values)."""
        start = self.at
        if item.tag("between") is not None or item.tag("date") == ">=":
            low, joint, high = self.peek(1), self.peek(2), self.peek(3)
            if low and high and joint and low.number is not None and high.number is not None and (joint.tag("and") is not None or joint.tag("to") is not None):
                self.at += 4
                return "between", (low.number, high.number)
            return None
        op = item.tag("cmp")
        if op or item.tag("in") is not None:
            self.at += 1
        number = self.peek()
        if number is None or number.number is None:
            self.at = start
            return None
        self.at += 1
        post = self.tagged("post")
        if post and not op:
            self.at += 1
            return post, (number.number,)
        if not op or op == "=":
            values = [number.number]
            while (self.tagged("or") is not None or self.tagged("and") is not None) and (more := self.peek(1)) and more.number is not None:
                values.append(more.number)
                self.at += 2
            return "in", (tuple(values),)
        return op, (number.number,)

    def _loose_condition(self, item: Mention) -> None:
        """A condition whose column is not named before it: a date, a number with a unit, a column or a table after it."""
        start = self.at
        if item.number is not None and not is_year(item):
            if self.tagged("super", 1) is not None or (self.tagged("most", 1) is not None):
                self.draft.limit, self.draft.top, self.at = int(item.number), True, self.at + 1
                return
        if item.tag("in") is not None and not (self.peek(1) and period(self.items, self.at + 1)):
            self.at += 1  # a place or a group: "in Prague"
            return
        if item.tag("null") is not None or item.tag("notnull") is not None:
            self.at += 1
            ref = self._ref()
            if ref is None:
                self.refuse(f"I can't tell which column is {item.words}.", item.words)
            op = "null" if item.tag("null") is not None else "notnull"
            self.draft.filters.append(FilterDraft(ref, op, (), self._negated(), f"{item.words} {ref.words}", anchor=ref.anchor))
            return
        made = self._dates(item)
        if made:
            self.draft.filters.append(FilterDraft(None, made[0], made[1], self._negated(), words=item.words, anchor=self.anchor, when=True))
            return
        made = self._numbers(item)
        after = self.peek()
        if made and after and after.of("table") and not self._own_column_next(after) and made[0] in (">", ">=", "<", "<=", "in"):
            number = made[1][0][0] if made[0] == "in" else made[1][0]
            self.at += 1
            table = after.of("table")[0].table
            self.draft.links.append(LinkDraft(table, self._negated(), "=" if made[0] == "in" else made[0], int(number), after.words))
            self._say(table)
            return
        if made and after and after.of("unit") and not after.of("column"):
            self.at += 1
            ref = Ref([e.column for e in after.of("unit") if e.column], after.words, "", self.anchor)
            self.draft.filters.append(FilterDraft(ref, made[0], made[1], self._negated(), after.words, anchor=self.anchor))
            return
        if made and after and (after.of("column") or after.of("table")):
            ref = self._ref()
            if ref:
                self.draft.filters.append(FilterDraft(ref, made[0], made[1], self._negated(), ref.words, anchor=ref.anchor))
                return
        if made:
            self.draft.filters.append(FilterDraft(None, made[0], made[1], self._negated(), item.words, anchor=self.anchor))
            return
        self.at = start
        self.refuse(f"I can't tell what '{item.words}' compares.", item.words)

    # -- end --------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        d = self.draft
        if self.negation is not None:
            self.refuse(f"I can't tell what '{self.negation.words}' excludes.", self.negation.words)
        if self.functions:
            self.refuse("I can't tell what to aggregate.", *self.functions)
        if self.counting:
            self.refuse("I can't tell what to count.")
        if self.distinct and not d.shown and not d.measures:
            self.refuse("I can't tell which distinct values are meant.")
        if not (d.said or d.shown or d.measures or d.keys):
            self.refuse("Nothing in this question names a table or a column of the data.")


def column_of(columns: list[Column], name: str) -> Column | None:
    """Return the column of that name."""
    return next((c for c in columns if c.name == name), None)
