"""Days written in figures: `24.12.1997` is one day, `5/6/97` may be two, and `last year` is told by two calendars."""

from __future__ import annotations

import re
from datetime import date

from lexsi_nb.grounding.reading import Choice, Unread

_DOTTED = re.compile(r"(?<![\w.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?![\w]|\.\d)")
_SLASHED = re.compile(r"(?<![\w/])(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)(?![\w/])")
_PIVOT = 30  # years of two figures from here on are of the last century


def in_iso(question: str) -> str:
    """Return the question with its days in figures as ISO dates.

    Raises:
        Unread: a day can be read in two ways.
    """
    question = _DOTTED.sub(lambda m: _iso(m[1], m[2], m[3]) or m[0], question)
    return _SLASHED.sub(lambda m: _either(m[0], m[1], m[2], m[3]), question)


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
