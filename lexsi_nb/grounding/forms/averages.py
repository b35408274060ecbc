"""Comparisons with a figure of all rows, in the order the grammar reads: `a higher salary than the average`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention

_FIGURES = ("avg", "median")
_WAYS = {"desc": "cmp:>", "asc": "cmp:<"}


def against_average(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with a comparison with an average as column, comparison, figure."""
    out = list(items)
    for i, m in enumerate(out):
        if (found := _more_than(out, i)) is not None:
            return found
        if m.tag("cmp") is None or m.entries or i + 1 >= len(out):
            continue
        if (found := _above(out, i)) is not None:
            return found
    return out


def _figure(m: Mention | None) -> bool:
    return m is not None and not m.entries and m.tag("agg") in _FIGURES


def _number(m: Mention | None) -> bool:
    return m is not None and any(e.column and e.column.type == "number" for e in m.of("column")) and not m.of("table")


def _at(items: Sequence[Mention], i: int) -> Mention | None:
    return items[i] if 0 <= i < len(items) else None


def _more_than(items: list[Mention], i: int) -> list[Mention] | None:
    """`a higher salary than (the) average (district)`."""
    more, column, than, figure = (_at(items, i + n) for n in range(4))
    way = more.tag("more") if more is not None and not more.entries else None
    if way not in _WAYS or not _number(column) or than is None or than.tag("than") is None or not _figure(figure):
        return None
    assert column is not None
    assert figure is not None
    compared = Mention("more than", tags=(_WAYS[way],))
    rest = _after_figure(items, i + 4, column)
    figure = _of_all(figure) if len(rest) < len(items) - i - 4 else figure
    return [*items[:i], replace(column, gap=("with",)), compared, figure, *rest]


def _above(items: list[Mention], i: int) -> list[Mention] | None:
    """`above the average loan`, `above-average salary`, `over the average loan amount`."""
    times = _times(items, i + 1)
    if times:  # "larger than twice the average visit"
        found = _above([*items[: i + 1], *items[i + 1 + times :]], i)
        return [*found[: i + 1], *items[i + 1 : i + 1 + times], *found[i + 1 :]] if found is not None else None
    figure, noun = _at(items, i + 1), _at(items, i + 2)
    if figure is not None and figure.fused in _FIGURES and _number(figure) and not _number(_at(items, i - 1)):
        named = Mention(figure.fused, tags=(f"agg:{figure.fused}",))
        return [*items[:i], replace(figure, fused="", gap=("with",)), items[i], named, *items[i + 2 :]]
    if not _figure(figure) or noun is None:
        return None
    before = _at(items, i - 1)
    own = _said(items[:i], noun) or (_number(before) and before is not None and _said([before], noun))
    if noun.of("table") and not _number(_at(items, i + 3)) and own and not grammar.OF_THEIR & set(noun.gap):
        assert figure is not None
        of_some = any(m.tag("in") is not None for m in items[i + 3 : i + 4])  # "the average one in Y"
        return [*items[: i + 1], figure if of_some else _of_all(figure), *items[i + 3 :]]
    return None


def _times(items: Sequence[Mention], i: int) -> int:
    """Return how many mentions `twice` or `three times` takes at a place, 0 where none stands there."""
    first, after = _at(items, i), _at(items, i + 1)
    if first is not None and first.tag("twice") is not None and not first.entries:
        return 1
    number = first is not None and first.number is not None and after is not None and after.tag("times") is not None
    return 2 if number else 0


def _of_all(figure: Mention) -> Mention:
    return replace(figure, tags=(*figure.tags, "whole"))


def _after_figure(items: list[Mention], at: int, column: Mention) -> list[Mention]:
    """Return what follows the figure, without the table or column that it is of anyway."""
    noun = _at(items, at)
    tables = {e.table for e in column.of("column")}
    same = noun is not None and (
        any(e.table in tables for e in noun.of("table"))
        or {e.column for e in noun.of("column")} & {e.column for e in column.of("column")}
    )
    return items[at + 1 :] if same else items[at:]


def _said(before: Sequence[Mention], noun: Mention) -> bool:
    tables = {e.table for e in noun.of("table")}
    return any(e.table in tables for m in before for e in m.of("table", "column"))
