"""What rows are said to be, for the day on which it was done: `orders that are shipped` have a day in `shipped_at`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from lexsi_nb.grounding.index import Entry, SchemaIndex
from lexsi_nb.grounding.language import grammar, passed_over, schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.names import phrase
from lexsi_nb.grounding.reading import Column, Declined, Reading, Unread
from lexsi_nb.grounding.words import Token, name_words


def states(items: Sequence[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """Return the mentions, a participle that rows are said to be read as the date named after it, if it has gaps."""
    out = list(items)
    for i, m in enumerate(out):
        if m.entries or m.number is not None or m.literal is not None or not _participle(m.words.casefold()):
            continue
        before = out[i - 1] if i else Mention("")
        gap = {*m.gap, *(before.gap if before.tag("not") is not None else ()), *before.words.casefold().split()}
        column = _dated(m, out[:i], index) if gap & (passed_over.COPULA | grammar.HAVING) else None
        if column is not None:
            notes.append(f"'{m.words}' read as {column.column}, which is missing where it was not done")
            out[i] = replace(m, entries=(column,), tags=())
    return out


def _participle(word: str) -> bool:
    return word.endswith(grammar.PARTICIPLE_ENDS) or word in passed_over.PARTICIPLES


def _dated(m: Mention, before: Sequence[Mention], index: SchemaIndex) -> Entry | None:
    """Return the one date with gaps of the tables said that is named after a participle: `shipped_at`."""
    found = done_on(phrase(m.words), {e.table for x in before for e in x.of("table")}, index)
    return Entry("column", found[0].table, found[0]) if len(found) == 1 else None


def done_on(said: tuple[str, ...], tables: Iterable[str], index: SchemaIndex) -> list[Column]:
    """Return the dates with gaps that are named after what was done."""
    own = [c for t in tables for c in index.columns.get(t, {}).values() if c.type == "date" and not c.sql]
    return [c for c in own if _named_after(name_words(c.name), said) and index.has_gaps(c)]


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
