"""The days that pass between two dates of a row: how long a hire lasts, claims reported 30 days after they occurred."""

from __future__ import annotations

import re

from lexsi_nb.grounding.everyday.rows import (
    Anew,
    date_called,
    ends_of,
    known,
    let_stand,
    one_of,
    said_as,
    spanning,
    tables_called,
)
from lexsi_nb.grounding.language import everyday, vocabulary
from lexsi_nb.grounding.reading import Choice, Column, Declined, Unread
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words, singular, tokens


def span_of(start: Column, end: Column, index: SchemaIndex) -> Column:
    """Return the number of days from one date to another as a column, and let its name stand in questions."""
    said = ("_".join(name_words(c.name)) for c in (start, end))
    name = everyday.SPAN.format(*said)
    sql = f"date_diff('day', {named(start, '{p}')}, {named(end, '{p}')})"
    return let_stand(Column(start.table, name, "number", sql), index)


def lasting(question: str, index: SchemaIndex) -> Anew | None:
    """`how long does a hire last on average`, `longest hire`: the days from the first date of a row to its second."""
    question = _in_days(question)
    for p, way in everyday.LASTING:
        m = p.search(question)
        if m is None:
            continue
        tables = tables_called(m["noun"], index)
        if len(tables) != 1:
            if (found := _time_of(question, m, way, index)) is not None:
                return found
            continue
        if (held := _sizes(tables[0], index)) and not m.groupdict().get("n"):
            if (m.groupdict().get("rest") or "").casefold() in everyday.ENDS:
                return None  # "longest visit": by that number as it is
            return Anew(_anew(question, m, way, held[0])) if len(held) == 1 else None
        table, dates = tables[0], spanning(tables[0], index)
        if len(dates) < 2:
            continue
        pairs = [(a, b) for i, a in enumerate(dates) for b in dates[i + 1 :] if _passes(a, b, index)]
        if not pairs:
            continue
        ways = [(f"from {a.name} to {b.name}", _anew(question, m, way, span_of(a, b, index))) for a, b in pairs]
        asked = one_of(f"'{m[0]}' from which date to which?", ways, m[0])
        return Anew(asked, _note(table, *pairs[0]))
    return None


def _in_days(question: str) -> str:
    """Return the question with a bound in weeks told in days: `longer than a week`."""
    return everyday.IN_DAYS.sub(
        lambda m: f"{m['cmp']} {_number(m['n']) * everyday.DAYS[m['unit'].casefold()]} days", question
    )


def _number(word: str) -> int:
    value = tokens(word)[0].value
    return value if isinstance(value, int) else 1


def _time_of(question: str, m: re.Match[str], way: str, index: SchemaIndex) -> Anew | None:
    """`average delivery time`: the days to the date that is called so, from one before it."""
    found = [
        (a, b)
        for t in index.columns
        for b in (date_called(m["noun"], t, index) if not known(m["noun"], index) else ())
        for a in spanning(t, index)
        if a != b and _passes(a, b, index)
    ]
    if not found:
        return None
    ways = [(f"from {a} to {b.name}", _anew(question, m, way, span_of(a, b, index))) for a, b in found]
    asked = one_of(f"'{m[0]}' from which date?", ways, m[0])
    return Anew(asked, f"told in days from {found[0][0]} to {found[0][1].name}")


def _note(table: str, a: Column, b: Column) -> str:
    return f"how long {table} last is told in days from {a.name} to {b.name}"


def _anew(question: str, m: re.Match[str], way: str, column: Column) -> str:
    groups = m.groupdict()
    head = groups.get("figure") or groups.get("lead") or ""
    rest, number = groups.get("rest") or "", groups.get("n") or ""
    noun = groups.get("noun") or ""
    made = way.format(said_as(column.name), said_as(column.table), rest, head, number, noun, _end_of(rest))
    return question[: m.start()] + made + question[m.end() :]


def _end_of(word: str) -> str:
    return everyday.ENDS.get(word.casefold(), word)


def _sizes(table: str, index: SchemaIndex) -> list[Column]:
    """Return the numbers of a table that say how long its rows are."""
    said = {singular(w) for w in vocabulary.SIZE_NAMES}
    return [c for c in index.numeric(table) if set(name_words(c.name)) & said]


def _passes(a: Column, b: Column, index: SchemaIndex) -> bool:
    """Whether the second date never lies before the first."""
    first, second = named(a, ""), named(b, "")
    sql = f"SELECT count(*) FILTER ({second} < {first}) AS n, count({second}) AS m FROM {quote(a.table)}"
    early, filled = index.reads.one(sql, a.table)
    return bool(filled) and not early


