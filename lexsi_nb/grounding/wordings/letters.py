"""Two codes beside each other, of a column that was said: `which status has more orders, A or C?`, `grade, 9 or 10`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import phrase, quote
from lexsi_nb.grounding.wordings.periods import is_year

_LONGEST = 2  # letters of a code that stands for itself only beside another
_JOINTS = ("or", "vs", "than")


def coded_pairs(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, two codes that are compared read as values of the one column said that holds both."""
    out = list(items)
    for i in range(len(out) - 2):
        first, joint, second = out[i : i + 3]
        joined = not joint.entries and any(joint.tag(t) is not None for t in _JOINTS)
        if joined and (pair := _numbered(out, i, index)) is not None:
            out[i], out[i + 2] = pair
            continue
        if not joined or not (_short(first) and _short(second)):
            continue
        said = dict.fromkeys(e.column for m in out[:i] for e in m.of("column") if e.column is not None)
        held = [c for c in said if _held(c, first, index) is not None and _held(c, second, index) is not None]
        if len(held) == 1:
            for at, m in ((i, first), (i + 2, second)):
                value = _held(held[0], m, index)
                out[at] = replace(m, entries=(Entry("value", held[0].table, held[0], value),), tags=())
    return out


def said_once(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions without a code that only says again the value before it: `total rent credited, RENT`."""
    out: list[Mention] = []
    for m in items:
        joint, before = (out[-1], out[-2]) if len(out) > 1 else (Mention(""), Mention(""))
        again = bool(m.entries) and m.words.isupper() and not m.gap and joint.words == ","
        mine, said = ({(e.column, str(e.value)) for e in x.of("value")} for x in (m, before))
        if again and len(mine) == len(m.entries) and len(said) == len(before.entries) and mine >= said and said:
            out.pop()
            continue
        out.append(m)
    return out


def _numbered(items: Sequence[Mention], at: int, index: SchemaIndex) -> tuple[Mention, Mention] | None:
    """Return two numbers as values of the column that is asked for, `which grade has more pupils, 9 or 10?`."""
    two, asked = (items[at], items[at + 2]), items[1]
    whole = all(isinstance(m.number, int) and not m.entries and not is_year(m) for m in two)
    which = items[0].tag("list") is not None and not items[0].entries and at > 2
    compared = any(m.tag("more") is not None and not m.entries for m in items[:at])
    columns = [c for e in asked.of("column") if (c := e.column) is not None and c.type == "number" and not c.sql]
    third = sum(m.number is not None for m in items) > len(two)
    if third or not (whole and which and compared) or len(columns) != 1 or asked.of("table"):
        return None
    column = columns[0]
    sql = f"SELECT count(DISTINCT {quote(column.name)}) AS n FROM {quote(column.table)}"
    held = ", ".join(str(m.number) for m in two)
    if index.reads.one(f"{sql} WHERE {quote(column.name)} IN ({held})", column.table)[0] != len(two):
        return None
    first, second = (replace(m, number=None, entries=(Entry("value", column.table, column, m.number),)) for m in two)
    return first, second


def _short(m: Mention) -> bool:
    return not m.known and len(m.words) <= _LONGEST and m.words.isupper()


def _held(c: Column, m: Mention, index: SchemaIndex) -> object:
    """Return the value of a column that a code is, None where it is none."""
    value = index.values.get(c, {}).get(phrase(m.words))
    return value if str(value) == m.words else None
