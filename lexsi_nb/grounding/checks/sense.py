"""Figures that say nothing: sums of rates and levels, figures of a key, one row where several are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lexsi_nb.grounding.language import grammar, lexicon, retold, schema_words
from lexsi_nb.grounding.reading import Choice, Column, Declined, Measure, Reading, Unread
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import key_like
from lexsi_nb.grounding.schema.naming import year_like
from lexsi_nb.grounding.words import Token, name_parts, name_words, singular

_FIGURES = ("avg", "sum", "min", "max", "median", "stddev", "variance", "range", "iqr", "cv")


def sensible(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """Hold a reading's figures against what their columns can tell.

    Raises:
        Unread: a figure has no meaning, or it is open how many rows are asked for.
    """
    low = [w.low for w in words]
    for m in reading.measures:
        if m.column is not None:
            _additive(m, m.column, index)
            _no_key(m, m.column, index)
            _no_group(m, m.column, reading)
    _born(reading, low, index)
    _level_of_one(reading, index)
    _how_many_best(reading, words, index)
    _one_each(reading, index)
    _mean_of_one(reading, index)
    _said_in_each_row(reading, low, index)
    _rate(reading, low)


def _rate(reading: Reading, low: list[str]) -> None:
    """`average paid per day`, where `days` holds how many there were: a rate, or groups by that number?"""
    for k in reading.keys:
        word = name_parts(k.column.name)[-1] if k.column.type == "number" and not k.column.sql else ""
        one = next((b for a, b in pairwise(low) if a in grammar.EACH and b != word and b == singular(word)), "")
        if not word or not one or not reading.measures:
            continue
        rest = ", ".join(x.column.name for x in reading.keys if x != k)
        by = f" for each {rest}" if rest else ""
        ways = (f"both totals{by}: that of {k.column.name} beside it", f"a figure for each value of {k.column.name}")
        told = f"'per {one}' can be a rate or groups: {k.column} is a number, and I don't divide by it."
        raise Unread(Choice(f"{told} For groups say 'by {k.column.name}'.", ways, one))


def _said_in_each_row(reading: Reading, low: list[str], index: SchemaIndex) -> None:
    """`how many seats in 2000`, where each row of that year says the same number: it may stand for all of them."""
    counted = reading.kind == "aggregate" and [m.function for m in reading.measures] == ["sum"] and not reading.keys
    c = reading.measures[0].column if counted else None
    plain = c is not None and c.table == reading.table and not reading.links and index.facts.empty
    if c is None or not plain or grammar.TOTALS & set(low) or all(f.home != reading.table for f in reading.filters):
        return
    made = replace(reading, measures=(Measure("distinct", c), Measure("count", table=reading.table)), sql="")
    differing, rows = index.engine.query(ReadingSQL(made, index).text()).iloc[0]
    if differing == 1 and rows >= _REPEATED:
        ways = (f"the total {c.name} of {rows} rows", f"the {c.name} that is the same in all of them")
        raise Unread(
            Choice(f"All {rows} rows of {reading.table} have the same {c.name}; which is meant?", ways, c.name)
        )


_REPEATED = 5


def _mean_of_one(reading: Reading, index: SchemaIndex) -> None:
    """`average fee per member, by club`, where a member has one fee: the mean of one row is that row."""
    pointing = [k.column for k in reading.keys if index.joins.leaving(k.column.table, k.column.name)]
    if reading.kind != "groupby" or len(reading.keys) != 2 or not pointing or not index.facts.empty:
        return
    if not reading.measures or any(m.function not in _MIDDLES for m in reading.measures):
        return
    counted = replace(reading, measures=(Measure("count", table=reading.table),), order=None, having=(), sql="")
    frame = index.engine.query(
        f"SELECT max(COLUMNS('^number_of')) AS most FROM (\n{ReadingSQL(counted, index).text()}\n) AS g"
    )
    if not frame.empty and frame.iloc[0, 0] == 1:
        of = pointing[0]
        ways = (f"each row of {reading.table}, by {reading.keys[-1].column.name}", f"each {of.name} by itself")
        raise Unread(Choice(f"Each {of.name} has one row of {reading.table} here; what is averaged?", ways, of.name))


_MIDDLES = ("avg", "median")


def _one_each(reading: Reading, index: SchemaIndex) -> None:
    """`number of branches per district`, where a branch is a district: one for each says nothing."""
    if reading.kind not in ("groupby", "topk") or len(reading.keys) != 1 or reading.having:
        return
    c, counts = reading.keys[0].column, all(m.function == "count" and not m.where for m in reading.measures)
    alone = c.table == reading.table and not (reading.keys[0].grain or c.sql)
    if counts and alone and reading.measures and index.unique(c.table, c.name):
        raise Unread(Declined(f"Each row of {c.table} has a {c.name} of its own: one for each.", (c.name,)))


def _additive(m: Measure, c: Column, index: SchemaIndex) -> None:
    if m.function != "sum":
        return
    level = index.facts.column(c.table, c.name).level
    rate = set(name_words(c.name)) & lexicon.RATES or c.sql
    if c.name.casefold() in schema_words.PIECES or year_like(c.name):
        raise Unread(Declined(f"{c} is a part of a date: a sum of it says nothing.", (c.name,)))
    if level or rate:
        why = "is a level, so a sum of it over time" if level else "is a figure of one row each, so a sum of it"
        raise Unread(Declined(f"{c} {why} says nothing; ask for its average, lowest or highest.", (c.name,)))


def _no_key(m: Measure, c: Column, index: SchemaIndex) -> None:
    facts = index.facts.column(c.table, c.name)
    pointing = bool(index.joins.leaving(c.table, c.name))
    named = key_like(c.name.casefold()) and not facts.names
    if m.function in _FIGURES and c.type == "number" and (facts.key or c == index.key_of(c.table) or pointing or named):
        raise Unread(Declined(f"{c} is a key: a figure of it says nothing.", (c.name,)))


def _no_group(m: Measure, c: Column, reading: Reading) -> None:
    """Refuse `mean delay and mean month`, and the mean month of each month: what tells the groups is no figure."""
    if m.function not in _FIGURES or m.where or m.share:
        return
    if any(k.column == c and not k.grain for k in reading.keys):
        raise Unread(Declined(f"Each group has one {c.name}: a figure of it says nothing.", (c.name,)))
    if c.name.casefold() in schema_words.PIECES and len(reading.measures) > 1:
        told = f"{c} is a part of a date, and no figure beside another."
        raise Unread(Declined(f"{told} For groups say 'by {c.name}'.", (c.name,)))


def _born(reading: Reading, low: list[str], index: SchemaIndex) -> None:
    """The newest customer is not the youngest one."""
    c = reading.order.column if reading.order else None
    if c is None or c.type != "date" or not set(low) & lexicon.NEWEST:
        return
    if index.facts.column(c.table, c.name).birth or set(name_words(c.name)) & lexicon.BIRTH:
        raise Unread(
            Declined(f"{c} is a day of birth; it does not tell which {reading.table} is the newest.", (c.name,))
        )


def _level_of_one(reading: Reading, index: SchemaIndex) -> None:
    """`the balance of account 1`: it has had many."""
    levels = [c for c in reading.shown if index.facts.column(c.table, c.name).level]
    of_one = [f for f in reading.filters if f.op == "=" and f.home != reading.table]
    if reading.kind == "list" and levels and of_one and not reading.order:
        ways = tuple(f"the {w} {levels[0].name}" for w in ("latest", "average", "highest"))
        raise Unread(Choice(f"There is one {levels[0].name} for each of many {reading.table} rows; which?", ways))


def _how_many_best(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """`the oldest customers`: one, or how many?"""
    if reading.kind != "topk" or reading.limit != 1 or any(w.kind == "number" for w in words):
        return
    for word in words:
        if word.low == singular(word.low) or word.low in lexicon.STOP:
            continue
        found = index.lookup([word.low])
        if reading.keys:
            key = reading.keys[0].column
            of = {j.parent for j in index.joins.leaving(key.table, key.name)}
            of |= {key.table} - {reading.table}
            ranked = any(e.column == key or (e.kind == "table" and e.table in of) for e in found)
        else:
            ranked = any(e.kind == "table" and e.table == reading.table for e in found)
        if ranked and not _one_of(word, words):
            ways = (f"the first {singular(word.low)} only", f"the first 10 {word.low}")
            said = (singular(word.low), retold.TOP)
            raise Unread(Choice(f"How many {word.low}?", ways, word.text, said=said, lasting=False))


def _one_of(word: Token, words: Sequence[Token]) -> bool:
    """Whether the plural only says of which rows: `the largest of all loans`, `which of the loans`."""
    at = words.index(word)
    return any(w.low in grammar.OF_ALL for w in words[max(0, at - 2) : at])
