"""What a language's file holds, table by table: english.toml has the words, with what each table is for.

A table is named here in capitals and in the file in small letters, in the section that the class is named after.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lexsi_nb.grounding.language.following import Conversation
from lexsi_nb.grounding.language.kinds import Pattern, Regex
from lexsi_nb.grounding.language.small_tables import Assumptions, Countries, PassedOver, Retold, RowWords, Undefined
from lexsi_nb.grounding.language.speech import Turns


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


@dataclass(frozen=True)
class Grammar:
    """Small words that the rules of the grammar look at, one by one."""

    THEIR: frozenset[str]
    HOLDERS: frozenset[str]
    IS_ONE: frozenset[str]
    OWN: frozenset[str]
    OF_THEIR: frozenset[str]
    OF_ITS_OWN: frozenset[str]
    WHICH: frozenset[str]
    WHO: frozenset[str]
    DIFFERENT: frozenset[str]
    TIES: frozenset[str]
    OF: frozenset[str]
    IN_OF: frozenset[str]
    THE: frozenset[str]
    A: frozenset[str]
    THAT: frozenset[str]
    NO: frozenset[str]
    DOES: frozenset[str]
    A_OR_EACH: frozenset[str]
    ANY_ONE: frozenset[str]
    SINGLE: frozenset[str]
    ENDS_IN_TIME: frozenset[str]
    NEVER: frozenset[str]
    ONCE: frozenset[str]
    SUM: frozenset[str]
    PER_EACH: frozenset[str]
    WITHIN_EACH: frozenset[str]
    OF_THE_MONTH: tuple[str, ...]
    CALLED: frozenset[str]
    CLAUSE: frozenset[str]
    BETWEEN_DATES: frozenset[str]
    DEFINED: Pattern
    BEYOND: tuple[str, ...]
    SHORT_OF: tuple[str, ...]
    DEVIATIONS: tuple[str, ...]
    DEVIATING: frozenset[str]
    SIDES: dict[str, str]
    SPLIT: dict[str, tuple[str, ...]]
    PARTS: dict[str, float]
    TOLD_BY: dict[str, str]
    PERIOD_NOUNS: dict[str, str]
    OVER_PERIODS: dict[str, str]
    AWAY: frozenset[str]
    MEAN: frozenset[str]
    LOWER_QUARTILE: frozenset[str]
    UPPER_QUARTILE: frozenset[str]
    QUARTILE_RANGE: frozenset[str]
    MARK: Pattern
    BETWEEN_KEPT: Pattern
    ONE: frozenset[str]
    HOLDING: Pattern
    ASKS_HOW_MANY: Pattern
    LISTING: Pattern
    POSSESSIVE: frozenset[str]
    WITHIN: frozenset[str]
    OF_THE: frozenset[str]
    OF_THOSE: tuple[str, ...]
    MORE_PARTS: Pattern
    PLUS: frozenset[str]
    TOTALS: frozenset[str]
    ONLY: frozenset[str]
    JUST: frozenset[str]
    HIGHEST: Pattern
    DEFINITE: frozenset[str]
    WHY: frozenset[str]
    OF_MONEY: tuple[str, ...]
    PAID: frozenset[str]
    OF_SUMS: tuple[str, ...]
    MAY: frozenset[str]
    WE: frozenset[str]
    WHAT_IS: frozenset[str]
    WHAT_IS_ONE: frozenset[str]
    WHEREABOUTS: frozenset[str]
    WHEN: frozenset[str]
    SHOULD: frozenset[str]
    GIVE: frozenset[str]
    EVERYONE: frozenset[str]
    HAVING: frozenset[str]
    PERCENTILE: frozenset[str]
    AND: frozenset[str]
    TO: frozenset[str]
    GOING_TO: frozenset[str]
    ANYBODY: frozenset[str]
    ASKED_WITH: frozenset[str]
    AMONG: frozenset[str]
    THE_THAT: frozenset[str]
    OPENS_CLAUSE: frozenset[str]
    AT: frozenset[str]
    HOW_MANY: frozenset[str]
    DONE_ENDS: tuple[str, ...]
    BEEN: frozenset[str]
    BY: frozenset[str]
    EACH: frozenset[str]
    AVERAGE: frozenset[str]
    MEANING_OPENS: frozenset[str]
    MEANS: frozenset[str]
    OFTENER: tuple[str, ...]
    THAN: frozenset[str]
    ARTICLES: frozenset[str]
    PLACING: frozenset[str]
    PART_OF_YEAR: Pattern
    EACH_PERIOD: Pattern
    LATEST_PERIOD: Pattern
    SHORT_YEAR: Pattern
    LAST_YEAR: Pattern
    LAST_MANY: Pattern
    THIS_PERIOD: Pattern
    QUARTER: frozenset[str]
    HALF: frozenset[str]
    COUNT_OPENS: Pattern
    KEYS: frozenset[str]
    IS_ASKED: frozenset[str]
    TABLE: frozenset[str]
    COLUMN: frozenset[str]
    RELATIVE: frozenset[str]
    RELATIVE_PRONOUN: frozenset[str]
    ONES: frozenset[str]
    BARE_WITHOUT: frozenset[str]
    HAD: frozenset[str]
    COUNTS: frozenset[str]
    NUMBERS: frozenset[str]
    LIST: frozenset[str]
    EVERY: frozenset[str]
    DOING: frozenset[str]
    EVER: frozenset[str]
    OVERALL: frozenset[str]
    COMPARED_WITH: frozenset[str]
    ALL_OVER: frozenset[str]
    OVER: frozenset[str]
    BY_RULE: frozenset[str]
    SHARES: frozenset[str]
    PART_OPENS: frozenset[str]
    TO_SHARE: frozenset[str]
    THE_SAME: frozenset[str]
    VINTAGES: tuple[str, ...]
    PARTICIPLE_ENDS: tuple[str, ...]
    OPEN: frozenset[str]
    ENDED_ON: frozenset[str]
    CHANGED_LATER: frozenset[str]
    OLDEST: frozenset[str]
    YOUNGEST: frozenset[str]
    HOW_OFTEN: tuple[str, ...]
    LINKED: frozenset[str]
    LISTINGS: frozenset[str]
    FROM_TO: frozenset[str]
    FROM: frozenset[str]
    BIGGEST: frozenset[str]
    SIZES: frozenset[str]
    SHAPES: frozenset[str]
    SUMS: frozenset[str]
    COUNTED: frozenset[str]
    NULL: frozenset[str]
    MUCH: tuple[str, ...]
    OF_ALL: frozenset[str]
    MONTH_VERBS: frozenset[str]
    BEFORE_MONTH: frozenset[str]
    NEVER_LOST: tuple[str, ...]
    ENDINGS: tuple[str, ...]
    VOWELS: frozenset[str]
    YEAR: frozenset[str]
    YEARS: frozenset[str]
    LONGER: frozenset[str]
    OF_IN_THE: frozenset[str]
    VERB_ENDS: tuple[str, ...]
    RESPELT_VERB_ENDS: tuple[str, ...]
    PLACED: frozenset[str]
    BY_PER: frozenset[str]
    IN_FROM: frozenset[str]
    BOTH: frozenset[str]
    GENITIVE: tuple[str, ...]
    SPAN_OPENS: frozenset[str]
    SPAN_JOINS: frozenset[str]
    A_ONE: frozenset[str]
    ORDINAL: Pattern
    DECADE: Pattern
    DECIMAL: str
    THOUSANDS: str
    SINGULAR: tuple[tuple[Pattern, str], ...]
    STEMS: tuple[tuple[Pattern, str], ...]
    OWN_ONE: frozenset[str]
    ASKS_FOR_ROWS: frozenset[str]
    LIVING_IN: Pattern
    INVENTORY: Pattern
    ARE: tuple[str, ...]
    RATE: Pattern
    RATES: frozenset[str]
    ID_SAID: frozenset[str]
    FOR: frozenset[str]
    HAS_OR_WHERE: frozenset[str]
    BE: frozenset[str]


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


@dataclass(frozen=True)
class Language:
    """All tables of one language. `name` is the file's."""

    name: str
    lexicon: Lexicon
    vocabulary: Vocabulary
    turns: Turns
    assumptions: Assumptions
    passed_over: PassedOver
    undefined: Undefined
    countries: Countries
    grammar: Grammar
    schema_words: SchemaWords
    retold: Retold
    row_words: RowWords
    conversation: Conversation
