"""Words that are passed over as filling in one place and say something in another.

Each check stands for a way in which a word was added to a question and its SQL stayed the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

from lexsi_nb.grounding.checks.scruples import conditions
from lexsi_nb.grounding.language import grammar, schema_words
from lexsi_nb.grounding.language import passed_over as lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Reading, Relative, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.naming import year_like
from lexsi_nb.grounding.words import Token


def nothing_passed_over(reading: Reading, items: Sequence[Mention], words: Sequence[Token], index: SchemaIndex) -> None:
    """Hold the words between the names of a question against the reading.

    Raises:
        Unread: one of them says more than the reading does.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    low = [w.low for w in words]
    _chosen_by_a_verb(items)
    _runs(low, reading)
    _pronoun_clause(low)
    _containing(items)
    _both(items)
    _other_end(reading, items)
    _number_as_text(reading, index)
    _average_of_their_own(reading, items)
    _one_as_value(reading, words, index)
    _list_without_end(reading, items)
    _both_of_a_column(reading, items)
    _two_bounds(reading)
    _listed_in_total(reading, low)
    _told_to_be(reading, items)
    _number_of_years(reading)
    _more_than_one_row(reading, low)
    _word_as_name(reading, items, index)
    _place_as_name(reading, items)
    _group_of_a_list(reading, items, index)
    _only(reading, low)


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _chosen_by_a_verb(items: Sequence[Mention]) -> None:
    """`how many paid flights`: some of them, though a verb after them ("salary paid in 2010") adds nothing."""
    for before, m in pairwise([Mention(""), *items]):
        last = next(reversed(m.gap), "")
        if last not in lexicon.PARTICIPLES or not m.entries:
            continue
        led = m.gap[-2] if len(m.gap) > 1 else ""
        if led in lexicon.BEFORE_ADJECTIVES or (not led and not before.entries and before.number is None):
            raise _decline(f"'{last}' chooses among {m.words}, and nothing in the data tells how.", last)


def _runs(low: Sequence[str], reading: Reading) -> None:
    said = f" {' '.join(low)} "
    found = next((r for r in lexicon.RUNS if f" {r} " in said), "")
    parts = {k.negated for m in reading.measures for k in m.links}
    if found and parts != {True, False}:  # "with and without": each is told
        raise _decline(f"I have no place for '{found}' in what I read.", found)


def _pronoun_clause(low: Sequence[str]) -> None:
    """`the books they wrote`: a clause of its own, whose verb is passed over."""
    for i in range(1, len(low) - 1):
        if low[i] in lexicon.PRONOUNS and low[i - 1] not in lexicon.HELPERS:
            raise _decline(f"I don't read what is told of '{low[i]}'. Name the rows that are meant.", low[i])


def _containing(items: Sequence[Mention]) -> None:
    """`whose name contains Air`: a part of a text, not a row that holds another."""
    for before, m in pairwise(items):
        said = [w for w in m.gap if w in lexicon.CONTAINING]
        if said and not before.of("table") and (before.of("column") or before.words.casefold() in schema_words.NAME):
            raise _decline(f"I don't look for parts of {before.words} yet; name the whole value.", said[0])


def _both(items: Sequence[Mention]) -> None:
    """`both` stands before two things."""
    for i, m in enumerate(items):
        if grammar.BOTH & set(m.gap) and not any(x.tag("and") is not None for x in items[i + 1 : i + 4]):
            raise _decline("I can't tell which two are meant by 'both'.", "both")


def _other_end(reading: Reading, items: Sequence[Mention]) -> None:
    """`by region, the last 15` are not the first 15."""
    order = reading.order
    if order is None or not order.descending or order.measure is None or "PARTITION" in reading.sql:
        return
    plain = [m for m in items if not m.entries]
    ends = [m for m in plain if m.tag("super") in ("last", "first") or m.tag("top") == "asc"]
    ranked = any(m.tag("top") == "desc" or m.tag("most") or m.tag("super") == "desc" for m in plain)
    for m in ends:
        if m.tag("top") == "asc" or m.tag("super") == "last":
            raise _decline(f"I would give the highest, and '{m.words}' asks for others.", m.words)
        if ranked:
            raise _decline(f"I have no place for '{m.words}' in what I read.", m.words)


