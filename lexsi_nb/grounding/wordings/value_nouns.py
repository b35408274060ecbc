"""Rows named by what kind of thing they are: `dogs` are the pets whose species is Dog, `sculptures` exhibits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lexsi_nb.grounding.language import grammar, row_words, schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.wordings.said_not import yes_and_no
from lexsi_nb.grounding.wordings.who import of_people
from lexsi_nb.grounding.words import name_parts, name_words, singular


def value_nouns(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, the plural of a value that says what rows are followed by those rows.

    Only a column that tells what kind of thing a row is makes its values nouns: paying by card makes no order a card.
    """
    out: list[Mention] = []
    said = {e.table for m in items for e in m.of("table")}
    items = _holders_first(items, index)
    for i, m in enumerate(items):
        out.append(m)
        if i and items[i - 1].tag("most") is not None and not items[i - 1].entries and (rows := _rows_said(m, index)):
            out.append(rows)
            continue
        column = _kind(m, index, one=_one(items, i)) if m.of("value") else None
        if column is None or column.table in said or _goes_on(items, i, column):
            continue
        values = tuple(e for e in m.of("value") if e.column == column)
        out[-1] = replace(m, entries=values, tags=())
        out.append(Mention(m.words, entries=(Entry("table", column.table),)))
    return out


def _holders_first(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, `gold card holders` said as holders with a gold card."""
    out = list(items)
    for i, (m, head) in enumerate(pairwise(items)):
        tables, rows = {e.table for e in m.of("value")}, {e.table for e in head.of("table")}
        held = len(tables) == 1 == len(rows) and len(m.entries) == len(m.of("value")) and not (head.gap or m.tags)
        held = held and tables != rows and head.words.casefold() in grammar.HOLDERS
        if held and index.joins.up(next(iter(tables)), next(iter(rows))):
            out[i : i + 2] = [replace(head, gap=m.gap), replace(m, gap=("with",))]
    return out


def _rows_said(m: Mention, index: SchemaIndex) -> Mention | None:
    """Return the rows that the last word of a value's name says: the most `gold cards` are cards."""
    word, tables = m.words.split()[-1], {e.table for e in m.of("value")}
    named = {e.table for e in index.entries.get((singular(word.casefold()),), ()) if e.kind == "table" and not e.weak}
    told = word != m.words and len(tables) == 1 and tables <= named and len(m.entries) == len(m.of("value"))
    return Mention(word, entries=(Entry("table", tables.pop()),)) if told else None


def _one(items: Sequence[Mention], at: int) -> bool:
    """Whether one row is asked for: `the heaviest dog`, `which dog is the oldest`."""
    before = items[at - 1] if at else Mention("")
    after = items[at + 1] if at + 1 < len(items) else None
    picked = before.tag("super") is not None or before.tag("sized") is not None
    picked = picked or (at == 1 and before.words.casefold() in grammar.WHICH)
    return picked and (after is None or bool(after.gap) or not after.entries)


def _kind(m: Mention, index: SchemaIndex, *, one: bool) -> Column | None:
    """Return the column that the plural of a value makes a noun of (the singular for `one`); None for other words."""
    word = m.words.casefold().split()[-1]
    plain = m.of("value") and not m.of("table", "column", "condition", "metric", "outcome", "term")
    if not plain or (singular(word) == word and not one) or m.respelt or m.literal is not None:
        return None
    if row_words.NEGATIVE.fullmatch(m.words.casefold()) and not one:
        denied = [e.column for e in m.of("value") if e.column is not None and yes_and_no(e.column, index) is not None]
        return denied[0] if len(denied) == len(m.entries) == 1 else None  # "non-smokers", of a column `smoker`
    held = {
        e.column: [*map(singular, str(e.value).casefold().split()[-1:])]
        for e in m.of("value")
        if not index.named_code(e)
    }
    kinds = [c for c, last in held.items() if c is not None and last == [singular(word)] and _tells_kind(c, index)]
    if not kinds and any(singular(word) in said for said in row_words.SEXES.values()):
        kinds = [c for c in held if c is not None and name_words(c.name)[-1] in row_words.SEX_NAMES]
        kinds = [c for c in kinds if of_people(c.table, index)]  # "how many women"
    return kinds[0] if len(kinds) == 1 else None


def _tells_kind(c: Column, index: SchemaIndex) -> bool:
    """Whether a column says what kind of thing each row of its table is: `species`, `pet_type` of pets."""
    words, rows = [w for w in name_words(c.name) if w not in schema_words.CODE_ENDS], name_words(c.table)[-1:]
    *rest, last = words or [""]
    kind = {last, name_parts(c.name)[-1]} & row_words.KINDS
    return bool(kind) and tuple(rest) in ((), rows) and not index.unique(c.table, c.name)


def _goes_on(items: Sequence[Mention], at: int, column: Column) -> bool:
    """Whether the column stands beside the value, or another value of it comes next: `dogs and cats`."""
    around = [*items[max(0, at - 1) : at], *items[at + 1 : at + 2]]
    if any(e.column == column for m in around for e in m.of("column")):
        return True
    joint, more = [*items[at + 1 : at + 3], Mention(""), Mention("")][:2]
    joined = not joint.entries and (joint.tag("and") is not None or joint.tag("or") is not None)
    return joined and column in {e.column for e in more.of("value")}
