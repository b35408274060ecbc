"""The lexicon of a language: phrases and what each does, number words, months, words without content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lexsi_nb.grounding.language.kinds import Regex


@dataclass(frozen=True)
class Lexicon:
    """The phrases a question may use and what each does, number words, months, words without content."""

    NUMBERS: dict[str, float]
    SCALES: dict[str, float]
    MONTHS: dict[str, int]
    IRREGULAR: dict[str, str]
    PHRASES: dict[str, list[str]]
    STOP: frozenset[str]
    DATE_NOUNS: frozenset[str]
    FILLERS: tuple[str, ...]
    FORBIDDEN: frozenset[str]
    POLITE: frozenset[str]
    OPENING: frozenset[str]
    MAIN_VERBS: frozenset[str]
    RELATIVES: frozenset[str]
    RATES: frozenset[str]
    NEWEST: frozenset[str]
    OF_LIFE: frozenset[str]
    BIRTH: frozenset[str]
    LESS: frozenset[str]
    COUNTED_MORE: frozenset[str]
    GROWING: frozenset[str]
    JOINING: frozenset[str]
    LETTER_AFTER: frozenset[str]
    DIFFERING: tuple[str, ...]
    ACROSS: frozenset[str]
    RANKED: frozenset[str]
    HOW_MUCH: frozenset[str]
    TYPICALLY: frozenset[str]
    EACH: frozenset[str]
    PEOPLE: frozenset[str]
    PERSON_NAMES: frozenset[tuple[str, ...]]
    GOING_ON: tuple[str, ...]
    ORDINALS: dict[str, int]
    ADVERBS: frozenset[str]
    ASKING: frozenset[str]
    THERE: frozenset[str]
    ALL: frozenset[str]
    FUNCTIONS: dict[str, str]
    SIZED: dict[str, tuple[str, str]]
    EXPLANATIONS: tuple[tuple[str, Regex], ...]
    UNCHANGED: tuple[Regex, ...]
    UPWARD: frozenset[str]
    REASONS: frozenset[str]
    SAID_HIGH: frozenset[str]
    SAID_LOW: frozenset[str]
    DETERMINERS: tuple[str, ...]
    RISK: frozenset[str]
    WHICH_ROWS: frozenset[str]

    @cached_property
    def VERBS(self) -> frozenset[str]:
        """Verbs and relative words that begin a condition."""
        return self.MAIN_VERBS | self.RELATIVES
