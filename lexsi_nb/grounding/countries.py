"""Countries by their codes and adjectives, from the table of the language."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import countries

_ROWS = [row.split(" ", 2) for line in countries.TABLE.splitlines() for row in line.split("|") if row]
NAMES: dict[str, str] = {}  # code -> name
ADJECTIVES: dict[str, str] = dict(countries.CONTINENTS)  # adjective -> name
for _two, _three, _said in _ROWS:
    _name, _, _adjective = _said.partition("/")
    NAMES[_two] = NAMES[_three] = _name
    ADJECTIVES[_adjective] = _name


def code_book(name: tuple[str, ...], values: Sequence[str]) -> dict[str, str]:
    """Return {code: country} for a column that names countries by ISO codes; empty for another column."""
    if not any(w in countries.WORDS or w.startswith(countries.BEGINNINGS) for w in name):
        return {}
    known = [v for v in values if v in NAMES]
    return {v: NAMES[v] for v in known} if known and len(known) >= 0.6 * len(values) else {}
