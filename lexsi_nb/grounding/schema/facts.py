"""What is known of a dataset beyond its schema, read from its knowledge graph: names, codes, times, joins, outcomes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ColumnFacts:
    """What the knowledge graph says of a column."""

    names: tuple[str, ...] = ()
    codes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # code -> phrases; the first is its meaning
    unit: str = ""
    units: tuple[str, ...] = ()  # words for the unit
    totals: tuple[str, ...] = ()  # words for the sum of it
    restates: str = ""
    comment: str = ""
    protected: bool = False
    as_of: str = ""
    static: bool = False
    undated: bool = False
    key: bool = False
    level: bool = False  # a stock such as a balance: it has a last value, a sum of it means nothing
    birth: bool = False  # a day of birth: an age can be told from it
    signal: bool = False  # codes worth counting one by one
    alias_of: str = ""
    restates_where: Mapping[str, str] = field(default_factory=dict)  # code -> what those rows restate


@dataclass(frozen=True)
class TableFacts:
    """What the knowledge graph says of a table."""

    names: tuple[str, ...] = ()
    entity: str = ""
    label: str = ""
    size: str = ""  # the column that says how large a row is
    time: str = ""
    undated: bool = False
    snapshot: bool = False
    note: str = ""
    comment: str = ""
    columns: Mapping[str, ColumnFacts] = field(default_factory=dict)


@dataclass(frozen=True)
class Population:
    """A set of rows of the entity table and the words for it."""

    sql: str
    text: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """Something that can be predicted of an entity, and which rows have it known, open or already there."""

    name: str
    entity_table: str
    target: str
    sql: str
    names: tuple[str, ...] = ()
    labelled: Population = Population("")
    scored: Population = Population("")
    already: Population = Population("")
    show: tuple[str, ...] = ()
    positive: str = ""  # words for a row where it has happened
    readings: tuple[tuple[str, str], ...] = ()  # (another population to rank, question that asks for it)


@dataclass(frozen=True)
class Metric:
    """A business metric: an aggregate expression over one table."""

    name: str
    table: str
    sql: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Term:
    """A word the business uses without a definition, or one that needs a choice."""

    name: str
    names: tuple[str, ...]
    question: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Condition:
    """Words of the business for a condition on one table."""

    table: str
    sql: str
    text: str
    names: tuple[str, ...]
    of: str = ""  # the table whose rows the words name, where the condition is on another


@dataclass(frozen=True)
class Synonym:
    """Other names of a table, or of one of its columns."""

    names: tuple[str, ...]
    table: str
    column: str = ""


@dataclass(frozen=True)
class Route:
    """Which rows of a table between two others are meant when these are joined."""

    start: str
    end: str
    through: str
    sql: str
    text: str = ""


@dataclass(frozen=True)
class Way:
    """Words that say by which column of one table another one is meant: "lives in" is the client's district."""

    phrases: tuple[str, ...]
    start: str
    column: str
    end: str
    text: str = ""


@dataclass(frozen=True)
class Demand:
    """Words that ask for a condition on a table between others: "owned by" is by the owner, not by any holder."""

    phrases: tuple[str, ...]
    table: str
    sql: str
    text: str = ""


