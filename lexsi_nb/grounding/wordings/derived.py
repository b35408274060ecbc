"""Columns that follow from those of the data: days of the week, decades, bands of a number, the year of a birth."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar, lexicon, vocabulary
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.schema.naming import year_like
from lexsi_nb.grounding.wordings.periods import is_year
from lexsi_nb.grounding.words import name_words, singular

LONGEST = 4  # mentions that a phrase may take
_COUNTED, _BY = Mention("number of", tags=("count",)), Mention("by", tags=("by",))


def derived(items: Sequence[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """Return the mentions with words for such columns, and for what they can hold, resolved; `notes` says how."""
    out = _of_event(_years_of_names(list(items)), index)
    out = _decades(out, index)
    out = _hours(_weekdays(out, index), index)
    return _banded(out, notes)


def _years_of_names(items: list[Mention]) -> list[Mention]:
    """`turnout in 2019 below 2`, where a column of each year has that name: the one of the year, said once."""
    out = list(items)
    if sum(is_year(m) for m in out) != 1:
        return out
    for at, m in enumerate(out[:-1]):
        skip = 1 if out[at + 1].tag("in") is not None and not out[at + 1].entries else 0
        year = out[at + 1 + skip] if at + 1 + skip < len(out) else None
        columns = [e.column for e in m.of("column") if e.column is not None]
        alike = len({(c.table, re.sub(r"\d{4}$", "", c.name)) for c in columns}) == 1 < len(columns)
        if not alike or len(columns) != len(m.entries) or year is None or not is_year(year) or year.gap:
            continue
        hits = tuple(e for e in m.entries if e.column is not None and e.column.name.endswith(str(year.number)))
        if len(hits) == 1:
            return [*out[:at], replace(m, entries=hits), *out[at + 2 + skip :]]
    return out


def run_of(items: Sequence[Mention], at: int, phrases: Collection[str]) -> int:
    """Return how many mentions at a place make one of the phrases; none of them may name a thing of the data."""
    for size in range(min(LONGEST, len(items) - at), 0, -1):
        run = items[at : at + size]
        if _said(run).casefold() in phrases and not any(m.entries or m.number is not None or m.day for m in run):
            return size
    return 0


def _said(run: Sequence[Mention]) -> str:
    """Return the words of some mentions, with those between them."""
    return " ".join(w for i, m in enumerate(run) for w in ((*m.gap, m.words) if i else (m.words,)))


def _dated(index: SchemaIndex, make: Callable[[str, str, str], Column]) -> list[Column]:
    """Return a column made of each date; `make` gets the table, the words that tell one date of several, the SQL."""
    found = []
    for table in index.columns:
        times = index.time_of(table, loose=True)
        for t in times:
            made = make(table, f" of {t.name}" if len(times) > 1 else "", named(t, "{p}"))
            found.append(replace(made, date=t.name))
    return found


# -- days of the week -------------------------------------------------------------------------------------------------


def _weekday(table: str, of: str, day: str) -> Column:
    return Column(table, f"weekday{of}", "text", f"dayname({day})", order=f"isodow({day})")


def _part_of_week(table: str, of: str, day: str) -> Column:
    sql = f"CASE WHEN isodow({day}) >= 6 THEN 'weekend' ELSE 'working day' END"
    return Column(table, f"part_of_week{of}", "text", sql)


def _weekdays(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    out: list[Mention] = []
    at = 0
    while at < len(items):
        m, size = items[at], run_of(items, at, vocabulary.WEEKDAY)
        low = singular(m.words.casefold())
        if size:
            entries = tuple(Entry("column", c.table, c) for c in _dated(index, _weekday))
            words = _said(items[at : at + size])
            m = Mention(words, entries=entries, gap=m.gap) if entries else m
        elif not m.known and low in vocabulary.DAYS:
            m = replace(m, entries=tuple(Entry("value", c.table, c, low.title()) for c in _dated(index, _weekday)))
        elif not m.known and low == vocabulary.WEEKEND:
            m = replace(m, entries=tuple(Entry("value", c.table, c, low) for c in _dated(index, _part_of_week)))
        out += [m] if m is not items[at] or not size else items[at : at + size]
        at += max(size, 1)
    return out


def on_date_named(items: list[Mention]) -> list[Mention]:
    """`born on a Sunday`, `weekday of birth`, where these words name a date: the piece of that one."""
    out = list(items)
    for at in range(len(out) - 2, -1, -1):
        dates = {(e.table, e.column.name) for e in out[at].of("column") if e.column and e.column.type == "date"}
        aim = at + 2 if out[at + 1].tag("in") is not None and not out[at + 1].entries else at + 1
        if dates and not out[at].of("table", "value") and aim < len(out):
            fits = _pieces(out[aim], dates)
            if fits and (aim == at + 1 or fits[0].kind == "value"):
                out[at : aim + 1] = [replace(out[aim], entries=fits, gap=out[at].gap)]
                continue
        after = out[at + 1] if at + 1 < len(out) else None
        dates = {(e.table, e.column.name) for e in after.of("column") if e.column} if after is not None else set()
        fits = _pieces(out[at], dates) if after is not None and grammar.OF & set(after.gap) else ()
        if fits and fits[0].kind == "column":
            out[at : at + 2] = [replace(out[at], entries=fits)]
    return out


def _pieces(m: Mention, dates: Collection[tuple[str, str]]) -> tuple[Entry, ...]:
    """Return what a mention can mean of pieces of some dates."""
    return tuple(e for e in m.of("value", "column") if e.column and (e.table, e.column.date) in dates)


# -- hours of the day -------------------------------------------------------------------------------------------------


def _hour(table: str, of: str, day: str) -> Column:
    return Column(table, f"hour_of_day{of}", "number", f"hour({day})")


def _hours(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`by hour`, of the dates that tell one: the hour of the day, 0 to 23."""
    out: list[Mention] = []
    at = 0
    while at < len(items):
        m, size = items[at], run_of(items, at, vocabulary.HOUR)
        grouped = size and (size > 1 or (bool(out) and out[-1].tag("by") is not None and not out[-1].entries))
        entries = (
            [Entry("column", c.table, c) for c in _dated(index, _hour) if _tells_hours(c, index)] if grouped else []
        )
        if entries:
            words = _said(items[at : at + size])
            out.append(Mention(words, entries=tuple(entries), gap=m.gap))
            at += size
            continue
        out.append(m)
        at += 1
    return out


