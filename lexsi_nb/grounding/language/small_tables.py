"""The short sections of a language's file: what is not passed over, what is not defined, countries, questions anew."""

from __future__ import annotations

from dataclasses import dataclass

from lexsi_nb.grounding.language.kinds import Pattern


@dataclass(frozen=True)
class Assumptions:
    """Words that a reading must not pass over, and names of figures that are no groups and add up to nothing."""

    ONLY: frozenset[str]
    SAME: frozenset[str]
    CHOOSING: frozenset[str]
    MISSING: frozenset[str]
    GROUPING: frozenset[str]
    OF_ONE: frozenset[str]
    OFFERED: frozenset[str]
    FLAGS: frozenset[str]
    DISTINCT: frozenset[str]
    POINTING: frozenset[str]
    SUMS: frozenset[str]


@dataclass(frozen=True)
class PassedOver:
    """Words that other parts pass over as filling, and what they say where they stand in another place."""

    PARTICIPLES: frozenset[str]
    BEFORE_ADJECTIVES: frozenset[str]
    HELPERS: frozenset[str]
    VERBAL_NOUNS: frozenset[str]
    BEFORE_NOUNS: frozenset[str]
    PRONOUNS: frozenset[str]
    COPULA: frozenset[str]
    RUNS: tuple[str, ...]
    CONTAINING: frozenset[str]
    PICKING: frozenset[str]


@dataclass(frozen=True)
class Undefined:
    """Words that say how much or how large without saying of what, or that judge without a measure."""

    AMOUNTS: frozenset[str]
    HIGH: frozenset[str]
    LOW: frozenset[str]
    LATE: frozenset[str]
    EARLY: frozenset[str]
    ONES: frozenset[str]
    PUNCTUAL: Pattern
    SAID_LAST: Pattern
    OTHER_CHARTS: Pattern
    CHARTS_INSTEAD: tuple[tuple[Pattern, str], ...]
    AHEAD: Pattern


@dataclass(frozen=True)
class Countries:
    """Countries and continents as people name them, and what columns of them are called."""

    TABLE: str
    WORDS: frozenset[str]
    BEGINNINGS: tuple[str, ...]
    CONTINENTS: dict[str, str]


@dataclass(frozen=True)
class Retold:
    """Questions that are asked anew, put together from what was said."""

    AND: str
    WITH: str
    THAT: str
    OF: str
    BY: str
    OVER_ALL: str
    PASSING: str
    TAKEN_AS: str
    DATED_BY: str
    OVER_THESE: str
    HOW_MANY: str
    WITH_THIS: str
    WITH_MOST: str
    WITH_FEWEST: str
    WITH_HIGHEST: str
    WITH_THE_HIGHEST: str
    EVER: str
    FOR_EACH: str
    FOR_EACH_ROW: str
    OVER_PERIODS: str
    PUT_ABOVE: tuple[str, ...]
    PUT_BELOW: tuple[str, ...]
    TOP: str
    NUMBER_OF: str
    SUM_OF: str
    TIES_CUT: str
    TIES_ALL: str
    WITH_LOWEST: str
    IN: str
    SPAN: str
    PREDICT: str
    DRIVES: str
    PERCENTAGE: str
    RETAINED: str
    WHICH: str
    JOINT: str
    BY_JOINT: str
    MEAN_OR_SUM: tuple[str, ...]
    ROW_OR_TOTAL: tuple[str, ...]
    BY_NUMBER: str
    COUNT_JOINTS: dict[str, str]


@dataclass(frozen=True)
class RowWords:
    """Words that are made of a value or of a column's name, and say what rows are."""

    NEGATIVE: Pattern
    KINDS: frozenset[str]
    BUT: frozenset[str]
    TRUE: frozenset[str]
    FALSE: frozenset[str]
    YES: frozenset[str]
    NO: frozenset[str]
    SEX_NAMES: frozenset[str]
    SEXES: dict[str, tuple[str, ...]]