@dataclass(frozen=True)
class Facts:
    """Everything the grounding takes from a knowledge graph; empty without one."""

    tables: Mapping[str, TableFacts] = field(default_factory=dict)
    outcomes: tuple[Outcome, ...] = ()
    metrics: tuple[Metric, ...] = ()
    terms: tuple[Term, ...] = ()
    conditions: tuple[Condition, ...] = ()
    joins: tuple[tuple[str, str, str, str], ...] = ()
    as_of: str = ""  # the day the data end
    routes: tuple[Route, ...] = ()
    ways: tuple[Way, ...] = ()
    demands: tuple[Demand, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()  # (words, what a person chose that they mean)
    synonyms: tuple[Synonym, ...] = ()

    def table(self, name: str) -> TableFacts:
        """Return the facts of a table, empty ones when nothing is known."""
        return self.tables.get(name) or _NO_TABLE

    def column(self, table: str, name: str) -> ColumnFacts:
        """Return the facts of a column, empty ones when nothing is known."""
        return self.table(table).columns.get(name) or _NO_COLUMN

    @property
    def empty(self) -> bool:
        """Whether there is no knowledge graph at all."""
        return not self.tables


_NO_TABLE, _NO_COLUMN = TableFacts(), ColumnFacts()


def _names(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(str(v) for v in value or ())


def _codes(raw: Mapping[Any, Any], names: Mapping[Any, Any]) -> dict[str, tuple[str, ...]]:
    return {str(code): (*_names(said), *_names(names.get(code))) for code, said in raw.items()}


def _column(raw: Any, alias_of: str = "") -> ColumnFacts:
    raw = raw if isinstance(raw, Mapping) else {}
    return ColumnFacts(
        names=_names(raw.get("names")),
        codes=_codes(raw.get("codes") or {}, raw.get("code_names") or {}),
        key=raw.get("role") == "key",
        level=bool(raw.get("level")),
        birth=bool(raw.get("birth")),
        signal=bool(raw.get("signal")),
        unit=str(raw.get("unit") or ""),
        totals=_names(raw.get("totals")),
        units=(*_names(raw.get("unit")), *_names(raw.get("unit_names"))),
        restates=str(raw.get("restates") or ""),
        comment=str(raw.get("comment") or ""),
        protected=bool(raw.get("protected")),
        as_of=str(raw.get("as_of") or ""),
        static=bool(raw.get("static")),
        undated=bool(raw.get("undated")),
        alias_of=alias_of,
        restates_where={str(k): str(v) for k, v in (raw.get("restates_where") or {}).items()},
    )


def _table(raw: Mapping[str, Any]) -> TableFacts:
    reviewed = {c: v for c, v in (raw.get("columns") or {}).items() if not (v or {}).get("inferred")}
    columns = {str(c): _column(v) for c, v in reviewed.items()}
    for name, about in reviewed.items():
        if about and about.get("alias"):
            columns[str(about["alias"])] = _column({k: v for k, v in about.items() if k != "names"}, str(name))
    return TableFacts(
        names=_names(raw.get("names")),
        entity=str(raw.get("entity") or ""),
        label=str(raw.get("label") or ""),
        size=str(raw.get("size") or ""),
        time=str(raw.get("time") or ""),
        undated=bool(raw.get("undated")),
        snapshot=bool(raw.get("snapshot")),
        note=str(raw.get("note") or ""),
        comment=str(raw.get("comment") or ""),
        columns=columns,
    )


def _population(raw: Any) -> Population:
    raw = raw if isinstance(raw, Mapping) else {}
    return Population(str(raw.get("sql") or ""), str(raw.get("text") or ""), _names(raw.get("names")))


def _outcome(name: str, raw: Mapping[str, Any]) -> Outcome:
    return Outcome(
        name=name,
        entity_table=str(raw["entity_table"]),
        target=str(raw.get("target") or f"is_{name}"),
        sql=str(raw["sql"]),
        names=_names(raw.get("names")),
        labelled=_population(raw.get("labelled")),
        scored=_population(raw.get("scored")),
        already=_population(raw.get("already")),
        show=_names(raw.get("show")),
        positive=str(raw.get("positive") or name.replace("_", " ")),
        readings=tuple((str(r["text"]), str(r["question"])) for r in raw.get("readings") or ()),
    )


def _named(raw: Any) -> list[tuple[str, Mapping[str, Any]]]:
    """Entries of a section, whether it is a mapping by name or a list of records with a name."""
    if isinstance(raw, Mapping):
        return [(str(k), v) for k, v in raw.items() if isinstance(v, Mapping)]
    return [
        (str(v.get("name") or v.get("label") or v.get("id") or i), v)
        for i, v in enumerate(raw or ())
        if isinstance(v, Mapping)
    ]


def _ways(raw: Mapping[str, Any]) -> list[Way]:
    out = []
    for _, d in _named(raw.get("disambiguations")):
        path = (d.get("reading") or {}).get("path") or ()
        if len(path) >= 2:
            start, _, column = str(path[0]).partition(".")
            phrases = tuple(t.casefold() for t in _names(d.get("triggers")))
            out.append(Way(phrases, start, column, str(path[-1]).partition(".")[0], str(d.get("text") or "")))
    return out


def _synonyms(raw: Mapping[str, Any]) -> list[Synonym]:
    out = []
    for _, d in _named(raw.get("disambiguations")):
        said, names = d.get("reading") or {}, _names(d.get("names"))
        if names and said.get("column"):
            table, _, column = str(said["column"]).rpartition(".")
            out.append(Synonym(names, table, column))
        elif names and said.get("table") and not said.get("sql"):
            out.append(Synonym(names, str(said["table"])))
    return out


def _demands(raw: Mapping[str, Any]) -> list[Demand]:
    """Return what phrases of several words ask for; a single word may stand for more."""
    out = []
    for _, d in _named(raw.get("disambiguations")):
        r, phrases = d.get("reading") or {}, [t.casefold() for t in _names(d.get("triggers")) if " " in t]
        if phrases and r.get("sql") and r.get("table") and not d.get("names"):
            out.append(Demand(tuple(phrases), str(r["table"]), str(r["sql"]), str(d.get("text") or "")))
    return out


def _rows_named(entry: Mapping[str, Any], table: Any, raw: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of a condition, and its triggers that end in a word for the rows it is of: `good loans`."""
    about = dict(_named(raw.get("tables"))).get(str(table)) or {}
    rows = {str(table).casefold(), *(n.casefold() for n in _names(about.get("names")))}
    known = {
        n.casefold()
        for _, o in _named(raw.get("outcomes"))
        for part in ("labelled", "scored", "already")
        for n in _names((o.get(part) or {}).get("names"))
    }  # `active loans` is read by these
    said = [t for t in _names(entry.get("triggers")) if (w := t.casefold().rpartition(" "))[1] and w[2] in rows]
    said = [t for t in said if t.casefold().rpartition(" ")[0] not in known]
    return tuple(dict.fromkeys((*_names(entry.get("names")), *said)))


# A metric that the grammar reads by itself (`avg(x)`), or that spans tables (`a.x`), is no measure of its own.
_PLAIN = re.compile(r"(count|avg|sum)\((\*|\w+)\)|.*\b[A-Za-z_]\w*\.[A-Za-z_].*")


def read_facts(raw: Mapping[str, Any] | None) -> Facts:
    """Return the facts held by a knowledge graph's plain mapping (as loaded from YAML or JSON)."""
    if not raw:
        return Facts()
    joins = [
        (*str(j["from"]).rsplit(".", 1), *str(j["to"]).rsplit(".", 1))
        for _, j in _named(raw.get("join_paths"))
        if j.get("many_to_one")
        and not j.get("inferred")
        and "." in str(j.get("from", ""))
        and "." in str(j.get("to", ""))
    ]
    metrics = [
        Metric(n, str(m["table"]), str(m["sql"]), _names(m.get("names") or m.get("triggers")))
        for n, m in _named(raw.get("metrics"))
        if m.get("table") and m.get("sql") and not _PLAIN.fullmatch(str(m["sql"]))
    ]
    terms = [
        Term(n, _names(t.get("names") or t.get("triggers") or n), str(t["ask"]), _names(t.get("options")))
        for n, t in _named(raw.get("disambiguations"))
        if t.get("ask")
    ]
    conditions = [
        Condition(str(r["table"]), str(r["sql"]), n.replace("_", " "), names, str(c.get("of") or ""))
        for n, c in _named(raw.get("disambiguations"))
        if (r := c.get("reading") or {}).get("sql") and r.get("table") and (names := _rows_named(c, r["table"], raw))
    ]
    return Facts(
        tables={n: _table(t) for n, t in _named(raw.get("tables")) if not t.get("inferred")},
        outcomes=tuple(_outcome(n, o) for n, o in _named(raw.get("outcomes"))),
        metrics=tuple(metrics),
        terms=tuple(terms),
        conditions=tuple(conditions),
        joins=tuple(joins),  # type: ignore[arg-type]
        as_of=str(raw.get("as_of") or ""),
        ways=tuple(_ways(raw)),
        demands=tuple(_demands(raw)),
        kept=tuple(
            (str(r["words"]), str(r["as"]))
            for _, d in _named(raw.get("disambiguations"))
            if isinstance(r := d.get("reads"), Mapping) and r.get("words") and r.get("as")
        ),
        synonyms=tuple(_synonyms(raw)),
        routes=tuple(
            Route(str(r["from"]), str(r["to"]), str(r["through"]), str(r["sql"]), str(r.get("text") or ""))
            for r in raw.get("routes") or ()
        ),
    )
