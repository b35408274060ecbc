"""The active dataset of a session, with its engine and grounding, kept between runs while the content is the same."""

from __future__ import annotations

import re
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
        self._given = _accepted(dataset)
        self.once = ""  # what a cell named for its question alone, as it was written
        self._dataset: Dataset | None = None
        self._engine: Engine | None = None
        self._grounder: Any = None
        self._terms: tuple[int, int] | None = None  # state of the terms file that the grounding was made with
        self._mark = ""

    def bind(self, dataset: Any) -> None:
        """Make `dataset` (a Dataset, a path, frames) the active one from the next run on.

        Raises:
            BadData: it is none of these; says what is. Nothing is opened yet.
        """
        self._given = _accepted(dataset)
        self._dataset = None

    def start(self, given: Any = None, *, question: str = "") -> Dataset:
        """Return the dataset of a run that begins now: `given` for this run alone, else the active one.

        question: what runs made is among the frames of the kernel where it has its name.

        Raises:
            BadData: no dataset was given and the namespace holds no DataFrame.
        """
        dataset = self._resolve(question) if given is None else self._opened(given)
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

    def left_out(self) -> dict[str, BadData]:
        """Return the frames of the next run that SQL cannot read, with the reason; opens no table."""
        from lexsi_nb.data.frames import usable

        try:
            dataset = self._resolve()
        except BadData:
            return {}
        found: dict[str, BadData] = {}
        for name, frame in (dataset.frames or {}).items():
            try:
                usable(name, frame)
            except BadData as why:
                found[name] = why
        return found

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

    def _resolve(self, question: str = "") -> Dataset:
        if self._given is not None:
            if self._dataset is None:
                self._dataset = self._opened(self._given)
            return self._dataset
        frames = self.variables.frames()
        made = set(self.variables.made())
        made |= {name for name in frames if self.variables.is_from_cells(name)}
        alone = made >= frames.keys()
        theirs = {n: f for n, f in frames.items() if n not in made or _named(n, question, plainly=alone)}
        if not theirs:
            left = f" of yours; runs made {', '.join(frames)}, asked about by name" if frames else ""
            why = f"No dataset was named and the kernel holds no DataFrame{left}."
            bind = "Load a DataFrame, or bind one: %lexsi data bank  or  %lexsi data path/to/folder"
            if self.once:
                why += f" '{self.once}' was named for one cell alone."
                bind = f"Stay with it: %lexsi data {self.once}"
            raise BadData("There are no data to ask about.", why, bind)
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


def _accepted(given: Any) -> Any:
    """Return what was given as a dataset. Raises: BadData: nothing that could be opened; says what is."""
    from lexsi_nb.data import sources

    if given is not None:
        sources.must_open(given)
    return given


def _named(name: str, question: str, *, plainly: bool) -> bool:
    """Whether a question has a variable's name; a name that is a word as well (`result`) counts where `plainly`."""
    return (plainly or not name.isalpha()) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question) is not None
