"""Numbers that are no quantities: `id 260` is a key of the one table that is spoken of, and 2023 may be a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.words import alone

_OPENS = ("agg", "super", "by", "sort", "distribution", "null")


def key_numbers(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions with the key's name before a number that is said to be one: `for id 260`.

    `the client with id 260` is of the noun before it. After a word for a prediction, `for 260` at the end is one as
    well. Left alone where tables of several keys are spoken of, or the one table has no key of numbers.
    """
    out: list[Mention] = []
    ahead = any(m.tag("predictive") is not None and not m.entries for m in items)
    for i, m in enumerate(items):
        said = bool(set(m.gap[-1:]) & grammar.ID_SAID)
        last = ahead and alone(m.gap, grammar.FOR) and i + 1 == len(items)
        nouns = items[i - 1 : i] if said and i and items[i - 1].of("table") else items
        if isinstance(m.number, int) and not m.entries and (said or last) and (key := _key(nouns, index)) is not None:
            out += [Mention(key.column.name if key.column else "", entries=(key,), gap=m.gap[:-1] if said else m.gap)]
            m = replace(m, gap=())
        out.append(m)
    return out


def columns_of_numbers(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions, 2023 read as the column of that name where a column stands: `average 2023`, `2023 by shop`.

    After `in` or a noun it stays a number, which may be a year.
    """
    out: list[Mention] = []
    for i, m in enumerate(items):
        before, after = items[i - 1] if i else None, items[i + 1] if i + 1 < len(items) else None
        named = m.number is not None and any(e.column and e.column.name == m.words for e in m.of("column"))
        opens = before is None or (not before.entries and any(before.tag(t) is not None for t in _OPENS))
        compared = after is not None and not after.entries and after.tag("cmp") is not None
        has = bool(set(m.gap) & grammar.HAS_OR_WHERE)
        if named and (opens or (compared and has)):
            m = replace(m, number=None, entries=tuple(m.of("column")))
        out.append(m)
    return out


def _key(items: Sequence[Mention], index: SchemaIndex) -> Entry | None:
    named = {e.table for m in items for e in m.of("table")} or {e.table for m in items for e in m.of("column")}
    tables = named or set(index.columns)
    key = index.key_of(next(iter(tables))) if len(tables) == 1 else None
    return Entry("column", key.table, key) if key is not None and key.type == "number" else None
