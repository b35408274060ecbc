"""How far out: `more than 3 standard deviations above the mean`, `above Q3 + 1.5 IQR`, as kinds of outliers."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.words import Token


def beyond(words: Sequence[Token], at: int) -> tuple[int, str] | None:
    """Return (words used, rule) of a phrase for values far out; None where none stands there.

    Rules: `from:3`, `above:2`, `below:2` standard deviations, `high` and `low` by 1.5 interquartile ranges.
    """
    lead = _one_of(words, at, (*grammar.BEYOND, *grammar.SHORT_OF))
    found = (_by_deviations(words, at, lead) or _by_quartiles(words, at, lead)) if lead else None
    under = bool(_one_of(words, at, grammar.SHORT_OF))
    plain = found is None or found[1] == ("low" if under else "high") or (not under and ":" in found[1])
    return found if plain else None  # "less than 2 standard deviations above" is no far out value


def _one_of(words: Sequence[Token], at: int, phrases: Sequence[str]) -> int:
    said = [p.split() for p in phrases]
    return next((len(p) for p in said if [t.low for t in words[at : at + len(p)]] == p), 0)


def _by_deviations(words: Sequence[Token], at: int, lead: int) -> tuple[int, str] | None:
    here = at + lead
    if here >= len(words) or words[here].kind != "number":
        return None
    size = _one_of(words, here + 1, grammar.DEVIATIONS)
    end = here + 1 + size
    while size and end < len(words) and words[end].low in grammar.AWAY:
        end += 1
    if not size or end >= len(words) or words[end].low not in grammar.SIDES:
        return None
    side = grammar.SIDES[words[end].low]
    end += 1
    while end < len(words) and words[end].low in grammar.DEVIATING:
        end += 1
    if words[end - 1].low not in grammar.MEAN:
        return None
    return end - at, f"{side}:{words[here].value:g}"


def _by_quartiles(words: Sequence[Token], at: int, lead: int) -> tuple[int, str] | None:
    low = [t.low for t in words[at + lead : at + lead + 3]]
    if len(low) < 3 or low[0] not in grammar.LOWER_QUARTILE | grammar.UPPER_QUARTILE:
        return None
    if words[at + lead + 1].value != 1.5 or low[2] not in grammar.QUARTILE_RANGE:
        return None
    return lead + 3, "high" if low[0] in grammar.UPPER_QUARTILE else "low"
