"""What rows are said to be, for the day on which it was done: `orders that are shipped` have a day in `shipped_at`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar, passed_over, row_words, schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Declined, Reading, Unread
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import phrase, quote
from lexsi_nb.grounding.wordings.periods import is_year
from lexsi_nb.grounding.words import Token, forms, name_words


def states(items: Sequence[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """Return the mentions, a participle that rows are said to be read as the date named after it, if it has gaps."""
    out = _before_rows(items, index)
    for i, m in enumerate(out):
        if m.entries or m.number is not None or m.literal is not None or not _participle(m.words.casefold()):
            continue
        before = out[i - 1] if i else Mention("")
        gap = {*m.gap, *(before.gap if before.tag("not") is not None else ()), *before.words.casefold().split()}
        told = gap & (passed_over.COPULA | grammar.HAVING) or _ends(out, i)
        column = _dated(m, out[:i], index) if told else None
        after = out[i + 1] if i + 1 < len(out) else Mention("")
        if _placed_in_time(after, out[i + 2 : i + 4]) and (day := _dated(m, out[:i], index, gaps=False)) is not None:
            notes.append(f"'{m.words}' read as {day.column}")
            out[i] = replace(m, entries=(day,), tags=())
        elif column is not None:
            notes.append(f"'{m.words}' read as {column.column}, which is missing where it was not done")
            out[i] = replace(m, entries=(column,), tags=())
    return out


def _ends(items: Sequence[Mention], at: int) -> bool:
    """Whether a participle stands by itself after rows: `parcels paid but not delivered`."""
    start = at - 1 if at and items[at - 1].tag("not") is not None and not items[at - 1].entries else at
    before, after = items[start - 1] if start else Mention(""), items[at + 1] if at + 1 < len(items) else None
    led = bool(before.of("table")) or (start < at and not before.entries and before.tag("and") is not None)
    closes = after is None or (not after.entries and (after.tag("and") is not None or after.tag("not") is not None))
    return led and closes and not items[at].gap


def _before_rows(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, what stands before rows as an adjective read as a condition: `open exhibits`.

    `closed` and `delivered` have a day in the date of that name, which has gaps; `open` none in the one that ends it.

    Raises:
        Unread: two of them are joined, `open and closed exhibits`: said of one row, or of one each?
    """
    out, at = list(items), len(items) - 1
    while at >= 0:
        noun = _noun_of(out, at)
        before = out[at - 1] if at else Mention("")
        entry = _state(out[at], noun, index) if noun is not None and not before.of("table") else None
        if entry is not None and noun is not None:
            out[at] = replace(out[at], entries=(entry,), tags=())
            joint = out[at + 1]
            if joint.words.casefold() in row_words.BUT or joint.words == ",":
                del out[at + 1]  # "paid but undelivered parcels" are both
            _not_joined(out, at, noun, index)
        at -= 1
    return out


def _not_joined(items: Sequence[Mention], at: int, noun: Mention, index: SchemaIndex) -> None:
    other, joint = items[at - 2 : at] if at > 1 else (Mention(""), Mention(""))
    joined = not joint.entries and (joint.tag("and") is not None or joint.tag("or") is not None)
    plain = joint.words.casefold() not in row_words.BUT and joint.words != ","
    if joined and plain and _state(other, noun, index) is not None:
        told = f"'{other.words} {joint.words} {items[at].words}' can be said of one row or of several"
        raise Unread(Declined(f"{told}; ask for each by itself.", (joint.words,)))


def _noun_of(items: Sequence[Mention], at: int) -> Mention | None:
    """Return the rows that an adjective stands before, other adjectives and `but` between them."""
    for m in items[at + 1 :]:
        joint = not m.entries and (m.words.casefold() in row_words.BUT or m.words == ",")
        said = bool(m.of("value", "condition")) and not m.of("table", "column")
        if m.of("table") and not m.of("column", "value") and not m.gap:
            return m
        if m.gap or not (joint or said):
            return None
    return None


