"""Figures by cohort: the rows of a table in groups by a period of their date, and a rate in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import COUNT, Ask, is_period, refuse
from lexsi_nb.grounding.forms.side_by_side import side_by_side
from lexsi_nb.grounding.forms.vintage_words import bare, cut_of, tables_of, without_frame
from lexsi_nb.grounding.language import grammar, retold
from lexsi_nb.grounding.mentions import Mention, unit_of
from lexsi_nb.grounding.reading import Choice, Filter, Measure, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import phrasing, rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex

PERIODS = ("year", "quarter", "month")


def is_rate(items: Sequence[Mention]) -> bool:
    """Whether a figure is asked for: a metric, an aggregate or a number of rows."""
    return any(m.of("metric") or bare(m, "agg", "count") for m in items)


def by_cohort(ask: Ask, tables: Sequence[str]) -> Reading:
    """Return the reading of a figure of rows by a period of their date.

    Raises:
        Unread: the period is open, or nothing is asked of the cohorts.
    """
    counted = is_rate(ask.items)
    if (
        not counted
        and not _of_one(ask)
        and any(m.words.casefold().startswith(grammar.VINTAGES) for m in ask.items if bare(m, "vintage"))
    ):
        refuse("A vintage table tells when an event came; this names rows and no event.", *tables[:1])
    items = without_frame(ask.items)
    if _of_one(ask) and not any(unit_of(m) or bare(m, "by") for m in items):
        return _settled(ask.read(items), ask.index)  # "default rate of the 1995 vintage"
    if not any(unit_of(m) for m in items):
        ways = tuple(retold.BY.format("{}", p) for p in PERIODS)
        raise Unread(Choice("Cohorts by which period of their date?", PERIODS, said=ways))
    items = _cut(_date_first(items), tables)
    items = _figures_first(items) if counted else [COUNT, *items]
    beside = side_by_side(replace(ask, items=tuple(items)))
    return _settled(beside or ask.read(items), ask.index)


def _figures_first(items: list[Mention]) -> list[Mention]:
    """Return the mentions with the period that the question opens with behind its figures."""
    at = next((i for i, m in enumerate(items) if is_rate([m])), 0)
    return [*items[at:], *items[:at]] if bare(items[0], "by") else items


def _of_one(ask: Ask) -> bool:
    """Whether one cohort is named by its period: `the 1995 cohort`, `vintage 1995`."""
    at = ask.at("vintage")
    if at is None:
        return False
    before = any(is_period(ask.items, i) == at - i for i in range(max(0, at - 3), at))
    return before or bool(at + 1 < len(ask.items) and is_period(ask.items, at + 1))


def _settled(found: Reading, index: SchemaIndex) -> Reading:
    """Return the rate of an outcome over the rows whose outcome is final: those of a young cohort are not all known."""
    for o in index.facts.outcomes:
        rates = any(m.function == "metric" and o.sql and o.sql in m.sql for m in found.measures)
        known = o.labelled
        said = any(f.sql == known.sql for f in found.filters)
        if said or not (rates and found.table == o.entity_table and known.sql):
            continue
        final = Filter(None, "sql", words=known.text or o.name, sql=known.sql, table=o.entity_table)
        count = (Measure("count", table=found.table),)
        open_ = replace(found, kind="count", measures=count, keys=(), order=None, sql="")
        open_ = replace(open_, filters=(*found.filters, replace(final, negated=True)))
        n = int(index.reads.one(ReadingSQL(open_, index).text(), *found.tables)[0])
        of = known.text or known.sql
        apart = (f"{n:,} {rows_word(found.table, n)} not among {of}, whose outcome is not final yet: left out",)
        made = replace(found, filters=(*found.filters, final), sql="", apart=(*found.apart, *(apart if n else ())))
        return replace(made, sql=ReadingSQL(made, index).text(), text=phrasing(made))
    return found


def _date_first(items: list[Mention]) -> list[Mention]:
    """Return the mentions with `by account opening year` said as `by opening year`, where that names one date."""
    bys = [m for m in items if bare(m, "by")]
    cut = cut_of(items) if len(bys) == 1 else None
    if cut is None or cut.column is None or cut.table is None or len(cut.units) != 1:
        return items
    own = [e for e in cut.column.of("column") if e.table in tables_of(cut.table)]
    unit = next(m for m in items if unit_of(m))
    return [*cut.rest, bys[0], replace(cut.column, entries=tuple(own), gap=()), replace(unit, gap=())]


def _cut(items: Sequence[Mention], tables: Sequence[str]) -> list[Mention]:
    """Return the mentions without `by loan vintage`, where the period is said elsewhere and the loans are the rows."""
    out: list[Mention] = []
    for i, m in enumerate(items):
        before = out[-1] if out else None
        after = items[i + 1] if i + 1 < len(items) else None
        own = before is not None and bare(before, "by") and len(tables) == 1 and tables_of(m) == list(tables)
        if own and not m.of("metric") and (after is None or bare(after, "by") or unit_of(after)):
            if after is None or bare(after, "by"):
                out.pop()
            continue
        out.append(m)
    return out
