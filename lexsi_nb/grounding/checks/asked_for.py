"""What a question asks for, held against what its reading gives: a doctor is no date, a yes/no column no rows.

A reading that gives another thing than the noun after "which", "most expensive" or "how many" is declined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lexsi_nb.grounding.language import assumptions, grammar, lexicon, schema_words, vocabulary
from lexsi_nb.grounding.mentions import TAGS, Mention
from lexsi_nb.grounding.notes.empty_groups import periods
from lexsi_nb.grounding.reading import Choice, Column, Declined, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex, quote
from lexsi_nb.grounding.wordings.verbs import told_by_verb
from lexsi_nb.grounding.words import Token, name_words, singular


def given(reading: Reading, items: Sequence[Mention], words: Sequence[Token], index: SchemaIndex) -> None:
    """Hold what a reading gives against what is asked for.

    Raises:
        Unread: it gives another thing.
    """
    low = [w.low for w in words]
    _which(reading, items, low, index)
    _who(reading, items, low)
    _counted_first(reading, items)
    _counted_noun(reading, items, index)
    _kept_distinct(reading, items, low, index)
    _none_of(reading, low)
    _those_of(reading, items)
    _theirs(reading, items)
    _share_of(reading, items)
    _kinds_of(reading, items, index)
    _superlative(reading, items)
    _flag(reading, items, low, index)
    _sum_of_group(reading, items, low, index)
    _period_without(reading, index)
    _first_born(reading, low, index)
    _of_each(reading, items)
    _counted_value(reading, items, index)
    _earliest_number(reading, items)
    _most_of_what(reading, items, low, index)
    if not assumptions.DISTINCT & set(low):
        _things_by_column(reading, items, index)


def tables_in(reading: Reading) -> set[str]:
    """Return the tables of a reading's SQL."""
    return {a or b for a, b in re.findall(r'(?:FROM|JOIN)\s+(?:"([^"]+)"|(\w+))', reading.sql)}


def named_tables(items: Sequence[Mention]) -> list[str]:
    """Return the tables that are named, in the order of the words."""
    return list(dict.fromkeys(e.table for m in items for e in m.of("table")))


def means(m: Mention, c: Column) -> bool:
    """Whether a mention can mean a column."""
    return any(e.column == c for e in m.of("column"))


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _which(reading: Reading, items: Sequence[Mention], low: list[str], index: SchemaIndex) -> None:
    """`which doctor admitted the most patients` wants doctors."""
    if reading.kind not in ("topk", "groupby") or not reading.keys:
        return
    first = next((m for m in items if m.of("table") and not m.of("column", "value")), None)
    at = items.index(first) if first is not None else -1
    if first is not None and at == 1 and low[:1] and low[0] in grammar.WHICH:
        keys = {(k.column.table, k.column.name) for k in reading.keys}
        keyed = {t for t, _ in keys} | {j.parent for t, n in keys for j in index.joins.leaving(t, n)}
        if not {e.table for e in first.of("table")} & keyed:
            text = f"'{first.words}' is what you ask for, and I would group by {reading.keys[0].column}."
            raise _decline(text, first.words)
    for k in reading.keys if reading.kind == "topk" else ():
        dated = any(means(m, k.column) and schema_words.DATED & set(name_words(m.words)) for m in items)
        if k.column.type == "date" and not k.grain and not dated:
            raise _decline(f"I would group by each single value of {k.column}. Say by day, month or year.", "most")


def _who(reading: Reading, items: Sequence[Mention], low: list[str]) -> None:
    """`who supervises Chen` wants a person, and a number in a row points at one, the other way round perhaps."""
    if reading.kind != "list" or not reading.shown:
        return
    pointing = [c for c in reading.shown if c.type == "number" and name_words(c.name)[-1] in assumptions.POINTING]
    by_verb = any(m.respelt and means(m, c) for c in pointing for m in items)
    if len(pointing) == len(reading.shown) and (set(low[:1]) & grammar.WHO or by_verb):
        raise _decline(f"{pointing[0]} points at a row by number. Ask for that column by name.", *low[:1])


