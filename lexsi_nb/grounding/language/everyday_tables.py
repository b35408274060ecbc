"""The section of a language's file on everyday wordings: how people ask who has no column in mind."""

from __future__ import annotations

from dataclasses import dataclass

from lexsi_nb.grounding.language.kinds import Pattern


@dataclass(frozen=True)
class Everyday:
    """Wordings that name no column, and the questions that they are asked anew as."""

    BUSY: tuple[Pattern, ...]
    OFTEN: tuple[Pattern, ...]
    POPULAR: tuple[Pattern, ...]
    GENERAL: frozenset[str]
    QUANTITIES: frozenset[str]
    FEWEST: frozenset[str]
    PERIODS: dict[str, str]
    TIMES: tuple[Pattern, ...]
    SO_OFTEN: dict[str, str]
    BACK: tuple[Pattern, ...]
    SPENT: tuple[tuple[Pattern, str], ...]
    EARNED: tuple[tuple[Pattern, str], ...]
    PAYMENTS: frozenset[str]
    OPEN: tuple[Pattern, ...]
    NOT_YET: tuple[Pattern, ...]
    LASTING: tuple[tuple[Pattern, str], ...]
    BETWEEN: tuple[tuple[Pattern, str], ...]
    SPAN: str
    PIECES: tuple[tuple[Pattern, str], ...]
    HAS_MOST: str
    HAS_FEWEST: str
    MORE_THAN_ONE: str
    TOTAL: str
    MISSING: str
    NO_SPAN: frozenset[str]
    STEM_ENDS: tuple[str, ...]
    HAS_HIGHEST: str
    HAS_LOWEST: str
    WITH_MANY: str
    INCOME: frozenset[str]
    SPENDING: frozenset[str]
    FIGURE_BEFORE: Pattern
    NOT_VALUE: str
    NEVER_DONE: tuple[Pattern, ...]
    WITHOUT: str
    ENDS: dict[str, str]
    OWN_GROUP: tuple[Pattern, ...]
    AGAINST_ALL: str
    OF_OWN: str
    ROWS_BY: str
    OLDEST: tuple[tuple[Pattern, str], ...]
    ALIKE: dict[str, frozenset[str]]
    COMPARED: dict[str, str]
    AGED: frozenset[str]
    RATE: Pattern
    PERCENTAGE: str
    FLAG_WORDS: frozenset[str]
    DONE: tuple[str, ...]
    BARE_NUMBER: Pattern
    AVERAGE_COUNT: Pattern
    NUMBER_OF: str
    STOCK: tuple[tuple[Pattern, str], ...]
    VALUE_OF: Pattern
    WHO_DID: Pattern
    DID_LAST: tuple[tuple[Pattern, str], ...]
    COSTS: tuple[tuple[Pattern, str], ...]
    SAME_DAY: Pattern
    ON_ONE_DAY: str
    PAID_OUT: Pattern
    PAID: frozenset[str]
    CALLED_BY_FLAG: Pattern
    OF_ROWS_WITH: str
    DID: tuple[tuple[Pattern, str], ...]
    TIMES_DONE: Pattern
    ROWS_OF: str
    WITHIN: Pattern
    AT_MOST: str
    NEVER_CAME: Pattern
    BY_SUM: Pattern
    BY_TOTAL: str
    FLAG_FIRST: tuple[Pattern, ...]
    FLAG_OR_NOT: Pattern
    BY_FLAG: str
    ROWS_WITH: str
    EITHER_DAY: dict[str, tuple[str, ...]]
    PLAIN_TOTAL: str
    TOTAL_OF_ROWS: Pattern
    PRICE: Pattern
    BOTH_WAYS: Pattern
    OF_ROWS_BY: str
    LONGEST_AVERAGE: tuple[Pattern, ...]
    LENGTHS: frozenset[str]
    HAS_AVERAGE: str
    AGAINST: Pattern
    AGAINST_WAYS: dict[str, str]
    AGAINST_IS: str
    STOCKED: frozenset[str]
    DONE_NOUN: Pattern
    LISTS: Pattern
    RATE_OF: Pattern
    IN_DAYS: Pattern
    DAYS: dict[str, int]
    WHEN_DONE: Pattern
    NAMED: str
    CALLED: str
    DAY_OF: str
    LIVE_IN: Pattern
    PLACES_HAVE: str
    LAST_ROW: Pattern
    LAST_WAYS: dict[str, str]
    WITH_END: str
    PERIOD_BESIDE: Pattern