def between(question: str, index: SchemaIndex) -> Anew | None:
    """`days between hire and return`, `claims reported more than 30 days after they occurred`."""
    for p, way in everyday.BETWEEN:
        m = p.search(question)
        if m is None:
            continue
        noun = m.groupdict().get("noun")
        tables = tables_called(noun, index) if noun else list(index.columns)
        found = [
            (a, b)
            for t in tables
            for a in date_called(m["one"], t, index)
            for b in date_called(m["other"], t, index)
            if a != b
        ]
        if not found:
            continue
        ways = [(f"from {a} to {b}", _anew(question, m, way, span_of(a, b, index))) for a, b in found]
        asked = one_of(f"'{m[0]}' from which date to which?", ways, m[0])
        return Anew(asked, f"told in days from {found[0][0]} to {found[0][1].name}")
    return None


def still_open(question: str, index: SchemaIndex) -> Anew | None:
    """`open hires`, `hires not returned yet`: those without their second date.

    Raises:
        Unread: a value of theirs says so as well.
    """
    for p in (*everyday.OPEN, *everyday.NOT_YET):
        m = p.search(question)
        if m is None:
            continue
        verb = m.groupdict().get("verb")
        tables = tables_called(m["noun"], index)
        if len(tables) != 1 or (verb is None and known(m["word"], index)):
            continue
        table = tables[0]
        ends = ends_of(table, index)
        dates = date_called(verb, table, index) if verb else [ends[1]] if ends else []
        dates = [d for d in dates if index.has_gaps(d)]
        if verb is None and ends is None:
            _open_by_which(question, m, [d for d in spanning(table, index)[1:] if index.has_gaps(d)])
        if len(dates) != 1 or (ends and dates[0] == ends[0] and verb is None):
            continue
        missing = everyday.MISSING.format(m["noun"], said_as(dates[0].name))
        asked = question[: m.start()] + missing + question[m.end() :]
        if verb and (held := _values(verb, table, index)):
            plain = question[: m.start()] + everyday.NOT_VALUE.format(m["noun"], *held) + question[m.end() :]
            ways = (f"{dates[0]} missing", f"{held[0]} not {held[1]}")
            raise Unread(Choice(f"'{m[0]}' can be told in two ways.", ways, m[0], questions=(asked, plain)))
        return Anew(asked, f"'{m[0]}' read as {dates[0]} missing")
    return None


def _open_by_which(question: str, m: re.Match[str], dates: list[Column]) -> None:
    """Ask which of the dates that are missing in some rows says that `open orders` are so.

    Raises:
        Unread: with the choice; with one such date among several, nothing says that it is the end.
    """
    asked = [
        question[: m.start()] + everyday.MISSING.format(m["noun"], said_as(d.name)) + question[m.end() :] for d in dates
    ]
    if len(dates) > 1:
        ways = tuple(f"those with {d.name} missing" for d in dates)
        raise Unread(Choice(f"'{m[0]}' by which date?", ways, m[0], questions=tuple(asked), lasting=False))
    if dates:
        told = f"Nothing in the data says which {dates[0].table} are '{m['word']}'."
        raise Unread(Declined(f"{told} Ask for those without a date: '{asked[0].strip(' ?.')}'.", (m["word"],)))


def _values(verb: str, table: str, index: SchemaIndex) -> tuple[str, str] | None:
    """Return the column and the value that a verb is called, where rows have one."""
    for e in index.lookup([verb.casefold()]):
        if e.kind == "value" and e.table == table and e.column is not None:
            return said_as(e.column.name), str(e.value)
    return None


def same_day(question: str, index: SchemaIndex) -> Anew | None:
    """`orders shipped the same day`: no day between a date and one before it."""
    m = everyday.SAME_DAY.search(question) or everyday.WITHIN.search(question)
    tables = tables_called(m["noun"], index) if m is not None else []
    if m is None or len(tables) != 1:
        return None
    days, one = m.groupdict().get("n"), m.groupdict().get("one")
    starts = date_called(one, tables[0], index) if one else spanning(tables[0], index)
    ends = date_called(m["other"], tables[0], index)
    found = [(a, b) for a in starts for b in ends if a != b and _passes(a, b, index)]
    if not found:
        return None
    way = everyday.AT_MOST if days else everyday.ON_ONE_DAY
    told = [(a, b, way.format(m["noun"], said_as(span_of(a, b, index).name), days)) for a, b in found]
    ways = [(f"from {a.name} to {b.name}", question[: m.start()] + q + question[m.end() :]) for a, b, q in told]
    asked = one_of(f"'{m[0]}' from which date?", ways, m[0])
    return Anew(asked, f"told in days from {found[0][0]} to {found[0][1].name}")
