"""Benchmark questions: what a question file holds, and how its two halves are drawn."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BENCH = Path(__file__).parents[1]
FILES = {
    "bank": BENCH / "pkdd" / "questions.yaml",
    "flights": BENCH / "unseen" / "flights.yaml",
    "baseball": BENCH / "unseen" / "baseball.yaml",
    "world": BENCH / "unseen" / "world.yaml",
}
# Written blind, then used for tuning: run by name only, and reported apart.
MADE_UP = ("shop", "hospital", "university", "freight", "library", "trial", "plant", "telecom")  # made from a seed
PRACTICE = {path.stem: path for path in sorted((BENCH / "unseen").glob("practice*_*.yaml"))}
PRACTICE |= {
    f"{path.stem}_bank": path for path in sorted((BENCH / "pkdd").glob("practice*.yaml")) if "_" not in path.stem
}
EXPECTED = ("answer", "predictive", "decline", "ask")
# Kinds of which no question can be answered from the data.
UNANSWERABLE = frozenset(
    "undefined absent out_of_range made_up modify general subjective ambiguous".split(),
)


@dataclass(frozen=True)
class Question:
    """One question of a file.

    `gold`: SQL of the right answer (of the entities a prediction may rank, where `expect` is predictive).
    `accept`: SQL of other right forms. `readings`: (what is meant, SQL) of each reading of an ambiguous question.
    `text`: patterns that the answer's words must all match. `cells`: the gold row's numbers must occur, in any layout.
    `percent`: shares may be given as 0.25 or 25. `ordered`: the order of rows counts. `chart`: a chart must be shown.
    `rows`: how many entities a prediction must list; 0: any number. `explained`: reasons of a model must be shown.
    `after`: questions asked before it in the same conversation. `fresh`: needs a session of its own.
    `tool`, `tool_case`: the tool it is the happy or the error question of.
    `namesake`: only of a made_up question to decline, whose `name` one cell of the data holds after all: `gold`, SQL of
    one row, and `said`, a pattern of what the answer must call the thing. Declining stays right; answering so is, too.
    """

    id: str
    question: str
    kind: str
    expect: str
    split: str
    gold: str = ""
    accept: list[str] = field(default_factory=list)
    readings: list[dict[str, str]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    reason: str = ""
    cells: bool = False
    percent: bool = False
    ordered: bool = False
    chart: bool = False
    rows: int = 0
    explained: bool = False
    after: list[str] = field(default_factory=list)
    fresh: bool = False
    tool: str = ""
    tool_case: str = ""
    namesake: dict[str, str] = field(default_factory=dict)

    @property
    def golds(self) -> list[str]:
        """Every SQL statement that the question brings along."""
        of_readings = (r["gold"] for r in self.readings)
        return [q for q in (self.gold, *self.accept, *of_readings, self.namesake.get("gold")) if q]

    @property
    def answerable(self) -> bool:
        """Whether there is something to answer."""
        return self.expect in ("answer", "predictive")

    @property
    def judged(self) -> bool:
        """Whether an answer can be right: there is something to answer, or a made-up name is in the data after all."""
        return self.answerable or (self.expect == "decline" and self.kind == "made_up" and bool(self.namesake))


def tables_of(dataset: str) -> str:
    """Return the name of the tables that a question file is over: flights for practice2_flights.

    >>> tables_of("practice2_flights"), tables_of("practice_shop"), tables_of("bank")
    ('flights', 'shop', 'bank')
    """
    return dataset.partition("_")[2] if dataset in PRACTICE else dataset


def load(dataset: str) -> list[Question]:
    """Return the questions of a dataset, in the order of the file."""
    import yaml

    rows: list[dict[str, Any]] = yaml.safe_load({**FILES, **PRACTICE}[dataset].read_text("utf-8"))["questions"]
    return [Question(**row) for row in rows]


def halves(rows: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Return {id: "dev" or "test"} of (id, kind, question) rows: half of each kind, drawn by a hash of the words.

    A kind with an odd number gives its odd one to the half that has fewer so far.
    """
    by_kind: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for key, kind, question in rows:
        by_kind[kind].append((hashlib.sha256(f"{key} {question}".encode()).hexdigest(), key))
    out: dict[str, str] = {}
    for kind in sorted(by_kind):
        counts = [list(out.values()).count("dev"), list(out.values()).count("test")]
        names = ("dev", "test") if counts[0] <= counts[1] else ("test", "dev")
        for at, (_, key) in enumerate(sorted(by_kind[kind])):
            out[key] = names[at % 2]
    return out
