"""The active dataset of a session, with its engine and grounding, kept between runs while the content is the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.data.limits import Limits
from lexsi_nb.errors import BadData
from lexsi_nb.kernel.variables import Variables

if TYPE_CHECKING:
    from lexsi_nb.data.dataset import Dataset
    from lexsi_nb.data.engine import Engine


class Binding:
    """Holds one engine a dataset. Binding another dataset closes the engine before."""

    def __init__(self, variables: Variables, dataset: Any = None, limits: Limits | None = None) -> None:
        self.variables = variables
        self.limits = limits or Limits()
        self._given = dataset
        self._dataset: Dataset | None = None
        self._engine: Engine | None = None
        self._grounder: Any = None
        self._terms: tuple[int, int] | None = None  # state of the terms file that the grounding was made with
        self._mark = ""

    def bind(self, dataset: Any) -> None:
        """Make `dataset` (a Dataset, a path, frames) the active one from the next run on."""
        self._given = dataset
        self._dataset = None

    def start(self, given: Any = None) -> Dataset:
        """Return the dataset of a run that begins now: `given` for this run alone, else the active one.

        Raises:
            BadData: no dataset was given and the namespace holds no DataFrame.
        """
        dataset = self._resolve() if given is None else self._opened(given)
        limits = self.limits
        mark = f"{limits.memory}:{dataset.id}:{dataset.fingerprint(self._frames_mark(dataset))}"
        if self._engine is None or mark != self._mark:
            from lexsi_nb.data.engine import Engine

            # Built before the other is closed: a source that cannot be opened leaves the run with what it had.
            engine = Engine(dataset, namespace=self.variables.namespace, memory_limit=limits.memory)
            if self._engine is not None and self._engine.dataset.id == dataset.id:
                engine.take_workspace(self._engine)
            self.close()
            self._engine, self._mark = engine, mark
        elif self._grounder is not None and dataset.kind == "frames":
            self._grounder.look_again()  # frames may have been edited in place since
        self._engine.timeout, self._engine.max_rows = limits.seconds, limits.rows
        if given is None:
            self._dataset = dataset
        self.variables.watch(dataset.id, dataset.fingerprint)
        self._watch_given(dataset)
        return dataset

    def _watch_given(self, dataset: Dataset) -> None:
        """Let results rest on frames that were given and are no variables; a variable of the name comes first."""
        from lexsi_nb.kernel.fingerprint import fingerprint

        namespace = self.variables.namespace
        for name, frame in (dataset.frames or {}).items():
            if name not in namespace:
                self.variables.watch(name, lambda n=name, f=frame: fingerprint(namespace.get(n, f)))

    def rebind(self, dataset: Dataset) -> Engine:
        """Make `dataset` the active one in mid-run and return its engine: a locked one cannot take another source."""
        before = self._given, self._dataset
        self.bind(dataset)
        try:
            self.start()
        except BaseException:
            self._given, self._dataset = before
            raise
        return self.engine

    @property
    def engine(self) -> Engine:
        """The engine of the run under way."""
        if self._engine is None:
            self.start()
        assert self._engine is not None
        return self._engine

    def grounder(self) -> Any:
        """Return the grounding over the active dataset; built on first use, and anew when the terms file changed."""
        from lexsi_nb.data.notebook_terms import stamp

        now = stamp()
        if self._grounder is None or now != self._terms:
            self._terms = now
            from lexsi_nb.grounding.grounder import Grounder

            engine = self.engine
            marks = self._marks if engine.dataset.kind == "frames" else None
            self._grounder = Grounder(engine, engine.dataset.knowledge, marks)
        return self._grounder

    def _marks(self) -> dict[str, str]:
        """Return the fingerprint of each frame of the dataset."""
        from lexsi_nb.kernel.fingerprint import fingerprint

        engine = self.engine
        unread = engine.unreadable()
        return {t: fingerprint(engine.frame(t)) for t in engine.dataset.table_names() if t not in unread}

    def forget_grounding(self) -> None:
        """Read the knowledge of the data anew with the next question."""
        self._grounder = None

    def active_id(self) -> str:
        """Return the id of the dataset that the next run asks about; opens no table.

        Raises:
            BadData: there is none.
        """
        return self._resolve().id

    def describe(self) -> str:
        """Return what the next run would ask about, in a line; opens nothing."""
        try:
            dataset = self._resolve()
        except BadData as error:
            return f"none: {error.why}"
        return f"{dataset.title}: {', '.join(dataset.table_names())}" + (f". {dataset.note}" if dataset.note else "")

    def names(self) -> dict[str, tuple[str, ...]]:
        """Return table -> columns of the active dataset, as far as they are known by now; opens nothing."""
        if self._engine is not None:
            return {t.name: tuple(c.name for c in t.columns) for t in self._engine.tables()}
        try:
            return dict.fromkeys(self._resolve().table_names(), ())
        except BadData:
            return {}  # there are no data yet, so there is nothing to name

    def close(self) -> None:
        """Close the engine and forget the grounding; files are free again."""
        if self._engine is not None:
            self._engine.close()
        self._engine = self._grounder = None
        self._mark = ""

    def _resolve(self) -> Dataset:
        if self._given is not None:
            if self._dataset is None:
                self._dataset = self._opened(self._given)
            return self._dataset
        frames = self.variables.frames()
        ours = {row.name for row in self.variables.listing()}
        theirs = {
            name: frame for name, frame in frames.items() if name not in ours and not self.variables.is_from_cells(name)
        } or frames
        if not theirs:
            raise BadData(
                "There are no data to ask about.",
                "No dataset was named and the kernel holds no DataFrame.",
                "Load a DataFrame, or bind one: %lexsi data bank  or  %lexsi data path/to/folder",
            )
        from lexsi_nb.data import sources

        # Looked up in the namespace alone: a variable that was deleted since is not to be read from a copy.
        return replace(sources.frames(theirs), frames=None)

    def _opened(self, given: Any) -> Dataset:
        from lexsi_nb.data import sources

        return sources.open(given)

    def _frames_mark(self, dataset: Dataset) -> str:
        """Return what tells one set of frames from another: names and columns. Values are read live."""
        if dataset.kind != "frames":
            return ""
        parts = []
        for name in dataset.variables:
            frame = self.variables.namespace.get(name)
            if frame is None and dataset.frames is not None:
                frame = dataset.frames.get(name)  # given to the session, and no variable
            parts.append(f"{name}:{id(frame)}:{getattr(frame, 'shape', '')}")
        return "|".join(parts)
