"""Several figures beside each other, each of rows of its own: `number of loans and number of late loans by region`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.language import grammar, vocabulary
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Measure, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, measure_name, unique_names
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.periods import period

_FIGURES = ("count", "agg")
_OTHERS = ("share", "ratio", "difference", "more", "than", "vs", "compare", "growth", "corr", "super", "top", "most")
_KINDS = ("count", "aggregate", "groupby", "series")
Items = tuple[Mention, ...]


@dataclass(frozen=True)
class _Parts:
    """The figures that a question joins, the period that is of all of them, and the groups."""

    figures: tuple[Items, ...]
    when: Items
    by: Items


def side_by_side(ask: Ask) -> Reading | None:
    """Return the reading of two or more figures that differ in their rows, None for another question.

    Raises:
        Unread: what is said last may be of one of them or of all, or one of them has no reading.
    """
    parts = _parts(ask.items)
    if parts is None:
        return None
    found = [ask.tried((*figure, *parts.when, *parts.by)) for figure in parts.figures]
    read = [f for f in found if f is not None and f.kind in _KINDS and f.measures and not f.limit and not f.having]
    if len(read) < len(found):
        pointed = any(vocabulary.POINTING & {*m.gap} for m in ask.items)
        if not pointed and not any(m.of("condition", "value") for figure in parts.figures for m in figure):
            return None
        figure = parts.figures[found.index(None) if None in found else 0]
        said = " ".join(m.words for m in figure)
        refuse(f"I can't read '{said}' as a figure of its own{_open(ask, (*figure, *parts.when, *parts.by))}.", said)
    if len({(f.table, f.filters, f.links) for f in read}) == 1:
        return None
    _ending(parts, read)
    tables: dict[str, list[tuple[Reading, Items]]] = {}
    for f, said in zip(read, parts.figures, strict=True):
        tables.setdefault(f.table, []).append((f, said))
    made = [_of_one_table(told, ask) for told in tables.values()]
    return made[0] if len(made) == 1 else _of_tables(made)


# -- the parts --------------------------------------------------------------------------------------------------------


def _open(ask: Ask, figure: Items) -> str:
    """Return what is open in a figure, to be said after it; an empty text where nothing is."""
    try:
        ask.read(figure)
    except Unread as end:
        return f": {end.outcome.text.rstrip('.')}" if isinstance(end.outcome, Choice) else ""
    return ""


def _parts(items: Sequence[Mention]) -> _Parts | None:
    """Return the parts of a question that joins figures; None where it doesn't."""
    if any(m.tag(t) is not None for m in items for t in _OTHERS if not m.entries):
        return None
    by = next((i for i, m in enumerate(items) if m.tag("by") is not None and not m.entries), len(items))
    told, groups = list(items[:by]), tuple(items[by:])
    while told and told[0].tag("list") is not None and not told[0].entries:
        told.pop(0)
    if len(told) < 3 or not _is_figure(told[0]):
        return None
    when = next((i for i in range(2, len(told)) if _only_a_period(told[i:])), len(told))
    figures = _split(told[:when])
    if len(figures) < 2 or any(len(f) == 1 and not f[0].entries for f in figures):
        return None  # "mean and median fee": one column, of the same rows
    return _Parts(figures, tuple(told[when:]), groups)


def _is_figure(m: Mention) -> bool:
    return bool(m.of("metric")) or (not m.entries and any(m.tag(t) is not None for t in _FIGURES))


def _only_a_period(items: Sequence[Mention]) -> bool:
    """Whether mentions are a preposition and a period: `in 1998`, `in May 2020`."""
    if items[0].entries or items[0].tag("in") is None or len(items) < 2:
        return False
    found = period(list(items), 1)
    return found is not None and 1 + found[2] == len(items)


def _split(told: Sequence[Mention]) -> tuple[Items, ...]:
    """Return the mentions of each figure; one that is only a noun takes over how the first is measured."""
    out: list[list[Mention]] = [[]]
    at = 0
    while at < len(told):
        m, after = told[at], told[at + 1 : at + 2]
        if m.tag("and") is not None and not m.entries and out[-1] and after:
            if m.words in (",", "&") and after[0].tag("and") is not None and not after[0].entries:
                at += 1  # "a, and b"
                continue
            if (own := _of_them(out[0], told[at + 1 :])) is not None:
                out.append([*own])
                at += 3
                continue
            if _is_figure(after[0]):
                out.append([])
                at += 1
                continue
            if (lead := _taken_over(out[0], told[at + 1 :])) is not None:
                out.append([*lead])
                at += 1
                continue
        out[-1].append(m)
        at += 1
    return tuple(tuple(part) for part in out)


def _of_them(first: Sequence[Mention], rest: Sequence[Mention]) -> Items | None:
    """Return `how many of them have a card` with the rows that were counted first said for `them`."""
    counted = len(rest) > 1 and rest[0].tag("count") is not None and not rest[0].entries
    rows = any(m.of("table", "value", "condition") for m in first)
    if not counted or not vocabulary.POINTING & {*rest[1].gap} or not rows or first[0].tag("count") is None:
        return None
    said = replace(rest[1], gap=tuple(w for w in rest[1].gap if w not in vocabulary.POINTING | grammar.OF))
    if said.of("table") and not said.of("condition", "value"):
        said = replace(said, gap=("with",))
    return (*first, said)


