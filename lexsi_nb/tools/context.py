"""What a tool can reach: the dataset and engine of the run, its labels, its scratch keys, progress and cancellation.

A tool writes through its step. What a step wrote appears at once when the step succeeds and not at all when it
fails or was cancelled.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Shown, Table, stamped
from lexsi_nb.errors import Cancelled, UnknownFrame
from lexsi_nb.kernel.emitted import binds, in_f_string, renamed
from lexsi_nb.kernel.writes import StepWrites, WriteHandle
from lexsi_nb.toolkit.hiding import without_keys
from lexsi_nb.toolkit.refs import CONTEXT

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
    chart_title: str | dict[str, str] = ""  # of a picture of the result; the first words of read_as where it is empty
    apart: list[str] = field(default_factory=list)  # rows and groups that the figures leave out or set apart
    readings: list[tuple[str, str]] = field(default_factory=list)  # (other reading, question that asks for it)
    facts: dict[str, list[str]] = field(default_factory=dict)  # heading -> lines, in the order they were said
    left_out: list[tuple[str, str]] = field(default_factory=list)  # (what, why)
    warnings: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)  # labels that took another variable name, and why
    tasks: dict[str, dict[str, Any]] = field(default_factory=dict)  # label -> predictive task of text_to_sql
    result_units: dict[str, str] = field(default_factory=dict)  # column -> unit, of what text_to_sql asks for

    @property
    def units(self) -> dict[str, str]:
        """The units of what the run's predictive questions are about: column -> unit, where it is known."""
        return {column: unit for task in self.tasks.values() for column, unit in (task.get("units") or {}).items()}

    def warn(self, text: str) -> None:
        """Add a warning once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def say(self, heading: str, text: str) -> None:
        """Add a line under a heading of the answer, once."""
        lines = self.facts.setdefault(heading, [])
        if text not in lines:
            lines.append(text)

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
    grounder: Callable[[], Any]  # built on first use
    bind: Callable[[Dataset], Engine]  # makes another dataset the active one
    handle: WriteHandle  # the run's right to write; revoked on cancel
    seed: int = 0
    sent: Callable[[str, str], None] = lambda to, body: None  # notes a request that leaves this machine
    private: Callable[[str], bool] = lambda column: False  # whether a column's values must not leave this machine
    model_type: str = "LightGBM"  # of the embedded backend, where a call names none
    con: str = "con"  # variable name of the DuckDB connection in emitted cells
    model: Any = None  # answers side queries, where the planner is a model
    check: Callable[[str], str] | None = None  # marks numbers that no result has, in words of a model
    narrate: bool = False  # whether that model writes summaries: it may see rows
    reply: Callable[..., str] | None = None  # blocking side query: reply(text or Observation, system=...) -> text
    notes: Notes = field(default_factory=Notes)
    cells: list[CodeCell] = field(default_factory=list)
    artifacts: list[Shown] = field(default_factory=list)
    bound: list[Bound] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    datasets: list[Dataset] = field(default_factory=list)  # the active ones of this run, first one first
    origins: dict[str, Any] = field(default_factory=dict)  # variable -> column -> "table.column" it tells of
    placeholders: dict[str, str] = field(default_factory=dict)  # "$v1" -> a value that a planner may not read
    meant: set[str] = field(default_factory=set)  # statements that run, borne out by the data or not

    def __post_init__(self) -> None:
        self.datasets = self.datasets or [self.dataset]

    @property
    def synthetic(self) -> bool:
        """Whether any of its data are generated."""
        return any(d.synthetic for d in self.datasets)

    def cancelled(self) -> bool:
        """Whether the run was stopped."""
        return self.stop.is_set()

    def step(self, number: int, tool: str, tick: Callable[..., None]) -> StepContext:
        """Return the context of one call."""
        return StepContext(self, number, tool, tick)


class StepContext:
    """One call's view of the run. `commit` makes what it wrote appear, `drop` forgets it."""

    def __init__(self, run: RunContext, number: int, tool: str, tick: Callable[..., None]) -> None:
        self.run, self.number, self.tool = run, number, tool
        self._tick = tick
        self.opened: dict[str, Any] | None = None  # a hosted model that was made before, to be opened and not trained
        self._cells: list[CodeCell] = []
        self._shown: list[Shown] = []
        self._scratch: dict[str, Any] = {}
        self._notes: list[Callable[[], None]] = []
        self._writes = StepWrites(run.handle, number, tool)

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
        name = variables.named(label)
        if name is not None and name in variables.namespace:
            return name
        if label in variables.frames():
            return label
        known = list(variables.frames())
        raise UnknownFrame.among(label, known, next="A df_label is the label of a run_sql result or a frame variable.")

    def labels_in(self, tables: list[str]) -> dict[str, Any]:
        """Return those of `tables` that are labels or frames of the kernel, name -> frame."""
        own = set(self.engine.dataset.table_names())
        found: dict[str, Any] = {}
        for table in tables:
            if table in own:
                continue
            variables = self.run.variables
            name = variables.named(table) or (table if table in variables.frames() else None)
            if name is not None and name in variables.namespace:
                found[table] = variables.namespace[name]
        return found

    def register_labels(self, names: Iterable[str]) -> None:
        """Make those of `names` that are labels or frames of the kernel readable under their names."""
        for name, frame in self.labels_in(list(names)).items():
            self.engine.register(name, frame)

    def sources(self, tables: list[str]) -> tuple[str, ...]:
        """Return what `tables` of the dataset stand on: kernel variables, or the dataset itself."""
        dataset = self.run.dataset
        mine = {t.casefold(): t for t in dataset.table_names()}
        used = [mine[t.casefold()] for t in tables if t.casefold() in mine]
        if dataset.kind == "frames":
            return tuple(dataset.variable(t) for t in used)
        return (dataset.id,) if used else ()

    def rebind(self, dataset: Dataset) -> list[str]:
        """Make `dataset` the active one of this run and return its tables. The engine is built anew.

        Labels stay: SQL over the new dataset can read them. The setup cell of the dataset goes among the run's cells.
        """
        engine = self.run.bind(dataset)
        self.run.dataset, self.run.engine = dataset, engine
        self.run.datasets.append(dataset)
        self.emit(dataset.setup_cell(self.run.con))
        return [t.name for t in engine.tables()]

    # -- what it leaves

    def name_for(self, label: str, *, cell: CodeCell | None = None) -> str:
        """Return the variable name that `write(label, ...)` will bind; emitted source uses it."""
        return self._writes.name_for(label, cell=cell)

    def write(self, label: str, value: Any, *, parents: tuple[str, ...] = (), cell: CodeCell | None = None) -> Bound:
        """Bind `value` to a variable for `label` when the step succeeds. `parents` are names it was computed from."""
        self.check()
        return self._writes.write(label, value, parents=parents, cell=cell)

    def put(self, key: str, value: Any) -> None:
        """Set a shared scratch key when the step succeeds."""
        self.check()
        self._scratch[key] = value

    def emit(self, cell: CodeCell) -> CodeCell:
        """Hand out a code cell when the step succeeds, and return it as it may be run.

        A key or a known secret in it is masked in what is shown and saved, not in what is returned.
        """
        cell = dataclasses.replace(self._sparing(cell), step=self.number)
        self._cells.append(without_keys(cell))
        return cell

    def _sparing(self, cell: CodeCell) -> CodeCell:
        """Return the cell with its helper names changed where the user has a variable of that name.

        What our own cells left there when they were run is not the user's.
        """
        variables = self.run.variables
        taken = {
            n for n, v in variables.namespace.items() if variables.bound(n) is None and not isinstance(v, ModuleType)
        }
        names = (binds(cell.source) - set(cell.produces) - set(cell.requires)) & taken
        helpers = {n for n in names if n.strip("_") and not variables.is_from_cells(n)}  # `_` is nobody's
        free = {n: next(m for i in count(2) if (m := f"{n}_{i}") not in variables.namespace) for n in sorted(helpers)}
        kept = [n for n in free if in_f_string(cell.source, n)]
        for name in kept:
            free.pop(name)
            self.note(lambda n=name: self.notes.warn(f"Running the cell {cell.title!r} would replace your {n}."))
        return renamed(cell, free) if free else cell

    def show(self, artifact: Any, *, parents: tuple[str, ...] = ()) -> None:
        """Show an artifact in the answer when the step succeeds."""
        self._shown.append(Shown(artifact, self.number, self.tool, parents))

    def note(self, act: Callable[[], None]) -> None:
        """Do something to the notes when the step succeeds."""
        self._notes.append(act)

    def sent(self, to: str, body: str) -> None:
        """Note a request that leaves this machine, before it is made; `%lexsi sent` shows it."""
        self.run.sent(to, body)

    def tick(self, done: float, total: float | None = None, stage: str = "") -> None:
        """Say how far the step is; raises Cancelled when the run was stopped."""
        self.check()
        self._tick(done, total, stage)

    def held_against_results(self, words: str) -> str:
        """Return words of the planner with the numbers marked that no result has, where a language model wrote them."""
        return self.run.check(words) if words.strip() and self.run.check is not None else words

    def check(self) -> None:
        """Raise Cancelled when the run was stopped."""
        if self.run.stop.is_set():
            raise Cancelled(f"{self.tool} was stopped.", "The run was interrupted.")

    # -- commit or drop

    def commit(self, artifacts: tuple[Any, ...] = ()) -> None:
        """Bind what the step wrote, hand out its cells and artifacts."""
        self.check()
        bounds = self._writes.bounds
        self._writes.commit()
        for bound in bounds:
            if bound.renamed_because:
                self.notes.renamed.append(f"{bound.requested} is {bound.name} here: {bound.renamed_because}.")
            if bound.note:
                self.notes.renamed.append(bound.note)
        self.run.bound.extend(bounds)
        for artifact in artifacts:
            if isinstance(artifact, CodeCell):
                self.emit(artifact)
            else:
                self.show(artifact)
        run = self.run
        run.variables.register_cells(self._cells, run_id=run.run_id, question_key=run.question_key, producer=self.tool)
        self.run.cells.extend(self._cells)
        self.run.artifacts.extend(self._stamped(s) for s in self._shown)
        for key, value in self._scratch.items():
            self.run.cache[key] = value
        for act in self._notes:
            act()

    def _stamped(self, shown: Shown) -> Shown:
        """Return a result with the label of its data and the cell that makes it; one without a name is the last's."""
        name = getattr(shown.artifact, "name", "")
        cell = next((c for c in reversed(self.run.cells) if name in c.produces), None) if name else None
        if not name and isinstance(shown.artifact, Table):
            cell = self._cells[-1] if self._cells else None
        return dataclasses.replace(shown, artifact=stamped(shown.artifact, synthetic=self.run.synthetic, cell=cell))

    def drop(self) -> None:
        """Forget what the step wrote."""
        self._writes.close()


Context = Annotated[StepContext, CONTEXT]
"""Annotation by which a tool of ours asks for the step it runs in."""
