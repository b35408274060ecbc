"""How far out: `more than 3 standard deviations above the mean`, `above Q3 + 1.5 IQR`, as kinds of outliers."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.words import Token

_OVER = (("more", "than"), ("greater", "than"), ("over",), ("above",), ("beyond",), ("exceed",), ("exceeding",))
_UNDER = (("below",), ("less", "than"), ("under",))
_SD = (("standard", "deviations"), ("standard", "deviation"), ("sds",), ("sd",), ("sigmas",), ("sigma",))
_SIDES = {"from": "from", "above": "above", "over": "above", "below": "below", "under": "below"}
_FILL = frozenset({"the", "their", "its", "away", "mean", "average", "q1", "q3"})


def beyond(words: Sequence[Token], at: int) -> tuple[int, str] | None:
    """Return (words used, rule) of a phrase for values far out; None where none stands there.

    Rules: `from:3`, `above:2`, `below:2` standard deviations, `high` and `low` by 1.5 interquartile ranges.
    """
    lead = _one_of(words, at, (*_OVER, *_UNDER))
    found = (_by_deviations(words, at, lead) or _by_quartiles(words, at, lead)) if lead else None
    under = bool(_one_of(words, at, _UNDER))
    plain = found is None or found[1] == ("low" if under else "high") or (not under and ":" in found[1])
    return found if plain else None  # "less than 2 standard deviations above" is no far out value


def _one_of(words: Sequence[Token], at: int, phrases: Sequence[tuple[str, ...]]) -> int:
    return next((len(p) for p in phrases if tuple(t.low for t in words[at : at + len(p)]) == p), 0)


def _by_deviations(words: Sequence[Token], at: int, lead: int) -> tuple[int, str] | None:
    here = at + lead
    if here >= len(words) or words[here].kind != "number":
        return None
    size = _one_of(words, here + 1, _SD)
    end = here + 1 + size
    while size and end < len(words) and words[end].low == "away":
        end += 1
    if not size or end >= len(words) or words[end].low not in _SIDES:
        return None
    side = _SIDES[words[end].low]
    end += 1
    while end < len(words) and words[end].low in _FILL:
        end += 1
    if words[end - 1].low not in ("mean", "average"):
        return None
    return end - at, f"{side}:{words[here].value:g}"


def _by_quartiles(words: Sequence[Token], at: int, lead: int) -> tuple[int, str] | None:
    low = [t.low for t in words[at + lead : at + lead + 3]]
    if len(low) < 3 or low[0] not in ("q1", "q3") or words[at + lead + 1].value != 1.5 or low[2] != "iqr":
        return None
    return lead + 3, "high" if low[0] == "q3" else "low"
