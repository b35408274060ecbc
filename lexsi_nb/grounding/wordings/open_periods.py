"""Periods that a question leaves open: `in Q1` of which year, `in the last month` before which day."""

from __future__ import annotations

import re
from datetime import date, timedelta

from lexsi_nb.grounding.language import grammar, lexicon, retold
from lexsi_nb.grounding.mentions import mentions
from lexsi_nb.grounding.reading import Choice, Column, Unread
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
MOST_YEARS = 8


def in_open_period(question: str, index: SchemaIndex) -> str:
    """Return the question with a year for a part of the year, where the data have only one.

    Raises:
        Unread: with the years or the periods that can be meant.
    """
    if _YEAR.search(question) or any(q in question for q in '"`“'):
        return question
    if found := grammar.PART_OF_YEAR.search(question):
        if grammar.MORE_PARTS.match(question, found.end()):
            return question
        return question if grammar.EACH_PERIOD.search(question) else _of_a_year(question, found, index)
    if found := grammar.LAST_MANY.search(question):
        _last_many(question, found, index)
    if found := grammar.LATEST_PERIOD.search(question) or grammar.THIS_PERIOD.search(question):
        _latest(question, found, index)
    return question


def _last_many(question: str, found: re.Match[str], index: SchemaIndex) -> None:
    """Ask whether `the last 30 days` are those up to the day on which the data end."""
    span = _span(question, index)
    if span is None:
        return
    end, number, grain = _end(span, index), int(found.group(1)), found.lastgroup or "day"
    start = _before(end, number, grain)
    if start is None or number < 1:
        return
    said = retold.SPAN.format(start.isoformat(), end.isoformat())
    asked = f"{question[: found.start()]}{said}{question[found.end() :]}"
    text = f"The data end on {end.isoformat()}; '{found.group(0)}' up to that day?"
    ways = (said, "up to another day: say from which day to which")
    raise Unread(Choice(text, ways, found.group(0), questions=(asked, question), lasting=False))


def _before(end: date, number: int, grain: str) -> date | None:
    """Return the first day of a span of whole days, weeks, months or years that ends on a day."""
    try:
        if grain in ("day", "week"):
            return end - timedelta(days=number * (7 if grain == "week" else 1) - 1)
        months = end.year * 12 + end.month - 1 - number * (12 if grain == "year" else 1)
        day = end.day
        while day > 27:  # the 31st of a month without one
            try:
                return date(months // 12, months % 12 + 1, day) + timedelta(days=1)
            except ValueError:
                day -= 1
        return date(months // 12, months % 12 + 1, day) + timedelta(days=1)
    except (ValueError, OverflowError):
        return None


def _end(span: tuple[date, date], index: SchemaIndex) -> date:
    known = index.facts.as_of
    return max(span[1], date.fromisoformat(known)) if known else span[1]


def _span(question: str, index: SchemaIndex) -> tuple[date, date] | None:
    """Return the first and the last day of the one date that the rows named have; None where it is open which."""
    dates = _dates(question, index)
    return _ends(dates[0], index) if len(dates) == 1 else None


def _dates(question: str, index: SchemaIndex) -> list[Column]:
    """Return the dates of the rows named, of those of the data where none are."""
    items = mentions(question, index).items
    tables = dict.fromkeys(e.table for m in items for e in m.entries if e.table in index.columns)
    said = dict.fromkeys(e.table for m in items for e in m.of("table"))
    named = [e.column for m in items for e in m.of("column") if e.column is not None and e.column.type == "date"]
    if named and len({c.table for c in named}) == 1 and (not said or named[0].table in said):
        return list(dict.fromkeys(named))
    return list(dict.fromkeys(c for t in (said or tables or index.columns) for c in index.time_of(t)))


def _ends(column: Column, index: SchemaIndex) -> tuple[date, date] | None:
    """Return the first and the last day of a date; None where it is empty."""
    c = named(column, "")
    sql = f"SELECT CAST(min({c}) AS VARCHAR) AS a, CAST(max({c}) AS VARCHAR) AS b FROM {quote(column.table)}"
    first, last = index.reads.one(sql, column.table)
    return (date.fromisoformat(first[:10]), date.fromisoformat(last[:10])) if first is not None else None


def _of_a_year(question: str, found: re.Match[str], index: SchemaIndex) -> str:
    dates = _dates(question, index)
    ends = [e for c in dates if (e := _ends(c, index)) is not None]
    if not ends or len({c.table for c in dates}) > 1:
        return question
    span = min(e[0] for e in ends), max(e[1] for e in ends)  # which of several dates is meant is asked later on
    part = found.group(1)
    whole = retold.OF if part.split()[-1].casefold() in grammar.QUARTER | grammar.HALF else "{0} {1}"
    if (months := _months(part.casefold())) is None:
        return question
    month, size = months
    years = [
        y for y in range(span[0].year, span[1].year + 1)
        if (y, month + size) > (span[0].year, span[0].month) and (y, month) <= (span[1].year, span[1].month)
    ][-MOST_YEARS:]  # fmt: skip
    asked = tuple(f"{question[: found.start(1)]}{whole.format(part, y)}{question[found.end() :]}" for y in years)
    if not asked:
        return question
    if len(asked) == 1:
        return asked[0]
    raise Unread(Choice(f"'{part}' of which year?", tuple(whole.format(part, y) for y in years), part, questions=asked))


def _months(part: str) -> tuple[int, int] | None:
    """Return (first month, months) of a part of a year; None for a part whose number the language has no word for."""
    if part in lexicon.MONTHS:
        return lexicon.MONTHS[part], 1
    size = 3 if part[0] == "q" or part.split()[-1] in grammar.QUARTER else 6
    at = int(part[1]) if part[1].isdigit() else lexicon.ORDINALS.get(part.split()[0])
    return None if at is None else ((at - 1) * size + 1, size)


def _latest(question: str, found: re.Match[str], index: SchemaIndex) -> None:
    span = _span(question, index)
    if span is None:
        return
    grain, ways = found.lastgroup or "year", []
    end = day = _end(span, index)
    for _ in range(2):
        said = {
            "year": f"{day.year}",
            "quarter": f"Q{(day.month + 2) // 3} {day.year}",
            "month": f"{list(lexicon.MONTHS)[day.month - 1].capitalize()} {day.year}",
        }[grain]
        ways.append(said)
        start = {"year": 1, "quarter": (day.month - 1) // 3 * 3 + 1, "month": day.month}[grain]
        day = date(day.year, start, 1) - timedelta(days=1)
    asked = tuple(f"{question[: found.start()]}{retold.IN.format(w)}{question[found.end() :]}" for w in ways)
    text = f"The data end on {end.isoformat()}; which {grain} is '{found.group(0)}'?"
    raise Unread(Choice(text, tuple(ways), found.group(0), questions=asked, lasting=False))
