"""Readable DuckDB SQL from a reading: joins on the right grain, typed literals, a fixed order of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lexsi_nb.grounding.grains import period_of
from lexsi_nb.grounding.reading import Column, Declined, Filter, Having, Key, Link, Measure, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import (
    Builder,
    aggregate,
    condition,
    has_parent,
    literal,
    named,
    over_rows,
    qualified,
)
from lexsi_nb.grounding.rendering.output_names import key_name, listed_names, measure_name, unique_names
from lexsi_nb.grounding.schema.facts import Route
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Path
from lexsi_nb.grounding.schema.names import quote


class ReadingSQL:
    """Writes the SQL of one reading."""

    def __init__(self, reading: Reading, index: SchemaIndex) -> None:
        self.r, self.index = reading, index
        self.b = Builder(reading.table, index, plain=not self._joined())
        self.fan_out = False

    def _joined(self) -> bool:
        r = self.r
        told = [*r.filters, *(f for m in r.measures for f in m.where)]
        used = {k.column.table for k in r.keys} | {c.table for c in r.columns}
        used |= {p.home for f in told for p in (f, *f.inside()) if p.op != "any"}
        used |= {m.column.table for m in r.measures if m.column} | (
            {r.order.column.table} if r.order and r.order.column else set()
        )
        linked = [*r.links, *(k for f in told for k in f.links)]
        return bool(used - {r.table}) or bool(linked) or any(m.links for m in r.measures)

    def up(self, table: str) -> Path | None:
        """Return the many-to-one path from the root, None when there is none."""
        paths = self.index.joins.up(self.r.table, table)
        return paths[0] if paths else None

    def place(self, column: Column, *, route: bool = False) -> str:
        """Return a column with its alias. With `route`, a to-many route may be joined (rows fan out)."""
        path = self.up(column.table)
        if path is None:
            routes = self.index.joins.any(self.r.table, column.table) if route else []
            if not routes:
                raise Unread(Declined(f"There is no join from {self.r.table} to {column.table}.", (str(column),)))
            path, self.fan_out = routes[0], True
            self._ruled(path)
        return named(column, self.b.node(path))

    def _ruled(self, path: Path) -> None:
        """Join a to-many route by the rows that are meant: those told of, else as the graph says (a loan's owner)."""
        if path in self.b.alias:
            return
        self.b.node(path)
        told = [f for k in self.r.links if not (k.negated or k.op) for f in k.filters if f.column is not None]
        rules = [
            (qualified(r.sql, self.b.alias[path[: at + 1]]), at)
            for r, at in self._rules(path, (*self.r.filters, *told))
        ]
        rules += [
            (condition(f, self.b.node(path[: n + 1])), n)
            for n, s in enumerate(path)
            for f in told
            if f.home == s.end[0]
        ]
        for sql, at in rules:
            line = next(i for i, x in enumerate(self.b.lines) if f" AS {self.b.alias[path[: at + 1]]} ON " in x)
            self.b.lines[line] += f" AND {sql}"

    def _rules(self, path: Path, filters: tuple[Filter, ...]) -> list[tuple[Route, int]]:
        """Return (rule, place in the path) for the rules whose two tables the path joins."""
        tables = [self.r.table, *(s.end[0] for s in path)]
        said = {f.home for f in filters}
        return [
            (r, tables.index(r.through) - 1)
            for r in self.index.facts.routes
            if {r.start, r.end} <= set(tables) and r.through in tables[1:-1] and r.through not in said
        ]

    def text(self) -> str:
        """Return the SQL on several lines."""
        return self._grouped() if self.r.measures else self._listed()

    # -- rows -------------------------------------------------------------------------------------------------

    def _listed(self) -> str:
        r = self.r
        shown = [self.place(c) for c in r.columns]
        names = listed_names(r.columns)
        shown = [
            s if n == c.name and not (c.sql or c.zone) else f"{s} AS {quote(n)}"
            for s, c, n in zip(shown, r.columns, names, strict=True)
        ]
        plain = [s.split(" AS ")[0] for s in shown]
        order, way = [], ""
        if r.order and r.order.column:
            way = " DESC" if r.order.descending else ""
            order.append(self.place(r.order.column) + way + " NULLS LAST")
        where = self.conditions(self.named_groups() if r.keys else ())
        key = self.index.key_of(r.table)
        if r.distinct:
            order = plain
        elif key and (not order or order[0].split(" ")[0] != self.place(key)):
            order.append(self.place(key))
        elif not key and not order:
            order = plain[:3]
        elif not key:
            order += [s for s in plain if s not in order[0]][:3]
        lines = [f"SELECT {'DISTINCT ' if r.distinct else ''}{self._wrap(shown)}", *self.b.source(), *where]
        if order:
            lines.append("ORDER BY " + ", ".join(order))
        if r.limit:
            lines.append(f"LIMIT {r.limit}")
        return "\n".join(lines)

    def _wrap(self, parts: list[str]) -> str:
        lines, row = [], ""
        for p in parts:
            if row and len(row) + len(p) > 90:
                lines.append(row + ",")
                row = p
            else:
                row = f"{row}, {p}" if row else p
        return "\n       ".join([*lines, row])

    # -- measures ---------------------------------------------------------------------------------------------

    def _grouped(self) -> str:
        r = self.r
        keys = [(self._key(k), key_name(k)) for k in r.keys]
        names = unique_names([n for _, n in keys] + [measure_name(m) for m in r.measures])
        key_names, measure_names = names[: len(keys)], names[len(keys) :]
        spread = self.fan_out
        where = self.conditions(self.named_groups())
        counted = all(m.function == "count" and not m.of_total for m in r.measures)
        if spread and (r.having or any(m.share or m.of_total or m.where or m.links for m in r.measures)):
            if counted and not r.having:
                return self._spread(keys, key_names, measure_names, where)
            raise Unread(Declined(f"A {r.table} can fall in several of these groups, so this has no single grain."))
        if spread and any(m.function not in ("count", "min", "max", "distinct") for m in r.measures):
            return self._spread(keys, key_names, measure_names, where)
        values = [self._measure(m, spread) for m in r.measures]
        select = [
            f"{k} AS {quote(n)}" if not k.endswith(quote(n)) else k for (k, _), n in zip(keys, key_names, strict=True)
        ]
        select += [f"{v} AS {quote(n)}" for v, n in zip(values, measure_names, strict=True)]
        lines = ["SELECT " + ",\n       ".join(select), *self.b.source(), *where]
        if keys:
            lines.append("GROUP BY " + ", ".join(k for k, _ in keys))
        if r.having:
            lines.append("HAVING " + " AND ".join(self._having(h) for h in r.having))
        return "\n".join([*lines, *self._order(key_names, measure_names)])

    def _spread(
        self, keys: list[tuple[str, str]], key_names: list[str], measure_names: list[str], where: list[str]
    ) -> str:
        """Each row of the root counts once in a group: distinct (key of the root, group) first, then the aggregate."""
        root_key = self.index.key_of(self.r.table)
        if root_key is None:
            raise Unread(Declined(f"{self.r.table} has no key, so rows that fan out in the join can't be told apart."))
        columns = [m.column for m in self.r.measures if m.column]
        inner = [f"{self.place(root_key)} AS row_key"]
        inner += [f"{k} AS {quote(n)}" for (k, _), n in zip(keys, key_names, strict=True)]
        inner += [f"{self.place(c)} AS value_{i}" for i, c in enumerate(columns)]
        metrics: dict[int, str] = {}
        for at, m in enumerate(self.r.measures):
            if m.function == "metric":
                metrics[at], needed = over_rows(m.sql, f"of_{at}_")
                inner += [f"{self.b.node(())}{quote(c)} AS {quote(n)}" for c, n in needed.items()]
        parts = [[self.cond(f) for f in m.where] + [self.linked(k) for k in m.links] for m in self.r.measures]
        inner += [f"({' AND '.join(p)}) AS fits_{i}" for i, p in enumerate(parts) if p]
        body = "\n    ".join(["SELECT DISTINCT " + ", ".join(inner), *self.b.source(), *where])
        select, i = [quote(n) for n in key_names], 0
        for at, (m, n) in enumerate(zip(self.r.measures, measure_names, strict=True)):
            if parts[at]:
                part = f"count(*) FILTER (WHERE fits_{at})"
                select.append(f"{f'100.0 * {part} / count(*)' if m.share else part} AS {quote(n)}")
            elif m.column:
                select.append(f"{aggregate(m.function, f'value_{i}', of=m.column)} AS {quote(n)}")
                i += 1
            elif at in metrics:
                select.append(f"{metrics[at]} AS {quote(n)}")
            else:
                select.append(f"count(*) AS {quote(n)}")
        lines = [
            "SELECT " + ",\n       ".join(select),
            f"FROM (\n    {body}\n) AS once",
            "GROUP BY " + ", ".join(map(quote, key_names)),
        ]
        return "\n".join([*lines, *self._order(key_names, measure_names)])

    def named_groups(self) -> list[str]:
        """Return conditions that leave groups without a name out of a ranking: a missing region is no region."""
        out: list[str] = []
        ranked = self.r.limit and self.r.order and self.r.order.measure
        for key in self.r.keys if ranked or self.r.named_groups else ():
            c, path = key.column, self.up(key.column.table)
            if path is None:
                continue
            own = self.place(c)
            if self.index.has_gaps(c) or any(not s.join.complete for s in path):
                out.append(f"{own} IS NOT NULL")
            if self.index.blank(c):
                out.append(f"trim({own}) <> ''")
        return out

    def _key(self, key: Key) -> str:
        column = self.place(key.column, route=True)
        if not key.grain:
            return self._matched(key.column, column)
        return period_of(column, key.grain)

    def _matched(self, c: Column, sql: str) -> str:
        """Return a text to group by, in which rows that match nothing are not mixed with rows without a text."""
        path = self.up(c.table)
        if not path or c.type != "text" or c.sql or self.named_groups() or all(s.join.complete for s in path):
            return sql
        if not self.index.has_gaps(c):
            return sql
        end = self.b.node(path) + quote(path[-1].end[1])
        return f"CASE WHEN {end} IS NULL THEN {literal(f'(no matching {c.table})')} ELSE {sql} END"

    def _having(self, h: Having) -> str:
        return f"{self._measure(h.measure, False)} {h.op} {literal(h.value)}"

    def _measure(self, m: Measure, spread: bool) -> str:
        held = [self.cond(f) for f in m.where] + [self.linked(k) for k in m.links]
        part = self._plain_measure(m, f" FILTER (WHERE {' AND '.join(held)})") if held else ""
        if m.of_total:
            one = part or self._plain_measure(m)
            whole = "PARTITION BY " * bool(m.within) + ", ".join(map(self._key, m.within))
            return f"100.0 * {one} / sum({one}) OVER ({whole})"
        if held:
            return f"100.0 * {part} / {self._plain_measure(m)}" if m.share else part
        return self._metric_or_count(m, spread)

    def _plain_measure(self, m: Measure, where: str = "") -> str:
        if m.function == "count":
            return f"count(*){where}"
        if m.column is None:
            raise Unread(Declined(f"I don't take a part of '{m.name}'.", (m.name,)))
        column = self.place(m.column)
        if m.function == "distinct":
            return f"count(DISTINCT {self._filled(m.column, column)}){where}"
        return aggregate(m.function, column, where, m.column)

    def _metric_or_count(self, m: Measure, spread: bool) -> str:
        if m.function == "metric":
            return qualified(m.sql, self.b.alias[()]) if self.b.alias[()] else m.sql
        if m.function == "count":
            if not spread:
                return "count(*)"
            key = self.index.key_of(self.r.table)
            if key is None:
                raise Unread(
                    Declined(f"{self.r.table} has no key, so rows that fan out in the join can't be counted once.")
                )
            return f"count(DISTINCT {self.place(key)})"
        assert m.column is not None
        column = self.place(m.column)
        if m.function == "distinct":
            return f"count(DISTINCT {self._filled(m.column, column)})"
        return aggregate(m.function, column, of=m.column)

    def _filled(self, c: Column, sql: str) -> str:
        """Return a column as SQL that is null where an empty text stands."""
        return f"nullif(trim({sql}), '')" if self.index.blank(c) else sql

    def _order(self, keys: list[str], measures: list[str]) -> list[str]:
        r = self.r
        if not keys:
            return []
        if r.order and r.order.measure:
            at = next((i for i, m in enumerate(r.measures) if m == r.order.measure), 0)
            parts = [quote(measures[at]) + (" DESC" if r.order.descending else "") + " NULLS LAST", *map(quote, keys)]
        elif r.keys[0].grain or r.keys[0].column.order or r.keys[0].column.type in ("number", "date") or len(keys) > 1:
            parts = [self._key_order(k, n) for k, n in zip(r.keys, keys, strict=True)]
        else:
            parts = [quote(measures[0]) + " DESC NULLS LAST", *map(quote, keys)]
        lines = ["ORDER BY " + ", ".join(parts)]
        return [*lines, f"LIMIT {r.limit}"] if r.limit else lines

    def _key_order(self, key: Key, name: str) -> str:
        order = key.column.order
        return f"min({self.place(replace(key.column, sql=order), route=True)})" if order else quote(name)

    # -- conditions -------------------------------------------------------------------------------------------

    def conditions(self, more: Sequence[str] = ()) -> list[str]:
        """Return the WHERE clause, of the filters, the links and `more`; empty without any."""
        parts = [self.cond(f) for f in self.r.filters]
        parts += [*(self.linked(k) for k in self.r.links), *more]
        return ["WHERE " + "\n  AND ".join(parts)] if parts else []

    def cond(self, f: Filter) -> str:
        if f.op == "any":
            return "(" + " OR ".join([*map(self.cond, f.parts), *map(self.linked, f.links)]) + ")"
        if f.op == "AND":
            return "(" + " AND ".join(self.cond(p) for p in f.parts) + ")"
        home = self._home(f)
        sql = condition(f, home)
        if f.negated and f.op == "in" and f.column and self.index.blank(f.column):  # no status is none that differs
            sql += f" AND trim({named(f.column, home)}) <> ''"
        return sql

    def _home(self, f: Filter) -> str:
        path = self.up(f.home)
        if path is None:
            said = f.words or f.home
            raise Unread(Declined(f"'{said}' is told of {f.home}, and a row of {self.r.table} has not one.", (said,)))
        return self.b.node(path)

    def linked(self, link: Link) -> str:
        stops = [t for t in (self.r.table, link.through, link.table) if t]
        routes = [self.index.joins.any(*ends) for ends in pairwise(stops)]
        if not all(routes):
            raise Unread(
                Declined(f"There is no join from {self.r.table} to {link.table}.", (link.words or link.table,))
            )
        route = tuple(step for found in routes for step in found[0])
        if not route:
            raise Unread(Declined(f"I can't compare rows of {link.table} with each other yet.", (link.words,)))
        ups = 0
        while ups < len(route) and route[ups].up:
            ups += 1
        if ups == len(route):  # a parent: its existence is the key being there
            step = route[0]
            column = self.b.node(()) + quote(step.start[1])
            if link.filters:
                inner = " AND ".join(condition(f, self._beyond(self.b, route, f)) for f in link.filters)
                return f"NOT coalesce({inner}, FALSE)" if link.negated else inner
            return has_parent(route, column, negated=link.negated)
        return self._exists(link, route, ups)

    def _beyond(self, b: Builder, path: Path, f: Filter) -> str:
        for n, step in enumerate(path):
            if f.home == step.end[0]:
                return b.node(path[: n + 1])
        if f.home == b.root:
            return b.node(())
        more = self.index.joins.up(path[-1].end[0] if path else b.root, f.home)
        if not more:
            raise Unread(Declined(f"There is no join to {f.home}.", (f.words,)))
        return b.node((*path, *more[0]))

    def _exists(self, link: Link, route: Path, ups: int) -> str:
        lead, down, rest = route[:ups], route[ups], route[ups + 1 :]
        # the key on both sides of the parent: skip the parent.
        if lead and lead[-1].end == down.start:
            outer = self.b.node(lead[:-1]) + quote(lead[-1].start[1])
        else:
            outer = self.b.node(lead) + quote(down.start[1])
        inner = Builder(down.end[0], self.index, self.b.taken, outer=False)
        root = inner.alias[()]
        place = inner.node(rest) if rest else root + "."
        where = [f"{root}.{quote(down.end[1])} = {outer}"]
        where += [condition(f, self._beyond(inner, rest, f)) for f in link.filters]
        for rule, at in self._rules(route, link.filters):
            if at >= ups:
                where.append(qualified(rule.sql, inner.node(rest[: at - ups])[:-1]))
        body = [*inner.source(), "WHERE " + " AND ".join(where)]
        if link.op:
            key = self.index.key_of(link.table)
            counted = "count(*)" if not rest or key is None else f"count(DISTINCT {place}{quote(key.name)})"
            return "(\n    SELECT " + counted + "\n    " + "\n    ".join(body) + f"\n) {link.op} {link.number}"
        return f"{'NOT ' if link.negated else ''}EXISTS (\n    SELECT 1\n    " + "\n    ".join(body) + "\n)"
