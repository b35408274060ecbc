"""Conditions of a question: values, comparisons, dates, missing values, counts of related rows."""

from __future__ import annotations

from typing import Any

from lexsi_nb.grounding.language import grammar, retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.comparisons import VERBS, Comparisons
from lexsi_nb.grounding.parsing.drafts import FilterDraft, LinkDraft, MeasureDraft, Ref
from lexsi_nb.grounding.reading import Choice, Column, Unread
from lexsi_nb.grounding.rendering.clauses import literal
from lexsi_nb.grounding.schema.names import phrase, quote
from lexsi_nb.grounding.schema.naming import year_like
from lexsi_nb.grounding.wordings.periods import is_year, period


class Conditions(Comparisons):
    """Reads the conditions at the current place into the draft."""

    def _on_value(self, item: Mention) -> None:
        """A value, a named condition or an outcome without a column before it."""
        if item.literal is not None and not item.entries:
            return self._on_quoted(item, self._written(item.literal))
        if item.of("value"):
            group, self.at, start = [item], self.at + 1, self.at
            while (
                (self.tagged("or") is not None or self.tagged("and") is not None)
                and (more := self.peek(1))
                and self._same_column(group, more)
            ):
                group.append(more)
                self.at += 2
            said = [(e, m.words) for m in group for e in m.of("value") if e.column]
            found = [(e.column, v) for e, w in said if e.column for v in self.index.meant(e.column, w, e.value)]
            found = list(dict.fromkeys(found))
            kept, self.negation = self._without_rows(found)
            self.draft.filters.append(self._open_values(group, found))
            self.negation = kept
            self.draft.filters[-1].both = self._both(start)
            self._named_noun(item)
            self._count_values(found[0][0].table if len({c.table for c, _ in found}) == 1 else "", item)
            after = self.peek()
            if (
                after
                and after.of("column")
                and not after.of("table")
                and any(c.name == e.column.name for c, _ in found for e in after.of("column") if e.column)
            ):
                self.at += 1  # "gold type": the value's own column after it says nothing new
            return
        self.at += 1
        self.draft.filters.append(
            FilterDraft(
                None,
                "sql",
                negated=self._negated(),
                words=item.words,
                entries=item.of("condition", "outcome"),
                anchor=item.via or self.anchor,
                via=bool(item.via),
            )
        )
        tables = {e.table for e in item.of("condition", "outcome")}
        self._count_values(tables.pop() if len(tables) == 1 else "", item)

    def _on_quoted(self, item: Mention, found: list[tuple[Any, Any]]) -> None:
        """Texts in quotes, those of one column joined by `or` and `and` together: `not from 'Lund' or 'Oslo'`."""
        if not found:
            self.refuse(f"'{item.literal}' does not occur in the data's listed values.", item.words)
        group, self.at, start = [item], self.at + 1, self.at
        while self.tagged("or") is not None or self.tagged("and") is not None:
            more = self.peek(1)
            held = self._written(more.literal) if more and more.literal is not None and not more.entries else []
            if more is None or {c for c, _ in found}.isdisjoint(c for c, _ in held):
                break
            group.append(more)
            found, self.at = [*found, *held], self.at + 2
        self.draft.filters.append(self._open_values(group, found))
        self.draft.filters[-1].both = self._both(start)

    def _named_noun(self, item: Mention) -> None:
        """`gold cards issued in 1998`: a value whose last word names its own table is what is listed."""
        d, tables = self.draft, {e.table for e in item.of("value")}
        if self.counting or self.functions or d.head or d.said or d.shown or d.measures or len(tables) != 1:
            return
        last = [e.table for e in self.index.lookup([item.words.casefold().split()[-1]]) if e.kind == "table"]
        if " " in item.words and tables & set(last):
            d.head = next(iter(tables))
            self._say(d.head)

    def _count_values(self, table: str, item: Mention) -> None:
        """`how many gold cards`, `how many women have a loan`: the value itself names what is counted."""
        after = self.peek()
        noun = after is not None and bool(after.of("table", "column")) and not set(after.gap) & VERBS
        noun = noun and not (after is not None and not after.of("table") and self._filter_follows(0))
        dated = {e.column for e in after.of("column")} & set(self.index.time_of(table)) if table and after else set()
        noun = noun and not (dated and self._participle(after))  # "gold cards were issued to women"
        if self.counting and not noun and not table and len(item.of("value")) > 1:
            ways = tuple(f"{e.table} with {e.column.name} {e.value}" for e in item.of("value") if e.column)
            raise Unread(Choice(f"'{item.words}' can be rows of more than one table.", ways, item.words))
        more = after is not None and bool(after.of("value")) and not set(after.gap) & (VERBS - grammar.OF)
        more = more or (after is not None and bool(after.of("condition", "outcome")) and not item.of("value"))
        if noun or not table or more:
            return
        if (
            not (self.draft.head or self.draft.measures or self.counting or self.functions)
            and after is not None
            and after.of("table")
        ):
            self.draft.head = table  # "owner of account 1": owners are listed
            self._say(table)
        elif self._listed_value(item):
            self.draft.head = table  # "which women live in Prague": women are listed
            self._say(table)
        elif self.counting:
            self._coded(item, table)
            self.draft.measures.append(MeasureDraft("count", table=table, words=item.words))
            self.draft.head, self.counting = self.draft.head or table, False
            self._say(table)

    def _coded(self, item: Mention, table: str) -> None:
        """A value says what is counted only where the knowledge graph names it; else it can be of many tables."""
        if any(self.index.named_code(e) for e in item.of("value")) or item.of("condition", "outcome"):
            return
        joined = [t for t in self.index.joins.below(table, self.index.columns) if t != table]
        ways = (table, *joined)[:6]
        if len(ways) > 1:
            said = tuple(f"{t} {retold.WITH_THIS.format(item.words)}" for t in ways)
            prompt = f"How many rows of which table, for '{item.words}'?"
            raise Unread(Choice(prompt, ways, item.words, said=said, lasting=False))
        self.refuse(f"'{item.words}' is a value of {table}; say what to count.", item.words)

    def _open_values(self, group: list[Mention], found: list[tuple[Any, Any]]) -> FilterDraft:
        columns = [c for c in dict.fromkeys(c for c, _ in found) if sum(1 for x, _ in found if x == c) >= len(group)]
        values = {c: tuple(dict.fromkeys(v for x, v in found if x == c)) for c in columns}
        ref = Ref(columns, " or ".join(m.words for m in group), "", self.anchor)
        via = group[0].via
        return FilterDraft(
            ref,
            "in",
            (values,),
            self._negated(),
            ref.words,
            anchor=via or self.anchor,
            via=bool(via),
            beside=group[0].beside,
        )

    def _filter_follows(self, ahead: int) -> bool:
        """Whether a comparison, value or null test comes right after the mention at `ahead`."""
        item, after = self.peek(ahead), self.peek(ahead + 1)
        if item is None or after is None:
            return False
        if (
            any(after.tag(t) is not None for t in ("cmp", "between", "null", "notnull"))
            or after.number is not None
            or after.literal is not None
        ):
            return True
        if after.tag("in") is not None and ahead + self.at + 2 < len(self.items) and self._place_at(ahead + 2):
            return False  # "granted in Prague"
        if after.tag("date") is not None or after.tag("in") is not None:
            dated = any(e.column and e.column.type == "date" for e in item.of("column"))
            return dated or self._year_bound([e.column for e in item.of("column")], ahead + 1)
        columns = {e.column for e in item.of("column")}
        return any(e.column in columns for e in after.of("value")) or (
            _is_value(after) and any(phrase(after.words) in self.index.values.get(c, {}) for c in columns if c)
        )

    def _place_at(self, ahead: int) -> bool:
        """Whether a value stands at a place, and no period."""
        item = self.peek(ahead)
        return item is not None and bool(item.of("value")) and not period(self.items, self.at + ahead)

    def _condition(self, ref: Ref) -> bool:
        """Read the condition that follows a column; False (and no move) when there is none."""
        start, denied = self.at, self._negated()
        negated = denied
        if self.tagged("not") is not None:
            negated, self.at = not negated, self.at + 1
        item = self.peek()
        made = None if item is None else self._condition_on(ref, item)
        if made is None:
            self.at = start
            # "orders not in the north": that "not" is of what comes after it.
            if denied and self.items[start - 1].tag("not") is None:
                self.negation = self.items[start - 1]
            return False
        made.negated, made.anchor = negated != made.negated, ref.anchor
        self.draft.filters.append(made)
        return True

    def _condition_on(self, ref: Ref, item: Mention) -> FilterDraft | None:
        start = self.at
        if item.tag("null") is not None or item.tag("notnull") is not None:
            self.at += 1
            return FilterDraft(
                ref, "null" if item.tag("null") is not None else "notnull", words=f"{ref.words} {item.words}"
            )
        dated = [c for c in ref.options if c.type == "date"]
        if dated and (made := self._dates(item)):
            ref.options = dated
            return FilterDraft(ref, made[0], made[1], words=ref.words)
        numeric = [c for c in ref.options if c.type == "number"]
        after = self.peek(1)
        if after is not None and self._year_bound(numeric, 0):
            self.at += 2
            ref.options = [c for c in numeric if year_like(c.name)]
            return FilterDraft(ref, item.tag("date") or "", (after.number,), words=ref.words)
        dated = item.tag("in") is not None and after is not None and is_year(after)
        if dated and not any(year_like(c.name) for c in numeric):
            numeric = []  # "amount in 1997" is no amount of 1,997
        if numeric and not self._counts_rows() and (made := self._numbers(item)):
            ref.options = numeric
            self._skip_unit(ref)
            made = self._or_more(made)
            return FilterDraft(ref, made[0], made[1], words=ref.words)
        self.at = start
        if item.tag("cmp") == "=" or item.tag("in") is not None:
            self.at += 1
        return self._named_values(ref, start)

    def _named_values(self, ref: Ref, start: int) -> FilterDraft | None:
        """Read `C`, `C or D`, `'C', 'D'` after a column: each must be a value of it."""
        values: list[Any] = []
        options = list(ref.options)
        while (item := self.peek()) is not None:
            key = phrase(item.literal if item.literal is not None else item.words)
            own = {e.column: e.value for e in item.of("value")}
            held = [c for c in options if key in self.index.values.get(c, {}) or c in own] if _is_value(item) else []
            if not held:
                if item.literal is not None and not values:
                    return self._free_text(ref, item)
                break
            options = held
            values.append((key, item.words, own, item.literal if item.literal is not None else item.words))
            self.at += 1
            if self.tagged("or") is None and self.tagged("and") is None:
                break
            self.at += 1
        if values and self.items[self.at - 1].tags and self.items[self.at - 1].tag("and") is not None:
            self.at -= 1
        elif values and self.items[self.at - 1].tag("or") is not None:
            self.at -= 1  # before a condition of its own
        if not values:
            self.at = start
            return None
        ref.options = options
        listed, found = self.index.values, {}
        for c in options:
            held = [(said, own[c] if c in own else listed[c][k]) for k, _, own, said in values]
            found[c] = tuple(dict.fromkeys(x for said, v in held for x in self.index.meant(c, said, v)))
        words = f"{ref.words} {' or '.join(w for _, w, *_ in values)}"
        return FilterDraft(ref, "in", (found,), words=words, both=self._both(start))

    def _free_text(self, ref: Ref, item: Mention) -> FilterDraft:
        """A quoted literal on a column with too many values to list: it counts when it occurs."""
        held = [c for c in ref.options if c.type == "text" and c not in self.index.values and self._occurs(c, item)]
        if not held:
            self.refuse(f"'{item.literal}' does not occur in {ref.words}.", item.words)
        self.at += 1
        ref.options = held
        return FilterDraft(ref, "in", ({c: (item.literal,) for c in held},), words=f"{ref.words} {item.words}")

    def _occurs(self, c: Column, item: Mention) -> bool:
        sql = f"SELECT 1 AS x FROM {quote(c.table)} WHERE {quote(c.name)} = {literal(item.literal)} LIMIT 1"
        return len(self.index.engine.query(sql)) > 0

    def _first_of(self, item: Mention) -> bool:
        """Whether a number opens the question and a superlative follows: `five districts with the lowest salary`."""
        opens = all(m.tag("list") is not None for m in self.items[: self.at])
        after = self.peek(1)
        nouns = after is not None and bool(after.of("table", "column"))
        later = self.items[self.at + 1 :]
        return opens and nouns and any(m.tag("super") is not None or m.tag("most") is not None for m in later)

    def _bare_year(self, item: Mention) -> bool:
        """Whether a size is compared with a number that merely looks like a year: `longer than 2000`."""
        number = self.peek(1)
        sized = item.tag("cmp") not in (None, "=") and item.tag("date") is None
        return sized and number is not None and is_year(number) and item.words.casefold() not in grammar.BETWEEN_DATES

    def _number_of_next(self, item: Mention) -> bool:
        """Whether a compared number belongs to the number column after it: `at least 2000 miles of distance`."""
        number, after = self.peek(1), self.peek(2)
        if item.tag("cmp") is None or number is None or number.number is None or after is None:
            return False
        numeric = any(e.column and e.column.type == "number" for e in after.of("column"))
        return numeric and set(after.gap) <= grammar.IN_OF

    def _counted_value(self, made: tuple[str, tuple[Any, ...]], after: Mention) -> bool:
        """Whether rows with a value are counted: `at least one gold card`."""
        values = after.of("value")
        one = len({e.table for e in values}) == 1 and not after.of("table", "column")
        said = one and bool(self.draft.said) and values[0].table not in self.draft.said
        return said and not after.gap and made[0] in (">", ">=", "<", "<=", "in") and self.index.named_code(values[0])

    def _loose_condition(self, item: Mention) -> None:
        """A condition without a column before it: a date, a number with a unit, a column or a table after it."""
        start = self.at
        ranked = any(self.tagged(t, 1) is not None for t in ("super", "most", "mode"))
        if isinstance(item.number, int) and not is_year(item) and self._first_of(item):
            ranked = True
        if item.number is not None and self._some_of_rows(item):
            return
        if item.number is not None and not is_year(item) and ranked:
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
            self.draft.filters.append(
                FilterDraft(ref, op, (), self._negated(), f"{item.words} {ref.words}", anchor=ref.anchor)
            )
            return
        made = None if self._number_of_next(item) or self._bare_year(item) else self._dates(item)
        if made:
            self.draft.filters.append(
                FilterDraft(None, made[0], made[1], self._negated(), words=item.words, anchor=self.dated, when=True)
            )
            return
        made = self._numbers(item)
        after = self.peek()
        if made and after and self._counted_rows(item, made, after):
            return
        if made and after and after.of("unit") and not after.of("column"):
            self.at += 1
            made = self._or_more(made)
            ref = Ref([e.column for e in after.of("unit") if e.column], after.words, "", self.anchor)
            self.draft.filters.append(
                FilterDraft(ref, made[0], made[1], self._negated(), after.words, anchor=self.anchor)
            )
            return
        other = after is not None and bool(set(after.gap) & VERBS) and self._filter_follows(0)
        other = other or (self._filter_follows(0) and _of_words(after))  # "over 100 go to bank X"
        if made and after and (after.of("column") or after.of("table")) and not other:
            ref = self._ref()
            if ref:
                made = self._or_more(made)
                self.draft.filters.append(
                    FilterDraft(ref, made[0], made[1], self._negated(), ref.words, anchor=ref.anchor)
                )
                return
        if made:
            self.draft.filters.append(
                FilterDraft(None, made[0], made[1], self._negated(), item.words, anchor=self.anchor)
            )
            return
        self.at = start
        self.refuse(f"I can't tell what '{item.words}' compares.", item.words)

    def _counted_rows(self, item: Mention, made: tuple[str, tuple[Any, ...]], after: Mention) -> bool:
        """Read `more than 3 orders`, `two gold cards`: how many rows of another table there must be."""
        own = self._own_column_next(after) and not self._happened_next()
        kind = self._kind_counted(after) if made[0] in (">", ">=", "<", "<=", "in") else ""
        rows = bool(after.of("table")) and not set(after.gap) & VERBS and not own
        rows = rows and made[0] in (">", ">=", "<", "<=", "in")
        if not rows and not kind and not self._counted_value(made, after):
            return False
        op, number = ("=", made[1][0][0]) if made[0] == "in" else (made[0], made[1][0])
        if not isinstance(number, (int, float)):
            self.refuse(f"I compare a number of {after.words} with a number only.", item.words)
        table = kind or after.of("table" if rows else "value")[0].table
        self.at += rows  # a value comes next and is said of these rows
        self.draft.links.append(LinkDraft(table, self._negated(), op, int(number), after.words))
        self._say(table)
        if rows:
            self.at += self._happened_next(-1)
        return True

    def _kind_counted(self, after: Mention) -> str:
        """Return the table of rows that are counted by a value before them: `at least 2 yoga visits`; "" for none."""
        noun = self.peek(1)
        if noun is None or noun.gap or after.gap or not after.of("value") or after.of("table", "column"):
            return ""
        tables = {e.table for e in after.of("value")} & {e.table for e in noun.of("table")}
        return tables.pop() if len(tables) == 1 and not tables & set(self.draft.said) else ""


def _of_words(m: Mention | None) -> bool:
    """Whether a mention names columns of words alone, which no number is compared with."""
    columns = [e.column for e in m.of("column") if e.column is not None] if m is not None else []
    return bool(columns) and all(c.type == "text" for c in columns) and not (m is not None and m.of("table"))


def _is_value(m: Mention) -> bool:
    """Whether words can be a value after a column: `code and sign` names no row called AND."""
    joins = m.tag("and") is not None or m.tag("or") is not None
    return bool(m.entries) or m.literal is not None or not joins or m.words.isupper()
