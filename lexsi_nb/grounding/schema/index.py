"""What words of a question can mean in a dataset: tables, columns, values, conditions, metrics, outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from lexsi_nb.data.declared import Declared
from lexsi_nb.grounding.language import grammar, lexicon, schema_words
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.countries import known_codes
from lexsi_nb.grounding.schema.entries import Entry as Entry
from lexsi_nb.grounding.schema.entries import as_written
from lexsi_nb.grounding.schema.facts import Facts
from lexsi_nb.grounding.schema.inclusion import joins_by_values
from lexsi_nb.grounding.schema.joins import Join, JoinGraph, candidates, key_like
from lexsi_nb.grounding.schema.known_spellings import Spellings
from lexsi_nb.grounding.schema.listed import alike, value_lists
from lexsi_nb.grounding.schema.lookups import Lookups
from lexsi_nb.grounding.schema.names import Phrase, column_type, phrase, quote
from lexsi_nb.grounding.schema.naming import names_each, names_rows, said_of, year_like
from lexsi_nb.grounding.schema.pieces import pieced_date
from lexsi_nb.grounding.schema.reads import Reads, known_zone
from lexsi_nb.grounding.words import alone, forms, name_words, singular

PHRASE_LIMIT = 8


class SchemaIndex(Lookups):
    """Phrases of one dataset and what they mean; built once, values read from the engine on the way."""

    said_of: Mapping[str, str] = MappingProxyType({})  # of which rows some words are, where a question says so
    ties_told = False  # whether a question says what is done of rows that share the last place

    def __init__(self, engine: Any, facts: Facts, reads: Reads | None = None) -> None:
        self.engine, self.facts, self.reads = engine, facts, reads or Reads(engine)
        self.declared: Declared = getattr(getattr(engine, "dataset", None), "declared", None) or Declared()
        self.columns: dict[str, dict[str, Column]] = {}
        self.rows: dict[str, int | None] = {}
        self.entries: dict[Phrase, list[Entry]] = {}
        self.values: dict[Column, dict[Phrase, Any]] = {}  # every listed value, found when its column is named
        self._put_already: set[tuple[Any, ...]] = set()
        self.alike: dict[Column, dict[Phrase, list[str]]] = {}  # values of a column that one phrase stands for
        self.value_words: set[str] = set()  # every word of a listed value
        self.listed: dict[Column, int] = {}  # how many values were listed
        super().__init__()
        for t in engine.tables():
            self.columns[t.name] = {c.name: self._column(t.name, c) for c in t.columns}
            self.rows[t.name] = t.rows
        self._add_schema()
        self._add_values()
        self._add_knowledge()
        self._put_already.clear()
        self.joins = self._join_graph()
        self.known_words = {w for k in self.entries for w in k}
        tables = {k[0] for k, held in self.entries.items() if len(k) == 1 and any(e.kind == "table" for e in held)}
        self._spellings = Spellings(self.known_words, tables)

    def _column(self, table: str, c: Any) -> Column:
        """Return a column; times of a zone that DuckDB does not know are no dates here."""
        kind, zone = column_type(str(c.type)), str(getattr(c, "zone", ""))
        if zone and not known_zone(zone, self.engine):
            return Column(table, c.name, "other")
        return Column(table, c.name, kind, zone=zone, decimal=str(c.type).upper().startswith("DECIMAL"))

    # -- building ---------------------------------------------------------------------------------------------

    def _put(self, key: Phrase, entry: Entry) -> None:
        if not key or len(key) > PHRASE_LIMIT:
            return
        c = entry.column
        same = key, entry.kind, entry.table, c and c.name, c and c.sql, entry.sql, entry.text, entry.value, entry.weak
        if same in self._put_already:  # names alone: to hash entries with their columns takes longer than all the rest
            return
        self._put_already.add(same)
        self.entries.setdefault(key, []).append(entry)

    def _add_schema(self) -> None:
        for table, columns in self.columns.items():
            facts, words = self.facts.table(table), name_words(table)
            for key in (words, (table.casefold(),), *map(phrase, facts.names)):
                self._put(key, Entry("table", table))
            if len(words) > 1 and words[-1] not in lexicon.STOP:
                self._put(words[-1:], Entry("table", table, weak=True))
                if len(words) == 2 and words[0] not in lexicon.STOP and len(words[0]) > 3:
                    self._put(words[:1], Entry("table", table, weak=True))
            own = name_words(table)[-1:]
            for name, column in columns.items():
                cf, said = self.facts.column(table, name), said_of(name)
                for key in (*said.whole, *map(phrase, cf.names)):
                    self._put(key, Entry("column", table, column))
                for key in said.loose:
                    self._put(key, Entry("column", table, column, weak=True))
                for words in cf.totals:
                    self._put(phrase(words), Entry("column", table, column, text="sum"))
                for unit in map(phrase, cf.units) if cf.units else said.units:
                    self._put(unit, Entry("unit", table, column))
                if cf.birth and self.facts.as_of:
                    for age in schema_words.AGE:
                        self._put((age,), Entry("column", table, self._age(column)))
                if said.words[:1] == own and len(said.words) > 1 and not alone(said.words[1:], schema_words.ID):
                    self._put(said.words[1:], Entry("column", table, column))

    def _age(self, born: Column) -> Column:
        """Return the age in whole years on the day the data end."""
        return Column(
            born.table, "age", "number", f"date_sub('year', {{p}}{quote(born.name)}, DATE '{self.facts.as_of}')"
        )

    def _add_values(self) -> None:
        wanted = {
            t: (self.rows.get(t), [c.name for n, c in cols.items() if c.type == "text" and not self._second_name(t, n)])
            for t, cols in self.columns.items()
        }
        said: dict[str, tuple[Phrase, bool]] = {}  # of each value, however many columns hold it
        for table, lists in value_lists(self.reads, wanted):
            for name, found in lists.items():
                column = self.columns[table][name]
                self.listed[column] = found.different
                if found.values:
                    self._list(column, found.values, said)
        self.value_words |= {w for key, _ in said.values() for w in key}

    def _second_name(self, table: str, name: str) -> bool:
        return not self.facts.empty and bool(self.facts.column(table, name).alias_of)

    def _list(self, column: Column, found: Sequence[str], said: dict[str, tuple[Phrase, bool]]) -> None:
        """Take the values of a column in, each with the words that a code book has for it."""
        book = self.facts.column(column.table, column.name).codes
        if not book:
            book = known_codes(name_words(column.name), found)
        listed: dict[Phrase, Any] = {}
        for value in found:
            known = said.get(value)
            if known is None:
                key = phrase(value)
                known = said[value] = key, 0 < len(key) <= PHRASE_LIMIT and self._free(key, coded=False)
            key, free = known
            more = {phrase(p) for p in book[value]} - {key, ()} if value in book else ()
            if key:
                listed.setdefault(key, value)
                if free or (more and len(key) <= PHRASE_LIMIT and self._free(key, coded=True)):
                    self.entries.setdefault(key, []).append(Entry("value", column.table, column, value))
            for key in more:
                self.value_words.update(key)
                listed.setdefault(key, value)
                if len(key) <= PHRASE_LIMIT and self._free(key, coded=True):
                    self.entries.setdefault(key, []).append(Entry("value", column.table, column, value))
        self.values[column] = listed
        self.alike[column] = alike((said[v][0], v) for v in found)

    @staticmethod
    def _free(key: Phrase, *, coded: bool) -> bool:
        """Whether a value may stand without its column: no single letters, numbers and function words."""
        if not any(len(w) > 1 and not w.isdigit() and w not in lexicon.STOP for w in key):
            return False
        if len(key) == 1 and key in _LEXICON_KEYS:
            return coded and key in _GRAIN_KEYS  # "monthly" as a code's name; the place it stands in decides
        return True

    def _add_knowledge(self) -> None:
        for o in self.facts.outcomes:
            if o.entity_table not in self.columns:
                continue
            for name in (o.name, *o.names):
                self._put(phrase(name), Entry("outcome", o.entity_table, sql=o.sql, text=name, value=o.name))
            for p in (o.labelled, o.scored, o.already):
                for name in p.names:
                    self._put(
                        phrase(name), Entry("condition", o.entity_table, sql=p.sql, text=p.text or name, own=True)
                    )
        for m in self.facts.metrics:
            for name in (m.name, *m.names):
                if m.table in self.columns:
                    self._put(phrase(name), Entry("metric", m.table, sql=m.sql, text=name, value=m.name))
        for c in self.facts.conditions:
            for name in c.names:
                if c.table in self.columns:
                    self._put(phrase(name), Entry("condition", c.table, sql=c.sql, text=name, value=c.of))
        for s in self.facts.synonyms:
            column = self.columns.get(s.table, {}).get(s.column)
            for name in s.names if column or (s.table in self.columns and not s.column) else ():
                self._put(phrase(name), Entry("column" if column else "table", s.table, column))
        for t in self.facts.terms:
            for name in t.names:
                self._put(phrase(name), Entry("term", text=t.question, value=t.options))

    def _join_graph(self) -> JoinGraph:
        known = [
            Join(a, ca, b, cb)
            for a, ca, b, cb in self.facts.joins
            if ca in self.columns.get(a, {}) and cb in self.columns.get(b, {})
        ]
        described = {t for t in self.facts.tables if known}  # the graph says how these belong together
        if described >= self.columns.keys():
            return JoinGraph(known, rows=self.rows.get)
        left = {(j.child, j.child_column) for j in known}
        open_ = lambda j: not {j.child, j.parent} <= described and (j.child, j.child_column) not in left  # noqa: E731
        names = {t: [(c.name, c.type) for c in cols.values()] for t, cols in self.columns.items()}
        told = [Join(*r) for r in self.declared.references]
        held = self.columns
        told = [
            j for j in told if j.child_column in held.get(j.child, {}) and j.parent_column in held.get(j.parent, {})
        ]
        suggested = [j for j in dict.fromkeys([*told, *candidates(names)]) if open_(j)]
        more = lambda held: [j for j in joins_by_values(self, held) if open_(j)]  # noqa: E731
        return JoinGraph(known, suggested, self._verified, self.rows.get, more)

    def _verified(self, j: Join) -> Join | None:
        """Return the join when the parent column is a key and nearly every child value is in it."""
        if not self.unique(j.parent, j.parent_column):
            return None
        child, parent = f"{quote(j.child)}", f"{quote(j.parent)}"
        a, b = quote(j.child_column), quote(j.parent_column)
        n, hit = self.reads.one(
            f"SELECT count(*) AS n, count(*) FILTER (WHERE c.{a} IN (SELECT {b} FROM {parent})) AS hit"
            f" FROM {child} AS c WHERE c.{a} IS NOT NULL",
            j.child,
            j.parent,
        )
        if n == 0 or hit < 0.8 * n:
            return None
        if self.unique(j.child, j.child_column) and (j.child, j.child_column) < (j.parent, j.parent_column):
            return None  # one to one: keep a single direction
        return Join(j.child, j.child_column, j.parent, j.parent_column, complete=hit == n)

    # -- asking -----------------------------------------------------------------------------------------------

    def unique(self, table: str, column: str) -> bool:
        """Whether a column is a key of its table: no repeats, no nulls, at least two rows."""
        c, listed = quote(column), self.listed.get(self.columns[table][column])
        if listed is not None and listed != self.rows.get(table):
            return False
        sql = f"SELECT count(*) AS n, count({c}) AS filled, count(DISTINCT {c}) AS d FROM {quote(table)}"
        n, filled, different = self.reads.one(sql, table)
        return n >= 2 and n == filled == different

    def whole(self, c: Column) -> bool:
        """Whether no value of a column has a fraction: what has one measures and is no key."""
        if c.type != "number":
            return True
        x = quote(c.name)
        return not self.reads.one(f"SELECT count(*) FILTER ({x} <> floor({x})) AS n FROM {quote(c.table)}", c.table)[0]

    def blank(self, c: Column) -> bool:
        """Whether a text column holds empty texts, which are missing values as much as nulls are."""
        if c.type != "text" or c.sql:
            return False
        sql = f"SELECT count(*) AS n FROM {quote(c.table)} WHERE trim({quote(c.name)}) = ''"
        return bool(self.reads.one(sql, c.table)[0])

    def has_gaps(self, c: Column) -> bool:
        """Whether a column is empty in some row of its table."""
        said = c.sql.replace("{p}", "") or quote(c.name)
        return bool(self.reads.one(f"SELECT count(*) - count({said}) AS n FROM {quote(c.table)}", c.table)[0])

    def filled(self, c: Column) -> str:
        """Return a column as SQL that is null where nothing stands in it."""
        return f"nullif(trim({quote(c.name)}), '')" if self.blank(c) else quote(c.name)

    def key_columns(self, table: str) -> list[Column]:
        """Return the columns that are named like the table's own key."""
        return [c for n, c in self.columns[table].items() if name_words(n) in _key_names(table)]

    def key_of(self, table: str) -> Column | None:
        """Return the key column of a table, None when none is known."""
        columns = self.columns[table]
        named = self.facts.table(table).entity
        if named in columns:
            return columns[named]
        told = self.declared.keys.get(table)
        if told in columns:
            return columns[told]
        for j in self.joins.into(table):
            return columns[j.parent_column]
        first = [c for c in [*columns.values()][:1] if set(name_words(c.name)[-1:]) & schema_words.KEY]  # of frame `df`
        return next(
            (c for c in (*self.key_columns(table), *first) if self.unique(table, c.name) and self.whole(c)), None
        )

    def time_of(self, table: str, *, loose: bool = False) -> list[Column]:
        """Return the column that dates the rows of a table; several when that is open.

        A table the knowledge graph knows and gives no time to has none; `loose` then takes any date it has.
        """
        columns, named = self.columns[table], self.facts.table(table).time
        if named in columns:
            return [columns[named]]
        if table in self.facts.tables and not loose:
            return []
        return [c for c in columns.values() if c.type == "date"] or pieced_date(table, self)

    def label_of(self, table: str) -> Column | None:
        """Return the column that names the rows of a table for people."""
        columns, named = self.columns[table], self.facts.table(table).label
        if named in columns:
            return columns[named]
        good = [c for n, c in columns.items() if names_each(n, table)]
        good = good or [c for n, c in columns.items() if c.type == "text" and names_rows(n, table)]
        return good[0] if good else None

    def size_of(self, table: str) -> Column | None:
        """Return the column that says how large a row is: the declared one, or the only number there is."""
        named = self.facts.table(table).size
        if named in self.columns[table]:
            return self.columns[table][named]
        numeric = self.numeric(table)
        return numeric[0] if len(numeric) == 1 else None

    def span(self, column: Column | None) -> tuple[float, float] | None:
        """Return the lowest and highest value of a number column, None when it is empty."""
        if column is None:
            return None
        c = quote(column.name)
        low, high = self.reads.one(f"SELECT min({c}) AS lo, max({c}) AS hi FROM {quote(column.table)}", column.table)
        return (float(low), float(high)) if low is not None and low == low else None

    def is_zero_or_one(self, c: Column) -> bool:
        """Whether a number column holds nothing but 0 and 1, both of them: it says no and yes."""
        if self.span(c) != (0.0, 1.0):
            return False
        sql = f"SELECT count(DISTINCT {quote(c.name)}) AS n FROM {quote(c.table)}"
        return self.reads.one(sql, c.table)[0] == 2

    def numeric(self, table: str) -> list[Column]:
        """Return the number columns of a table that measure something: no keys, no second names, no 1 for yes."""
        keys = {(j.child, j.child_column) for j in self.joins.touching(table)}
        key = self.key_of(table)

        def measures(n: str, c: Column) -> bool:
            facts = self.facts.column(table, n)
            return (
                c.type == "number"
                and not year_like(n)
                and c != key
                and (table, n) not in keys
                and not facts.key
                and not alone(name_words(n), schema_words.ROW_NUMBER)
                and not facts.alias_of
                and (bool(facts.names) or not key_like("_".join(name_words(n))))
            )

        found = [c for n, c in self.columns[table].items() if measures(n, c)]
        return [c for c in found if self.facts.column(table, c.name).names or not self.is_zero_or_one(c)]

    def lookup(self, words: list[str]) -> list[Entry]:
        """Return what a run of words can mean; whole names before last words of names."""
        if len(words) == 1:
            both = [e for w in dict.fromkeys((words[0], singular(words[0]))) for e in self.entries.get((w,), [])]
            found: list[Entry] = list(dict.fromkeys(both))
            for form in forms(words[0]) if not found else ():
                found = self.entries.get((form,), [])
                if found:
                    past = [form + end.removeprefix(form[-1:]) for end in grammar.DONE_ENDS]
                    done = [e for w in past for e in self.entries.get((w,), ())]
                    dates = [e for e in done if e.column is not None and e.column.type == "date"]
                    found = dates if dates and all(e.kind == "condition" for e in found) else found
                    break  # "opening": of what was opened, rather than what is open
        else:
            found = self.entries.get(tuple(map(singular, words))) or self.entries.get(tuple(words)) or []
        strong = [e for e in found if not e.weak]
        return as_written(" ".join(words), strong or found)

    def named_code(self, e: Entry) -> bool:
        """Whether the knowledge graph has names for a value, so that the value itself is a thing to count."""
        return e.column is not None and str(e.value) in self.facts.column(e.table, e.column.name).codes

    def year_of(self, table: str) -> list[Column]:
        """Return the number columns that hold a calendar year, for a table without dates."""
        columns = self.columns[table]
        if any(c.type == "date" for c in columns.values()):
            return []
        named = [c for n, c in columns.items() if c.type == "number" and year_like(n)]
        return [c for c in named if (s := self.span(c)) is not None and s[0] >= 1500 and s[1] <= 2200]

    def respelt(self, word: str) -> str | None:
        """Return the one known word that a misspelling is near to, None when there is none or more than one."""
        return self._spellings.right(word)


def _key_names(table: str) -> tuple[Phrase, ...]:
    return *((w,) for w in schema_words.ID), *((*name_words(table), w) for w in schema_words.KEY)


_GRAIN_KEYS = frozenset(
    (singular(p),) for tag, ps in lexicon.PHRASES.items() if tag.startswith("grain:") for p in ps if " " not in p
)

_LEXICON_KEYS = frozenset(tuple(singular(w) for w in p.split()) for ps in lexicon.PHRASES.values() for p in ps)
