"""From a draft to a reading: open columns decided, conditions attached to the right table, the text and the SQL."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.drafts import Draft, FilterDraft, KeyDraft, LinkDraft, MeasureDraft, OrderDraft, Ref
from lexsi_nb.grounding.index import SchemaIndex, quote
from lexsi_nb.grounding.mentions import describe
from lexsi_nb.grounding.phrasing import phrasing
from lexsi_nb.grounding.reading import Choice, Column, Declined, Filter, Key, Link, Measure, Order, Reading, Unread
from lexsi_nb.grounding.sql import ReadingSQL

LONG_LIST = 10_000  # rows above which an unfiltered list is cut
CUT = 1_000


class Resolver:
    """Decides what a draft left open, or refuses."""

    def __init__(self, draft: Draft, index: SchemaIndex) -> None:
        self.d, self.index, self.base = draft, index, ""
        self.notes = list(draft.notes)
        self.measures: tuple[Measure, ...] = ()

    def reading(self) -> Reading:
        """Return the reading with its text and SQL.

        Raises:
            Unread: with what stays open (a choice) or cannot be joined (a decline).
        """
        measures, keys, shown, order = self._roles()
        self.measures = measures
        filters, links = self._conditions(keys)
        limit = self.d.limit if (self.d.top or self.d.limit) else None
        if measures:
            kind = (
                "topk"
                if self.d.top and keys
                else "groupby"
                if keys
                else "count"
                if all(m.function in ("count", "distinct") for m in measures)
                else "aggregate"
            )
        else:
            kind = "topk" if self.d.top else "list"
        distinct = (
            kind == "list"
            and bool(shown)
            and (
                self.d.distinct
                or (not self.d.head and not self._base_said() and all(c.type in ("text", "bool") for c in shown))
            )
        )
        columns = tuple(shown) if distinct else self._columns(shown, order, kind)
        if (
            kind == "list"
            and not distinct
            and not filters
            and not links
            and (self.index.rows.get(self.base) or 0) > LONG_LIST
        ):
            limit = CUT
            self.notes.append(f"the first {CUT:,} of {self.index.rows[self.base]:,} rows")
        r = Reading(
            kind,
            self.base,
            measures,
            keys,
            () if measures else columns,
            filters,
            links,
            order,
            limit,
            distinct,
            notes=tuple(self.notes),
        )
        writer = ReadingSQL(r, self.index)
        sql = writer.text()
        if writer.fan_out:
            self._check_fan_out(r)
            self.notes.append(f"a {self.base} that meets several groups counts once in each")
        r = replace(r, sql=sql, notes=tuple(self.notes))
        return replace(r, text=phrasing(r))

    # -- roles ------------------------------------------------------------------------------------------------

    def _roles(self) -> tuple[tuple[Measure, ...], tuple[Key, ...], list[Column], Order | None]:
        d = self.d
        drafts = list(d.measures)
        keys = list(d.keys)
        if d.order and d.order.ref and d.head and not drafts and not keys:
            self._many_to_order_by(d.order)
        if d.order and d.order.measure:
            if drafts and d.order.measure not in drafts:
                raise Unread(Declined("I can't combine these two measures in one answer.", (d.order.words,)))
            # "which x has the most y": x is what to group by.
            drafts = [d.order.measure]
            if not keys:
                keys = [KeyDraft(ref=s, words=s.words) for s in d.shown] or (
                    [KeyDraft(table=d.head, words=d.head)] if d.head else []
                )
                d.shown, d.head = [], ""
            if not keys:
                raise Unread(Declined(f"I can't tell what has the {d.order.words}.", (d.order.words,)))
        if drafts:
            measures = self._measures(drafts)
            found = self._keys(keys)
            if d.shown:
                raise Unread(
                    Declined(f"I can't tell what '{d.shown[0].words}' is for in this question.", (d.shown[0].words,))
                )
            order = None
            if d.order:
                if not (d.order.measure or d.order.ref is None):
                    raise Unread(Declined(f"I can't order groups by '{d.order.ref.words}'.", (d.order.ref.words,)))
                order = Order(measure=measures[0], descending=d.order.descending)
                if not keys:
                    raise Unread(Declined(f"'{d.order.words}' needs something to group by.", (d.order.words,)))
            return measures, found, [], order
        if keys and d.head and not d.shown and d.order is None:
            return self._measures([MeasureDraft("count", table=d.head, words=d.head)]), self._keys(keys), [], None
        if keys:
            raise Unread(Declined("I can't tell what to measure for each group.", tuple(k.words for k in keys)))
        return (), (), *self._rows()

    def _many_to_order_by(self, order: OrderDraft) -> None:
        """`top customers by total sales`: a column of many rows for each one needs an aggregate, said or asked for."""
        assert order.ref is not None
        self.base = self.d.head
        column = self.pick(order.ref)
        if self.index.joins.up(self.d.head, column.table):
            return
        if not order.ref.fused:
            ways = tuple(f"{w} {column.name}" for w in ("total", "average", "maximum"))
            asked = f"One {self.d.head} has many {column.table} rows; by which figure of '{order.ref.words}'?"
            raise Unread(Choice(asked, ways, order.ref.words))
        order.measure, order.ref = MeasureDraft(order.ref.fused, order.ref, words=order.ref.words), None

    def _rows(self) -> tuple[list[Column], Order | None]:
        """The listed table, its columns and its order."""
        d = self.d
        if d.head:
            self.base = d.head
        else:
            refs = [*d.shown, *([d.order.ref] if d.order and d.order.ref else [])]
            if refs:
                self.base = self.pick(refs[0]).table
            elif d.filters and (home := self._only_home()):
                self.base = home
            else:
                raise Unread(Declined("I can't tell which table is meant."))
        shown = [self.pick(s) for s in d.shown]
        if d.order is None:
            return shown, None
        if d.order.ref:
            return shown, Order(self.pick(d.order.ref, ("number", "date", "text")), descending=d.order.descending)
        if d.order.by_time:
            times = self.index.time_of(self.base)
            if len(times) != 1:
                raise Unread(
                    Declined(
                        f"{self.base} has no single date to tell '{d.order.words}' by.",
                        (d.order.words,),
                        tuple(t.name for t in times),
                    )
                )
            return shown, Order(times[0], descending=d.order.descending)
        sizes = self.index.numeric(self.base)
        if len(sizes) == 1:
            return shown, Order(sizes[0], descending=d.order.descending)
        if not sizes:
            raise Unread(Declined(f"{self.base} has no number to tell '{d.order.words}' by.", (d.order.words,)))
        raise Unread(
            Choice(
                f"'{d.order.words}' by which column of {self.base}?", tuple(c.name for c in sizes[:8]), d.order.words
            )
        )

    def _only_home(self) -> str:
        homes = {c.table for f in self.d.filters if f.ref for c in f.ref.options} | {
            e.table for f in self.d.filters for e in f.entries
        }
        return homes.pop() if len(homes) == 1 else ""

    def _base_said(self) -> bool:
        return any(k.table == self.base for k in self.d.links) or self.base in self.d.said

    def _columns(self, shown: list[Column], order: Order | None, kind: str) -> tuple[Column, ...]:
        key = self.index.key_of(self.base)
        if shown:
            extra = [order.column] if order and order.column else []
            return tuple(dict.fromkeys([*([key] if key else []), *shown, *extra]))
        facts = self.index.facts
        own = [c for c in self.index.columns[self.base].values() if not facts.column(self.base, c.name).alias_of]
        extra = [order.column] if order and order.column and order.column.table != self.base else []
        return tuple([*own, *extra])

    def _measures(self, drafts: list[MeasureDraft]) -> tuple[Measure, ...]:
        out: list[Measure] = []
        for m in drafts:
            if m.metric:
                out.append(Measure("metric", None, "_".join(str(m.metric.value).split()), m.metric.sql, m.metric.table))
            elif m.ref is None:
                out.append(Measure("count", table=m.table))
            else:
                want = (
                    ("number",)
                    if m.function in ("avg", "sum", "median", "stddev")
                    else ("number", "date")
                    if m.function in ("min", "max")
                    else None
                )
                column = self.pick(m.ref, want)
                if m.function == "distinct" and not self.d.distinct and column.type not in ("text", "bool"):
                    ways = (f"distinct {column.name}", f"total {column.name}")
                    raise Unread(Choice(f"'how many {m.ref.words}' can be more than one figure.", ways, m.ref.words))
                out.append(Measure(m.function, column, table=column.table))
        tables = list(dict.fromkeys(m.table for m in out))
        if len(tables) > 1:
            raise Unread(
                Declined(
                    f"The measures come from different tables ({', '.join(tables)}), which needs more than one query."
                )
            )
        self.base = tables[0]
        return tuple(dict.fromkeys(out))

    def _keys(self, drafts: list[KeyDraft]) -> tuple[Key, ...]:
        out: list[Key] = []
        for k in drafts:
            if k.grain and k.ref is None:
                times = self.index.time_of(self.base)
                if len(times) != 1:
                    what = "no date" if not times else "more than one date"
                    raise Unread(
                        Declined(f"{self.base} has {what} to group by {k.grain}.", (k.words,))
                        if not times
                        else Choice(f"'{k.words}' of which date of {self.base}?", tuple(t.name for t in times), k.words)
                    )
                out.append(Key(times[0], k.grain))
            elif k.ref is not None:
                column = self.pick(k.ref)
                if k.grain and column.type != "date":
                    raise Unread(Declined(f"{column} is no date.", (k.words,)))
                out.append(Key(column, k.grain))
            else:
                out += self._table_keys(k)
        return tuple(dict.fromkeys(out))

    def _table_keys(self, k: KeyDraft) -> list[Key]:
        label, key = self.index.label_of(k.table), self.index.key_of(k.table)
        if k.table == self.base:
            raise Unread(Declined(f"Grouping {self.base} by itself gives one row each; name a column.", (k.words,)))
        self._reach(k.table, k.words)
        if label is not None and (key is None or self.index.unique(k.table, label.name)):
            return [Key(label)]
        up = self.index.joins.up(self.base, k.table)
        if label is None and up and len(up[0]) == 1:
            return [Key(self.index.columns[self.base][up[0][0].start[1]])]
        found = [Key(c) for c in (key, label) if c]
        if not found:
            raise Unread(Declined(f"{k.table} has no key to group by; name a column.", (k.words,)))
        return found

    # -- columns ----------------------------------------------------------------------------------------------

    def pick(self, ref: Ref, types: tuple[str, ...] | None = None) -> Column:
        """Return the column a reference means, by type, by the tables said, then by the nearest join."""
        options = [c for c in ref.options if types is None or c.type in types]
        if not options:
            kinds = " or ".join(types or ())
            raise Unread(
                Declined(f"'{ref.words}' ({', '.join(map(str, ref.options[:3]))}) is not a {kinds}.", (ref.words,))
            )
        said = [t for t in (ref.qualifier, ref.anchor, self.base, self.d.head) if t]
        for table in said:
            own = [c for c in options if c.table == table]
            if len(own) == 1:
                return self._reached(own[0], ref)
        others = {t for t in (*self.d.said, *(k.table for k in self.d.keys if k.table)) if t}
        owners = [c for c in options if c.table in others]
        if len(owners) == 1:
            return self._reached(owners[0], ref)
        if len(options) == 1:
            return self._reached(options[0], ref)
        for start in dict.fromkeys(t for t in (ref.anchor, self.base) if t):
            far = {c: d for c in options if (d := self.index.joins.distance(start, c.table)) is not None}
            best = [c for c in far if far[c] == min(far.values())]
            if len(best) == 1:
                return self._reached(best[0], ref)
        raise Unread(Choice(f"'{ref.words}' can be more than one column.", tuple(map(str, options[:8])), ref.words))

    def _reached(self, column: Column, ref: Ref) -> Column:
        if self.base:
            self._reach(column.table, ref.words)
        return column

    def _reach(self, table: str, words: str) -> None:
        up = self.index.joins.up(self.base, table)
        routes = up or self.index.joins.any(self.base, table)
        if not routes:
            raise Unread(Declined(f"There is no join from {self.base} to {table}, which '{words}' needs.", (words,)))
        if len(routes) > 1:
            ways = tuple(" -> ".join([self.base, *(f"{s.end[0]} (by {s.start[1]})" for s in p)]) for p in routes[:4])
            raise Unread(Choice(f"'{words}' is reached from {self.base} in more than one way.", ways, words))

    def _check_fan_out(self, r: Reading) -> None:
        """A mean over the rows of a parent, grouped by its children, has no single grain."""
        for k in r.keys:
            route = self.index.joins.any(r.table, k.column.table)[0]
            if any(m.function not in ("count", "min", "max", "distinct") for m in r.measures) and not any(
                s.up for s in route
            ):
                raise Unread(
                    Declined(
                        f"One {r.table} has many {route[0].end[0]} rows, so this figure by {k.column.name} has no single grain."
                    )
                )

    # -- conditions -------------------------------------------------------------------------------------------

    def _conditions(self, keys: tuple[Key, ...]) -> tuple[tuple[Filter, ...], tuple[Link, ...]]:
        own: list[Filter] = []
        linked: dict[str, list[Filter]] = {}
        for k in self.d.links:
            if k.table == self.base and (k.op or k.negated):
                text = f"I don't read a condition on how many {self.base} rows there are in a group yet."
                raise Unread(Declined(text, (k.words,)))
        drafts = {k.table: k for k in self.d.links if k.table != self.base}
        for f in self.d.filters:
            filter_, anchor = self._filter(f)
            self._known(filter_)
            home = filter_.home
            self._one_meaning(f, filter_)
            if anchor in drafts and anchor != self.base and self.index.joins.up(anchor, home):
                linked.setdefault(anchor, []).append(filter_)
            elif self.index.joins.up(self.base, home):
                self._reach(home, f.words)
                own.append(filter_)
            else:
                self._reach(home, f.words)
                linked.setdefault(home, []).append(filter_)
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
                and (grouped or self.index.joins.up(self.base, table))
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
        return tuple(own), tuple(links)

    def _merge(self, drafts: dict[str, LinkDraft], linked: dict[str, list[Filter]]) -> None:
        """Conditions on a table that another condition's route passes hold for the same rows: a woman who is the owner."""

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
        """`A and B` of one column: all rows of both for a count of rows, else open (together, one by one, both at once)."""
        if not f.both or filter_.negated or len(filter_.values) < 2 or filter_.column is None:
            return
        values = [str(v) for v in filter_.values]
        figures = any(m.function not in ("count", "distinct") for m in self.measures)
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
            if len(near) != 1:
                raise Unread(
                    Choice(f"'{f.words}' has more than one meaning.", tuple(f"{t}: {s}" for t, s in near), f.words)
                )
            (table, sql), e = next(iter(near.items()))
            return Filter(None, "sql", (), f.negated, e.text or f.words, sql, table), anchor
        if f.when:
            return self._when(f, anchor), anchor
        if f.ref is None:
            return Filter(self._only_number(f, anchor), f.op, self._flat(f.values), f.negated, f.words), anchor
        column = self.pick(f.ref)
        values: tuple[Any, ...] = f.values
        if f.op == "in" and values and isinstance(values[0], dict):
            values = values[0][column]
        elif f.op == "in":
            values = self._flat(values)
        return Filter(column, f.op, values, f.negated, f.words), anchor

    @staticmethod
    def _flat(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(values[0]) if len(values) == 1 and isinstance(values[0], (tuple, list)) else values

    def _when(self, f: FilterDraft, anchor: str) -> Filter:
        for table in dict.fromkeys((anchor, self.base)):
            times = self.index.time_of(table)
            if len(times) == 1:
                return Filter(times[0], f.op, f.values, f.negated, f.words)
            if times:
                raise Unread(Choice(f"Which date of {table} is meant?", tuple(t.name for t in times), f.words))
        raise Unread(Declined(f"{self.base} has no date, so I can't place '{describe(f.values[0])}'.", (f.words,)))

    def _only_number(self, f: FilterDraft, anchor: str) -> Column:
        """Return the one number column that a bare number can be about."""
        for table in dict.fromkeys((anchor, self.base)):
            numeric = self.index.numeric(table)
            if len(numeric) == 1:
                return numeric[0]
            asked = f"'{f.words} {describe(self._flat(f.values)[0])}' of which column of {table}?"
            raise Unread(
                Choice(asked, tuple(c.name for c in numeric[:8]), f.words) if numeric else Declined(asked, (f.words,))
            )
        raise Unread(Declined(f"I can't tell what '{f.words}' compares.", (f.words,)))

    def _known(self, f: Filter) -> None:
        """Refuse a date that lies outside all dates of the column, rather than answer 0 for what the data can't tell."""
        if f.column is None or f.column.type != "date" or f.op in ("null", "notnull"):
            return
        c = quote(f.column.name)
        row = self.index.engine.query(
            f"SELECT CAST(min({c}) AS DATE) AS lo, CAST(max({c}) AS DATE) AS hi FROM {quote(f.column.table)}"
        ).iloc[0]
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
