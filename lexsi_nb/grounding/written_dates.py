"""Days written in figures: `24.12.1997` is one day, `5/6/97` may be two, and `last year` is told by two calendars."""

from __future__ import annotations

import re
from datetime import date

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.reading import Choice, Unread

_DOTTED = re.compile(r"(?<![\w.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?![\w]|\.\d)")
_SLASHED = re.compile(r"(?<![\w/])(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)(?![\w/])")
_PIVOT = 30  # years of two figures from here on are of the last century


def in_iso(question: str, as_of: str = "") -> str:
    """Return the question with its days in figures as ISO dates; `as_of`: the day the data end.

    Raises:
        Unread: a day can be read in two ways.
    """
    _by_two_calendars(question, as_of)
    question = _DOTTED.sub(lambda m: _iso(m[1], m[2], m[3]) or m[0], question)
    return _SLASHED.sub(lambda m: _either(m[0], m[1], m[2], m[3]), question)


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
