"""What rows are said not to be, in one word: `unpaid`, `inactive`, `non-smoking`, over a column that says yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.language import passed_over, row_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.states import done_on

_YES, _NO = frozenset({"y", "yes", "t", "true"}), frozenset({"n", "no", "f", "false"})


def yes_and_no(c: Column, index: SchemaIndex) -> tuple[Any, Any] | None:
    """Return the values for yes and for no of a column that holds nothing else; None for any other column."""
    if c.sql:
        return None
    if c.type == "bool":
        return True, False
    if c.type == "number":
        return (1, 0) if index.is_zero_or_one(c) else None
    listed = [str(v) for v in index.values.get(c, {}).values()] if c.type == "text" else []
    yes = [v for v in listed if v.casefold() in _YES]
    no = [v for v in listed if v.casefold() in _NO]
    return (yes[0], no[0]) if len(yes) == len(no) == 1 and len(listed) == 2 else None


def said_not(items: Sequence[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """Return the mentions, a word with a negative beginning read as the other value of what it denies.

    `unpaid` is `paid` with no (of a column of yes and no, of two values), or no day in `paid_date`.
    """
    out = _truths(items, index)
    tables = list(dict.fromkeys(e.table for m in items for e in m.of("table")))
    for i, m in enumerate(out):
        found = row_words.NEGATIVE.fullmatch(m.words.casefold()) if not m.known else None
        entries = _denied(found.group(1), tables, index) if found is not None else ()
        if entries:
            said = dict.fromkeys(f"{e.column} {str(e.value).casefold()}" for e in entries if e.kind == "value")
            notes += [f"'{m.words}' read as {' or '.join(said)}"] if said else []
            out[i] = replace(m, entries=tuple(replace(e, text=m.words) if e.sql else e for e in entries))
    return _beside(out, index)


def _truths(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, `cancelled is false` and `cancelled = no` read as that value of a column of yes and no."""
    out: list[Mention] = []
    at = 0
    while at < len(items):
        m, behind = items[at], list(items[at + 1 : at + 3])
        equal = bool(behind) and behind[0].tag("cmp") == "=" and not behind[0].entries
        said = (behind[1] if len(behind) > 1 else None) if equal else (behind[0] if behind else None)
        ends = not any(x.entries for x in items[at + 2 + equal : at + 3 + equal])  # "cancelled no orders" is no answer
        entries = _of_truth(m, said, equal, index, ends=ends) if said is not None else ()
        if said is not None and entries:
            out.append(replace(m, words=f"{m.words} {said.words}", entries=entries, tags=()))
            at += 2 + equal
            continue
        out.append(m)
        at += 1
    return out


def _of_truth(m: Mention, said: Mention, equal: bool, index: SchemaIndex, *, ends: bool) -> tuple[Entry, ...]:
    """Return the values that a column of yes and no has where `said` stands behind it, none for another column."""
    columns = [e.column for e in m.of("column") if e.column is not None]
    word, gap = said.words.casefold(), set(said.gap)
    told = equal or bool(gap & passed_over.COPULA)
    told = told or (ends and word.isalpha())
    yes, no = (row_words.YES, row_words.NO) if told else (row_words.TRUE, row_words.FALSE)
    own = any(e.column in columns for e in said.entries)  # read as any value of its column
    plain = bool(columns) and len(columns) == len(m.entries) and not own and gap <= passed_over.COPULA
    if not plain or word not in yes | no:
        return ()
    both = [(c, found) for c in columns if (found := yes_and_no(c, index)) is not None and c.type != "number"]
    return (
        tuple(Entry("value", c.table, c, values[word in no]) for c, values in both) if len(both) == len(columns) else ()
    )


def _beside(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, a column of yes and no joined to another adjective of rows read as its yes.

    `paid but undisputed bills` are both; `insured vs uninsured pets` are the two values of one column.
    """
    out = list(items)
    for i in range(len(out) - 4, -1, -1):
        m, joint, other, noun = out[i : i + 4]
        but = joint.words.casefold() in row_words.BUT or joint.words == ","
        joined = not joint.entries and (but or any(joint.tag(t) is not None for t in ("and", "or", "vs")))
        rows = {e.table for e in noun.of("table")} if not (noun.gap or other.gap) else set()
        columns = {e.column for e in m.of("column") if e.column is not None and e.table in rows}
        if not (joined and other.of("value", "condition")) or m.of("table", "value") or len(columns) != 1:
            continue
        column = columns.pop()
        if (both := yes_and_no(column, index)) is not None:
            out[i] = replace(m, entries=(Entry("value", column.table, column, both[0]),), tags=())
            del out[i + 1 : i + 1 + but]
    return out


def _denied(stem: str, tables: Sequence[str], index: SchemaIndex) -> tuple[Entry, ...]:
    """Return what it means for rows not to be what a word says; of the tables said first, if these have it."""
    found: list[Entry] = []
    for e in index.lookup([stem]):
        if e.kind == "column" and e.column is not None and (both := yes_and_no(e.column, index)) is not None:
            found.append(Entry("value", e.table, e.column, both[1]))
        if e.kind == "value" and e.column is not None:
            others = [v for v in index.values.get(e.column, {}).values() if v != e.value]
            if len(set(others)) == 1 and not index.named_code(e):
                found.append(Entry("value", e.table, e.column, others[0]))
    found = list(dict.fromkeys(found)) or [
        Entry("condition", c.table, sql=f"{quote(c.name)} IS NULL") for c in done_on((stem,), tables, index)
    ]
    own = [e for e in found if e.table in tables]
    return tuple(own or found)
