"""What a tool can reach: the dataset and engine of the run, its labels, its scratch keys, progress and cancellation.

A tool writes through its step. What a step wrote appears at once when the step succeeds and not at all when it
fails or was cancelled.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Shown
from lexsi_nb.errors import Cancelled, UnknownFrame

if TYPE_CHECKING:
    from lexsi_nb.data.dataset import Dataset
    from lexsi_nb.data.engine import Engine
    from lexsi_nb.kernel.cache import RunCache
    from lexsi_nb.kernel.variables import Bound, Variables
    from lexsi_nb.modeling.backend import Backend


@dataclass
class Notes:
    """What the answer has to say beside the numbers, collected by the tools as they go."""

    read_as: str = ""
    readings: list[tuple[str, str]] = field(default_factory=list)  # (other reading, question that asks for it)
    left_out: list[tuple[str, str]] = field(default_factory=list)  # (what, why)
    warnings: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)  # labels that took another variable name, and why
    tasks: dict[str, dict[str, Any]] = field(default_factory=dict)  # label -> predictive task of text_to_sql

    def warn(self, text: str) -> None:
        """Add a warning once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def leave_out(self, what: str, why: str) -> None:
        """Name something that was not used, once."""
        if (what, why) not in self.left_out:
            self.left_out.append((what, why))


@dataclass
class RunContext:
    """Everything the steps of one run share."""

    question: str
    question_key: str
    run_id: str
    dataset: Dataset
    engine: Engine
    variables: Variables
    cache: RunCache
    backend: Backend
    grounder: Callable[[], Any]  # built on first use; lives on the level below
    seed: int = 0
    con: str = "con"  # variable name of the DuckDB connection in emitted cells
    model: Any = None  # answers side queries, where the planner is a model
    reply: Callable[..., str] | None = None  # blocking side query: reply(prompt, system=...) -> text
    notes: Notes = field(default_factory=Notes)
    cells: list[CodeCell] = field(default_factory=list)
    artifacts: list[Shown] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    handle: Any = None  # write handle of the run; revoked on cancel

    def cancelled(self) -> bool:
        """Whether the run was stopped."""
        return self.stop.is_set()

    def step(self, number: int, tool: str, tick: Callable[..., None]) -> StepContext:
        """Return the context of one call."""
        return StepContext(self, number, tool, tick)


class StepContext(AbstractContextManager["StepContext"]):
    """One call's view of the run. As a context manager it commits on success and drops all on an exception."""

    def __init__(self, run: RunContext, number: int, tool: str, tick: Callable[..., None]) -> None:
        self.run, self.number, self.tool = run, number, tool
        self._tick = tick
        self._cells: list[CodeCell] = []
        self._shown: list[Shown] = []
        self._scratch: dict[str, Any] = {}
        self._notes: list[Callable[[], None]] = []
        self._step = run.handle.step(number, tool=tool)

    # -- what is there

    @property
    def dataset(self) -> Dataset:
        """The active dataset."""
        return self.run.dataset

    @property
    def engine(self) -> Engine:
        """SQL over the active dataset."""
        return self.run.engine

    @property
    def question(self) -> str:
        """The user's question, word for word."""
        return self.run.question

    @property
    def notes(self) -> Notes:
        """What the answer has to say beside the numbers."""
        return self.run.notes

    @property
    def cache(self) -> RunCache:
        """The shared keys of the tool reference's section 4."""
        return self.run.cache

    def get(self, key: str, default: Any = None) -> Any:
        """Return a shared key, as this step would see it."""
        return self._scratch[key] if key in self._scratch else self.run.cache.get(key, default)

    def frame(self, label: str) -> Any:
        """Return the frame of a label, or of a kernel variable of that name, as it is now.

        Raises:
            UnknownFrame: neither exists; lists the nearest names.
        """
        name = self.name_of(label)
        return self.run.variables.namespace[name]

    def name_of(self, label: str) -> str:
        """Return the variable name that holds `label`.

        Raises:
            UnknownFrame: no such label or frame; lists the nearest names.
        """
        variables = self.run.variables
        name = variables.name_of(label)
        if name is not None and name in variables.namespace:
            return name
        if label in variables.frames():
            return label
        known = [*variables.labels(), *variables.frames()]
        raise UnknownFrame.among(label, known, next="A df_label is the label of a run_sql result or a frame variable.")

    def labels_in(self, tables: list[str]) -> dict[str, Any]:
        """Return those of `tables` that are labels or frames of the kernel, name -> frame."""
        own = set(self.engine.dataset.table_names())
        found: dict[str, Any] = {}
        for table in tables:
            if table in own:
                continue
            name = self.run.variables.name_of(table) or (table if table in self.run.variables.frames() else None)
            if name is not None and name in self.run.variables.namespace:
                found[table] = self.run.variables.namespace[name]
        return found

    # -- what it leaves

    def reserve(self, label: str) -> str:
        """Return the variable name that `write(label, ...)` will bind; emitted source uses it."""
        return self.run.variables.reserve(label, question_key=self.run.question_key)

    def write(self, label: str, value: Any, *, parents: Mapping[str, str] | tuple[str, ...] = ()) -> Bound:
        """Bind `value` to a variable for `label` when the step succeeds. `parents` are names it was computed from."""
        self.check()
        return self._step.write(label, value, parents=self._fingerprints(parents), question_key=self.run.question_key)

    def put(self, key: str, value: Any) -> None:
        """Set a shared scratch key when the step succeeds."""
        self.check()
        self._scratch[key] = value

    def emit(self, cell: CodeCell) -> CodeCell:
        """Hand out a code cell when the step succeeds."""
        import dataclasses

        cell = dataclasses.replace(cell, step=self.number)
        self._cells.append(cell)
        return cell

    def show(self, artifact: Any, *, parents: tuple[str, ...] = ()) -> None:
        """Show an artifact in the answer when the step succeeds."""
        self._shown.append(Shown(artifact, self.number, self.tool, parents))

    def note(self, act: Callable[[], None]) -> None:
        """Do something to the notes when the step succeeds."""
        self._notes.append(act)

    def tick(self, done: float, total: float | None = None, stage: str = "") -> None:
        """Say how far the step is; raises Cancelled when the run was stopped."""
        self.check()
        self._tick(done, total, stage)

    def check(self) -> None:
        """Raise Cancelled when the run was stopped."""
        if self.run.stop.is_set():
            raise Cancelled(f"{self.tool} was stopped.", "The run was interrupted.")

    def _fingerprints(self, parents: Mapping[str, str] | tuple[str, ...]) -> dict[str, str]:
        if isinstance(parents, Mapping):
            return dict(parents)
        return {name: self.run.variables.fingerprint_of(name) for name in parents}

    # -- commit or drop

    def __enter__(self) -> StepContext:
        self._step.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is None:
            self.check()
        self._step.__exit__(kind, error, trace)
        if error is not None:
            return
        for bound in self._step.bound:
            if bound.note:
                self.run.notes.renamed.append(bound.note)
        for cell in self._cells:
            self.run.variables.note_emitted(cell)
        self.run.cells.extend(self._cells)
        self.run.artifacts.extend(self._shown)
        for key, value in self._scratch.items():
            self.run.cache[key] = value
        for act in self._notes:
            act()
