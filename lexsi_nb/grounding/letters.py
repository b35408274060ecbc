"""Two short codes beside each other, of a column that was said: `which status has more orders, A or C?`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.index import Entry, SchemaIndex
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.names import phrase
from lexsi_nb.grounding.reading import Column

_LONGEST = 2  # letters of a code that stands for itself only beside another
_JOINTS = ("or", "vs", "than")


def coded_pairs(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, two codes that are compared read as values of the one column said that holds both."""
    out = list(items)
    for i in range(len(out) - 2):
        first, joint, second = out[i : i + 3]
        joined = not joint.entries and any(joint.tag(t) is not None for t in _JOINTS)
        if not joined or not (_short(first) and _short(second)):
            continue
        said = dict.fromkeys(e.column for m in out[:i] for e in m.of("column") if e.column is not None)
        held = [c for c in said if _held(c, first, index) is not None and _held(c, second, index) is not None]
        if len(held) == 1:
            for at, m in ((i, first), (i + 2, second)):
                value = _held(held[0], m, index)
                out[at] = replace(m, entries=(Entry("value", held[0].table, held[0], value),), tags=())
    return out


def _short(m: Mention) -> bool:
    return not m.known and len(m.words) <= _LONGEST and m.words.isupper()


def _held(c: Column, m: Mention, index: SchemaIndex) -> object:
    """Return the value of a column that a code is, None where it is none."""
    value = index.values.get(c, {}).get(phrase(m.words))
    return value if str(value) == m.words else None