def _taken_over(first: Sequence[Mention], rest: Sequence[Mention]) -> Items | None:
    """Return how the first figure is measured, where `rest` begins with rows of the same table that it does not name.

    `number of loans and late loans`, `mean fee of all visits and of paid visits`; not `clients with a loan and a card`.
    """
    noun = next((i for i, m in enumerate(first) if i and _tables(m) and not _measured(m)), None)
    if noun is None or noun + 1 < len(first):
        return None
    end = next((i for i, m in enumerate(rest) if m.tag("and") is not None and not m.entries), len(rest))
    told = rest[:end]
    narrowed = any(m.of("condition", "value") for m in told)
    same = bool(told) and bool(_tables(first[noun]) & set().union(*map(_tables, told)))
    opened = bool(told) and bool(told[0].of("condition", "table") or (told[0].of("value") and len(told) > 1))
    return tuple(first[:noun]) if same and narrowed and opened else None


def _tables(m: Mention) -> set[str]:
    return {e.table for e in m.of("table", "condition")}


def _measured(m: Mention) -> bool:
    return any(e.column is not None and e.column.type == "number" for e in m.of("column"))


# -- the reading ------------------------------------------------------------------------------------------------------


def _ending(parts: _Parts, read: Sequence[Reading]) -> None:
    """Refuse conditions said last that may be of every figure: `number of visits and number of scans in the north`."""
    last = parts.figures[-1]
    noun = next((i for i, m in enumerate(last) if m.of("table", "condition", "value")), len(last) - 1)
    after = [m for m in last[noun + 1 :] if m.entries or m.number is not None or m.day]
    after = [m for m in after if not (m.of("table", "condition") and not m.gap)]
    before = noun > 0 and bool(last[noun].of("condition", "value"))
    others = len({f.table for f in read}) > 1
    if after and (before or others) and not any(f.filters or f.links for f in read[:-1]):
        refuse(f"'{after[0].words}' may be said of one of these figures or of all.", after[0].words)


def _of_one_table(figures: Sequence[tuple[Reading, Items]], ask: Ask) -> Reading:
    """Figures of one table, each over the rows that it names."""
    read = [f for f, _ in figures]
    first = read[0]
    if len(read) == 1:
        return first
    if len({f.keys for f in read}) > 1:
        refuse("I can't tell the same groups for all of these figures.")
    common = [c for c in first.filters if all(c in f.filters for f in read)]
    links = [k for k in first.links if all(k in f.links for f in read)]
    measures: list[Measure] = []
    for f, said in figures:
        where = tuple(c for c in f.filters if c not in common)
        own = tuple(k for k in f.links if k not in links)
        named = bool(where or own)
        measures += [
            replace(m, where=(*m.where, *where), links=(*m.links, *own), name=_name(m, said) if named else m.name)
            for m in f.measures
        ]
    if any(m.function == "metric" and (m.where or m.links) for m in measures):
        refuse("I don't take a metric over a part of the rows here.")
    made = replace(
        first, kind="groupby" if first.keys else "aggregate", measures=tuple(dict.fromkeys(measures)),
        filters=tuple(common), links=tuple(links), order=None, notes=(),
    )  # fmt: skip
    return replace(made, sql=ReadingSQL(made, ask.index).text(), text=phrasing(made))


def _name(m: Measure, said: Items) -> str:
    """Return the output name of a figure of a part: `number_of_late_orders`, `mean_fee_paid_visits`."""
    told: list[str] = []
    for mention in said:
        words = re.findall(r"[^\W_]+", mention.words.casefold())
        if (mention.entries or not mention.tags) and not _measured(mention) and told[-len(words) :] != words:
            told += words
    lead = "number_of" if m.function == "count" else measure_name(m)
    return "_".join([lead, *told])


def _of_tables(read: Sequence[Reading]) -> Reading:
    """Figures of several tables, each counted in a query of its own and set side by side."""
    keys = [[key_name(k) for k in f.keys] for f in read]
    columns = {tuple(k.column if not k.grain else k.grain for k in f.keys) for f in read}
    if len(columns) > 1:
        refuse("I can't tell the same groups for all of these figures.")
    names = [[measure_name(m) for m in f.measures] for f in read]
    flat = [n for listed in names for n in listed]
    if unique_names(flat) != flat:
        refuse("Two of these figures would have one name.")
    bodies = []
    for f in read:
        lines = "\n".join(x for x in f.sql.split("\n") if not x.startswith("ORDER BY"))
        bodies.append("(\n    " + lines.replace("\n", "\n    ") + f"\n) AS of_{len(bodies) + 1}")
    counts = {measure_name(m) for f in read for m in f.measures if m.function in ("count", "distinct")}
    told = [f"coalesce({quote(n)}, 0) AS {quote(n)}" if n in counts and keys[0] else quote(n) for n in flat]
    using = f"FULL JOIN {{}} USING ({', '.join(map(quote, keys[0]))})" if keys[0] else "CROSS JOIN {}"
    joined = "\n".join([f"FROM {bodies[0]}", *(using.format(b) for b in bodies[1:])])
    ordered = f"\nORDER BY {', '.join(map(quote, keys[0]))}" if keys[0] else ""
    sql = f"SELECT {', '.join([*map(quote, keys[0]), *told])}\n{joined}{ordered}"
    measures = tuple(m for f in read for m in f.measures)
    text = "; ".join(f.text for f in read)
    return replace(read[0], measures=measures, order=None, sql=sql, text=text, notes=tuple(
        dict.fromkeys(n for f in read for n in f.notes)
    ))  # fmt: skip
