"""The vocabulary of a language: how names are shortened, what verbs are about, units, directions, synonyms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lexsi_nb.grounding.language.kinds import Pattern, Regex


@dataclass(frozen=True)
class Vocabulary:
    """How names are shortened, what verbs are about, units, directions, synonyms. Nothing here is of one dataset."""

    SPOKEN: tuple[tuple[Regex, str], ...]
    OF_THOSE: Regex
    YEARS: tuple[tuple[Pattern, str], ...]
    REPHRASED: tuple[tuple[Pattern, str], ...]
    POINTING: frozenset[str]
    LATELY: frozenset[str]
    PERIODS: frozenset[str]
    MONTH_DAYS: dict[str, int]
    MONEY: frozenset[str]
    PERCENT: frozenset[str]
    GOING: frozenset[str]
    MEANING: tuple[Regex, ...]
    MEANT: Regex
    CONTRAST: tuple[Regex, ...]
    ABOUT_SCHEMA: tuple[tuple[str, Regex], ...]
    LIST_THEM: Regex
    COUNT_THEM: Regex
    ARTICLES: frozenset[str]
    KINDS: frozenset[str]
    MAKE_IT: Regex
    NARROWING: Regex
    TURNED: dict[str, str]
    ROWS: tuple[str, ...]
    ROWS_COUNTED: Pattern
    FIRST_ROWS: Pattern
    IN_THE_GRAPH: tuple[Regex, ...]
    OWN_SQL: Pattern
    DAYS: frozenset[str]
    HOUR: frozenset[str]
    WEEKDAY: frozenset[str]
    WEEKEND: str
    DECADE: str
    BANDS: frozenset[str]
    BANDED_BY: tuple[str, ...]
    AT_NOT_WHEN: frozenset[str]
    WHENEVER: frozenset[str]
    DONE: frozenset[str]
    SIZED_BY: tuple[str, ...]
    SIZE_NAMES: tuple[str, ...]
    BEST: tuple[str, ...]
    VINTAGE: tuple[str, ...]
    WITHIN_AGES: tuple[str, ...]
    RETENTION: tuple[str, ...]
    AGAIN: tuple[str, ...]
    SHORT: dict[str, str]
    TAILS: tuple[str, ...]
    TRUTHS: frozenset[str]
    UNITS: dict[str, tuple[str, ...]]
    ADJECTIVES: dict[str, tuple[str, ...]]
    HEADS: frozenset[str]
    HEADS_COLUMN: str
    ABOUT: dict[str, tuple[str, ...]]
    BEGINNINGS: frozenset[str]
    JOINING: frozenset[str]
    JOINING_PHRASES: tuple[str, ...]
    NOUNS: dict[str, tuple[str, ...]]
    TOWARDS: tuple[str, ...]
    OUT_OF: tuple[str, ...]
    SAID_TOWARDS: tuple[str, ...]
    SAID_OUT_OF: tuple[str, ...]
    BY_WAY: frozenset[str]
    SYNONYMS: tuple[frozenset[str], ...]
    ALSO_CALLED: Regex
    BETWEEN_NAMES: Regex
    CODE_STANDS_FOR: Regex

    @cached_property
    def BANDED(self) -> frozenset[str]:
        """What opens the width of bands: `in bands`."""
        return frozenset(f"{lead} {w}" for lead in self.BANDED_BY for w in self.BANDS)

    @cached_property
    def DIRECTIONS(self) -> dict[str, tuple[str, ...]]:
        """Words before a place, and the words that the name of the place's column has."""
        return {**dict.fromkeys(self.SAID_TOWARDS, self.TOWARDS), **dict.fromkeys(self.SAID_OUT_OF, self.OUT_OF)}

    @cached_property
    def SIZES(self) -> dict[str, tuple[str, ...]]:
        """Adjectives of length and the words that a column has which they are said of."""
        return dict.fromkeys(self.SIZED_BY, self.SIZE_NAMES)
