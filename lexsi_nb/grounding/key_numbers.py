"""`Id 260`: a number that is told to be a key, of the one table that is spoken of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.index import Entry, SchemaIndex
from lexsi_nb.grounding.mentions import Mention

_ID = frozenset({"id", "ids"})
_FOR = ("for",)


def key_numbers(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions with the key's name before a number that is said to be one: `for id 260`.

    After a word for a prediction, `for 260` at the end is one as well. Left alone where tables of several keys are
    spoken of, or the one table has no key of numbers.
    """
    out: list[Mention] = []
    ahead = any(m.tag("predictive") is not None and not m.entries for m in items)
    for i, m in enumerate(items):
        said = bool(set(m.gap[-1:]) & _ID)
        last = ahead and m.gap == _FOR and i + 1 == len(items)
        if isinstance(m.number, int) and not m.entries and (said or last) and (key := _key(items, index)) is not None:
            out += [Mention(key.column.name if key.column else "", entries=(key,), gap=m.gap[:-1] if said else m.gap)]
            m = replace(m, gap=())
        out.append(m)
    return out


def _key(items: Sequence[Mention], index: SchemaIndex) -> Entry | None:
    named = {e.table for m in items for e in m.of("table")} or {e.table for m in items for e in m.of("column")}
    tables = named or set(index.columns)
    key = index.key_of(next(iter(tables))) if len(tables) == 1 else None
    return Entry("column", key.table, key) if key is not None and key.type == "number" else None
