"""Who did it, or a group: `taken by accounts in Prague` and `trips by line`, and verbs that are no columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar, retold, vocabulary
from lexsi_nb.grounding.language import passed_over as silent
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import singular

_DONE = vocabulary.DONE | silent.PARTICIPLES | vocabulary.BEGINNINGS | vocabulary.JOINING
_BEGUN = vocabulary.BEGINNINGS | silent.PARTICIPLES


def merged(before: Mention, after: Mention) -> Mention:
    """Return a mention with the gap of one that was taken out before it."""
    return replace(after, gap=(*before.gap, *before.words.casefold().split(), *after.gap))


def plain_verbs(items: Sequence[Mention]) -> list[Mention]:
    """`awards were given in 2000`: a verb after its rows is no column `name_given` of other rows."""
    out: list[Mention] = []
    for m in items:
        word, rows = m.words.casefold(), {e.table for e in out[-1].of("table")} if out else set()
        asked = bool(out) and out[-1].tag("count") is not None and bool(m.gap)  # "awards: how many were given"
        verb = (
            (bool(rows) or asked)
            and word in _DONE
            and not m.tags
            and all(e.kind == "column" and e.weak for e in m.entries)
        )
        if verb and m.entries and not rows & {e.table for e in m.entries} and set(m.gap) <= silent.HELPERS:
            m = replace(m, entries=())
        out.append(m)
    return out


def agent(items: Sequence[Mention], at: int) -> bool:
    """Whether what follows "by" is who did it rather than a group: a value, or a name with a condition on it."""
    if at >= len(items):
        return False
    m, after = items[at], items[at + 1] if at + 1 < len(items) else None
    if m.of("value") and not m.of("table", "column"):
        return True
    if after is None or not m.of("table", "column"):
        return False
    columns, tables = {e.column for e in m.of("column")}, {e.table for e in m.of("table")}
    if any(e.column in columns or e.table in tables for e in after.of("value")):
        return True
    return bool(tables) and (after.tag("in") is not None or _bounded(items, at))


def by_a_value(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`loans by Prague`, `taken by accounts in Prague`: "by" says whose it is, and names no group."""
    out: list[Mention] = []
    items = list(items)
    for i in range(len(items)):
        m, after = items[i], items[i + 1] if i + 1 < len(items) else None
        plain = m.tag("by") is not None and not m.entries and m.words.casefold() in grammar.BY
        lone = after is not None and bool(after.of("value")) and not after.of("table", "column")
        described = after is not None and _described(after, items[i + 2 : i + 3])
        many = plain and described and _of_many(out, items[i + 2], index)  # "visits by insured pets" is of one each
        lone = lone or (described and not many)  # "by insured boats"
        told = plain and after is not None and bool(set(m.gap[-1:]) & _DONE)  # "taken by", "operated by"
        if plain and lone:
            continue
        if told and after is not None and agent(items, i + 1):
            items[i + 1] = merged(m, after)
            continue
        bounded = plain and i + 2 < len(items) and _bounded(items, i + 1)
        if after is not None and (many or bounded or (told and after.of("table") and _many(after))):
            rows = items[i + 2].words if many else after.words
            said = f"{m.words} {after.words} {rows}" if many else f"{m.words} {rows}"
            ways = (f"one figure, over all of these {rows}", f"a figure for each of the {rows}")
            told = (retold.OF.format("", rows).strip(), f"{retold.FOR_EACH_ROW} {singular(rows)}")
            raise Unread(Choice(f"'{said}' can mean together or one by one.", ways, said, said=told, lasting=False))
        out.append(m)
    return out


def _described(m: Mention, after: Sequence[Mention]) -> bool:
    """Whether a column of yes and no stands right before the rows that it describes."""
    flags = [e.column for e in m.of("column") if e.column is not None and e.column.type in ("bool", "number")]
    rows = {e.table for x in after for e in x.of("table") if not x.gap}
    return bool(flags) and len(flags) == len(m.entries) and {c.table for c in flags} <= rows


def _of_many(before: Sequence[Mention], rows: Mention, index: SchemaIndex) -> bool:
    """Whether each row said before may have many of the rows: an order has products, and none of them made it."""
    said = {e.table for m in before for e in m.of("table")}
    described = {e.table for e in rows.of("table")}
    return bool(said) and not any(s == d or index.joins.up(s, d) for s in said for d in described)


def _bounded(items: Sequence[Mention], at: int) -> bool:
    """Whether a condition follows on several things, or on one of them: `planes with over 300 seats`, `an airline`."""
    m, after = items[at], items[at + 1]
    if after.entries or not (_many(m) or set(m.gap) & grammar.A):
        return False
    if set(after.gap[-1:]) & _BEGUN and _many(m) and any(t.startswith("date") for t in after.tags):
        return True  # "by planes built after 2010"
    aim = next((x for x in items[at + 2 : at + 4] if x.entries and x.number is None), None)
    own = aim is not None and {e.table for e in m.of("table")} & {e.table for e in aim.of("column", "value")}
    return bool(own) and any(after.tag(t) is not None for t in ("cmp", "between", "not", "without"))


def _many(m: Mention) -> bool:
    word = m.words.casefold().split()[-1]
    return singular(word) != word
