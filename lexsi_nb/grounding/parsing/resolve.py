"""From a draft to a reading: open columns decided, conditions attached to the right table, the text and the SQL."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.language import schema_words
from lexsi_nb.grounding.parsing.ages import ordered_in_time
from lexsi_nb.grounding.parsing.drafts import KeyDraft, MeasureDraft, OrderDraft, Ref
from lexsi_nb.grounding.parsing.groups import Groups, counted_rows, of_those_rows
from lexsi_nb.grounding.parsing.open_choices import ask, ask_date, by_what, dates_of, figures_open, rank_by_what, top_by
from lexsi_nb.grounding.parsing.sizes import no_amounts, sized_by, unfitting
from lexsi_nb.grounding.parsing.ties import tie_note
from lexsi_nb.grounding.parsing.unjoined import id_beside
from lexsi_nb.grounding.reading import Choice, Column, Declined, Having, Key, Measure, Order, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import one_of, phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.joins import key_like
from lexsi_nb.grounding.wordings.average_scopes import averages_placed
from lexsi_nb.grounding.words import name_parts, name_words, singular

LONG_LIST = 10_000  # rows above which an unfiltered list is cut
CUT = 1_000
WIDE = 10  # columns above which a list of rows shows those that the question is about


class Resolver(Groups):
    """Decides what a draft left open, or refuses."""

    def reading(self) -> Reading:
        """Return the reading with its text and SQL.

        Raises:
            Unread: with what stays open (a choice) or cannot be joined (a decline).
        """
        if (inner := self._groups_counted()) is not None:
            return counted_rows(Resolver(inner, self.index).reading())
        self._grouped_by_shown()
        self._grouped_by_itself()
        measures, keys, shown, order = self._roles()
        self.measures = measures
        filters, links = self._conditions(keys)
        filters, links = averages_placed(filters, links, self.base, self.d.scope, self.index)
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
                or self._values_asked(shown)
                or (self.index.key_of(self.base) is None and all(c.type in ("text", "bool") for c in shown))
                or (not self.d.head and not self._base_said() and all(c.type in ("text", "bool") for c in shown))
            )
        )
        if distinct:  # of several things that were named, each row says which it is
            named = [f.column for f in filters if f.op == "in" and len(f.values) > 1 and not f.negated]
            shown = list(dict.fromkeys([*(c for c in named if c is not None and c.table == self.base), *shown]))
        columns = () if measures else tuple(shown) if distinct else self._columns(shown, order, kind)
        r = Reading(
            kind, self.base, measures, keys, () if measures else columns, filters, links, order, limit, distinct,
            tuple(self.having),
        )  # fmt: skip
        writer = ReadingSQL(r, self.index)
        sql = writer.text()
        if kind == "list" and not distinct and (self.index.rows.get(self.base) or 0) > LONG_LIST:
            total = int(self.index.engine.query(f"SELECT count(*) AS n FROM (\n{sql}\n) AS listed").iloc[0, 0])
            if total > LONG_LIST:
                self.notes.append(f"the first {CUT:,} of {total:,} rows")
                r, sql = replace(r, limit=CUT), f"{sql}\nLIMIT {CUT}"
        self._empty_groups(r)
        self._unlisted_groups(r)
        of_those_rows(r)
        if writer.fan_out:
            self._check_fan_out(r)
            self.notes.append(f"{one_of(self.base)} that meets several groups counts once in each")
        if r.order and r.limit and kind == "topk":
            self.notes.extend(tie_note(r, sql, self.index))
        r = replace(r, sql=sql, notes=tuple(self.notes), shown=() if measures or distinct else tuple(shown))
        return replace(r, text=phrasing(r))

    def _roles(self) -> tuple[tuple[Measure, ...], tuple[Key, ...], list[Column], Order | None]:
        d = self.d
        drafts = list(d.measures)
        keys = list(d.keys)
        if d.order and d.order.ref and d.head and not drafts and not keys:
            self._groups_to_order(d.order)
            self._many_to_order_by(d.order)
        elif d.order and d.order.ref and not (d.head or drafts or keys):
            self._groups_to_order(d.order)
        if d.order and d.order.measure:
            if drafts and d.order.measure not in drafts:
                raise Unread(Declined("I can't combine these two measures in one answer.", (d.order.words,)))
            # "which x has the most y": x is what to group by.
            drafts = [d.order.measure]
            self._row_asked(d.shown)
            if not keys:
                keys = [KeyDraft(ref=s, words=s.words) for s in d.shown] or (
                    [KeyDraft(table=d.head, words=d.head)] if d.head else []
                )
                d.shown, d.head, d.keys = [], "", keys
            if not keys:
                raise Unread(Declined(f"I can't tell what has the {d.order.words}.", (d.order.words,)))
        if drafts:
            measures = self._measures(drafts)
            found = self._keys(keys)
            measures = self._with_sizes(measures) if found else measures
            self.having = [
                Having(measures[drafts.index(m)] if m in drafts else measures[0], op, v) for m, op, v in d.having
            ]
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
        plain = d.order is None or (d.order.ref is None and d.order.measure is None and not d.order.by_time)
        head = d.head or (figures_open(d.shown, d.filters, self.index) if keys and plain else "")
        if keys and head and not d.shown and plain:
            measures = self._measures([MeasureDraft("count", table=head, words=head)])
            order = Order(measure=measures[0], descending=d.order.descending) if d.order else None
            return measures, self._keys(keys), [], order
        if keys:
            raise Unread(Declined("I can't tell what to measure for each group.", tuple(k.words for k in keys)))
        return (), (), *self._rows()

    def _groups_to_order(self, order: OrderDraft) -> None:
        """`which region has the most crimes`, where a region has many rows: a figure of each, said or asked for."""
        d = self.d
        assert order.ref is not None
        several = bool(d.limit and d.limit > 1) and not d.shown[0].of_row if d.shown else False
        if len(d.shown) != 1 or not d.shown_first or (d.said and not several):
            return
        mine = [c for c in d.shown[0].options if c.table in d.said] if several else []
        options = mine or d.shown[0].options
        column = options[0]
        if len(options) != 1 or self.index.unique(column.table, column.name):
            return
        if column.type != "text" and not several:
            return
        own = any(c.table == column.table for c in order.ref.options)
        below = {c.table for c in order.ref.options if self.index.joins.up(c.table, column.table)}
        if not own and len(below) != 1:
            return
        if not order.ref.fused or order.ref.fused != "sum":
            self.base = column.table if own else next(iter(below))
            number = self.pick(order.ref)
            of = "" if own else f" of {self.base}"
            ways = tuple(f"{w} {number.name}{of}" for w in ("total", "average", "maximum"))
            asked = f"One {column.name} has many rows of {self.base}; by which figure of '{order.ref.words}'?"
            raise Unread(Choice(asked, ways, order.ref.words))
        order.measure, order.ref = MeasureDraft("sum", order.ref, words=order.ref.words), None

    def _row_asked(self, shown: list[Ref]) -> None:
        """Refuse `the region of the district with the most loans` as a ranking of regions: a district is ranked."""
        for s in shown:
            names = (self.index.key_of(s.of_row), self.index.label_of(s.of_row)) if s.of_row else ()
            if s.of_row and not any(c in names for c in s.options):
                raise Unread(
                    Declined(f"'{s.words}' is asked of one {s.of_row}, which has to be found first.", (s.words,))
                )

    def _many_to_order_by(self, order: OrderDraft) -> None:
        """`top customers by total sales`: a column of many rows for each one needs an aggregate, said or asked for."""
        assert order.ref is not None
        self.base = self.d.head
        column = self.pick(order.ref)
        if self.index.joins.up(self.d.head, column.table):
            return
        if self.index.facts.column(column.table, column.name).level:  # a level adds up to nothing
            order.ref.fused = "max" if order.descending else "min"
        if not order.ref.fused:
            ways = tuple(f"{w} {column.name}" for w in ("total", "average", "maximum"))
            many = f"{one_of(self.d.head).capitalize()} has many rows of {column.table}"
            asked = f"{many}; by which figure of '{order.ref.words}'?"
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
            column = self.pick(d.order.ref, ("number", "date", "text"))
            if column.table != self.base and set(name_words(d.order.ref.words)) <= schema_words.DATED:
                times = self.index.time_of(self.base)  # "cards sorted by date": by their own, however it is called
                column = times[0] if len(times) == 1 else column
            return shown, Order(column, descending=d.order.descending)
        if d.order.by_time:
            return shown, ordered_in_time(d.order.words, self.base, self.index, descending=d.order.descending)
        size = self.index.facts.table(self.base).size
        sizes = [self.index.columns[self.base][size]] if size in self.index.columns[self.base] else None
        if unfitting(d.order.words, self.base, self.index):
            long = sized_by(d.order.words, self.base, self.index)
            sizes = [long] if long is not None else None
        sizes = sizes or no_amounts(d.order.words, self.index.numeric(self.base))
        if len(sizes) == 1:
            return shown, Order(sizes[0], descending=d.order.descending)
        if not sizes:
            asked = f"{self.base} has no number to tell '{d.order.words}' by."
            if d.top and d.order.descending:
                rank_by_what(f"{asked} By what?", self.base, d.order.words, self.index)
            ask(f"{asked} By what?", by_what(self.base, self.index), d.order.words)
            raise Unread(Declined(asked, (d.order.words,)))
        raise top_by(d.order.words, shown, self.base, sizes, self.index)

    def _only_home(self) -> str:
        homes = {c.table for f in self.d.filters if f.ref for c in f.ref.options} | {
            e.table for f in self.d.filters for e in f.entries
        }
        return homes.pop() if len(homes) == 1 else ""

    def _values_asked(self, shown: list[Column]) -> bool:
        """`which categories exist in x`: the values of a text column, each once."""
        few = all(c in self.index.values and c != self.index.label_of(c.table) for c in shown)
        plain = not (self.d.filters or self.d.order or self.d.limit)
        return self.d.listed and few and plain and self.d.shown_first

    def _base_said(self) -> bool:
        return any(k.table == self.base for k in self.d.links) or self.base in self.d.said

    def _columns(self, shown: list[Column], order: Order | None, kind: str) -> tuple[Column, ...]:
        key = self.index.key_of(self.base)
        if shown:
            extra = [order.column] if order and order.column else []
            named = self.base in (self.d.head, *self.d.said) and kind in ("list", "topk")
            told = [key, self.index.label_of(self.base) if named else None]
            return tuple(dict.fromkeys([*(c for c in told if c), *shown, *extra]))
        facts = self.index.facts
        own = [c for c in self.index.columns[self.base].values() if not facts.column(self.base, c.name).alias_of]
        extra = [order.column] if order and order.column and order.column.table != self.base else []
        if len(own) <= WIDE or not key or self.measures or self._one_named():
            return tuple([*own, *extra])
        label, said = self.index.label_of(self.base), [f.ref for f in self.d.filters if f.ref]
        asked = [c for r in said for c in r.options[:1] if len(r.options) == 1 and c.table == self.base and not c.sql]
        few = [key, *([label] if label else []), *asked, *([order.column] if order and order.column else [])]
        few = list(dict.fromkeys([*few, *self.index.time_of(self.base)[:1]]))
        self.notes.append(f"{len(own) - len(few)} further columns are left out; name those you want")
        return tuple(c for c in few if not c.sql)

    def _one_named(self) -> bool:
        """Whether one row is asked for by its key or its name: it shows all that is known of it."""
        single = [f for f in self.d.filters if f.op in ("=", "in") and not f.negated and len(f.values) == 1]
        columns = [c for f in single for c in (f.ref.options if f.ref else [e.column for e in f.entries if e.column])]
        return any(c.table == self.base and not c.sql and self.index.unique(c.table, c.name) for c in columns)

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
                    if m.function in ("avg", "sum", "median", "stddev", "variance", "range", "iqr", "cv")
                    or m.function[:2] == "q0"
                    else ("number", "date")
                    if m.function in ("min", "max")
                    else None
                )
                column = self.pick(m.ref, want)
                if m.function == "distinct" and not self.d.distinct and self._countable(column, m.ref):
                    out.append(Measure("sum", column, table=column.table))
                    continue
                if m.function == "distinct" and not self.d.distinct and not self._tells_apart(column):
                    ways = (
                        f"distinct {column.name}",
                        *([f"total {column.name}"] if column in self.index.numeric(column.table) else []),
                    )
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

    def _countable(self, column: Column, ref: Ref) -> bool:
        """Whether a number counts things, so that `how many` of them is their sum: inhabitants, not amounts."""
        facts = self.index.facts.column(column.table, column.name)
        word = ref.words.casefold().split()[-1]
        plural = word != singular(word) and word in name_parts(column.name)
        return column.type == "number" and plural and not (facts.unit or facts.units or facts.level or column.sql)

    def _tells_apart(self, c: Column) -> bool:
        """Whether `how many` of a column can only be its values: a text, a flag, a key, what points at one."""
        key = self.index.facts.column(c.table, c.name).key or key_like("_".join(name_words(c.name)))
        return c.type in ("text", "bool") or key or bool(self.index.joins.leaving(c.table, c.name))

    def _with_sizes(self, measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
        """A rate of each group is shown with the number of rows it is a rate of."""
        if not any(m.function == "metric" and ("avg(" in m.sql or "/" in m.sql) for m in measures):
            return measures
        return tuple(dict.fromkeys((*measures, Measure("count", table=self.base))))

    def _keys(self, drafts: list[KeyDraft]) -> tuple[Key, ...]:
        out: list[Key] = []
        for k in drafts:
            if k.grain and k.ref is None:
                times = self.index.time_of(self.base)
                pieced = all(t.sql for t in times)
                years = self.index.year_of(self.base) if pieced and k.grain == "year" else []
                if len(years) == 1:
                    out.append(Key(years[0]))
                    continue
                if all(t.sql for t in times) and (named := self._named_grain(k.grain)):
                    out += named
                    continue
                if not times:
                    ask(f"{self.base} has no date of its own; by which one?", dates_of(self.base, self.index), k.words)
                if len(times) != 1:
                    ask_date(f"'{k.words}' of which date of {self.base}?", times, k.words)
                    raise Unread(Declined(f"{self.base} has no date to group by {k.grain}.", (k.words,)))
                out.append(Key(times[0], k.grain))
            elif k.ref is not None:
                column = self.by_name(self.pick(k.ref), k.ref)
                if k.grain and column.type != "date":
                    raise Unread(Declined(f"{column} is no date.", (k.words,)))
                out += self._of_a_row(k, column)
            else:
                out += self._table_keys(k)
        return tuple(dict.fromkeys(out))

    def _named_grain(self, grain: str) -> list[Key]:
        """Return the number columns that hold a piece of the date: month, with its year where there are several."""
        columns = self.index.columns[self.base]
        held = [c for n, c in columns.items() if c.type == "number" and name_words(n) == (grain,)]
        if len(held) != 1:
            return []
        years = self.index.year_of(self.base)
        span = self.index.span(years[0]) if len(years) == 1 else None
        return [*([Key(years[0])] if span is not None and span[0] != span[1] else []), Key(held[0])]

    def _table_keys(self, k: KeyDraft) -> list[Key]:
        label, key = self.index.label_of(k.table), self.index.key_of(k.table)
        if k.table == self.base:
            raise Unread(Declined(f"Grouping {self.base} by itself gives one row each; name a column.", (k.words,)))
        if (own := id_beside(self.base, k.table, k.words, self.index)) is not None:
            return [Key(own)]
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

    def _check_fan_out(self, r: Reading) -> None:
        """A mean over the rows of a parent, grouped by its children, has no single grain."""
        for k in r.keys:
            route = self.index.joins.any(r.table, k.column.table)[0]
            figures = any(m.function not in ("count", "min", "max", "distinct") for m in r.measures)
            if figures and route and not any(step.up for step in route):
                many = f"{one_of(r.table).capitalize()} has many rows of {route[0].end[0]}"
                raise Unread(Declined(f"{many}, so this figure by {k.column.name} has no single grain."))
