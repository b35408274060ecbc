"""What a tool hands to the notebook: tables, charts, attributions, model cards, choices and text.

Frozen descriptions without looks: `widgets` draws them, for a cell, a terminal or an exported page. `synthetic` says
that they tell about generated data; `cell` makes them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.looks import Shows


@dataclass(frozen=True)
class Table(Shows):
    """A frame to show. `name` is the variable that holds it; `units` maps a column to the unit of its numbers."""

    frame: Any
    title: str = ""
    name: str = ""
    limit: int = 20
    units: Mapping[str, str] = field(default_factory=dict)
    synthetic: bool = False
    cell: CodeCell | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Chart(Shows):
    """A picture as a Vega-Lite 5 specification with its data inside; `alt` says in words what it shows.

    `name` is the variable that its code cell binds.
    """

    spec: dict[str, Any]
    title: str = ""
    alt: str = ""
    name: str = ""
    synthetic: bool = False
    cell: CodeCell | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Reason:
    """A feature's share in one score: `contribution` in log-odds (classification) or target units.

    `value` as it stands in the frame, or as a person would write it.
    """

    feature: str
    value: Any
    contribution: float


@dataclass(frozen=True)
class Attribution(Shows):
    """What moved one case's score. base + sum of all contributions = raw score, exactly.

    `probability` is None for regression. `reasons` are sorted by size, largest first. `name` is the variable that
    holds the contributions, `entity` the column that `case` is from. `beside` is what else is known of the case, as
    (heading, words): the base rate, known cases like it, how sure the score is.
    """

    case: str
    base: float
    raw_score: float
    probability: float | None
    reasons: tuple[Reason, ...]
    unit: str = "log-odds"
    entity: str = ""
    name: str = ""
    synthetic: bool = False
    cell: CodeCell | None = field(default=None, repr=False, compare=False)
    beside: tuple[tuple[str, str], ...] = ()

    @property
    def raises(self) -> list[Reason]:
        """The reasons that raise the score, largest first."""
        return [r for r in self.reasons if r.contribution > 0]

    @property
    def lowers(self) -> list[Reason]:
        """The reasons that lower the score, largest first."""
        return [r for r in self.reasons if r.contribution < 0]


@dataclass(frozen=True)
class ModelCard(Shows):
    """What a model was trained on and how good it is, in lines (name, value). `name` is the variable that holds it."""

    model_id: str
    headline: str
    facts: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    name: str = ""
    synthetic: bool = False
    cell: CodeCell | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Option:
    """One reading of a question; `number` is what it would give, where that was cheap to compute.

    `means` is what the open `words` of the question stand for in it, where that can be kept.
    """

    text: str
    question: str = ""
    number: str = ""
    words: str = ""
    means: str = ""


@dataclass(frozen=True)
class Choice(Shows):
    """A question back to the user, with the readings that are possible."""

    question: str
    options: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Approval(Shows):
    """A call that waits for a person: what will run, with which arguments, what it does, what it costs.

    `id` stands for exactly what is shown: other arguments, other data, another id.
    """

    id: str
    tool: str
    args: dict[str, Any]
    effect: tuple[tuple[str, str], ...] = ()  # (heading, words)
    what: str = ""  # the first line of the tool's description
    why: str = ""  # why it is asked
    question: str = ""


@dataclass(frozen=True)
class Text(Shows):
    """Words, where nothing else says it."""

    text: str
    title: str = ""


Artifact = Table | Chart | Attribution | ModelCard | Choice | Approval | Text


@dataclass(frozen=True)
class Shown(Shows):
    """An artifact with the step that made it and what it came from."""

    artifact: Any
    step: int
    tool: str
    parents: tuple[str, ...] = field(default_factory=tuple)

    @property
    def id(self) -> str:
        """The name by which a planner shows it: its variable where it has one, else its kind and step or case.

        >>> Shown(Table(None, name="context_df"), 4, "run_sql").id
        'context_df'
        >>> Shown(Attribution("5314", 0.0, 0.0, None, ()), 9, "explain_prediction").id
        'why_5314'
        """
        artifact = self.artifact
        if isinstance(artifact, Attribution):
            return f"why_{artifact.case}"
        name = getattr(artifact, "name", "")
        return name or f"{_WORD.get(type(artifact).__name__, 'result')}_{self.step}"


def stamped(artifact: Any, *, synthetic: bool, cell: CodeCell | None) -> Any:
    """Return an artifact with what it says when it is shown alone; of other kinds the same object."""
    if not isinstance(artifact, (Table, Chart, Attribution, ModelCard)):
        return artifact
    return replace(artifact, synthetic=artifact.synthetic or synthetic, cell=artifact.cell or cell)


_WORD = {
    "Table": "result",
    "Chart": "chart",
    "ModelCard": "model",
    "Choice": "choice",
    "Text": "text",
    "Approval": "approval",
}


def by_id(shown: Iterable[Shown]) -> dict[str, Shown]:
    """Return the artifacts by id, in the order they were made. Where a result was made again, the id is the latest."""
    found: dict[str, Shown] = {}
    for one in shown:
        found.pop(one.id, None)
        found[one.id] = one
    return found
