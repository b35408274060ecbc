"""What a list shows once, and what a number in it is told of: the values that exist, the groups that have such rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lexsi_nb.grounding.checks.scruples import few_numbers
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Declined, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import phrasing, rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import name_words


def each_once(reading: Reading, items: Sequence[Mention], question: str, index: SchemaIndex) -> Reading:
    """Return the reading with each value once where values are asked for, and not rows.

    Raises:
        Unread: a number of rows is told of other things than those it would be counted for.
    """
    _of_whom_many(reading, items, index)
    _more_than_all(reading, items, index)
    shown = reading.shown
    if reading.kind != "list" or not shown or reading.order or reading.limit or reading.distinct:
        return reading
    if reading.links:
        if not (_kinds_that_do(reading, items, index) and _told_of_rows(reading, items)):
            return reading
    elif grammar.INVENTORY.fullmatch(question.casefold().strip(" ?!.")):
        shown = shown[:-1] if len(shown) > 1 and _means(items[-1], shown[-1]) and items[-1].gap else shown
    elif not reading.filters and (kinds := _kinds_there_are(reading, items, index)):
        shown = kinds
    elif not reading.filters or not (_groups_that_have(reading, items) or _kinds_that_do(reading, items, index)):
        return reading
    if any(c.sql or c.table != reading.table or index.unique(c.table, c.name) for c in shown):
        return reading
    for c in shown[:1]:
        _none_so_large(reading, c, index)
    once = replace(reading, columns=shown, shown=(), distinct=True)
    once = replace(once, sql=ReadingSQL(once, index).text(), shown=shown if reading.links else ())
    return replace(once, text=phrasing(once))


def _kinds_there_are(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> tuple[Column, ...]:
    """Return the column whose few values are asked for: `which cabin sizes are offered`, `which crates are sent`."""
    c, *more = reading.shown
    last = items[-1]
    if any(grammar.HAVING & set(m.gap) for m in items[1:] if m.of("table")):
        return ()  # "days with trips" are days of the calendar
    done = last.words.casefold().endswith(grammar.PARTICIPLE_ENDS) and bool({*grammar.ARE} & {*last.gap})
    if len(more) == 1 and done and more[0].type == "date" and _means(last, more[0]) and not index.has_gaps(more[0]):
        return (c,) if c in index.values and c != index.label_of(c.table) else ()
    return (c,) if not more and c.type == "number" and not c.sql and few_numbers(c, index) else ()


def _told_of_rows(reading: Reading, items: Sequence[Mention]) -> bool:
    """Whether conditions are told of rows that are named after the kind: `what cargo do ships with a pilot take`."""
    at = next(i for i, m in enumerate(items) if m.entries)
    return reading.table in {e.table for e in items[at + 1].of("table")} and not items[at + 1].of("value")


def _none_so_large(reading: Reading, kind: Column, index: SchemaIndex) -> None:
    """`which harbours take more than a million tonnes`, where no ship has so many: all of them together may."""
    for f in reading.filters:
        span = index.span(f.column) if f.column is not None and f.column.type == "number" and not f.column.sql else None
        above = f.op in (">", ">=") and not f.negated and bool(f.values) and isinstance(f.values[0], (int, float))
        if span and f.column is not None and above and f.values[0] > span[1]:
            told = f"No row of {reading.table} has {f.column.name} over {span[1]:,.0f}"
            raise Unread(Declined(f"{told}. Ask for the total {f.column.name} by {kind.name}.", (f.words,)))


def _means(m: Mention, c: Column) -> bool:
    return any(e.column == c for e in m.of("column"))


def _groups_that_have(reading: Reading, items: Sequence[Mention]) -> bool:
    """Whether a question asks which groups have such rows: `which regions have a town with over 10 schools`."""
    for m, noun in pairwise(items):
        had = bool(grammar.HAVING & set(noun.gap)) and reading.table in {e.table for e in noun.of("table")}
        if had and len(reading.shown) == 1 and _means(m, reading.shown[0]) and not noun.of("value"):
            return True
    return False


def _kinds_that_do(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> bool:
    """Whether kinds are asked for by what rows of them do: `which harbours take ships over 100 m`, and no ships."""
    at = next((i for i, m in enumerate(items) if m.entries), len(items))
    if at + 1 >= len(items) or len(reading.shown) != 1 or not _means(items[at], reading.shown[0]):
        return False
    c, after = reading.shown[0], items[at + 1]
    asked = at > 0 and items[at - 1].words.casefold() in grammar.WHICH and not items[at].gap
    asked = asked and not grammar.OF & set(after.gap[:1])
    if not (asked or grammar.THAT & set(after.gap[:1])) or items[at].of("table", "value"):
        return False
    named = c.type == "text" and c != index.label_of(c.table)
    return named or (c.type == "number" and bool(few_numbers(c, index)))


def _of_whom_many(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`regions with a town with more than 2 schools`: the schools of one town, not those of the region."""
    links = [k for k in reading.links if k.op and (k.op, k.number) not in ((">=", 1), (">", 0))]
    if not links and not reading.having:
        return
    keyed = {k.column.table for k in reading.keys if k.column in _names_of(k.column.table, index)}
    pointed = {j.parent for k in reading.keys for j in index.joins.leaving(k.column.table, k.column.name)}
    of = keyed | pointed | ({reading.table} if links else set())
    for at, m in enumerate(items[1:], 1):
        noun = items[at - 1]
        if m.tag("cmp") is None or m.entries or not grammar.HAVING & set(m.gap) or not noun.of("table"):
            continue
        tables = {e.table for e in noun.of("table")}
        first = next((x for x in items if x.entries), noun)
        near = links and any(index.joins.up(reading.table, t) for t in tables)
        if noun is not first and not noun.of("value") and not (tables & of or near):
            told = f"'{m.words}' is told of each row of {noun.words}, and I would count for each {_asked(reading)}"
            raise Unread(Declined(f"{told}. Ask for the {noun.words} first.", (noun.words,)))


def _more_than_all(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`more than 300,000 people` is not said of 5,000 customers: a number that all rows together don't reach."""
    for h in reading.having:
        rows = index.rows.get(h.measure.table) or 0
        plain = isinstance(h.value, (int, float)) and h.measure.function == "count" and h.op in (">", ">=")
        noun = next((m for m in items if h.measure.table in {e.table for e in m.of("table")}), None)
        if (
            plain
            and 0 < rows < h.value
            and noun is not None
            and not set(name_words(noun.words)) & set(name_words(h.measure.table))
        ):
            told = f"There are {rows:,} {rows_word(h.measure.table)} in all, so '{noun.words}' must be others"
            raise Unread(Declined(f"{told}. Name the number that is meant.", (noun.words,)))


def _names_of(table: str, index: SchemaIndex) -> tuple[Column | None, ...]:
    return (index.key_of(table), index.label_of(table))


def _asked(reading: Reading) -> str:
    return reading.keys[0].column.name if reading.keys else reading.table
