"""What a column holds, where a question names a value of it that does not occur: `status closed`."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.errors import nearest
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.schema.index import SchemaIndex

MOST = 12  # values that are all listed


def values_there(lacking: Sequence[str], items: Sequence[Mention], index: SchemaIndex) -> dict[str, str]:
    """Return unknown word -> the values of the column named just before it, or after: the nearest of many."""
    out: dict[str, str] = {}
    for at, m in enumerate(items):
        if m.words not in lacking:
            continue
        before = [x for x in items[max(0, at - 2) : at] if x.of("column") or not x.entries][::-1]
        for other in [*before, *items[at + 1 : at + 2]]:
            said = [_held(c, m.words, index) for c in dict.fromkeys(e.column for e in other.of("column"))]
            if said := list(filter(None, said)):
                out[m.words] = "; ".join(said[:2])
                break
    return out


def _held(column: object, words: str, index: SchemaIndex) -> str:
    values = list(dict.fromkeys(map(str, index.values.get(column, {}).values())))  # type: ignore[call-overload]
    name = getattr(column, "name", "")
    if 0 < len(values) <= MOST:
        return f"{name} is {', '.join(values[:-1])} or {values[-1]}" if len(values) > 1 else f"{name} is {values[0]}"
    near = nearest(words, values)
    return f"{name} has {len(values):,} values; the nearest: {', '.join(near)}" if near else ""
