"""Words that names of tables and columns are made of in a language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SchemaWords:
    """Words that names of tables and columns are made of, and what they say of a column."""

    KEY_WORDS: frozenset[str]
    KEY_ENDS: tuple[str, ...]
    NO_KEYS: frozenset[str]
    ROW_NUMBER: frozenset[str]
    KEY: frozenset[str]
    KEY_OR_CODE: frozenset[str]
    CODE_ENDS: tuple[str, ...]
    KEY_PARTS: frozenset[str]
    ID: frozenset[str]
    CODE: frozenset[str]
    ID_OR_CODE: frozenset[str]
    NAME: frozenset[str]
    TITLE: frozenset[str]
    LABEL: frozenset[str]
    FULL: frozenset[str]
    LOOSE_TAILS: frozenset[str]
    NO_NOUNS: frozenset[str]
    NO_UNIT: frozenset[str]
    YEAR: frozenset[str]
    SEASON: frozenset[str]
    MONTH: frozenset[str]
    DAY: frozenset[str]
    BIRTH: tuple[str, ...]
    AGE: tuple[str, ...]
    DATED: frozenset[str]
    TIMED: frozenset[str]
    PIECES: frozenset[str]
    MONEY: frozenset[str]
    MONTHS: frozenset[str]