def _state(m: Mention, noun: Mention, index: SchemaIndex) -> Entry | None:
    """Return the condition on the rows of a table that an adjective is; None for another word."""
    word, tables = m.words.casefold(), [e.table for e in noun.of("table")]
    plain = not m.of("table", "value", "condition") and m.number is None and m.literal is None
    if not plain or len(tables) != 1 or not (_participle(word) or word in grammar.OPEN):
        return None
    if word in grammar.OPEN:
        dates = [c for c in index.columns[tables[0]].values() if c.type == "date" and not c.sql]
        ends = [c for c in dates if set(name_words(c.name)) & grammar.ENDED_ON and index.has_gaps(c)]
        begun = any(grammar.OPEN & {w for part in name_words(c.name) for w in forms(part)} for c in dates)
        said = f"{quote(ends[0].name)} IS NULL" if len(ends) == 1 and begun else ""
    else:
        named = [c for e in m.of("column") if (c := e.column) is not None and c.table == tables[0] and c.type == "date"]
        named = [c for c in named if not c.sql and index.has_gaps(c)] if m.of("column") else []
        done = named or (done_on(phrase(word), tables, index) if not m.known else [])
        said = f"{quote(done[0].name)} IS NOT NULL" if len(done) == 1 else ""
    return Entry("condition", tables[0], sql=said, text=m.words) if said else None


def _participle(word: str) -> bool:
    return word.endswith(grammar.PARTICIPLE_ENDS) or word in passed_over.PARTICIPLES


def _placed_in_time(m: Mention, after: Sequence[Mention]) -> bool:
    """Whether a time stands here: `in March`, `before 1990`, `on Mondays`, `between` two days."""
    pieces = [e.column for x in (m, *after) for e in x.of("value") if e.column is not None and e.column.date]
    dated = any(x.day is not None or is_year(x) or x.tag("monthname") or x.tag("quarter") for x in (m, *after))
    joint = not m.entries and any(m.tag(t) is not None for t in ("in", "date", "between"))
    return joint and (dated or bool(pieces))


def _dated(m: Mention, before: Sequence[Mention], index: SchemaIndex, *, gaps: bool = True) -> Entry | None:
    """Return the one date of the tables said that is named after a participle: `shipped_at`; `gaps`: only with gaps."""
    found = done_on(phrase(m.words), {e.table for x in before for e in x.of("table")}, index, gaps=gaps)
    return Entry("column", found[0].table, found[0]) if len(found) == 1 else None


def done_on(said: tuple[str, ...], tables: Iterable[str], index: SchemaIndex, *, gaps: bool = True) -> list[Column]:
    """Return the dates that are named after what was done, with `gaps` those that are empty in some rows."""
    own = [c for t in tables for c in index.columns.get(t, {}).values() if c.type == "date" and not c.sql]
    return [c for c in own if _named_after(name_words(c.name), said) and (not gaps or index.has_gaps(c))]


def no_state_lost(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """Hold what rows are said to be against the columns that are read.

    Raises:
        Unread: `how many parcels were paid` is answered of all of them, and `paid_date` tells which were.
    """
    plain = [w for w in words if w.kind == "word"]
    used = {w for n in re.findall(r"\w+", reading.sql) for w in name_words(n)}
    for i, w in enumerate(plain if reading.sql else ()):
        after = plain[i + 1].low if i + 1 < len(plain) else ""
        before = {x.low for x in plain[max(0, i - 3) : i]} & (passed_over.COPULA | grammar.HAVING)
        if not _participle(w.low) or w.low in used or not (before or not after or after in grammar.AND):
            continue
        if found := done_on((w.low,), (reading.table,), index):
            told = f"I have no place for '{w.text}' in what I read, and {found[0]} tells which were."
            raise Unread(Declined(f"{told} Say '{found[0].name} not missing' or 'without {found[0].name}'.", (w.text,)))


def _named_after(name: tuple[str, ...], said: tuple[str, ...]) -> bool:
    rest = [w for w in name if w not in said]
    return set(said) <= set(name) and bool(rest) and set(rest) <= schema_words.NO_NOUNS | schema_words.DATED
