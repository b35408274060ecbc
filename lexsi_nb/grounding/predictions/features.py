"""What may be used to predict an entity, known at its as-of day, and what is left out and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.rendering.clauses import Builder, literal
from lexsi_nb.grounding.schema.facts import ColumnFacts
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Join, Path, Step
from lexsi_nb.grounding.schema.names import phrase, quote
from lexsi_nb.grounding.words import name_words, plural

MANY_LEVELS = 20  # labelled rows a text column should have for each of its values
FEW_CODES = 3
SOME_CODES = 12
RECENT_DAYS = 90


@dataclass
class Child:
    """A dated child table: one CTE of aggregates over its rows before the as-of day."""

    name: str
    table: str
    lines: list[str]  # aggregate expressions with their names
    joins: list[str]
    columns: list[str]
    zero: set[str] = field(default_factory=set)  # columns that are 0, not missing, without rows


@dataclass
class Features:
    """The features of an entity table and the pieces of SQL that compute them."""

    builder: Builder
    key: Column
    time: Column
    select: list[tuple[str, str]] = field(default_factory=list)  # (expression, name)
    children: list[Child] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)  # names of features that turned out constant
    units: dict[str, str] = field(default_factory=dict)  # name -> unit of its numbers, where it is known
    fixed: list[str] = field(default_factory=list)  # names of features that nobody can change: ages, what is static


class Collector:
    """Walks from the entity table to parents and children and takes what was known in time."""

    def __init__(
        self, index: SchemaIndex, table: str, key: Column, time: Column, labelled: str, rows: str, target: str
    ) -> None:
        self.index, self.table, self.time = index, table, time
        self.labelled, self.rows, self.target = labelled, rows, target  # SQL conditions on the entity table
        self.f = Features(self.builder(), key, time)
        self.names: set[str] = {key.name.casefold(), time.name.casefold(), target.casefold()}
        self.late: dict[tuple[str, str], list[str]] = {}
        self.n_rows = self.count(f"SELECT count(*) AS n FROM {quote(table)} WHERE {rows}")
        self.n_labelled = self.count(f"SELECT count(*) AS n FROM {quote(table)} WHERE {labelled}")

    def count(self, sql: str) -> int:
        """Return the one number of a query."""
        return int(self.index.engine.query(sql).iloc[0, 0])

    def pair(self, sql: str, *tables: str) -> Sequence[Any]:
        """Return the two numbers of a query over tables."""
        return self.index.reads.one(sql, *tables)

    def builder(self, *, outer: bool = True) -> Builder:
        """Return the FROM and JOIN lines around the entities, to be added to."""
        return Builder(self.table, self.index, outer=outer)

    def collect(self) -> Features:
        """Return everything that may be used and everything that may not."""
        self._own()
        seen = {self.table}
        owners: list[Path] = [()]
        front: list[Path] = [()]
        while front:
            grown = [(*p, s) for p in front for s in self.index.joins.parents(p[-1].end[0] if p else self.table)]
            front = []
            for path in grown:
                if path[-1].end[0] in seen:
                    continue
                seen.add(path[-1].end[0])
                self._parent(path)
                front.append(path)
                if self._owned(path):
                    owners.append(path)
        for path in owners:
            for step in self.index.joins.children(path[-1].end[0] if path else self.table):
                if step.end[0] not in seen:
                    seen.add(step.end[0])
                    self._child(path, step, seen)
        for (table, why), columns in self.late.items():
            self.f.left_out.append((f"{table}: {', '.join(columns)}", why))
        return self.f

    def _owned(self, path: Path) -> bool:
        """Whether a parent belongs to the entity (few entities a parent) rather than being a broad attribute."""
        *lead, last = path
        if lead and not self._owned(tuple(lead)):
            return False
        b = self.builder()
        alias = b.node(tuple(lead)) + quote(last.start[1])
        sql = "\n".join([f"SELECT count(*) AS n, count(DISTINCT {alias}) AS d", *b.source()])
        n, different = self.pair(sql, self.table, *(s.end[0] for s in lead))
        return bool(different) and n / different <= 3

    # -- columns ----------------------------------------------------------------------------------------------

    def _own(self) -> None:
        for name, column in self.index.columns[self.table].items():
            facts = self.index.facts.column(self.table, name)
            if column in (self.f.key, self.time) or facts.key or facts.alias_of or self._is_key(column):
                continue
            if facts.restates:
                what = "the outcome" if facts.restates == "outcome" else facts.restates
                self.f.left_out.append((f"{self.table}.{name}", f"restates {what}"))
            elif self._usable(column, facts):
                self._take(self.f.builder.node(()) + quote(name), name, unit=facts.unit)

    def _parent(self, path: Path) -> None:
        table = path[-1].end[0] if path else self.table
        time = self.index.facts.table(table).time
        for name, column in self.index.columns[table].items():
            facts = self.index.facts.column(table, name)
            if facts.key or facts.alias_of or self._is_key(column) or column == self.f.key:
                continue
            if name == time:
                began, as_of = self.f.builder.node(path) + quote(name), self.f.builder.node(()) + quote(self.time.name)
                self._take(f"date_diff('day', {began}, {as_of})", f"{'_'.join(name_words(table))}_age_days", fixed=True)
            elif facts.restates:
                self.f.left_out.append((f"{table}.{name}", f"restates {facts.restates}"))
            elif facts.as_of and (older := self._older(facts.as_of)):
                plural = self._plural()
                self.late.setdefault(
                    (table, f"figures of {facts.as_of}, not known yet for {older:,} of {self.n_rows:,} {plural}"), []
                ).append(name)
            elif not (facts.static or facts.as_of or facts.protected):
                why = "undated snapshot" if facts.undated or not time else "not known since when it holds"
                self.late.setdefault((table, why), []).append(name)
            elif self._usable(column, facts):
                self._take(self.f.builder.node(path) + quote(name), name, fixed=facts.static, unit=facts.unit)

    def _older(self, as_of: str) -> int:
        return self.count(
            f"SELECT count(*) AS n FROM {quote(self.table)}"
            f" WHERE ({self.rows}) AND {quote(self.time.name)} <= DATE '{as_of}'"
        )

    def _plural(self) -> str:
        *words, last = name_words(self.table)
        return "_".join([*words, *plural(last).split()])

    def _is_key(self, column: Column) -> bool:
        joins = self.index.joins.touching(column.table)
        mine = (column.table, column.name)
        return any(mine in ((j.child, j.child_column), (j.parent, j.parent_column)) for j in joins)

    def _usable(self, column: Column, facts: ColumnFacts) -> bool:
        name = f"{column.table}.{column.name}"
        if facts.protected:
            self.f.left_out.append((name, "protected characteristic; not used unless asked for"))
            return False
        if column.type == "date":
            self.f.left_out.append((name, "a second date, not known to lie before the as-of day"))
            return False
        if column.type == "text":
            levels = self.index.values.get(column)
            n = len(set(levels.values())) if levels else None
            if n is None or n * MANY_LEVELS > max(self.n_labelled, 2 * MANY_LEVELS):
                self.f.left_out.append(
                    (name, f"{n or 'too many'} different values for {self.n_labelled:,} labelled rows")
                )
                return False
        return column.type in ("number", "text", "bool")

    def _take(self, expression: str, name: str, *, fixed: bool = False, unit: str = "") -> None:
        name = self._free(name)
        self.f.select.append((expression, name))
        if unit:
            self.f.units[name] = unit
        if fixed:
            self.f.fixed.append(name)

    def _free(self, name: str, table: str = "") -> str:
        new, n = name, 2
        while new.casefold() in self.names:
            new, n = (f"{table}_{name}" if table and n == 2 else f"{name}_{n}"), n + 1
        self.names.add(new.casefold())
        return new

    # -- children ---------------------------------------------------------------------------------------------

    def _child(self, path: Path, step: Step, seen: set[str], via: tuple[Step, ...] = ()) -> None:
        table = step.end[0]
        facts = self.index.facts.table(table)
        total = self.index.rows.get(table) or 0
        if not facts.time or facts.time not in self.index.columns[table]:
            more = [
                f"{code} restates {what}" for c in facts.columns.values() for code, what in c.restates_where.items()
            ]
            why = f"undated, {total:,} rows" + (f"; {', '.join(more)}" if more else "")
            self.f.left_out.append(
                (facts.comment.split(";")[0].split(",")[0] + f" ({table})" if facts.comment else table, why)
            )
            self._beyond(path, (*via, step), table, seen)
            return
        self._dated(path, (*via, step), table)

    def _beyond(self, path: Path, via: tuple[Step, ...], table: str, seen: set[str]) -> None:
        """Go on through an undated table: tables behind it count by their own date, protected columns are named."""
        for up in self.index.joins.parents(table):
            parent = up.end[0]
            if parent in seen:
                continue
            seen.add(parent)
            guarded = [
                n
                for n, c in self.index.facts.table(parent).columns.items()
                if c.protected and n in self.index.columns[parent]
            ]
            if guarded:
                self.f.left_out.append(
                    (f"{parent}: {', '.join(guarded)}", "protected characteristics; not used unless asked for")
                )
        for down in self.index.joins.children(table):
            if down.end[0] not in seen:
                seen.add(down.end[0])
                self._child(path, down, seen, via)

    def _dated(self, path: Path, route: tuple[Step, ...], table: str) -> None:
        key, time = quote(self.f.key.name), quote(self.index.facts.table(table).time)
        b = self.builder(outer=False)
        root = b.alias[()]
        full = self._short((*path, *route))
        alias = b.node(full)[:-1]
        when = f"{alias}.{time} < {root}.{quote(self.time.name)}"
        # The condition belongs to the join, so that one line says what is known.
        joins = [*b.source()[:-1], b.source()[-1] + f" AND {when}"]
        names = self._aggregates(table, alias, root)
        self.f.units |= {n: unit for e, n, _ in names if (unit := self._unit(table, e))}
        late = self.count(
            "\n".join(
                ["SELECT count(*) AS n", *b.source(), f"WHERE NOT ({when}) AND ({self._on_root(root, self.rows)})"]
            )
        )
        if late:
            plural = self._stem(table).replace("_", " ") + "s"
            self.f.left_out.append(
                (table, f"{late:,} {plural} dated on or after the day of the {self.table} are not used")
            )
        lines = [f"{root}.{key}", *[f"{e} AS {quote(n)}" for e, n, _ in names]]
        cte = self._stem(table) + "s_before"
        self.f.children.append(Child(cte, table, lines, joins, [n for _, n, _ in names], {n for _, n, z in names if z}))

    def _unit(self, table: str, expression: str) -> str:
        """Return the unit of an aggregate of one column, "" where it has none or none is known."""
        if not expression.startswith(("avg(", "min(", "max(", "sum(", "arg_max(", "coalesce(sum(")):
            return ""
        units = {c.name: self.index.facts.column(table, c.name).unit for c in self.index.numeric(table)}
        named = [unit for name, unit in units.items() if unit and f".{quote(name)}" in expression]
        return named[0] if len(named) == 1 else ""

    def _stem(self, table: str) -> str:
        """Return the word for one row of a table, for the names of features."""
        names = self.index.facts.table(table).names
        return "_".join(phrase(names[0]) if names else name_words(table))

    @staticmethod
    def _short(route: Path) -> Path:
        """Return the route without parents that are only passed through on the same column."""
        out: list[Step] = []
        for step in route:
            if out and out[-1].up and not step.up and out[-1].end == step.start:
                before = out.pop()
                step = Step(Join(*before.start, *step.end), True)
            out.append(step)
        return tuple(out)

    def _on_root(self, root: str, sql: str) -> str:
        from lexsi_nb.grounding.rendering.clauses import qualified

        return qualified(sql, root)

    def _aggregates(self, table: str, alias: str, root: str) -> list[tuple[str, str, bool]]:
        """Return (expression, name, zero without rows) for a dated child."""
        facts, stem = self.index.facts.table(table), self._stem(table)
        time = f"{alias}.{quote(facts.time)}"
        as_of = f"{root}.{quote(self.time.name)}"
        out = [("count(*)", self._free(f"{stem}_count"), True)]
        if (self.index.rows.get(table) or 0) < 5 * max(self.n_rows, 1):
            return out  # few rows: their number is all they can tell
        out.append((f"date_diff('day', min({time}), {as_of})", self._free(f"{stem}_history_days"), False))
        flows = [c for c in self.index.numeric(table) if not self._level(c)]
        levels = [c for c in self.index.numeric(table) if self._level(c)]
        for c in levels:
            col, base = f"{alias}.{quote(c.name)}", "_".join(name_words(c.name))
            key = self.index.key_of(table)
            latest = f"({time}, {alias}.{quote(key.name)})" if key else time
            out += [
                (f"avg({col})", self._free(f"{base}_mean"), False),
                (f"min({col})", self._free(f"{base}_min"), False),
                (
                    f"min({col}) FILTER (WHERE {time} >= {as_of} - INTERVAL {RECENT_DAYS} DAY)",
                    self._free(f"{base}_min_{RECENT_DAYS}d"),
                    False,
                ),
                (f"arg_max({col}, {latest})", self._free(f"{base}_last"), False),
            ]
        for coded in self._coded(table):
            column, book = f"{alias}.{quote(coded.name)}", self.index.facts.column(table, coded.name)
            values = list(dict.fromkeys(self.index.values[coded].values()))
            if len(values) <= FEW_CODES:
                for flow in flows:
                    for v in values:
                        name = self._free(f"{self._code_name(book, v)}_{'_'.join(name_words(flow.name))}_total")
                        out.append(
                            (
                                f"coalesce(sum({alias}.{quote(flow.name)}) FILTER (WHERE {column} = {literal(v)}), 0)",
                                name,
                                True,
                            )
                        )
            elif len(values) <= SOME_CODES:
                for v in values:
                    if str(v) in book.restates_where:
                        continue
                    out.append(
                        (
                            f"count(*) FILTER (WHERE {column} = {literal(v)})",
                            self._free(f"{self._code_name(book, v)}_count"),
                            True,
                        )
                    )
        return out

    def _level(self, c: Column) -> bool:
        return self.index.facts.column(c.table, c.name).level

    def _coded(self, table: str) -> list[Column]:
        facts = self.index.facts.table(table).columns
        marked = [c for n, c in self.index.columns[table].items() if n in facts and facts[n].codes and facts[n].signal]
        return [c for c in marked if c in self.index.values]

    @staticmethod
    def _code_name(book: ColumnFacts, value: Any) -> str:
        said = book.codes.get(str(value), (str(value),))[0]
        return re.sub(r"\W+", "_", said.casefold()).strip("_") or "other"
