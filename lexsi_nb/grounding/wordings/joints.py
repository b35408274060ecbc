"""A small word that joins two things of a ratio, taken for a part of a name: `ratio of cards to accounts`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.schema.index import SchemaIndex


def apart(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions of a ratio with `to accounts` as two of them, where nothing else joins its two things.

    Only a column of rows that are not spoken of is taken apart, and only where what is left names a table.
    """
    joined = [m for m in items if m.tag("ratio") is not None and not m.entries]
    if not joined or any(m.tag("to") is not None and not m.entries for m in items):
        return list(items)
    said = {e.table for m in items for e in m.of("table")}
    out: list[Mention] = []
    for m in items:
        words = m.words.split()
        ends = [at for at in (0, len(words) - 1) if len(words) > 1 and words[at].casefold() in grammar.TO]
        other = bool(m.entries) and all(e.kind == "column" and e.table not in said for e in m.entries)
        rest = [w for at, w in enumerate(words) if at not in ends[:1]]
        entries = tuple(e for e in index.lookup(rest) if e.kind == "table") if ends and other else ()
        if not entries:
            out.append(m)
            continue
        to, noun = Mention(words[ends[0]], tags=("to",)), Mention(" ".join(rest), entries=entries)
        out += [replace(to, gap=m.gap), noun] if ends[0] == 0 else [replace(noun, gap=m.gap), to]
    return out
