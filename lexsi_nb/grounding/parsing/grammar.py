"""From mentions to a draft: which operation, on what, by what, under which conditions. Refuses what it cannot place."""

from __future__ import annotations

from lexsi_nb.grounding.language import grammar, lexicon, retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.alternatives import Alternatives
from lexsi_nb.grounding.parsing.drafts import Draft, FilterDraft, KeyDraft, MeasureDraft, OrderDraft, Ref
from lexsi_nb.grounding.parsing.open_choices import ask, best_by, nothing_asked, number_or_sum, sizes_of
from lexsi_nb.grounding.reading import Choice, Unread
from lexsi_nb.grounding.rendering.phrasing import figure_of
from lexsi_nb.grounding.words import singular


class Grammar(Alternatives):
    """Reads the mentions of one question from left to right into a Draft."""

    def read(self) -> Draft:
        """Return the draft of the whole question.

        Raises:
            Unread: with the decline or the choice that the words lead to.
        """
        while self.at < len(self.items):
            before = self.at
            self._step(self.items[self.at])
            self._conditions_since(before)
            if self.at == before:
                self.refuse(f"I can't place '{self.items[before].words}' in this question.", self.items[before].words)
        self._finish()
        return self.draft

    def _step(self, item: Mention) -> None:
        tags = {t.partition(":")[0] for t in item.tags}
        for name in (
            "list", "count", "agg", "top", "super", "most", "mode", "distinct", "by", "sort", "not", "without", "and",
        ):  # fmt: skip
            if name in tags and not item.entries:
                return getattr(self, f"_on_{name}")(item)
        if (
            tags & {"between", "cmp", "date", "in", "null", "notnull", "half", "quarter", "monthname"}
            or item.day
            or item.number is not None
        ):
            return self._loose_condition(item)
        if "or" in tags:
            return self._on_or(item)
        after = self.peek(1)
        if (
            "to" in tags
            and not item.entries
            and after is not None
            and after.of("value", "table", "condition", "column")
        ):
            self.at += 1  # "cards went to women"
            return None
        if "total" in tags:
            self.draft.total, self.at = True, self.at + 1
            return None
        if (scope := item.tag("scope")) is not None:
            self.draft.scope, self.at = scope, self.at + 1
            return None
        if "age" in tags:
            return self._on_age(item)
        later = self.items[self.at :]
        ranks = any(m.tag("most") is not None for m in later) or (
            any(m.tag("cmp") is not None for m in later) and not (self.draft.head or self.draft.measures)
        )
        if "grain" in tags and (self.draft.listed or self.at == 0) and ranks:
            self.draft.keys.append(
                KeyDraft(grain=item.tag("grain") or "", words=item.words)
            )  # "which year had the most"
            self.at += 1
            return None
        if "best" in tags:
            self._best_by_what(item)
        if item.tag("twice") is not None or "times" in tags:
            self.refuse(f"I can't tell what '{item.words}' compares.", item.words)
        if "asc" in tags or "desc" in tags:
            if self.draft.order is None:
                self.draft.order = OrderDraft(words=item.words)
            self.draft.order.descending = "desc" in tags
            self.at += 1
            return None
        if item.of("term"):
            term = item.of("term")[0]
            if term.value:
                raise Unread(Choice(term.text, tuple(term.value), item.words))
            self.refuse(term.text, item.words)
        if item.of("table") and item.of("value") and self._value_wins(item):
            return self._on_value(item)
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
        """A word that names both a table and a column is the column after an aggregate."""
        return bool(item.of("column")) and bool(self.functions)

    def _on_list(self, item: Mention) -> None:
        self.draft.listed = self.draft.listed or self.at == 0
        self.at += 1

    def _on_count(self, item: Mention) -> None:
        if self.functions:
            self.refuse("An average of counts needs two steps, which I don't read yet.", item.words)
        self.counting, self.at = True, self.at + 1

    def _on_distinct(self, item: Mention) -> None:
        self.draft.distinct = self.distinct = True
        self.at += 1

    def _on_not(self, item: Mention) -> None:
        if self.negation is not None:
            self.refuse("I don't read two negations in a row.", item.words)
        self.negation, self.at = item, self.at + 1

    _on_without = _on_not

    def _on_and(self, item: Mention) -> None:
        before, after = self.peek(-1) if self.at else None, self.peek(1)
        heads = bool(before and any(e.table == self.draft.head for e in before.of("table"))) and not self.draft.links
        if heads and after is not None and after.of("table") and not self._own_column_next(after, 1):
            self.refuse("I answer for one kind of rows at a time; ask for each by itself.", after.words)
        self.at += 1

    # -- nouns ------------------------------------------------------------------------------------------------

    def _on_column(self) -> None:
        item = self.peek()
        assert item is not None
        if self._holds(item):
            return None
        conditioned = self.counting and not self.distinct and bool(self.draft.said) and self._filter_follows(0)
        if self.functions or self.distinct or (self.counting and not conditioned):
            return self._measured()
        open_ = not (self.functions or self.counting or self.distinct)
        if item.fused and not self._filter_follows(0) and open_ and not self._beside_a_name(item):
            self.functions, self.draft.fused = [item.fused], True
            return self._measured()
        if item.of("value", "condition") and not self._filter_follows(0):
            values = [e for e in item.of("value") if e.table in (*self.draft.said, self.draft.head)]
            if values and self.draft.head:
                return self._on_value(item)
        ref = self._ref()
        if ref is None:
            self.refuse(f"I can't place '{item.words}' in this question.", item.words)
        self._no_place_of_life(item, ref)
        if self._condition(ref):
            fresh = not (self.draft.head or self.draft.measures or self.draft.shown)
            if fresh and ref.qualifier and item.of("table") and not self.draft.keys:
                self.draft.head = ref.qualifier  # "accounts opened in 1995 with a loan" lists accounts
            return
        ordered = self.draft.order.measure if self.draft.order else None
        head = self.draft.head or (ordered.table if ordered else "")
        if not head and self.draft.measures and self._participle(item):
            head = self.anchor or self._measured_in()  # "mean amount of loans granted to women", "loan amounts granted"
        times = self.index.time_of(head) if head else []
        open_ = not self.draft.listed or ordered is not None or self._participle(item)
        happened = bool(times) and open_ and bool(set(times) & set(ref.options))
        if (happened or self._said_to_be(item, ref)) and self._stands(item, ref):
            return
        if self.negation is None and (happened or self._done_to_others(item, ref)):
            return  # "cards issued": each row of them was
        if self.negation is not None:
            self.draft.filters.append(FilterDraft(ref, "null", words=ref.words, anchor=ref.anchor))
            self.negation = None
            return
        if self.draft.head and not self.draft.listed and not self.draft.top:
            self.refuse(f"I can't tell what '{ref.words}' is for in this question.", ref.words)
        if self.draft.measures and not self.draft.order:
            self.refuse(f"I can't tell what '{ref.words}' is for in this question.", ref.words)
        self.draft.shown_first = self.draft.shown_first or not (self.draft.head or self.draft.shown)
        self.draft.shown.append(ref)

    def _beside_a_name(self, item: Mention) -> bool:
        """Whether a column that is called an average is listed for each row: `name and average salary of the towns`."""
        if self.draft.head and grammar.THEIR & grammar.OF_ITS_OWN & set(item.gap):
            return True  # "towns with their average salary"
        told = {c for s in self.draft.shown for c in s.options}
        tables = {e.table for e in item.of("column")}
        return self.draft.shown_first and any(
            c in (self.index.key_of(t), self.index.label_of(t)) for t in tables for c in told
        )

    def _measured(self) -> None:
        self.functions = ["sum" if f == "value" else f for f in self.functions]
        functions = self.functions or (["distinct"] if self.counting else [])
        ref = self._ref()
        if ref is None:
            self.refuse("I can't tell what to measure.")
        if self.functions and self.counting:  # "count, mean and maximum of the amounts"
            tables = {c.table for c in ref.options}
            coded = tables & {e.table for m in self.items for e in m.of("value")}
            tables = coded if len(coded) == 1 and not self.anchor else tables  # "count and sum of the refunds"
            owner = ref.qualifier or (tables.pop() if len(tables) == 1 else self.anchor)
            if not owner:
                self.refuse(f"A count of which rows, for '{ref.words}'?", ref.words)
            self.draft.measures.append(MeasureDraft("count", table=owner, words=ref.words))
        if self.distinct and not self.counting and not self.functions:
            self.draft.shown.append(ref)
        for f in functions:
            self.draft.measures.append(MeasureDraft(f, ref, words=ref.words))
        while (
            functions
            and self.tagged("and") is not None
            and (more := self.peek(1))
            and more.of("column")
            and not self._filter_follows(1)
        ):
            self.at += 1
            another = self._ref()
            self.draft.measures += [MeasureDraft(f, another, words=more.words) for f in functions]
        self.functions, self.counting, self.distinct = [], False, False
        self._owned(ref)
        self._having()

    def _measured_in(self) -> str:
        """Return the table of all columns measured so far, empty where they can be of several."""
        tables = {c.table for m in self.draft.measures if m.ref for c in m.ref.options}
        return tables.pop() if len(tables) == 1 else ""

    def _owned(self, ref: Ref) -> None:
        """Refuse a figure of a column "of" rows without it: `payments on orders`, where loans have payments."""
        skip = 1 if self.tagged("in") is not None else 0
        noun = self.peek(skip)
        if (
            noun is None
            or not noun.of("table")
            or self._own_column_next(noun, skip)
            or not (skip or grammar.OF & set(noun.gap))
        ):
            return
        tables = {e.table for e in noun.of("table")}
        routes = {(r.start, r.end) for r in self.index.facts.routes}  # "loan amount of clients": of their loans
        if not any(self.index.joins.up(c.table, t) or (c.table, t) in routes for c in ref.options for t in tables):
            names = ", ".join(dict.fromkeys(map(str, ref.options[:3])))
            self.refuse(f"'{ref.words}' is {names}; {noun.words} have none of their own.", ref.words)

    def _having(self) -> None:
        """A comparison after a figure of groups: `regions with an average amount over 100`."""
        d, item = self.draft, self.peek()
        grouped = len(d.measures) == 1 and bool(d.head or d.shown or d.keys)
        of_counted = len(d.measures) == 2 and d.measures[0].function in ("count", "distinct") and not d.keys
        grouped = grouped or (
            len(d.measures) == 2 and bool(d.keys)
        )  # "mean size by town where the mean size is over 5"
        if item is None or item.tag("cmp") is None or not (grouped or of_counted) or d.order:
            return
        made = self._numbers(item)
        if made is None:
            return
        value = made[1][0] if made[0] != "in" else made[1][0][0]
        if not isinstance(value, (int, float)):
            self.refuse("I compare a figure of groups with a number only.", item.words)
        if len(d.measures) == 2 and d.measures[0].says(d.measures[1]):
            d.measures.pop()
        d.having.append((d.measures[-1], "=" if made[0] == "in" else made[0], value))
        if (ref := d.measures[-1].ref) is not None:
            self._skip_unit(ref)

    def _on_metric(self, item: Mention) -> None:
        self.at += 1
        self.functions = []
        self.draft.measures.append(MeasureDraft("metric", metric=item.of("metric")[0], words=item.words))
        self._having()

    def _what_to_count(self) -> None:
        """Conditions or groups without a word for what is counted: ask for the table."""
        d = self.draft
        homes = {c.table for f in d.filters if f.ref for c in f.ref.options} | {k.table for k in d.keys if k.table}
        homes |= {c.table for k in d.keys if k.ref for c in k.ref.options}
        dated = any(f.when for f in d.filters) or any(k.grain and not k.ref for k in d.keys)
        below = {t for h in homes for t in self.index.joins.below(h, self.index.columns)}
        timed = [t for t in self.index.columns if not dated or self.index.time_of(t) or self.index.year_of(t)]
        tables = [t for t in timed if not homes or t in below]
        if homes and dated and len(tables) < 2:
            tables = [t for t in timed if t in homes or all(self.index.joins.any(t, h) for h in homes)]
        if (homes or dated) and len(tables) > 1:
            raise Unread(Choice("How many rows of which table?", tuple(tables[:6]), ""))
        self.refuse("I can't tell what to count.")

    def _what_to_sum(self) -> None:
        """`total deposits`: how many, or what they sum to."""
        d = self.draft
        homes = {c.table for f in d.filters if f.ref for c in f.ref.options}
        homes |= {e.table for f in d.filters for e in f.entries}
        said = homes & set(d.said)
        homes = said if len(said) == 1 else homes
        if any(f.when for f in d.filters) and (dated := {t for t in homes if self.index.time_of(t)}):
            homes = dated  # "insurance payments in 1997": the undated ones are not of a year
        size = self.index.size_of(next(iter(homes))) if len(homes) == 1 else None
        words = next((f.words for f in d.filters if f.ref), "")
        noun = [singular(w) for w in words.casefold().split() if not w.endswith(grammar.DONE_ENDS)][-1:]
        money = self._of_money() or bool(grammar.PAID & set(noun))
        if size is not None and self.functions in (["sum"], ["value"]) and (money or self.functions == ["value"]):
            ref = Ref([size], words, size.table, size.table)
            d.measures.append(MeasureDraft("sum", ref, words=words))
            self.functions, d.head = [], d.head or size.table
            return
        alone = size is not None and not (said or d.said or d.head or d.keys) and len(self.functions) == 1
        if size is not None and alone and self.functions != ["sum"] and self._coded_alone():
            ref = Ref([size], words, size.table, size.table)  # "median of card withdrawals"
            d.measures.append(MeasureDraft(self.functions[0], ref, words=words))
            self.functions, d.head = [], size.table
            return
        told = {c.table for f in d.filters if f.ref and not f.when for c in f.ref.options}
        below = {s.end[0] for t in told for s in self.index.joins.children(t)}  # rows of what is said so
        sizes = [c for t in sorted(homes | below) if (c := self.index.size_of(t))]
        if size is None and len(sizes) > 1 and words:
            said_of = " or ".join(c.table for c in sizes)
            figure = lexicon.FUNCTIONS.get(self.functions[0], self.functions[0])
            ways = tuple(f"{figure} {c.name} of {c.table} with {words}" for c in sizes)
            told = f"{self._figure_said(figure)} {words}"
            raise Unread(Choice(f"'{words}' can be rows of {said_of}.", ways, told))
        if self.functions == ["sum"] and size is not None:
            ways = (f"number of {words}", f"{figure_of('sum', size.name)} of {words}")
            number_or_sum(self._figure_said("total"), words, ways, (size.name,))
        if not d.said and (d.filters or d.keys or d.listed):
            figure = lexicon.FUNCTIONS.get(self.functions[0], self.functions[0])
            near = [t for t in self.index.columns if any(t == h or self.index.joins.up(t, h) for h in homes)]
            found = sizes_of(self.index, near, figure) if near or not homes else []
            told = self._figure_said(figure)
            if words and f"{told} {words}" in self._said_together():  # "average insulin"
                found, told = [f"{w} {retold.WITH_THIS.format(words)}" for w in found], f"{told} {words}"
            ask(f"The {figure} of what?", found, told)
            if words and found:
                self.refuse(f"The {figure} of what? Say '{found[0]}' if that is meant.", words)
        self.refuse("I can't tell what to aggregate.", *self.functions)

    def _of_money(self, *, said: bool = False) -> bool:
        """Whether a sum is asked for and no number of rows: `add up to`; with `said` not by `how much` alone."""
        words = [m.words.casefold() for m in self.items if not m.entries]
        if any(m.tag("agg") == "value" for m in self.items if not m.entries) or any(
            p in w for w in words for p in grammar.OF_MONEY
        ):
            return True
        return not said and any(w in lexicon.HOW_MUCH or w.startswith(grammar.OF_SUMS) for w in words)

    def _on_age(self, item: Mention) -> None:
        """`older than 60`: an age of the rows said before."""
        self.at += 1
        number = self.peek()
        if number is None or number.number is None:
            self.refuse(f"'{item.words}' what?", item.words)
        self.at += 1
        if self.tagged("years old") is not None or self.tagged("grain") == "year":
            self.at += 1
        ages = [e.column for e in self.index.entries.get(("age",), []) if e.column]
        if not ages:
            self.refuse(f"Nothing in the data says an age, so '{item.words}' can't be told.", item.words)
        ref = Ref(ages, item.words, "", self.anchor)
        op = item.tag("age") or ">"
        self.draft.filters.append(
            FilterDraft(ref, op, (number.number,), self._negated(), item.words, anchor=self.anchor)
        )

    def _best_by_what(self, item: Mention) -> None:
        """`the best team`: nothing says what is good; ask by which number."""
        tables = list(dict.fromkeys(e.table for m in self.items[self.at + 1 :] for e in m.of("table")))
        numbers = [c.name for c in self.index.numeric(tables[0])] if tables else []
        if len(numbers) > 1:
            best_by(item.words, tables[0], numbers)
        after = self.peek(1)
        if after is not None and any(e.column and e.column.type == "number" for e in after.of("column")):
            raise Unread(Choice(f"What is the '{item.words} {after.words}'?", ("highest", "lowest"), item.words))
        told = f"Nothing in the data says what is '{item.words}'."
        self.refuse(f"{told} Say the highest or the lowest, and of which column.", item.words)

    # -- end --------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        d = self.draft
        self._join_alternatives()
        if self.negation is not None:
            self.refuse(f"I can't tell what '{self.negation.words}' excludes.", self.negation.words)
        if self.functions:
            self._what_to_sum()
        if self.counting:
            self._what_to_count()
        if self.distinct and not d.shown and not d.measures:
            self.refuse("I can't tell which distinct values are meant.")
        if d.order and d.order.ref and not (d.said or d.shown or d.measures or d.keys):
            d.shown = [d.order.ref]  # "lowest 5 payments"
        if not (d.said or d.shown or d.measures or d.keys):
            self.refuse(nothing_asked(self.items))
