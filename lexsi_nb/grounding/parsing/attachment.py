"""Conditions attached to the table they are about: the counted rows, their parents, or rows that must exist."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.mentions import describe
from lexsi_nb.grounding.parsing.ages import OLDEST, bare_age, not_an_age, of_age
from lexsi_nb.grounding.parsing.columns import Columns
from lexsi_nb.grounding.parsing.drafts import FilterDraft, LinkDraft, RelativeDraft
from lexsi_nb.grounding.parsing.either import either
from lexsi_nb.grounding.parsing.open_choices import ask_date
from lexsi_nb.grounding.reading import Choice, Column, Declined, Filter, Having, Key, Link, Measure, Relative, Unread
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.schema.index import Entry
from lexsi_nb.grounding.schema.names import quote

_NEAR = 5  # times that a number may be off the range of a size, and still be meant as one


class Attachment(Columns):
    """Turns the conditions of a draft into filters and links."""

    def _conditions(self, keys: tuple[Key, ...]) -> tuple[tuple[Filter, ...], tuple[Link, ...]]:
        own: list[Filter] = []
        linked: dict[str, list[Filter]] = {}
        placed: dict[int, Filter] = {}
        for k in self.d.links:
            if k.table == self.base and k.op and keys and not k.negated:
                self.having.append(Having(Measure("count", table=self.base), k.op, k.number))
            elif k.table == self.base and (k.op or k.negated):
                text = f"I don't read a condition on how many {self.base} rows there are in a group yet."
                raise Unread(Declined(text, (k.words,)))
        drafts = {k.table: k for k in self.d.links if k.table != self.base}
        for at, f in enumerate(self.d.filters):
            filter_, anchor = self._filter(f)
            self._known(filter_)
            home = filter_.home
            self._one_meaning(f, filter_)
            said_of = self.index.said_of.get(f.words, "")
            if not said_of and f.beside and f.beside != self.base != home and self.index.joins.up(self.base, home):
                ways = (f"{f.beside} with {f.words}", f"{self.base} with {f.words}")
                raise Unread(Choice(f"'{f.words}' can be said of either.", ways, f.words, lasting=False))
            if said_of and said_of == f.beside:
                self._reach(f.beside, f.words)
                linked.setdefault(f.beside, []).append(filter_)
            elif f.via and self.base != home and anchor not in (self.base, home) and not self._passed(anchor, home):
                self._reach(anchor, f.words)
                linked.setdefault(anchor, []).append(filter_)
            elif self._of_linked(drafts.get(anchor), home, f.words):
                linked.setdefault(anchor, []).append(filter_)
            elif self.index.joins.up(self.base, home):
                self._reach(home, f.words)
                own.append(filter_)
                placed[at] = filter_
            else:
                self._reach(home, f.words)
                linked.setdefault(home, []).append(filter_)
        own = either(own, placed, self.d.filters, self.base)
        links = []
        self._merge(drafts, linked)
        for table in dict.fromkeys([*drafts, *linked]):
            draft = drafts.get(table)
            self._reach(table, draft.words if draft else table)
            grouped = any(k.column.table == table for k in keys)
            if (
                draft
                and not draft.negated
                and not draft.op
                and not linked.get(table)
                and (grouped or (self.index.joins.up(self.base, table) and not self._asked_for(draft, own)))
            ):
                continue  # said, but it adds nothing: the rows are joined anyway
            filters = tuple(linked.get(table, ()))
            if draft is None and len(filters) == 1 and filters[0].negated:
                links.append(Link(table, (replace(filters[0], negated=False),), True, words=filters[0].words))
            else:
                links.append(
                    Link(
                        table,
                        filters,
                        bool(draft and draft.negated),
                        draft.op if draft else "",
                        draft.number if draft else 1,
                        draft.words if draft else table,
                    )
                )
        once = {(f.column, f.op, f.values, f.negated, f.sql, f.parts): f for f in own}
        if len(once) < len(own) and any(isinstance(v, Relative) for f in own for v in f.values):
            ways = (f"of all {self.base} rows", "of the rows that fit the other conditions")
            raise Unread(Choice("An average of which rows?", ways))  # "in Y larger than the average of Y"
        return tuple(once.values()), tuple(links)

    def _asked_for(self, link: LinkDraft, own: list[Filter]) -> bool:
        """Whether `with a plane` leaves out rows: it was said so, and no condition on rows beyond them does it."""
        plain = [f.home for f in own if not f.negated and f.op != "any" and f.home != self.base]
        return link.had and not any(h == link.table or self._passed(link.table, h) for h in plain)

    def _passed(self, table: str, home: str) -> bool:
        """Whether every way up to a table leads over another one."""
        ways = self.index.joins.up(self.base, home)
        return bool(ways) and all(table in {s.end[0] for s in w} for w in ways)

    def _of_linked(self, link: LinkDraft | None, home: str, words: str) -> bool:
        """Whether a condition said after a related table is about its rows rather than about the rows asked for.

        Raises:
            Unread: it can be about either, and means something else there.
        """
        if link is None or link.table == self.base or not self.index.joins.up(link.table, home):
            return False
        own = self.index.joins.up(self.base, home)
        if home == link.table or not own:
            return True
        if link.negated or home == self.base:
            return False
        theirs = self.index.joins.up(link.table, home)[0]
        if not link.had:
            return True
        if self.base in {s.end[0] for s in theirs} or self.index.joins.up(self.base, link.table):
            return False
        if words in self.index.said_of:
            return self.index.said_of[words] == link.table
        ways = (f"{self.base} with {words}", f"{link.table} with {words}")
        raise Unread(Choice(f"'{words}' can be said of {self.base} or of {link.table}.", ways, words, lasting=False))

    def _merge(self, drafts: dict[str, LinkDraft], linked: dict[str, list[Filter]]) -> None:
        """Conditions on a table that another one's route passes hold for the same rows: a woman who is the owner."""

        def plain(table: str) -> bool:
            draft = drafts.get(table)
            return (draft is None or not (draft.negated or draft.op)) and not any(
                f.negated for f in linked.get(table, ())
            )

        tables = [t for t in dict.fromkeys([*drafts, *linked]) if plain(t) and not self.index.joins.up(self.base, t)]
        for inner in tables:
            for outer in tables:
                routes = self.index.joins.any(self.base, outer) if inner != outer else []
                if routes and inner in {s.end[0] for s in routes[0][:-1]}:
                    linked.setdefault(outer, []).extend(linked.pop(inner, []))
                    drafts.pop(inner, None)
                    break

    def _one_meaning(self, f: FilterDraft, filter_: Filter) -> None:
        """`A and B` of one column: the rows of both for a count of rows, else open (together, one by one, both)."""
        if not f.both or filter_.negated or len(filter_.values) < 2 or filter_.column is None:
            return
        values = [str(v) for v in filter_.values]
        said = f.words.split(" or ")
        values = said if len(said) == len(values) and not all(isinstance(v, str) for v in filter_.values) else values
        figures = any(m.function not in ("count", "distinct") for m in self.measures)
        figures = figures or (bool(self.measures) and {*filter_.values} <= {True, False})  # "paid and unpaid": all rows
        if self.d.total and self.measures and all(m.function == "sum" for m in self.measures):
            return  # "in total"
        if figures or not self.index.joins.up(self.base, filter_.home):
            ways = (" or ".join(values), f"by {filter_.column.name}", " and ".join(values) + " at once")
            raise Unread(
                Choice(
                    f"'{' and '.join(values)}' can mean together, one by one, or both at once.",
                    ways[: 2 if figures else 3],
                    f.words,
                )
            )

    def _filter(self, f: FilterDraft) -> tuple[Filter, str]:
        anchor = f.anchor or self.base
        if f.op == "sql":
            found = {(e.table, e.sql): e for e in f.entries}
            near = {k: e for k, e in found.items() if k[0] in (anchor, self.base)} or found
            self._said_of(f, [e for e in near.values() if e.own])
            if len(near) != 1:
                raise Unread(
                    Choice(f"'{f.words}' has more than one meaning.", tuple(f"{t}: {s}" for t, s in near), f.words)
                )
            (table, sql), e = next(iter(near.items()))
            return Filter(None, "sql", (), f.negated, e.text or f.words, sql, table), anchor
        if f.when:
            return self._when(f, anchor), anchor
        if f.ref is None:
            column = self._only_number(f, anchor)
            values = self._flat(f.values)
            if values and isinstance(values[0], RelativeDraft):
                values = (Relative(values[0].function, column, values[0].factor, values[0].whole),)
            return Filter(column, f.op, values, f.negated, f.words), anchor
        self._narrow(f, anchor)
        self._said_again(f)
        column = self.pick(f.ref)
        values: tuple[Any, ...] = f.values
        if values and isinstance(values[0], RelativeDraft):
            values = (Relative(values[0].function, column, values[0].factor, values[0].whole),)
        if f.op == "in" and values and isinstance(values[0], dict):
            values = values[0][column]
        elif f.op == "in":
            values = self._flat(values)
        elif f.op in ("null", "notnull") and self.index.blank(column):
            values = ("",)
        return Filter(column, f.op, values, f.negated, f.words), anchor

    def _said_of(self, f: FilterDraft, entries: list[Entry]) -> None:
        """`active accounts` is not about accounts with an active loan: such a word needs its own table to be said."""
        for e in entries:
            if e.table not in (*self.d.said, self.base):
                text = f"'{f.words}' is known of {e.table}, not of {self.base}. Say the {e.table} if it is meant."
                raise Unread(Declined(text, (f.words,)))

    @staticmethod
    def _flat(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(values[0]) if len(values) == 1 and isinstance(values[0], (tuple, list)) else values

    def _when(self, f: FilterDraft, anchor: str) -> Filter:
        one = any(x.op == "=" and x.ref and x.ref.options == [self.index.key_of(anchor)] for x in self.d.filters)
        own = one or (
            anchor != self.base and self._have_many(anchor)
        )  # "orders of shop 1", "of Paris shops", "in 2020"
        for table in dict.fromkeys((self.base, anchor) if own else (anchor, self.base)):
            times = self.index.time_of(table)
            if len(times) == 1:
                return Filter(times[0], f.op, f.values, f.negated, f.words)
            years = self.index.year_of(table)
            if not times and len(years) == 1:
                return self._in_years(f, years[0])
            if times:
                ask_date(f"Which date of {table} is meant?", times, f.words)
        raise Unread(Declined(f"{self.base} has no date, so I can't place '{describe(f.values[0])}'.", (f.words,)))

    def _have_many(self, anchor: str) -> bool:
        """Whether the rows asked for are events of a table said after them, which may have many of them."""
        return bool(self.index.time_of(self.base)) and bool(self.index.joins.up(self.base, anchor))

    def _in_years(self, f: FilterDraft, column: Column) -> Filter:
        """A period of whole years on a column that holds the year as a number."""
        edge = [(v.year, v.month, v.day) for v in f.values]
        if any(e[1:] != (1, 1) for e in edge):
            raise Unread(
                Declined(f"{column} holds years only, so I can't place '{describe(f.values[0])}'.", (f.words,))
            )
        years = [e[0] for e in edge]
        if f.op == "range":
            low, high = years[0], years[1] - 1
            self._in_span(column, low, high, f.words)
            if low == high:
                return Filter(column, "in", (low,), f.negated, f.words)
            return Filter(column, "between", (low, high), f.negated, f.words)
        return Filter(column, f.op, (years[0],), f.negated, f.words)

    def _in_span(self, column: Column, low: int, high: int, words: str) -> None:
        span = self.index.span(column)
        if span is None or high < span[0] or low > span[1]:
            known = f"{column} runs from {span[0]:.0f} to {span[1]:.0f}" if span else f"{column} is empty"
            raise Unread(Declined(f"{known}; nothing in the data is of the time asked for.", (words,)))

    def _only_number(self, f: FilterDraft, anchor: str) -> Column:
        """Return the one number column that a bare number can be about."""
        for table in dict.fromkeys((anchor, self.base)):
            numeric = self.index.numeric(table)
            if (age := bare_age(table, f.words, f.op, self._flat(f.values), self.index)) is not None:
                return age
            if not numeric and (age := self._age_of(table, self._flat(f.values))) is not None:
                return age
            if len(numeric) == 1:
                return numeric[0]
            first = self._flat(f.values)[0]
            if isinstance(first, RelativeDraft) and first.whole and (large := self.index.size_of(table)):
                return large
            self._age_or_number(table, f)
            fitting = [c for c in numeric if self._within(c, self._flat(f.values))]
            if len(fitting) > 1 and (size := self.index.size_of(table)) in fitting:
                levels = [c for c in fitting if self.index.facts.column(c.table, c.name).level]
                fitting = [size] if size is not None and len(levels) == len(fitting) - 1 else fitting
            if len(fitting) == 1:
                not_an_age(table, f.words, f.op, self._flat(f.values), self.index)
                self._size_as_well(fitting[0], f)
                self.notes.append(f"{fitting[0].name} is the only number of {table} that reaches such values")
                return fitting[0]
            size = self.index.size_of(table)
            beyond = not fitting and f.op in (">", ">=") and size in numeric
            if beyond and size is not None:
                self.notes.append(self._beyond(table, size, f))
                return size
            numeric = fitting or numeric
            asked = f"'{f.words} {describe(self._flat(f.values)[0])}' of which column of {table}?"
            raise Unread(
                Choice(asked, tuple(c.name for c in numeric[:8]), f.words) if numeric else Declined(asked, (f.words,))
            )
        raise Unread(Declined(f"I can't tell what '{f.words}' compares.", (f.words,)))

    def _age_or_number(self, table: str, f: FilterDraft) -> None:
        """Ask whether `under 30`, said after people and another table, is an age or a number of that table."""
        ages = [e.column for e in self.index.entries.get(("age",), ()) if e.column]
        years = all(isinstance(v, int) and 0 < v < OLDEST for v in self._flat(f.values))
        if not self.index.facts.as_of and not of_age(f.words):
            return
        if len(ages) != 1 or not years or f.op not in (">", ">=", "<", "<=", "between"):
            return
        people = ages[0].table
        named = people in self.d.said or any(
            people in {c.table for c in x.ref.options} for x in self.d.filters if x.ref
        )
        if table != people and (named or self.index.joins.up(self.base, people)):
            ways = (f"age {describe(self._flat(f.values)[0])}", *(c.name for c in self.index.numeric(table)[:4]))
            if len(ways) == 1:
                told = f"'{f.words}' of which number? Ask for {people} rows by their age, if that is meant."
                raise Unread(Declined(told, (f.words,)))
            raise Unread(Choice(f"'{f.words} {describe(self._flat(f.values)[0])}' of which number?", ways, f.words))

    def _age_of(self, table: str, values: tuple[Any, ...]) -> Column | None:
        """Return the age, of which `men under 40` is told, where the rows have no number of their own."""
        ages = [e.column for e in self.index.entries.get(("age",), ()) if e.column and e.column.table == table]
        years = all(isinstance(v, int) and 0 < v < OLDEST for v in values)
        return ages[0] if len(ages) == 1 and years else None

    def _narrow(self, f: FilterDraft, anchor: str) -> None:
        """Of several columns with the unit that was said, keep those of the table said that reach the number."""
        if f.ref is None or len(f.ref.options) < 2 or f.op not in (">", ">=", "<", "<=", "between"):
            return
        own = [c for c in f.ref.options if c.table in (anchor, self.base) and c.type == "number"]
        fitting = [c for c in own if self._within(c, self._flat(f.values))]
        size = self.index.size_of(self.base)
        beyond = own and not fitting and f.op in (">", ">=") and size in own
        if beyond and size is not None:
            self.notes.append(self._beyond(self.base, size, f))
            f.ref.options = [size]
        unit = any(f.ref.words in self.index.facts.column(c.table, c.name).units for c in own)
        if unit and len(fitting) > 1 and size in fitting:
            self.notes.append(f"a number of {f.ref.words} is taken to be {size}")
            f.ref.options = [size]
        if len(own) > 1 and len(fitting) == 1:
            self._size_as_well(fitting[0], f)
            self.notes.append(
                f"{fitting[0].name} is the only such number of {fitting[0].table} that reaches these values"
            )
            f.ref.options = fitting

    def _said_again(self, f: FilterDraft) -> None:
        """`cash withdrawals, operation VYBER`: of several columns, the one that is named with the same value."""
        if f.ref is None or f.op != "in" or len(f.ref.options) < 2:
            return
        held = f.values[0] if f.values and isinstance(f.values[0], dict) else {}
        for other in self.d.filters:
            named = other.ref.options if other is not f and other.ref is not None and other.op == "in" else []
            again = other.values[0] if other.values and isinstance(other.values[0], dict) else {}
            if len(named) == 1 and named[0] in f.ref.options and held.get(named[0]) == again.get(named[0]):
                f.ref.options = list(named)

    def _size_as_well(self, column: Column, f: FilterDraft) -> None:
        """Ask where a number just below all sizes, or just above them, is met by another column alone."""
        size = self.index.size_of(column.table)
        span = self.index.span(size) if size is not None and size != column else None
        numbers = [v for v in self._flat(f.values) if isinstance(v, (int, float))]
        if span is None or size is None or f.op not in (">", ">=", "<", "<=") or len(numbers) != 1:
            return
        near = span[0] / _NEAR <= numbers[0] < span[0] if f.op[0] == ">" else span[1] < numbers[0] <= span[1] * _NEAR
        if near:
            asked = f"'{f.words} {describe(numbers[0])}' of which column of {column.table}?"
            raise Unread(Choice(asked, (size.name, column.name), f.words))

    def _beyond(self, table: str, size: Column, f: FilterDraft) -> str:
        """Return the note on a size that is compared with a number in the range of no column."""
        span, numbers = self.index.span(size), [v for v in self._flat(f.values) if isinstance(v, (int, float))]
        if span is not None and numbers and max(numbers) < span[0]:
            return f"{size.name} is taken as the size of {table}; the lowest is {span[0]:,.10g}"
        return f"no number of {table} reaches such values; {size.name} is its size"

    def _within(self, column: Column, values: tuple[Any, ...]) -> bool:
        """Whether the values compared with lie in the range of a column."""
        if any(not isinstance(v, (int, float)) for v in values):
            return True
        span = self.index.span(column)
        return span is not None and all(span[0] <= v <= span[1] for v in values)

    def _known(self, f: Filter) -> None:
        """Refuse a date outside all dates of the column, rather than answer 0 for what the data can't tell."""
        if f.column is None or f.column.type != "date" or f.op in ("null", "notnull"):
            return
        if any(not hasattr(v, "isoformat") for v in f.values):
            raise Unread(Declined(f"{f.column} is a date, and '{f.words}' compares it with a number.", (f.words,)))
        c = named(f.column, "")
        row = self.index.engine.query(
            f"SELECT CAST(min({c}) AS DATE) AS lo, CAST(max({c}) AS DATE) AS hi FROM {quote(f.column.table)}"
        ).iloc[0]
        if row["lo"] is None or row["lo"] != row["lo"]:
            raise Unread(Declined(f"{f.column} is empty in every row.", (f.words,)))
        lo, hi = str(row["lo"])[:10], str(row["hi"])[:10]
        outside = {
            "range": lambda: f.values[1].isoformat() <= lo or f.values[0].isoformat() > hi,
            "<": lambda: f.values[0].isoformat() <= lo, "<=": lambda: f.values[0].isoformat() < lo,
            ">": lambda: f.values[0].isoformat() >= hi, ">=": lambda: f.values[0].isoformat() > hi,
        }.get(f.op, lambda: False)()  # fmt: skip
        if outside and not f.negated:
            raise Unread(
                Declined(
                    f"{f.column} runs from {lo} to {hi}; nothing in the data is of the time asked for.", (f.words,)
                )
            )