def _number_as_text(reading: Reading, index: SchemaIndex) -> None:
    """`from all three origins` counts origins: 3 is no value of a column of words."""
    for f in conditions(reading):
        c = f.column
        if c is None or c.type != "text" or f.op not in ("=", "in"):
            continue
        held = {str(v) for v in index.values.get(c, {}).values()}
        loose = [v for v in f.values if isinstance(v, (int, float)) and not isinstance(v, bool) and str(v) not in held]
        if loose and held:
            raise _decline(f"{c} holds words, and {loose[0]} is none of them.", f.words)


def _average_of_their_own(reading: Reading, items: Sequence[Mention]) -> None:
    """`above the average of their region` compares each row with another figure."""
    if not any(isinstance(v, Relative) for f in conditions(reading) for v in f.values):
        return
    own = next((m for m in items if grammar.OWN & set(m.gap) or m.words.casefold() in grammar.OWN_ONE), None)
    if own is not None:
        raise _decline(f"I compare with the average of all rows, not with that of each {own.words}.", own.words)


def _one_as_value(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """`in one row`: no row with a 1 in it, unless the column is named beside."""
    for i, word in enumerate(words):
        if word.kind != "number" or word.low not in grammar.ONE:
            continue
        beside = [w.low for w in (*words[max(0, i - 1) : i], *words[i + 1 : i + 2])]
        named = {e.column for w in beside for e in index.lookup([w]) if e.column is not None}
        for f in conditions(reading):
            if f.op in ("=", "in") and f.values == (1,) and f.column is not None and f.column not in named:
                raise _decline(f"I would look for a 1 in {f.column}, and 'one' may count.", word.text)


def _list_without_end(reading: Reading, items: Sequence[Mention]) -> None:
    """`highest attendance by team` is no list of all of them."""
    if reading.kind != "list" or reading.order or reading.limit:
        return
    if re.search(r"\bm(?:in|ax)\(|OVER \(|LIMIT|OFFSET", reading.sql):
        return
    for m in items:
        if not m.entries and (m.tag("super") in ("desc", "asc") or m.tag("most") or m.tag("top")):
            raise _decline(f"I have no place for '{m.words}' in what I read, so I don't answer.", m.words)


_OF_ROWS = frozenset({"list", "count", "groupby", "topk", "yesno"})


def _both_of_a_column(reading: Reading, items: Sequence[Mention]) -> None:
    """`carriers that fly to both LAX and SFO`: to each of them, not to one of them."""
    for m in items:
        if grammar.BOTH & set(m.gap) and m.of("value", "column") and reading.kind in _OF_ROWS:
            columns = [e.column for e in m.of("value", "column")]
            if any(f.column in columns and f.op == "in" and len(f.values) > 1 for f in conditions(reading)):
                raise _decline("I don't look for what holds of both; I would take one of them.", "both")


def _two_bounds(reading: Reading) -> None:
    """`above 20 million`, and then `above 10 million`: one of them says nothing beside the other."""
    held = [
        reading.filters,
        *(k.filters for k in reading.links),
    ]  # "with more than 5 shops above 300 m2" bounds two things
    for a, b in (pair for filters in held for pair in combinations(filters, 2)):
        alike = a.column is not None and a.column == b.column and a.op[:1] == b.op[:1] and a.op[:1] in ("<", ">")
        if alike and not (a.negated or b.negated) and a.values != b.values:
            raise _decline(f"'{a.words}' and '{b.words}' bound the same column; say which is meant.", b.words)


def _listed_in_total(reading: Reading, low: Sequence[str]) -> None:
    """`needed votes in total` is a sum, and no list."""
    said = next((w for w in low if w in grammar.TOTALS), "")
    if said and reading.kind == "list" and reading.shown and not reading.order:
        raise _decline(f"I would list {reading.shown[0].name}, and '{said}' asks for a figure.", said)


def _told_to_be(reading: Reading, items: Sequence[Mention]) -> None:
    """`cities that are not capitals`: whether a row is one is told by no column of another table."""
    used = [f.column for f in conditions(reading) if f.op in ("null", "notnull")] + [*reading.columns, *reading.shown]
    table = ""
    for m in items:
        told = [e.column for e in m.of("column") if e.column in used and e.column is not None]
        own = reading.table in {e.table for e in m.of("table")}
        if table and told and not own and lexicon.COPULA & {*m.gap, *_words_of_negation(items, m)}:
            c = told[0]
            if c.table != table and c.type == "text":
                raise _decline(f"No column of {table} says which of them are {m.words}.", m.words)
        table = reading.table if own else table


def _words_of_negation(items: Sequence[Mention], m: Mention) -> list[str]:
    before = items[items.index(m) - 1] if items.index(m) else Mention("")
    return [*before.gap, *before.words.casefold().split()] if before.tag("not") is not None else []


def _number_of_years(reading: Reading) -> None:
    """`in more than 20 years` counts years; 20 is none."""
    for f in conditions(reading):
        bound = f.op in (">", ">=", "<", "<=") and f.column is not None and f.column.type == "number"
        low = [v for v in f.values if isinstance(v, (int, float)) and 0 <= v < FIRST_YEAR]
        if bound and f.column is not None and year_like(f.column.name) and low:
            raise _decline(f"'{f.words}' counts years, and I read {low[0]} as a value of {f.column}.", f.words)


FIRST_YEAR = 1000  # lower numbers are no calendar year


def _more_than_one_row(reading: Reading, low: Sequence[str]) -> None:
    """`planes with more seats than N1` are some planes; all of them together are not compared with one."""
    sides = reading.sql.split("UNION ALL")
    if reading.kind != "comparison" or len(sides) < 2 or grammar.EVERYONE & set(low):
        return
    whole = ["WHERE" in s for s in sides]
    if any(whole) and not all(whole):
        raise _decline(f"I would compare all {reading.table} rows with some of them. Say 'all' if that is meant.")


def _word_as_name(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`real area of Russia`: a word in small letters is no currency Real, if no row of Russia has that."""
    held = [f for f in conditions(reading) if f.op in ("=", "in") and not f.negated]
    values = [m for m in items if m.of("value")]
    if len(held) < 2 or not any(m.words[:1].isupper() for m in values):
        return
    for f in held:
        name = str(f.values[0]) if len(f.values) == 1 else ""
        m = next(
            (m for m in values if m.words == name.casefold() and f.column in {e.column for e in m.of("value")}), None
        )
        if m is None or not name[:1].isupper() or any(e.column == f.column for x in items for e in x.of("column")):
            continue
        frame = index.engine.query(f"SELECT * FROM (\n{reading.sql}\n) AS found LIMIT 1")
        if frame.empty or (frame.shape[1] == 1 and not frame.iloc[0, 0]):
            raise _decline(f"'{m.words}' may be a word, and I read it as {f.column} {name}.", m.words)


def _place_as_name(reading: Reading, items: Sequence[Mention]) -> None:
    """`who debuted last` asks for the latest; `last` alone is no column of last names."""
    for m in items:
        alone = m.words.casefold() in lexicon.PICKING and m.of("column") and not m.of("table", "value")
        used = [*reading.shown, *reading.columns[:3], *(k.column for k in reading.keys)]
        if alone and any(e.column in used for e in m.of("column")):
            raise _decline(f"I can't tell what '{m.words}' means here.", m.words)


def _group_of_a_list(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`runs per team in 2000` has the team beside; a list of the runs alone does not say whose they are."""
    by = (m for m in items if (m.tag("by") is not None and not m.entries) or {*m.gap} & {*grammar.PER_EACH})
    said = next(by, None)
    if said is None or reading.kind != "list" or not reading.shown or reading.keys or reading.order:
        return
    if not {index.label_of(reading.table), index.key_of(reading.table)} & {*reading.columns}:
        raise _decline(f"I would list {reading.shown[0].name}, without a group for '{said.words}'.", said.words)


def _only(reading: Reading, low: Sequence[str]) -> None:
    """`destinations that are only served from Rome` are served from nowhere else."""
    for before, word in pairwise(low):
        told = before in lexicon.COPULA or before in grammar.HAVING
        if word in grammar.ONLY and told and reading.kind in ("count", "list", "groupby", "topk", "share"):
            raise _decline("I can't tell what is left out by 'only'. Ask for those, and for those of the others.", word)
