"""A question within a question: `the district of the oldest client` asks for one row first, then something of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Reading, Unread
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import quote

Read = Callable[[Sequence[Mention]], Reading]


def nested(items: Sequence[Mention], index: SchemaIndex, read: Read) -> Reading | None:
    """Return the reading with one part of the question read first, as a condition; None when no part can be."""
    for at, m in enumerate(items):
        if m.entries or (m.tag("super") is None and m.tag("most") is None):
            continue
        if at and items[at - 1].number is not None and not items[at - 1].entries:
            continue  # "10 youngest clients": no one row
        placed = at > 0 and items[at - 1].tag("nth") is not None and not items[at - 1].entries
        for start in range(max(0, at - 1 - placed), at + 1 - placed):
            for end in range(len(items), at + 1, -1):
                if start == 0 and end == len(items):
                    continue
                if start == at and m.tag("most") is not None:
                    continue  # "which region lent the most": not the row with the most
                part = items[start:end]
                apart = 0 <= _ranked(items, at) < start and not _names_rows(items, at)
                if apart or not _whole(part, items[:start], items[end:]):
                    continue
                condition = the_first(part, index, read)
                if condition is None:
                    continue
                found = _with(items[:start], condition, items[end:], index, read)
                if found is not None:
                    return found
    return None


def asked_of_one(items: Sequence[Mention], found: Reading, index: SchemaIndex) -> Mention | None:
    """Return the noun of which one row has to be found first, where a ranking is of something else.

    `the branch of the account with the most visits` asks for a branch of one account, not for the branch with the most.
    """
    at = next((i for i, m in enumerate(items) if m.tag("most") is not None and not m.entries), 0)
    noun = items[at - 1] if at else None
    if noun is None or found.kind != "topk" or not found.keys or not grammar.RELATIVE & set(items[at].gap):
        return None
    asked = [m for m in items[: at - 1] if m.of("table", "column") and m.tag("list") is None]
    joined = at > 1 and any(items[at - 2].tag(t) is not None for t in ("and", "or", "by"))
    if not asked or joined or not noun.of("table", "column", "value"):
        return None
    ranked = {e.column for e in noun.of("column")}
    ranked |= {c for t in named_by(noun) for c in (index.key_of(t), index.label_of(t))}
    if any(k.column in ranked or _pointed_at(k.column, index) in ranked for k in found.keys):
        return None
    return noun


def _whole(part: Sequence[Mention], before: Sequence[Mention], after: Sequence[Mention]) -> bool:
    """Whether a part may stand for itself: it begins at a noun or superlative, and something is asked of it outside."""
    first = part[0]
    outside = [m for m in (*before, *after) if m.entries or m.tag("count") is not None or m.tag("agg") is not None]
    ranks = any(first.tag(t) is not None for t in ("super", "most", "nth"))
    named = first.of("table") or any(e.column and e.column.type == "text" for e in first.of("column"))
    return bool(outside) and (ranks or bool(named))


def _ranked(items: Sequence[Mention], at: int) -> int:
    """Return the place of what has the most: `the customer who bought the most pieces` is no order. -1 for none."""
    marks = [i for i in range(1, at + 1) if grammar.RELATIVE & {items[i].words.casefold(), *items[i].gap}]
    nouns = [i for i in range(marks[-1]) if items[i].of("table")] if marks else []
    return nouns[-1] if nouns else -1


def _names_rows(items: Sequence[Mention], at: int) -> bool:
    """Whether a superlative stands before rows of another table: `had the largest loan`, `the first gold card`."""
    after, noun = items[at + 1] if at + 1 < len(items) else None, _ranked(items, at)
    if after is None or items[at].tag("super") is None:
        return False
    if items[at].tag("super") in ("first", "last") and after.of("value"):
        return True
    named = {e.table for e in after.of("table")}
    return bool(named) and not after.of("column", "value") and not named & {e.table for e in items[noun].of("table")}


def the_first(part: Sequence[Mention], index: SchemaIndex, read: Read) -> Mention | None:
    """Return the mention of the one row that a part asks for, as a condition on its table."""
    try:
        found = read(part)
    except Unread:
        return None
    words = " ".join(m.words for m in part)
    if " OFFSET " in found.sql:
        return _in_place(words, found, index)
    if (
        found.kind != "topk"
        or found.limit != 1
        or found.order is None
        or any("share the last" in n for n in found.notes)
    ):
        return None
    if not found.measures:
        key = index.key_of(found.table)
        if key is None:
            return None
        rows = replace(found, columns=(key,), shown=())
        made = _condition(words, key, _one(ReadingSQL(rows, index).text(), key.name), found.text)
        return replace(made, via=next((m.via for m in part if m.via), ""))  # "the branch with the highest salary"
    if len(found.keys) != 1 or found.keys[0].grain:
        return None
    column = found.keys[0].column
    return _condition(words, _pointed_at(column, index), _one(found.sql, column.name), found.text)


def _pointed_at(column: Column, index: SchemaIndex) -> Column:
    """Return the key that a column points at: `the account with the most transactions` is one row of accounts."""
    to = index.joins.leaving(column.table, column.name)
    return index.columns[to[0].parent][to[0].parent_column] if len(to) == 1 else column


def _in_place(words: str, found: Reading, index: SchemaIndex) -> Mention | None:
    """Return the mention of the row or group that stands second or third in an order."""
    if found.kind != "topk" or len(found.keys) > 1:
        return None
    column = found.keys[0].column if found.keys else index.key_of(found.table)
    if column is None or (not found.keys and column not in found.columns):
        return None
    to = _pointed_at(column, index) if found.keys else column
    return _condition(words, to, _one(found.sql, column.name), found.text)


def _one(sql: str, name: str) -> str:
    return f"SELECT {quote(name)} FROM ({' '.join(sql.split())}) AS best"


def _condition(words: str, column: Column, sql: str, said: str) -> Mention:
    text = said.removesuffix(", one row")
    entry = Entry("condition", column.table, sql=f"{quote(column.name)} = ({sql})", text=f"the first of: {text}")
    return Mention(words, entries=(entry,), gap=("of",))


def _with(
    before: Sequence[Mention], condition: Mention, after: Sequence[Mention], index: SchemaIndex, read: Read
) -> Reading | None:
    table = condition.entries[0].table
    rest = [m for m in (*before, *after) if not (m.tag("in") is not None and not m.entries)]
    nouns = [m for m in rest if m.entries]
    asked = all(m.of("table", "column") for m in nouns) and not any(
        m.tag(t) is not None for m in rest for t in ("agg", "count", "super", "most", "top", "by", "not", "cmp")
    )
    told = len(nouns) == len([m for m in rest if m.tag("list") is None and not _joint(m)])
    if asked and nouns and told and (shown := _shown(nouns, condition, index, read)) is not None:
        return shown
    try:
        return read([*before, condition, *after])
    except Unread:
        noun = Mention(table, entries=(Entry("table", table),))
        try:
            return read([*before, noun, condition, *after])
        except Unread:
            return None


def named_by(m: Mention) -> set[str]:
    """Return the tables that a mention names."""
    return {e.table for e in m.of("table")}


def _joint(m: Mention) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in ("and", "in"))


def _shown(nouns: Sequence[Mention], condition: Mention, index: SchemaIndex, read: Read) -> Reading | None:
    """Columns of the row, or of the rows that it belongs to: `the region of the oldest client`."""
    table = condition.entries[0].table
    columns: list[Column] = []
    for i, m in enumerate(nouns):
        if i and m.of("table") and not m.of("column") and grammar.OF & set(m.gap) and columns[-1].table in named_by(m):
            continue  # "the birth date of the client with ..." asks for one column
        own = [e.column for e in m.of("column") if e.column and index.joins.up(table, e.column.table)]
        labels = [c for e in m.of("table") if index.joins.up(table, e.table) if (c := index.label_of(e.table))]
        near = [c for c in own if c.table == table] or own
        if near == own and not m.of("table") and len({e.table for e in m.of("column")}) > 1:
            near = (
                index.time_of(table) if m.words.casefold() in lexicon.DATE_NOUNS else []
            )  # "the date of the last card"
        picked = near if len(near) == 1 else labels
        if len(picked) != 1 or len(index.joins.up(table, picked[0].table)) != 1:
            return None
        columns.append(picked[0])
    noun = Mention(table, entries=(Entry("table", table),))
    try:
        rows = read([noun, condition])
    except Unread:
        return None
    key = index.key_of(table)
    made = replace(rows, columns=tuple(dict.fromkeys([*([key] if key else []), *columns])), shown=tuple(columns))
    made = replace(made, sql=ReadingSQL(made, index).text())
    names = ", ".join(c.name if c.table == table else str(c) for c in columns)
    return replace(made, text=f"{names} of {condition.entries[0].text}")