def _tells_hours(c: Column, index: SchemaIndex) -> bool:
    day = c.sql.replace("{p}", "")
    sql = f"SELECT count(*) FILTER ({day} > 0) AS n FROM {quote(c.table)}"
    return bool(index.reads.one(sql, c.table)[0])


# -- decades, and what happened on a date -----------------------------------------------------------------------------


def _decade(table: str, of: str, day: str) -> Column:
    return Column(table, f"decade{of}", "number", f"year({day}) // 10 * 10")


def _decades(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`by decade`, `by decade of birth`: the first year of it, of the date that is named or the only one there is."""
    out: list[Mention] = []
    at = 0
    while at < len(items):
        m, after = items[at], items[at + 1] if at + 1 < len(items) else None
        at += 1
        if m.known or singular(m.words.casefold()) != vocabulary.DECADE:
            out.append(m)
            continue
        own = [e.column for e in after.of("column") if e.column] if after is not None and not after.of("value") else []
        dates = [c for c in own if c.type == "date" or (c.type == "number" and year_like(c.name))]
        if dates:
            years = [(c, named(c, "{p}")) for c in dates]
            columns = [
                Column(c.table, "decade", "number", f"{f'year({sql})' if c.type == 'date' else sql} // 10 * 10")
                for c, sql in years
            ]
            at += 1
        else:
            columns = _dated(index, _decade)
        out.append(replace(m, entries=tuple(Entry("column", c.table, c) for c in columns)))
    return out


def _of_event(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`year of birth`, `birth year`: the date column that is named after what happened, birth_day."""
    out = list(items)
    for at, m in enumerate(out):
        after = out[at + 1] if at + 1 < len(out) else None
        if after is None:
            break
        if _piece(m) and not after.known and _of_it(after.gap):
            columns = _named_after(after.words, index)
            if columns:
                out[at + 1] = replace(after, entries=columns)
        elif not m.known and _piece(after) and not after.gap and (columns := _named_after(m.words, index)):
            out[at], out[at + 1] = replace(after, gap=m.gap), replace(m, entries=columns, gap=("of",))
    return out


def _piece(m: Mention) -> bool:
    """Whether a mention is a piece of a date: year, month, decade."""
    return bool(m.tag("grain")) or (not m.known and singular(m.words.casefold()) == vocabulary.DECADE)


def _of_it(gap: Sequence[str]) -> bool:
    """Whether what stands before a word is `of` or `of the`."""
    return bool(grammar.OF & set(gap[:1])) and len(gap) < 3 and set(gap[1:]) <= grammar.THE


def _named_after(word: str, index: SchemaIndex) -> tuple[Entry, ...]:
    said = name_words(word)
    return tuple(
        Entry("column", t, c)
        for t, columns in index.columns.items()
        for n, c in columns.items()
        if c.type == "date" and name_words(n)[:-1] == said and name_words(n)[-1] in lexicon.DATE_NOUNS
    )


# -- bands ------------------------------------------------------------------------------------------------------------


def _banded(items: list[Mention], notes: list[str]) -> list[Mention]:
    """`by amount in bands of 50,000`: the lower end of the band that a number lies in."""
    for at in range(1, len(items)):
        found = _width(items, at)
        options = [e.column for e in items[at - 1].of("column") if e.column is not None and e.column.type == "number"]
        if found is None or not options:
            continue
        width, used = found
        columns = [_band(c, width) for c in options]
        before, group = items[: at - 1], replace(items[at - 1], entries=_columns(columns), tags=(), fused="")
        notes.append(f"{columns[0].name} is where a band of {width:,} begins")
        if before and before[-1].tag("by") is None and any(m.tag("distribution") is not None for m in before):
            tables = {c.table for c in columns}
            if len(tables) > 1:
                continue
            noun = Mention(columns[0].table, entries=(Entry("table", columns[0].table),))
            kept = [m for m in before if m.tag("distribution") is None and m.tag("list") is None and not m.of("table")]
            return [*kept, _COUNTED, noun, *items[at + used :], _BY, replace(group, gap=())]
        return [*before, group, *items[at + used :]]
    return items


def _columns(columns: Sequence[Column]) -> tuple[Entry, ...]:
    return tuple(Entry("column", c.table, c) for c in columns)


def _band(c: Column, width: float) -> Column:
    lower = f"floor({named(c, '{p}')} / {width}) * {width}"
    sql = f"CAST({lower} AS BIGINT)" if isinstance(width, int) else lower
    return Column(c.table, f"{c.name}_from", "number", sql)


def _width(items: Sequence[Mention], at: int) -> tuple[float, int] | None:
    """Return (width, mentions used) of `in bands of 50` or `in 10 year bands` at a place."""
    size = run_of(items, at, vocabulary.BANDED)
    if size and at + size < len(items):
        number = items[at + size].number
        unit = at + size + 1 < len(items) and _unit(items[at + size + 1])
        return (number, size + 1 + bool(unit)) if number is not None and number > 0 else None
    m = items[at]
    if (
        m.words.casefold() not in vocabulary.BANDED_BY
        or m.entries
        or at + 2 >= len(items)
        or not (number := items[at + 1].number)
    ):
        return None
    unit = _unit(items[at + 2])
    last = items[at + 2 + unit] if at + 2 + unit < len(items) else None
    bands = last is not None and not last.known and last.words.casefold() in vocabulary.BANDS
    return (number, 3 + unit) if bands and number > 0 else None


def _unit(m: Mention) -> bool:
    return m.tag("grain") == "year" or (bool(m.of("unit")) and not m.of("table", "value"))
