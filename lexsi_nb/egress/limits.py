"""How many requests, and tokens, may go to one provider: at once and in a minute, over all sessions of the process."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexsi_nb.errors import BadData

_PART = re.compile(
    r"(?i)^(?P<number>[\d_,.]*\d)(?P<k>k?)\s*(?P<what>in flight|at once|(?:requests?\s*)?(?:a|per) minute|"
    r"tokens?\s*(?:a|per) minute)$"
)
EXAMPLE = 'Write "4 in flight, 60 a minute, 90k tokens a minute", or a part of it.'


@dataclass(frozen=True)
class RateLimits:
    """The most requests under way, requests a minute and tokens a minute; None for no limit.

    >>> RateLimits.of("4 in flight, 90k tokens a minute")
    RateLimits(in_flight=4, a_minute=None, tokens_a_minute=90000)
    """

    in_flight: int | None = None
    a_minute: int | None = None
    tokens_a_minute: int | None = None

    def __post_init__(self) -> None:
        for name in ("in_flight", "a_minute", "tokens_a_minute"):
            number = getattr(self, name)
            if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
                raise BadData(f"{name} is {number!r}.", "A limit is a number from 1; None is no limit.", EXAMPLE)

    @classmethod
    def of(cls, given: str | RateLimits | dict[str, int | None] | None) -> RateLimits:
        """Return the limits meant by a text, the fields of this class, or limits.

        Raises:
            BadData: they cannot be read; says how they are written.
        """
        if isinstance(given, RateLimits):
            return given
        if isinstance(given, dict):
            known = ("in_flight", "a_minute", "tokens_a_minute")
            if wrong := [k for k in given if k not in known]:
                raise BadData(f"No limit {wrong[0]!r}.", f"There are: {', '.join(known)}.", EXAMPLE)
            return cls(**given)
        found: dict[str, int] = {}
        for part in (p.strip() for p in re.split(r",(?!\d{3}\b)", given or "")):
            if not part or part.casefold() in ("none", "off"):
                continue
            match = _PART.match(part)
            if match is None:
                raise BadData(f"No limit can be read in {part!r}.", "", EXAMPLE)
            what = match["what"].casefold()
            name = "tokens_a_minute" if what.startswith("token") else "a_minute" if "minute" in what else "in_flight"
            plain = match["number"].replace(",", "").replace("_", "")
            found[name] = int(float(plain) * (1000 if match["k"] else 1))
        return cls(**found)

    @classmethod
    def strictest(cls, *given: RateLimits) -> RateLimits:
        """Return of each limit the smallest.

        >>> RateLimits.strictest(RateLimits(4, 60), RateLimits(2)).words
        '2 in flight, 60 a minute'
        """

        def least(name: str) -> int | None:
            return min((n for limits in given if (n := getattr(limits, name)) is not None), default=None)

        return cls(least("in_flight"), least("a_minute"), least("tokens_a_minute"))

    @property
    def any(self) -> bool:
        """Whether anything is limited."""
        return self != RateLimits()

    @property
    def words(self) -> str:
        """The limits in a line."""
        named = ((self.in_flight, "in flight"), (self.a_minute, "a minute"), (self.tokens_a_minute, "tokens a minute"))
        return ", ".join(f"{n:,} {what}" for n, what in named if n is not None) or "none"
