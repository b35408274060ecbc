"""Groups that are told of one of two holders: `by sex of the house owner`, `by sex of the owner and street`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.schema.index import SchemaIndex


def owner_keys(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, the owner without what it owns, and last of the groups that it tells one of."""
    between = {d.table for d in index.facts.demands}
    if not between:
        return list(items)
    out: list[Mention] = []
    for at, m in enumerate(items):
        after = items[at + 1] if at + 1 < len(items) else None
        if out and after is not None and _owned(out[-1], m, after, between, index):
            continue
        of = bool(items[at - 1].gap) and at > 0 and items[at - 1] is not (out[-1] if out else None)
        out.append(replace(m, gap=items[at - 1].gap) if of else m)
    return _last(out, between)


def _owned(before: Mention, m: Mention, after: Mention, between: set[str], index: SchemaIndex) -> bool:
    """Whether a table between a column and an owner only says what is owned: `sex of the house owner`."""
    tables = {e.table for e in m.of("table")}
    owners = {e.table for e in after.of("value")}
    columns = {e.table for e in before.of("column")}
    told = bool(columns) and not before.of("table") and not columns & tables and bool(grammar.OF & set(m.gap))
    one = len(tables) == 1 and bool(owners) and owners <= between and not after.gap and not after.of("table")
    return told and one and all(index.joins.up(t, next(iter(tables))) for t in owners)


def _last(items: list[Mention], between: set[str]) -> list[Mention]:
    """`by sex of the owner and street`: by street, and by the sex of the owner."""
    by = next((i for i, m in enumerate(items) if m.tag("by") is not None and not m.entries), len(items))
    if len(items) != by + 5:
        return items
    key, owner, joint, other = items[by + 1 :]
    owners = {e.table for e in owner.of("value")}
    told = bool(key.of("column")) and bool(owners) and owners <= between and bool(grammar.OF & set(owner.gap))
    plain = bool(other.of("column")) or other.tag("grain") is not None
    if not told or not plain or joint.tag("and") is None or joint.entries or other.gap:
        return items
    return [*items[: by + 1], other, joint, key, owner]
