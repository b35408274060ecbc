"""Days written in figures: `24.12.1997` is one day, `5/6/97` may be two, and `last year` is told by two calendars."""

from __future__ import annotations

import re
from datetime import date

from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.reading import Choice, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import phrase, quote

_DOTTED = re.compile(r"(?<![\w.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?![\w]|\.\d)")
_SLASHED = re.compile(r"(?<![\w/])(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)(?![\w/])")
_YEAR_FIRST = re.compile(r"(?<![\w/.,'\"-])((?:19|20)\d\d)([-/])(0[1-9]|1[0-2])(?!\w|[-/.,]\d)")
_MONTH_FIRST = re.compile(r"(?<![\w/.,'\"-])(0?[1-9]|1[0-2])/((?:19|20)\d\d)(?!\w|[-/.,]\d)")
_SPAN = "SELECT year(min({0})) AS lo, year(max({0})) AS hi FROM {1}"
MOST_DATES = 40  # columns looked at for the years that the data are of
_PIVOT = 30  # years of two figures from here on are of the last century


def in_iso(question: str, as_of: str = "") -> str:
    """Return the question with its days in figures as ISO dates; `as_of`: the day the data end.

    Raises:
        Unread: a day can be read in two ways.
    """
    _by_two_calendars(question, as_of)
    question = _DOTTED.sub(lambda m: _iso(m[1], m[2], m[3]) or m[0], question)
    return _SLASHED.sub(lambda m: _either(m[0], m[1], m[2], m[3]), question)


def months_named(question: str, index: SchemaIndex) -> str:
    """Return the question with `2022-03` and `3/2022` as that month, where no value of the data is written so.

    Raises:
        Unread: `2011-12` can be a month or two years.
    """
    question = _YEAR_FIRST.sub(lambda m: _month(m[0], m[1], m[3], index), question)
    return _MONTH_FIRST.sub(lambda m: _month(m[0], m[2], m[1], index), question)


def _month(said: str, year: str, month: str, index: SchemaIndex) -> str:
    if index.entries.get(phrase(said)) or index.holds(phrase(said)) or index.holding(said):
        return said
    name = max((w for w, n in lexicon.MONTHS.items() if n == int(month)), key=len).title()
    if said.startswith(year) and int(month) == (int(year) + 1) % 100:
        ways = (f"{name} {year}", f"{year} or {int(year) + 1}")
        raise Unread(Choice(f"'{said}' can be a month or two years.", ways, said))
    return f"{name} {year}"


def of_its_year(question: str, index: SchemaIndex) -> str:
    """Return the question with `prices 96` as `prices 1996`, where a column of each year has that name."""
    question = grammar.SHORT_YEAR.sub(lambda m: _whole_year(m, index), question)
    return grammar.BARE_YEAR.sub(lambda m: f"{m[1]} {_year_held(m[2], index)}", question)


def _year_held(said: str, index: SchemaIndex) -> str:
    """Return a year of two figures in full, where some day of the data is in it; else as it was said."""
    dates = [c for t in index.columns for c in index.time_of(t)[:1] if c.type == "date" and not c.sql]
    spans = [index.reads.one(_SPAN.format(quote(c.name), quote(c.table)), c.table) for c in dates[:MOST_DATES]]
    held = {y for lo, hi in spans if lo == lo and lo is not None for y in range(int(lo), int(hi) + 1)}
    full = [y for y in held if y % 100 == int(said)]
    return str(full[0]) if len(full) == 1 else said


def _whole_year(m: re.Match[str], index: SchemaIndex) -> str:
    columns = [e.column for e in index.lookup([m[1].casefold()]) if e.column is not None]
    years = {y[0] for c in columns if (y := re.search(r"(?:19|20)\d\d$", c.name))}
    full = [y for y in years if y.endswith(m[2])]
    one_each = len(columns) > 1 and all(re.search(r"(?:19|20)\d\d$", c.name) for c in columns)
    return f"{m[1]} {full[0]}" if one_each and len(full) == 1 else m[0]


def _by_two_calendars(question: str, as_of: str) -> None:
    """Ask which year `last year` is, where it is known when the data end: their last one, or the one before it."""
    m = grammar.LAST_YEAR.search(question)
    if m is not None and re.match(r"\d{4}-", as_of):
        ways = (f"in {as_of[:4]}", f"in {int(as_of[:4]) - 1}")
        raise Unread(Choice(f"'{m[0]}': the data end on {as_of}. Which year is meant?", ways, m[0]))


def _either(said: str, first: str, second: str, year: str) -> str:
    ways = list(dict.fromkeys(d for d in (_iso(first, second, year), _iso(second, first, year)) if d))
    if len(ways) == 2:
        raise Unread(Choice(f"'{said}' can be two days.", tuple(ways), said))
    return ways[0] if ways else said


def _iso(day: str, month: str, year: str) -> str:
    whole = int(year) if len(year) == 4 else int(year) + (1900 if int(year) >= _PIVOT else 2000)
    try:
        return date(whole, int(month), int(day)).isoformat()
    except ValueError:
        return ""
