"""The most used of some rows: those that most rows of another table point at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.index import SchemaIndex


def most_used(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return `the most popular boat` as the boat with the most hires: each boat stands once among the boats.

    Raises:
        Unread: rows of several tables point at these, and which of them count is not said.
    """
    at = next((i for i, m in enumerate(items) if m.tag("mode") is not None and not m.entries), -1)
    noun = items[at + 1] if 0 <= at < len(items) - 1 else None
    last = at == len(items) - 1 and at > 0 and items[0].tag("list") is not None
    noun = items[at - 1] if last else noun
    rest = [m for i, m in enumerate(items) if i not in (at, at - 1 if last else at + 1)]
    tables = {e.table for e in noun.of("table") if not e.weak} if noun is not None else set()
    after = items[at + 2] if not last and at + 2 < len(items) else None
    named = after is not None and not after.gap and bool(after.of("column", "table"))
    if at < 0 or noun is None or len(tables) != 1 or noun.of("value") or named:
        return list(items)
    steps = index.joins.children(tables.pop())
    counted = list(dict.fromkeys(s.end[0] for s in steps if not index.unique(s.end[0], s.end[1])))
    if not counted or {e.table for m in rest for e in m.of("table")} & set(counted):
        return list(items)
    most = "most" if items[at].tag("mode") == "desc" else "fewest"
    head = items[: at - 1] if last else items[:at]
    ways = [
        [*head, replace(noun, gap=items[at].gap),
         Mention(most, tags=(f"most:{items[at].tag('mode')}",), gap=("with", "the")),
         Mention(rows_word(t), entries=(Entry("table", t),)), *items[at + 2 :]]
        for t in counted
    ]  # fmt: skip
    if len(counted) == 1:
        return ways[0]
    said = f"{items[at].words} {noun.words}"
    told = tuple(f"{noun.words} with the {most} {t}" for t in counted)
    asked = tuple(_text(_named(way, t)) for way, t in zip(ways, counted, strict=True))
    raise Unread(Choice(f"'{said}' by the number of which rows?", told, said, questions=asked, lasting=False))


def _named(items: Sequence[Mention], table: str) -> list[Mention]:
    """Return the mentions with the table said by its own name, which a question can be asked with again."""
    return [replace(m, words=table) if m.entries == (Entry("table", table),) else m for m in items]


def _text(items: Sequence[Mention]) -> str:
    return " ".join(" ".join((*m.gap, m.words)) for m in items)
