"""Parts of a reading while it is being read: columns still open, filters not yet attached."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import Entry


@dataclass
class Ref:
    """A column as it was named: what it can be, the table it was named with, and the table said before it."""

    options: list[Column]
    words: str
    qualifier: str = ""  # the table said with it
    anchor: str = ""  # the last table said before it
    fused: str = ""  # the aggregate the column's name begins with
    of_row: str = ""  # the table said after it with "of": the column of one of its rows


@dataclass
class FilterDraft:
    """A condition: on a named column, on a value's own column, or on the table's date."""

    ref: Ref | None
    op: str
    values: tuple[Any, ...] = ()
    negated: bool = False
    words: str = ""
    entries: list[Entry] = field(default_factory=list)  # values or conditions whose column is open
    anchor: str = ""
    when: bool = False  # a date without a column
    both: bool = False  # values joined by "and": together or one by one
    via: bool = False  # the anchor was said to be the way: "men living in Prague"
    beside: str = ""  # the table of people that it was said right after
    other_way: tuple[int, int] | None = None  # so many conditions before it, "or" so many from it on
    age: bool = False  # compares an age that has no name in the question


@dataclass(frozen=True)
class OrDraft:
    """An `or` between conditions: its place among the mentions, and how many conditions stood before it."""

    at: int
    conditions: int


@dataclass(frozen=True)
class RelativeDraft:
    """A number that is told by a figure of the compared column: three times the average."""

    function: str
    factor: float = 1.0
    whole: bool = False  # "than the average loan": of all of them

    def __str__(self) -> str:
        return {"avg": "the average"}.get(self.function, f"the {self.function}")


@dataclass
class LinkDraft:
    """Another table whose rows must (or must not) exist."""

    table: str
    negated: bool = False
    op: str = ""
    number: int = 1
    words: str = ""
    had: bool = False  # said after "with" or "have", not after "of"


@dataclass
class MeasureDraft:
    """A count or aggregate: of rows of `table`, or of a column."""

    function: str
    ref: Ref | None = None
    table: str = ""
    metric: Entry | None = None
    words: str = ""

    def says(self, other: MeasureDraft) -> bool:
        """Whether another draft is the same figure, said again."""
        mine, theirs = ((m.function, m.ref and m.ref.options, m.table, m.metric) for m in (self, other))
        return mine == theirs


@dataclass
class KeyDraft:
    """What to group by: a column, a table (its label), or a piece of the date."""

    ref: Ref | None = None
    table: str = ""
    grain: str = ""
    words: str = ""
    across: bool = False  # said with "across": over all of them as well as by each


@dataclass
class OrderDraft:
    """What to order by, and which way."""

    descending: bool = True
    ref: Ref | None = None
    measure: MeasureDraft | None = None
    by_time: bool = False
    words: str = ""


@dataclass
class Draft:
    """Everything a question said, in the order it was said."""

    measures: list[MeasureDraft] = field(default_factory=list)
    keys: list[KeyDraft] = field(default_factory=list)
    shown: list[Ref] = field(default_factory=list)
    filters: list[FilterDraft] = field(default_factory=list)
    links: list[LinkDraft] = field(default_factory=list)
    said: list[str] = field(default_factory=list)  # tables in the order they were said
    head: str = ""  # the table that is counted or listed
    order: OrderDraft | None = None
    limit: int | None = None
    top: bool = False
    distinct: bool = False
    listed: bool = False
    having: list[tuple[MeasureDraft, str, Any]] = field(default_factory=list)
    shown_first: bool = False  # a column was named before any table
    fused: bool = False  # the measured column's own name begins with an aggregate
    total: bool = False  # "in total" was said
    scope: str = ""  # the rows that an average is over, where they were said: all, or these
    notes: list[str] = field(default_factory=list)
