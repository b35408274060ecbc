"""What codes stand for that need no code book: countries by their codes and adjectives, and the sexes."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import countries, row_words

_ROWS = [row.split(" ", 2) for line in countries.TABLE.splitlines() for row in line.split("|") if row]
NAMES: dict[str, str] = {}  # code -> name
ADJECTIVES: dict[str, str] = dict(countries.CONTINENTS)  # adjective -> name
for _two, _three, _said in _ROWS:
    _name, _, _adjective = _said.partition("/")
    NAMES[_two] = NAMES[_three] = _name
    ADJECTIVES[_adjective] = _name


def known_codes(name: tuple[str, ...], values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return {code: words} for a column of countries or of the sexes; empty for another column.

    >>> known_codes(("sex",), ["F", "M"])["F"], known_codes(("country",), ["DE", "FR"])["FR"]
    (('female', 'woman'), ('france',))
    """
    if name[-1:] and name[-1] in row_words.SEX_NAMES:
        told = {v: row_words.SEXES[v.casefold()] for v in values if v.casefold() in row_words.SEXES}
        return told if len(told) > 1 and len(values) <= len(row_words.SEXES) else {}
    return {v: (words,) for v, words in code_book(name, values).items()}


def code_book(name: tuple[str, ...], values: Sequence[str]) -> dict[str, str]:
    """Return {code: country} for a column that names countries by ISO codes; empty for another column."""
    if not any(w in countries.WORDS or w.startswith(countries.BEGINNINGS) for w in name):
        return {}
    known = [v for v in values if v in NAMES]
    return {v: NAMES[v] for v in known} if known and len(known) >= 0.6 * len(values) else {}