def _counted_first(reading: Reading, items: Sequence[Mention]) -> None:
    """`shipments with electric trucks vs diesel` compares shipments; what is named first is not passed over."""
    named, used = named_tables(items), tables_in(reading)
    if reading.kind not in ("comparison", "yesno") or len(named) < 2:
        return
    first = next(m for m in items if m.of("table"))
    if first.of("column", "value"):
        return
    counts = "count(" in reading.sql.casefold() and named[0] in used and named[0] != reading.table
    if named[0] not in used or (counts and reading.kind == "comparison"):
        raise _decline(f"I would count {reading.table}, and you name {first.words} first.", first.words)


def _counted_noun(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`how many customers ordered tea` counts customers: several of their orders are no more customers."""
    at = next((i for i, m in enumerate(items) if m.tag("count") is not None and not m.entries), len(items)) + 1
    while at < len(items) and items[at].tag("distinct") is not None:
        at += 1
    if reading.kind not in ("count", "groupby") or at >= len(items) or not reading.measures:
        return
    head = items[at]
    if head.gap and grammar.HAVING & set(head.gap[:1]) and at and items[at - 1].tag("count") is not None:
        raise _decline(f"I can't tell how many of what {' '.join(head.gap)} {head.words}.", head.words)
    for noun, after in pairwise(items[at:]):
        if after.gap or not after.of("table") or told_by_verb(noun, after, index):
            break
        head = after
    asked, m = {e.table for e in head.of("table")}, reading.measures[0]
    if not asked or head.of("column", "value") or m.function not in ("count", "distinct") or len(reading.measures) > 1:
        return
    c = m.column
    points = {j.parent for j in index.joins.leaving(c.table, c.name)} if c is not None else set()
    counted = {c.table if c is not None else reading.table} | points
    if not counted & asked:
        told = f"'{head.words}' asks for the number of {' or '.join(sorted(asked))}; I would count {reading.table}."
        raise _decline(told, head.words)


def _kept_distinct(reading: Reading, items: Sequence[Mention], low: list[str], index: SchemaIndex) -> None:
    """`unique customers` of a table without a key: rows of it may be of one customer."""
    said = next((w for w in low if w in grammar.DIFFERENT), "")
    plain = all(m.function == "count" for m in reading.measures)
    if not said or not reading.measures or not plain or reading.kind not in ("count", "groupby"):
        return
    at = next((i for i, m in enumerate(items) if m.tag("distinct") is not None), len(items))
    noun = next((m for m in items[at + 1 :] if m.of("table", "column")), None)
    if noun is not None and not noun.of("table"):
        raise _decline(f"I would count rows of {reading.table}, and not '{said} {noun.words}'.", said)
    columns = index.columns.get(reading.table, {})
    if columns and index.key_of(reading.table) is None and not any(index.unique(reading.table, n) for n in columns):
        told = f"{reading.table} has no key, so I can't tell which of its rows are of one. Name the column."
        raise _decline(told, said)


def _none_of(reading: Reading, low: list[str]) -> None:
    """`customers who ordered no tea` have no row of it; to have a row of something else is not enough."""
    for link in reading.links if grammar.NO & set(low) else ():
        f = next((f for f in link.filters if f.negated and not link.negated), None)
        if f is not None:
            told = f"'no {f.words}' may be said of every row of {link.table} or of one of them."
            raise _decline(f"{told} Ask for {reading.table} without such {link.table}.", f.words)


def _those_of(reading: Reading, items: Sequence[Mention]) -> None:
    """`owner of the account with the largest loan` wants an owner."""
    if reading.kind not in ("list", "topk") or reading.keys:
        return
    named = [m for m in items if m.entries]
    for of, head in pairwise(items):  # "card holders", "shop owners"
        if of not in named[:2] or not head.entries:
            continue
        rows, held = {e.table for e in head.of("table", "value")}, {e.table for e in of.of("table", "value")}
        did = head.words.casefold().endswith(grammar.PARTICIPLE_ENDS)  # "customers ordered tea"
        holders = head.words.casefold() in grammar.HOLDERS and not did
        person = holders or (bool(head.of("value")) and singular(head.words.casefold()) != head.words.casefold())
        if head.gap or of.of("column") or head.of("column") or not person or not rows:
            continue
        if reading.table in held - rows:
            raise _decline(
                f"You ask for '{of.words} {head.words}', and I would list rows of {reading.table}.", head.words
            )
    first = named[0] if named else None
    if first is None or len(named) < 2 or first.of("table", "column") or not first.of("value"):
        return
    between = [w for m in items[items.index(first) + 1 : items.index(named[1])] for w in m.words.casefold().split()]
    if grammar.TIES & {*named[1].gap, *between} and reading.table not in {e.table for e in first.of("value")}:
        raise _decline(f"You ask for '{first.words}', and I would list rows of {reading.table}.", first.words)


def _kinds_of(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`types of engine` is one thing, not a type and an engine; `different engines` may be kinds or numbers of them."""
    if reading.kind != "list" or not reading.distinct:
        return
    for kind, of in pairwise(items) if len(reading.columns) > 1 else ():
        if kind.words.casefold() in vocabulary.KINDS and grammar.OF & set(of.gap) and kind.of("column"):
            said = f"{kind.words} {' '.join(of.gap)} {of.words}"
            raise Unread(Choice(f"'{said}' can be more than one column.", tuple(map(str, reading.columns)), said))
    for c in reading.columns if len(reading.columns) == 1 else ():
        twins = [x for n, x in index.columns.get(c.table, {}).items() if x != c and name_words(n) == name_words(c.name)]
        if c.type == "number" and twins:
            words = next((m.words for m in items if means(m, c)), c.name)
            raise Unread(Choice(f"'{words}' can be more than one column.", tuple(map(str, (c, *twins))), words))


def _theirs(reading: Reading, items: Sequence[Mention]) -> None:
    """`shops with their number of orders` wants a number for each; `shops and their owners` wants the owners too."""
    for m in items[1:]:
        if not grammar.THEIR & grammar.OF_ITS_OWN & set(m.gap):
            continue
        figure = not m.entries and (m.tag("count") is not None or m.tag("agg") is not None)
        if figure and reading.kind in ("count", "aggregate") and not reading.keys and items[0].tag("count") is None:
            raise _decline(
                f"'{' '.join((*m.gap, m.words))}' asks for one of each. Ask for it by what it is of.", m.words
            )
        rows = bool(m.of("table", "value")) and not m.of("column", "metric")
        if rows and reading.kind == "list" and reading.table not in {e.table for e in m.entries}:
            told = f"I would list rows of {reading.table}, without the {m.words} of each"
            raise _decline(f"{told}. Ask for the {m.words} by themselves.", m.words)


def _share_of(reading: Reading, items: Sequence[Mention]) -> None:
    """`percentage of loans in default`, after a group: of loans, not of the rows that the group is of."""
    at = next((i for i, m in enumerate(items) if m.tag("share") is not None and not m.entries), None)
    head = items[at + 1] if at is not None and at + 1 < len(items) else None
    if (
        reading.kind != "share"
        or at is None
        or head is None
        or items[at].words.casefold().split()[-1] not in grammar.OF
    ):
        return
    after = items[at + 2] if at + 2 < len(items) else None
    lone = head.of("table") and not head.of("value", "column", "condition")
    compound = after is not None and not after.gap and bool(after.entries)
    if lone and not compound and reading.table not in {e.table for e in head.of("table")}:
        raise _decline(f"I would take the share among {reading.table} rows, and you say {head.words}.", head.words)


def _superlative(reading: Reading, items: Sequence[Mention]) -> None:
    """`most expensive admission` is an admission."""
    for m, noun in pairwise(items):
        tables = {e.table for e in noun.of("table")}
        ranked = (
            (m.tag("super") is not None or m.tag("sized") is not None) and not m.of("table", "value") and not noun.gap
        )
        if ranked and tables and not noun.of("column", "value", "condition") and not tables & tables_in(reading):
            raise _decline(f"You ask for {noun.words}, and I would look among {reading.table}.", noun.words)


def _flag(reading: Reading, items: Sequence[Mention], low: list[str], index: SchemaIndex) -> None:
    """`active franchises`, `youngest smoker`, `how many roaming calls`: those that are, not the column of all."""
    counted = [m.column for m in reading.measures if m.function == "distinct" and not assumptions.DISTINCT & set(low)]
    for c in counted:
        if c is not None and (values := yes_or_no(c, index)):
            raise _ways(c, values)
    shown = reading.shown or (reading.columns if reading.distinct else ())
    if reading.kind not in ("list", "topk") or not shown or reading.keys:
        return
    for m, noun in pairwise([*items, Mention("")]):
        column = next((c for c in shown if means(m, c)), None)
        before = items.index(m) - 1 if m in items else -1
        ranked = before >= 0 and items[before].tag("super") is not None and reading.order is not None
        chosen = bool(noun.of("table")) and not noun.gap and not reading.filters
        chosen = chosen or (bool(noun.of("value")) and not noun.gap and not noun.of("column"))  # "inducted pioneers"
        rows = before > 0 and reading.table in {e.table for e in items[before].of("table")}
        chosen = chosen or (rows and bool(set(m.gap) & vocabulary.JOINING))  # "which teams won the cup"
        if column is not None and (ranked or chosen) and (values := yes_or_no(column, index)):
            raise _ways(column, values)


def _ways(c: Column, values: list[str]) -> Unread:
    ways = tuple(f"{c.table} with {c.name} {v}" for v in values)
    return Unread(Choice(f"{c} only says yes or no; which rows are meant?", ways))


def yes_or_no(column: Column, index: SchemaIndex) -> list[str]:
    """Return the values of a column that holds nothing but yes and no; none for any other."""
    if column.sql:
        return []
    sql = f"SELECT DISTINCT lower(CAST({quote(column.name)} AS VARCHAR)) AS v FROM {quote(column.table)} LIMIT 5"
    values = {str(v) for (v,) in index.reads.rows(sql, column.table) if v is not None}
    return sorted(values) if values and values <= assumptions.FLAGS else []


def _sum_of_group(reading: Reading, items: Sequence[Mention], low: list[str], index: SchemaIndex) -> None:
    """`which floor has the most beds`: a floor has many rows, and their beds add up."""
    most = any(m.tag("most") is not None for m in items)
    if reading.kind != "topk" or reading.keys or not most or len(reading.shown) != 1 or low[:1] == []:
        return
    c, order = reading.shown[0], reading.order.column if reading.order else None
    asked = next((m for m in items if m.entries), None)
    if order is None or c == order or asked is None or not means(asked, c) or reading.table in named_tables(items):
        return
    if low[0] in grammar.WHICH and not c.sql and not index.unique(c.table, c.name):
        raise _decline(
            f"A {c.name} has several {reading.table} rows. Ask for the total {order.name} by {c.name}.", "most"
        )


def _period_without(reading: Reading, index: SchemaIndex) -> None:
    """`the month with the fewest loans` may be one without any, which no group of loans shows."""
    order, counts = reading.order, bool(reading.measures) and reading.measures[0].function == "count"
    if reading.kind != "topk" or order is None or order.descending or not counts or len(reading.keys) != 1:
        return
    key = reading.keys[0]
    every = replace(reading, kind="groupby", order=None, limit=None)
    if periods(every, key, index)[1]:
        text = f"Some {key.grain}s have no {reading.table} at all, and I would leave them out."
        raise _decline(f"{text} Ask for the number by {key.grain}.", "fewest")


def _first_born(reading: Reading, low: list[str], index: SchemaIndex) -> None:
    """The first patient is not the oldest one."""
    c = reading.order.column if reading.order else None
    if c is None or c.type != "date" or not grammar.ENDS_IN_TIME & set(low) or lexicon.BIRTH & set(low):
        return
    if index.facts.column(c.table, c.name).birth or set(name_words(c.name)) & lexicon.BIRTH:
        raise _decline(f"{c} is a day of birth; it does not tell which {reading.table} came first or last.", c.name)


def _of_each(reading: Reading, items: Sequence[Mention]) -> None:
    """`number of wards a patient has been in` is a number for each patient."""
    for m, noun in pairwise(items):
        article = bool(grammar.A & set(noun.gap[-1:])) and len(noun.gap) < 3 and set(noun.gap[:-1]) <= grammar.THAT
        relative = m.of("table") and noun.of("table") and article
        if relative and reading.kind == "count":
            said = f"'{' '.join((m.words, *noun.gap, noun.words))}' asks for a number for each {noun.words}"
            raise _decline(f"{said}; say 'number of {m.words} by {noun.words}'.", noun.words)


def _counted_value(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`how many women own an account` counts women; `how many accounts does a woman own` is a number of each."""
    if reading.kind != "count" or "GROUP BY" in reading.sql or len(items) < 2:
        return
    counts, m, after = items[0], items[1], items[2] if len(items) > 2 else None
    tables = {e.table for e in m.of("value")}
    beside = after is not None and after.of("table", "column") and not after.gap
    alone = counts.tag("count") is not None and not counts.entries and tables and len(m.entries) == len(m.of("value"))
    one_of_them = any(index.joins.up(t, reading.table) for t in tables)  # an owner is one client
    if alone and not beside and not m.gap and reading.table not in tables and not one_of_them:
        raise _decline(f"You ask for the number of {m.words}, and I would count {reading.table}.", m.words)
    for noun in items[2:]:
        each = grammar.DOES & set(noun.gap) and grammar.A_OR_EACH & set(noun.gap[-1:])
        if each and noun.of("table", "value") and reading.table not in {e.table for e in noun.of("table", "value")}:
            raise _decline(f"A number for each {noun.words}, or on average? Say 'by {noun.words}'.", noun.words)


def _earliest_number(reading: Reading, items: Sequence[Mention]) -> None:
    """`earliest departure time` is the lowest of times that are told as numbers, not that of the first day."""
    order = reading.order.column if reading.order else None
    for m, named in pairwise(items):
        told = [e.column for e in named.of("column") if e.column is not None and e.column.type == "number"]
        timed = m.tag("super") in ("first", "last") and not m.entries and not named.gap
        if timed and told and order and order not in told and order.type == "date" and not named.of("table"):
            raise _decline(f"I would order by {order}, and '{m.words}' is said of {named.words}.", named.words)


def _most_of_what(reading: Reading, items: Sequence[Mention], low: list[str], index: SchemaIndex) -> None:
    """`which model has the most seats`: the most that one plane has, or all its planes together?"""
    summed = reading.order.measure if reading.order else None
    told = not index.facts.empty  # what adds up is known
    if told or reading.kind != "topk" or summed is None or summed.function != "sum" or len(reading.keys) != 1:
        return
    key, c = reading.keys[0].column, summed.column
    pointing = bool(index.joins.leaving(key.table, key.name))
    if (
        c is None
        or key.table != c.table
        or pointing
        or assumptions.SUMS & set(low)
        or not any(means(m, c) for m in items)
    ):
        return
    if reading.table not in named_tables(items) and not index.unique(key.table, key.name):
        ways = (f"the highest {c.name} of one row", f"the total {c.name} of all rows of a {key.name}")
        raise Unread(Choice(f"A {key.name} has several rows of {reading.table}; what is the most?", ways))


def _things_by_column(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`how many states`: those that counties point at, or those of the table of states?"""
    if reading.kind != "count" or reading.filters or reading.links or reading.keys or len(reading.measures) != 1:
        return
    c = reading.measures[0].column
    if reading.measures[0].function != "distinct" or c is None or c.table in named_tables(items):
        return
    for j in index.joins.leaving(c.table, c.name):
        every = f"(SELECT count(*) FROM {quote(j.parent)})"
        sql = f"SELECT count(DISTINCT {quote(c.name)}) AS a, {every} AS b FROM {quote(c.table)}"
        used, all_ = (int(n) for n in index.reads.one(sql, c.table, j.parent))
        if used != all_:
            ways = (f"rows of {j.parent} ({all_})", f"those that occur in {c.table} ({used})")
            raise Unread(Choice(f"Which {c.name} are counted?", ways))


def asks_number(m: Mention) -> bool:
    """Whether words ask for a number of rows, as the last of `cumulative number of` do."""
    said = m.words.casefold().split()
    ends = (Mention("", tags=TAGS.get(tuple(said[at:]), ())) for at in range(len(said)))
    return any(end.tag("count") is not None for end in ends)
