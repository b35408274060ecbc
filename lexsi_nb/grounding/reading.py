"""What a question was read as: frozen readings, declines and choices. Every part keeps the words it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal[
    "count", "aggregate", "groupby", "topk", "list", "tables", "schema", "predictive", "share", "comparison", "yesno",
    "series", "distribution", "summary", "missing", "duplicates", "outliers", "correlation", "vintage",
]  # fmt: skip
ColumnType = Literal["number", "text", "date", "bool", "other"]


@dataclass(frozen=True)
class Column:
    """A column of a table; `sql` is set for a derived one, with `{p}` where the alias goes."""

    table: str
    name: str
    type: ColumnType = "other"
    sql: str = ""
    zone: str = ""  # the time zone its days and hours are told in
    order: str = ""  # SQL that its values are ordered by, where they have an order of their own: Monday first
    date: str = ""  # the date that it is a piece of: its day of the week, its hour, its month of any year
    decimal: bool = field(default=False, compare=False)  # kept with so many decimals, to which SQL rounds a quantile

    def __str__(self) -> str:
        return f"{self.table}.{self.name}"


@dataclass(frozen=True)
class Filter:
    """A condition on one column, or a named condition of the knowledge graph (`sql` set, `column` None)."""

    column: Column | None
    op: str = "="  # = in > >= < <= range null notnull sql
    values: tuple[Any, ...] = ()
    negated: bool = False
    words: str = ""
    sql: str = ""
    table: str = ""  # of a named condition
    parts: tuple[Filter, ...] = ()  # of `any`: at least one of these holds; of `AND`: each of them
    links: tuple[Link, ...] = ()  # of `any`: rows of other tables, which may be there instead

    @property
    def home(self) -> str:
        """The table the condition is on."""
        return self.column.table if self.column else self.table

    def inside(self) -> Iterator[Filter]:
        """The conditions on columns that it is made of, without itself."""
        for p in self.parts:
            yield from p.inside() if p.parts else (p,)


@dataclass(frozen=True)
class Relative:
    """A value that the data give: a figure of a column over all rows of its table, times a factor."""

    function: str
    column: Column
    factor: float = 1.0
    whole: bool = False  # said to be of all rows
    sql: str = ""  # of the figure over the rows that fit the other conditions, where it is of those

    def __str__(self) -> str:
        times = "" if self.factor == 1 else f"{self.factor:g} times "
        said = {"avg": "average"}.get(self.function, self.function)
        return f"{times}the {said} of {'these' if self.sql else f'all {self.column.table}'} rows"


@dataclass(frozen=True)
class Link:
    """Rows of another table that must exist (or must not), with their own conditions."""

    table: str
    filters: tuple[Filter, ...] = ()
    negated: bool = False
    op: str = ""  # with `number`: how many must exist
    number: int = 1
    words: str = ""
    through: str = ""  # the table whose rows they are told of: the way to them goes by it


@dataclass(frozen=True)
class Measure:
    """A count or an aggregate; `sql` carries a metric of the knowledge graph.

    `where` and `links` hold for this measure alone; with `share` it is the percentage of the same measure without them.
    """

    function: str  # count distinct avg sum min max median stddev variance range iqr cv q0.9 metric
    column: Column | None = None
    name: str = ""
    sql: str = ""
    table: str = ""
    where: tuple[Filter, ...] = ()
    links: tuple[Link, ...] = ()
    share: bool = False
    of_total: bool = False  # the percentage a group has of all groups together, or of those that are `within` one
    within: tuple[Key, ...] = ()  # the keys that the groups of one whole have in common


@dataclass(frozen=True)
class Having:
    """A condition on a measure of each group."""

    measure: Measure
    op: str
    value: Any


@dataclass(frozen=True)
class Key:
    """A column to group by; `grain` cuts a date to year, quarter, month or day."""

    column: Column
    grain: str = ""


@dataclass(frozen=True)
class Order:
    """What rows are ordered by: a column, or a measure that counts rows of another table."""

    column: Column | None = None
    measure: Measure | None = None
    descending: bool = True


@dataclass(frozen=True)
class Reading:
    """One grounded reading of a question, and its SQL."""

    kind: Kind
    table: str = ""
    measures: tuple[Measure, ...] = ()
    keys: tuple[Key, ...] = ()
    columns: tuple[Column, ...] = ()
    filters: tuple[Filter, ...] = ()
    links: tuple[Link, ...] = ()
    order: Order | None = None
    limit: int | None = None
    distinct: bool = False
    having: tuple[Having, ...] = ()
    named_groups: bool = False  # rows without a group are of none, rather than of one of their own
    shown: tuple[Column, ...] = ()  # the columns of a list that were asked for by name
    chart: str = ""  # bar, line, scatter, histogram, pie or any, where a picture was asked for
    drawn: str = ""  # the column that the text is about and a picture draws, where it is not the first measure
    text: str = ""
    sql: str = ""
    notes: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()  # rows and groups that the figures leave out or set apart
    leftovers: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table the reading names, the counted or measured one first."""
        names = [
            self.table,
            *(k.column.table for k in self.keys),
            *(f.home for f in self.filters),
            *(k.table for k in self.links),
            *(k.table for f in self.filters for k in f.links),
        ]
        return tuple(dict.fromkeys(n for n in names if n))


@dataclass(frozen=True)
class Declined:
    """A question that could not be grounded: why, the words it lacks, and the nearest names."""

    reason: str
    lacks: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The answer a person reads."""
        near = f" Nearest names: {', '.join(self.nearest)}." if self.nearest else ""
        return f"{self.reason}{near}"


@dataclass(frozen=True)
class Choice:
    """A question with more than one grounded reading: ask, don't guess."""

    prompt: str
    options: tuple[str, ...] = ()
    words: str = ""
    readings: tuple[Reading, ...] = field(default=())
    questions: tuple[str, ...] = ()  # the question that asks for each option, where it is known
    dates: tuple[str, ...] = ()  # the date that each option is a piece of: said beside the words, not for them
    # What asks for each option: words for the open ones, a text with {} for the question, or `total … per month`, which
    # are words for the open ones and for the end of the question; a line for each of several.
    said: tuple[str, ...] = ()
    lasting: bool = True  # whether the words may mean the chosen option from then on
    asked: str = ""  # the question in the words it was read in, where the open ones are of those

    @property
    def text(self) -> str:
        """The question put back to the person."""
        return f"{self.prompt} " + "; ".join(f"({i}) {o}" for i, o in enumerate(self.options, 1)) + "."


@dataclass(frozen=True)
class PredictivePlan:
    """Everything the modelling steps need, and what a person should know before."""

    table: str
    context_sql: str
    predict_sql: str
    already_sql: str
    task: dict[str, Any]
    left_out: tuple[tuple[str, str], ...]
    read_as: str
    top_k: int = 10
    explain: bool = False
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()  # (other reading, question that asks for it)
    units: Mapping[str, str] = field(default_factory=dict)  # of features, where they are known
    text: str = field(default="", compare=False)


class Unread(Exception):
    """Carries a Declined or a Choice out of the grammar."""

    def __init__(self, outcome: Declined | Choice) -> None:
        super().__init__(outcome.text)
        self.outcome = outcome
