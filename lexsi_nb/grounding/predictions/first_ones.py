"""The plan for rows that have none of another table yet: which of them will get one, and what it will be like.

Both learn from the first that others got: with what was known on its day, or on a day from which on one was awaited.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.drafts import Draft
from lexsi_nb.grounding.parsing.grammar import Grammar
from lexsi_nb.grounding.parsing.resolve import Resolver
from lexsi_nb.grounding.predictions.features import Collector
from lexsi_nb.grounding.reading import Column, Declined, PredictivePlan, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import Builder
from lexsi_nb.grounding.rendering.phrasing import _filter as _said
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.facts import Outcome
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.joins import Path
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import plural, singular

YEAR, MONTH = 365, 28  # days
SPANS = 4  # the data reach over so many times the days in which one is awaited
MOST_KINDS = 20  # classes that a text may be of
_JOINTS = ("in", "date", "cmp", "post", "between", "half", "quarter", "monthname", "not", "and", "or")


@dataclass(frozen=True)
class Asked:
    """Who is asked of, what they have none of yet, the column of it that is wanted, and the words that said so."""

    who: str
    what: str
    target: Column | None
    used: tuple[Mention, ...]


def asked(items: Sequence[Mention], index: SchemaIndex) -> Asked | None:
    """Return what a question asks of rows that have none yet, None where it asks for something else."""
    if any(m.of("outcome", "condition") for m in items):
        return None
    nouns = [m for m in items if m.of("table") and not m.of("value")]
    tables = list(dict.fromkeys(m.of("table")[0].table for m in nouns))
    if len(tables) != 2:
        return None
    who, what = next(((a, b) for a, b in (tables, tables[::-1]) if len(index.joins.up(b, a)) == 1), ("", ""))
    if not who or index.key_of(who) is None or not index.facts.table(what).time:
        return None
    lacking = [m for i, m in enumerate(items[:-1]) if _lacks(m) and what in {e.table for e in items[i + 1].of("table")}]
    targets = [m for m in items if m not in nouns and any(e.column and e.table == what for e in m.of("column"))]
    if targets and not lacking:
        return None
    if not targets and not _gets(items, what):
        return None
    if any(_bounded(after) for m, after in pairwise(items) if m in targets):
        return None  # "without a loan of amount 3000"
    columns = {e.column for m in targets for e in m.of("column") if e.column is not None and e.table == what}
    if len(columns) > 1 or len(lacking) > 1:
        return None
    ones = [m for m in items if m.words.casefold() in grammar.ONE and not m.entries]
    gets = [m for m in items if m.words.casefold() in grammar.ACQUIRE and not m.entries]
    return Asked(who, what, next(iter(columns), None), (*nouns, *targets, *lacking, *ones, *gets))


def _lacks(m: Mention) -> bool:
    return m.tag("without") is not None and not m.entries


def _bounded(m: Mention) -> bool:
    """Whether what follows a column makes a condition of it."""
    tags = ("cmp", "between", "null", "notnull")
    return m.number is not None or m.literal is not None or any(m.tag(t) is not None for t in tags)


def _gets(items: Sequence[Mention], what: str) -> bool:
    """Whether the words ask who will have one: `will take out a loan`, `without a loan ... are likely to get one`."""
    ahead = next((i for i, m in enumerate(items) if m.tag("predictive") is not None and not m.entries), len(items))
    for before, m in pairwise(items[ahead:]):
        one = m.words.casefold() in grammar.ONE or what in {e.table for e in m.of("table")}
        if one and (grammar.ACQUIRE & {*m.gap, before.words.casefold()}) and not _lacks(before):
            return True
    return False


def plan(wanted: Asked, items: Sequence[Mention], index: SchemaIndex) -> PredictivePlan:
    """Return the plan for rows that have none yet.

    Raises:
        Unread: with what the question or the data lacks.
    """
    key, time = index.key_of(wanted.who), _time(wanted.what, index)
    assert key is not None
    target = wanted.target or Column(wanted.what, f"gets_{singular(wanted.what)}", "number")
    narrowed = _narrowed(wanted, items, index)
    cases = _Cases(wanted, key, time, target, narrowed, index)
    collector = _Collector(wanted.who, key, target.name, cases, index)
    features = collector.collect()
    from lexsi_nb.grounding.predictions.predictive import needless, prune, selected

    none = Outcome(wanted.who, "", target.name, "TRUE")
    learned = selected(none, features, index)
    drop = needless(cases.query(cases.labelled, learned), features, index)
    features.dropped |= {c for c, _ in drop}
    features.left_out += drop
    prune(features)
    if not [n for _, n in features.select if n not in features.dropped] and not features.children:
        raise Unread(
            Declined(f"Nothing is known of {plural(wanted.who)} to predict {target.name} from.", (target.name,))
        )
    scored = selected(none, features, index)
    features.select.append((f"{features.builder.alias[()]}.{quote(target.name)}", target.name))
    labelled = selected(none, features, index)
    rows, noun = plural(wanted.who), singular(wanted.what)
    regression = wanted.target is not None and target.type == "number"
    counts = index.engine.query(cases.query(cases.labelled, cases.count(target)))
    n, kinds = int(counts.iloc[0, 0]), int(counts.iloc[0, 1])
    if kinds < 2 or (not regression and kinds > MOST_KINDS):
        raise Unread(Declined(f"{target} has {kinds} different values in {n:,} known rows; I can't learn from them."))
    said = "".join(f", {t}" for t in narrowed.said)
    task: dict[str, Any] = {
        "task_type": "regression" if regression else "classification",
        "target_column": target.name,
        "entity_column": key.name,
        "time_column": cases.as_of,
        "labelled_text": f"{rows} {cases.learned_from}",
        "cases_text": rows,
        "scored_text": f"without a {noun} yet{said}",
        "positive_text": f"with their first {noun} by {cases.end}",
        "already_text": "",
        "show": [],
    }
    about = f"{target.name} of the first {noun}" if wanted.target else f"the chance of a first {noun}"
    read_as = (
        f"{rows} without a {noun} on {cases.end}{said}, ranked by {about}; learned from {n:,} {rows} "
        f"{cases.learned_from}, with what was known before {cases.known_on}"
    )
    return PredictivePlan(
        wanted.who, cases.query(cases.labelled, labelled), cases.query(cases.open, scored), "", task,
        tuple(features.left_out), read_as, units=features.units,
        warnings=(f"{rows} that never get a {noun} may differ from those that got one",) * bool(wanted.target),
    )  # fmt: skip


def _time(table: str, index: SchemaIndex) -> Column:
    return index.columns[table][index.facts.table(table).time]


@dataclass(frozen=True)
class _Narrowed:
    """Conditions on who is asked of: SQL of their keys, and words."""

    sql: str
    said: tuple[str, ...]


def _narrowed(wanted: Asked, items: Sequence[Mention], index: SchemaIndex) -> _Narrowed:
    rest = [m for m in items if m not in wanted.used and _conditions(m, items)]
    while rest and any(rest[-1].tag(t) is not None for t in ("in", "and")) and not rest[-1].entries:
        rest.pop()
    if not any(m.entries or m.number is not None or m.day for m in rest):
        return _Narrowed("", ())
    noun = Mention(wanted.who, entries=(Entry("table", wanted.who),))
    draft: Draft = Grammar([noun, *rest], index).read()
    found = Resolver(draft, index).reading()
    told = [f for f in (*found.filters, *(f for k in found.links for f in k.filters))]
    odd = found.kind != "list" or found.order or found.limit or found.having or found.table != wanted.who
    if odd or any(f.home == wanted.what for f in told) or any(k.table == wanted.what for k in found.links):
        words = tuple(m.words for m in rest)
        raise Unread(Declined(f"I narrow this prediction by what {plural(wanted.who)} are only.", words))
    key = index.key_of(wanted.who)
    assert key is not None
    listed = Reading("list", wanted.who, columns=(key,), filters=found.filters, links=found.links)
    sql = "\n".join(x for x in ReadingSQL(listed, index).text().splitlines() if not x.startswith("ORDER BY"))
    return _Narrowed(sql, tuple(_said(f, wanted.who) for f in told))


def _conditions(m: Mention, items: Sequence[Mention]) -> bool:
    if m.tag("top") is not None or (m.number is not None and not m.entries and _ranked(m, items)):
        return False
    held = bool(m.entries) or m.number is not None or bool(m.day) or m.literal is not None
    return held or any(m.tag(t) is not None for t in _JOINTS)


def _ranked(m: Mention, items: Sequence[Mention]) -> bool:
    at = next(i for i, x in enumerate(items) if x is m)
    before = items[at - 1] if at else None
    return before is None or before.tag("top") is not None or before.tag("list") is not None


class _Cases:
    """The SQL of who had a first one when, of those that are learned from and of those that have none yet."""

    def __init__(
        self, wanted: Asked, key: Column, time: Column, target: Column, narrowed: _Narrowed, index: SchemaIndex
    ) -> None:
        self.wanted, self.key, self.time, self.target, self.narrowed, self.index = (
            wanted, key, time, target, narrowed, index)  # fmt: skip
        self.as_of = "as_of" if "as_of" not in index.columns[wanted.who] else "known_on"
        self.name = "cases" if "cases" not in index.columns else "asked_cases"
        bounds = index.engine.query(
            f"SELECT min({quote(time.name)}) AS a, max({quote(time.name)}) AS b FROM {quote(time.table)}"
        )
        first, last = (_day(x) for x in bounds.iloc[0].tolist())
        self.end = max(last, _day(index.facts.as_of)) if index.facts.as_of else last
        self.days = min(YEAR, (self.end - first).days // SPANS)
        if not wanted.target and self.days < MONTH:
            text = f"{time.table} reaches over {(self.end - first).days} days: too few to learn who gets a first one."
            raise Unread(Declined(text, (time.table,)))
        self.start = self.end - dt.timedelta(days=self.days)
        noun = singular(wanted.what)
        whole = f"without a {noun} on {self.start}, of whom some had one by {self.end}"
        self.learned_from = f"with a {noun}" if wanted.target else whole
        self.known_on = f"the day of their first {noun}" if wanted.target else f"{self.start}"

    @property
    def firsts(self) -> str:
        """The first one of each."""
        [path] = self.index.joins.up(self.wanted.what, self.wanted.who)
        b = Builder(self.wanted.what, self.index)
        alias = b.alias[()]
        when = f"{alias}.{quote(self.time.name)}"
        holder = b.node(path) + quote(self.key.name)
        lines = [f"{holder}", f"min({when}) AS first_on"]
        if self.wanted.target:
            lines.append(f"arg_min({alias}.{quote(self.target.name)}, {when}) AS {quote(self.target.name)}")
        where = f"\nWHERE {when} IS NOT NULL"
        return "SELECT " + ", ".join(lines) + "\n" + "\n".join(b.source()) + f"{where}\nGROUP BY {holder}"

    @property
    def labelled(self) -> str:
        """Those that are learned from, on the day that they are looked at."""
        who, key, t = quote(self.wanted.who), quote(self.key.name), quote(self.target.name)
        if self.wanted.target:
            return (
                f"SELECT {who}.*, firsts.first_on AS {self.as_of}, firsts.{t}\nFROM {who}\n"
                f"JOIN firsts ON firsts.{key} = {who}.{key}\nWHERE firsts.{t} IS NOT NULL"
            )
        began = self.index.facts.table(self.wanted.who).time
        there = f"\n  AND {who}.{quote(began)} < DATE '{self.start}'" if began else ""
        return (
            f"SELECT {who}.*, DATE '{self.start}' AS {self.as_of},\n"
            f"       CASE WHEN firsts.first_on IS NULL THEN 0 ELSE 1 END AS {t}\nFROM {who}\n"
            f"LEFT JOIN firsts ON firsts.{key} = {who}.{key}\n"
            f"WHERE (firsts.first_on IS NULL OR firsts.first_on >= DATE '{self.start}'){there}"
        )

    @property
    def open(self) -> str:
        """Those that have none yet, at the end of the data."""
        who, key = quote(self.wanted.who), quote(self.key.name)
        more = f"\n  AND {key} IN (\n{self.narrowed.sql}\n)" if self.narrowed.sql else ""
        return (
            f"SELECT *, DATE '{self.end}' AS {self.as_of}\nFROM {who}\n"
            f"WHERE {key} NOT IN (SELECT {key} FROM firsts WHERE {key} IS NOT NULL){more}"
        )

    def query(self, cases: str, sql: str) -> str:
        """Return a query over cases as a whole."""
        parts = [
            f"{n} AS (\n    " + body.replace("\n", "\n    ") + "\n)"
            for n, body in (("firsts", self.firsts), (self.name, cases))
        ]
        lead = "WITH " + ",\n".join(parts)
        sql = sql.replace("\nWHERE TRUE\n", "\n").replace("\n    WHERE TRUE\n", "\n")
        return f"{lead},\n{sql.removeprefix('WITH ')}" if sql.startswith("WITH ") else f"{lead}\n{sql}"

    def count(self, target: Column) -> str:
        """Return the SQL of how many cases there are, and how many different targets."""
        return f"SELECT count(*) AS n, count(DISTINCT {quote(target.name)}) AS kinds FROM {self.name}"


class _Collector(Collector):
    """Collects of the cases instead of a table: each has the day up to which things are known."""

    def __init__(self, table: str, key: Column, target: str, cases: _Cases, index: SchemaIndex) -> None:
        self.cases = cases
        super().__init__(index, table, key, Column(table, cases.as_of, "date"), "TRUE", "TRUE", target)

    def builder(self, *, outer: bool = True) -> Builder:
        b = super().builder(outer=outer)
        b.rows = self.cases.name
        return b

    def count(self, sql: str) -> int:
        return int(self.index.engine.query(self._whole(sql)).iloc[0, 0])

    def pair(self, sql: str, *tables: str) -> Sequence[Any]:
        return self.index.engine.query(self._whole(sql)).iloc[0].tolist()

    def _whole(self, sql: str) -> str:
        both = f"{self.cases.labelled}\nUNION ALL BY NAME\n{self.cases.open}"
        table = f"FROM {quote(self.table)} WHERE"
        return self.cases.query(both, sql.replace(table, f"FROM {self.cases.name} WHERE"))

    def _own(self) -> None:
        self._parent(())

    def _owned(self, path: Path) -> bool:
        return not path or super()._owned(path)


def _day(value: Any) -> dt.date:
    return dt.date.fromisoformat(str(value)[:10])
