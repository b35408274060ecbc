"""The section of a language's file on follow-ups: what points back at the question before."""

from __future__ import annotations

from dataclasses import dataclass

from lexsi_nb.grounding.language.kinds import Pattern


@dataclass(frozen=True)
class Conversation:
    """Follow-ups that point back at the question before, whole, and what they become."""

    CHOSEN: Pattern
    HELP: Pattern
    OF_CASE: frozenset[str]
    NUMBERED: frozenset[str]
    RISK: frozenset[str]
    AT_THE_END: frozenset[str]
    AT_THE_TOP: frozenset[str]
    NEXT_CASE: Pattern
    BACK: frozenset[str]
    POINTS_BACK: tuple[Pattern, ...]
    PLACE: frozenset[str]
    EXISTING: frozenset[str]
    CLOSING: frozenset[str]
    FEWER: Pattern
    SORTED: Pattern
    UNBOUND: Pattern
    SINCE: Pattern
    OTHER_SIDE: dict[str, str]
    MONEY: Pattern
    SHARE: Pattern
    ALSO_BY: Pattern
    OMITTED: Pattern
    AMONG: Pattern
    OF_THEM: str
    FIGURE_BOUND: str
    NUMBER_BOUND: str
    AS_TABLE: Pattern
    OTHERS: Pattern
    THEIRS: tuple[tuple[Pattern, str], ...]
    ONE_ROW: tuple[tuple[Pattern, str], ...]
    SAME_PLACE: Pattern
    IN_PLACE: str
    IN_PERCENT: str
    HAS: Pattern
    COUNTING: Pattern
    ASIDE: Pattern
    OF: str
    BEST_OF: Pattern
    PART_OF_IT: Pattern
    BOTTOM: str
    TOP: str
    SORT: str
    DESCENDING: str
    RISING: str
    SIZE: str
    PERCENT_OF: str
    EXCLUDING: str
    WITHOUT: str
    NO_SUCH: str
    LATER_PLACE: Pattern
    NEXT_FEW: Pattern
    WITHOUT_FIRST: Pattern
    AFTER_FIRST: str
    AGAINST: Pattern
    MORE_ROWS: str
    MORE_FIGURE: str
    OF_A_FIGURE: dict[str, str]
