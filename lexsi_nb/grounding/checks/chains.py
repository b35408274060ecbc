"""Nouns that hang together in a chain, held against the joins of a reading: whose district, who holds the account.

Each check stands for a way in which one noun of a chain was left without a say in the SQL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.language import grammar, lexicon, retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Column, Declined, Link, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

MOST_KINDS = 6  # kinds of rows between two tables that a question lists


def chained(reading: Reading, items: Sequence[Mention], low: Sequence[str], index: SchemaIndex) -> None:
    """Hold the links of a reading against each other and against the nouns they were said with.

    Raises:
        Unread: a noun says nothing, two links can't both hold, or it is open which rows between two tables are meant.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    _idle_noun(reading, items, index)
    _never_both(reading, index)
    _which_between(reading, low, index)
    _best_of_which(reading, index)
    _level_when(reading, low, index)
    _whose_place(reading, low, index)


def _passes(index: SchemaIndex, base: str, link: Link, table: str) -> bool:
    """Whether the way from a table to that of a link goes by another table."""
    return any(table in {reading_step.end[0] for reading_step in route} for route in index.joins.any(base, link.table))


def _idle_noun(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`the district of the client with the largest loan`: the loan is the client's, wherever its account is kept."""
    plain = {k.table for k in reading.links if not (k.filters or k.op or k.negated)}
    held = [k for k in reading.links if k.filters]
    for m, after in pairwise(items):
        idle = {e.table for e in m.of("table")} & plain
        if not idle or not grammar.CLAUSE & set(after.gap) or not m.gap:
            continue
        table = next(iter(idle))
        if any(k.table != table and not _passes(index, reading.table, k, table) for k in held):
            told = f"What is told of '{m.words}' would be looked for without it, so I don't answer."
            raise Unread(Declined(f"{told} Ask for the {m.words} first.", (m.words,)))


def _never_both(reading: Reading, index: SchemaIndex) -> None:
    """`clients who own no account`: to be an owner is to have one, so no row fits, which is not what is asked."""
    for no in reading.links:
        if not no.negated or no.filters or no.op:
            continue
        for held in reading.links:
            if held is not no and not held.negated and index.joins.up(held.table, no.table):
                told = f"A row of {held.table} has its {no.table}, so none is with one and without the other."
                raise Unread(Declined(told, (no.words,)))


def _which_between(reading: Reading, low: Sequence[str], index: SchemaIndex) -> None:
    """`accounts of women`, `with a female holder`: those that a woman owns, or those that she may use as well?"""
    between = {r.through for r in index.facts.routes}
    for d in index.facts.demands:
        if d.table not in between:
            continue
        through = d.table in reading.sql and d.sql not in reading.sql.replace('"', "")
        if not through or d.table == reading.table or reading.table not in index.columns:
            continue
        steps = next(iter(index.joins.any(reading.table, d.table)), ())
        many = [s for s in steps if not s.up]
        if not many or not _several(index, many[-1].join.child, many[-1].join.child_column):
            continue
        beyond = [k.table for k in reading.links if k.filters or k.op or k.negated] + [
            k.column.table for k in reading.keys
        ]
        beyond += [k.table for m in reading.measures for k in m.links]
        beyond += [f.home for k in reading.links if k.table == d.table for f in k.filters]  # "a holder born in 1950"
        if reading.kind == "comparison":  # "accounts of men and of women": each side is a query of its own
            beyond += [t for t in index.columns if re.search(rf'\b(?:FROM|JOIN) "?{re.escape(t)}\b', reading.sql)]
        people = [t for t in beyond if t != d.table and index.joins.up(d.table, t)]
        people = [t for t in people if not index.joins.up(reading.table, t)]
        inside = [f for k in reading.links for f in k.filters]
        said_which = any(f.column is not None and f.home == d.table for f in (*reading.filters, *inside))
        named = bool(grammar.CO_HOLDERS & set(low)) or said_which
        if people and not named:
            said = {c.table: c for c in index.values}
            column = next((c for c in said.values() if c.table == d.table), None)
            own = d.sql.split("'")[1] if "'" in d.sql else d.sql
            ways = (f"by the {own} alone", f"by any {column.name if column else 'row'} of {d.table}")
            prompt = f"One {reading.table} can have several {people[0]} rows; which are meant?"
            raise Unread(Choice(prompt, ways, said=_holders(d.table, own, column, index)))


def _holders(table: str, own: str, column: Column | None, index: SchemaIndex) -> tuple[str, ...]:
    """Return what asks for those of one kind between two tables, and for those of any: `..., disp type OWNER`."""
    values = [*dict.fromkeys(map(str, index.values.get(column, {}).values()))] if column is not None else []
    either = next(iter(lexicon.PHRASES.get("or", ())), "")
    if column is None or own not in values or len(values) > MOST_KINDS or not either:
        return ()
    kinds = [own, *(v for v in values if v != own)]
    any_of_them = f" {either} ".join(kinds)
    return tuple(retold.WITH.format("{}", f"{table} {column.name} {k}") for k in (own, any_of_them))


def _best_of_which(reading: Reading, index: SchemaIndex) -> None:
    """`the woman with the largest loan`: the largest of all loans, or of those of women?"""
    through = {r.through for r in index.facts.routes}
    for link in reading.links:
        best = next((f for f in link.filters if f.op == "sql" and "LIMIT 1" in f.sql), None)
        if best is None or link.negated or index.joins.up(reading.table, link.table):
            continue
        others = [f for f in (*reading.filters, *link.filters) if f is not best and f.home not in through]
        others += [f for k in reading.links if k is not link for f in k.filters if f.home not in through]
        if others:
            ways = (f"the one row of all {best.home}", f"the one of those with {others[0].words}")
            raise Unread(Choice(f"'{best.words}' of which rows?", ways, best.words))


def _level_when(reading: Reading, low: Sequence[str], index: SchemaIndex) -> None:
    """`the tank with the highest level`: the highest it ever was, or the one it has by the last row?"""
    ranked = reading.order is not None and reading.limit is not None and len(reading.keys) == 1
    for m in reading.measures if ranked else ():
        if m.column is None or m.function not in ("max", "min") or grammar.AT_ANY_TIME & set(low):
            continue
        if index.facts.column(m.column.table, m.column.name).level and index.time_of(m.column.table):
            end, name = "highest" if m.function == "max" else "lowest", m.column.name
            ways = (f"the {end} {name} ever", f"the {name} by the last row of each {reading.keys[0].column.name}")
            prompt = f"A {name} changes from row to row; at which time is it meant?"
            raise Unread(Choice(prompt, ways, said=(retold.EVER, ""), lasting=False))


def _whose_place(reading: Reading, low: Sequence[str], index: SchemaIndex) -> None:
    """`members with a boat by harbour`: the harbour of the member, or that of the boat, as the graph has it?"""
    said = " ".join(low)
    for key in reading.keys:
        ends = [w for w in index.facts.ways if w.end == key.column.table]
        own = [w for w in ends if w.start == reading.table]
        for way in ends if own else ():
            told = [p for p in way.phrases if p.split()[0] in grammar.BY_PER and f" {p}" in said]
            passed = [k for k in reading.links if not k.negated and _passes(index, reading.table, k, way.start)]
            if way.start != reading.table and told and passed and not any(f" {p} " in said for p in own[0].phrases):
                place = " ".join(told[0].split()[1:])
                ways = (f"{place} of {reading.table}", f"{place} of {way.start}")
                said = tuple(retold.OF.format(told[0], t) for t in (reading.table, way.start))
                prompt = f"'{told[0]}' can go by {reading.table} or by {way.start}."
                raise Unread(Choice(prompt, ways, told[0], said=said, lasting=False))


def _several(index: SchemaIndex, table: str, column: str) -> bool:
    """Whether a value of a column occurs in more than one row."""
    name = quote(column)
    sql = f"SELECT count(*) > count(DISTINCT {name}) AS many FROM {quote(table)} WHERE {name} IS NOT NULL"
    return bool(index.reads.one(sql, table)[0])
