"""Labels bound to the user's own variables: what is ours, what is theirs, and never theirs overwritten."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping
from dataclasses import replace
from typing import Any

from lexsi_nb.artifacts import CodeCell
from lexsi_nb.errors import LexsiError, StaleResult, UnknownFrame, UnknownName
from lexsi_nb.kernel import emitted as cells_of
from lexsi_nb.kernel import staleness
from lexsi_nb.kernel.bound import MISSING, Anchor, Bound, Entry, Pending, VariableRow
from lexsi_nb.kernel.fingerprint import fingerprint
from lexsi_nb.kernel.frames import describe, frame_library, frames_of
from lexsi_nb.kernel.labels import variable_name
from lexsi_nb.kernel.writes import WriteHandle

HISTORY = 200  # executed cells and emitted cells that are remembered


class UnknownVariable(UnknownName):
    """No variable of that name was made by a run."""

    kind = "variable"


class Variables:
    """The labels of the runs, bound to names of one namespace.

    A name is ours while it holds the object we wrote, or one that an emitted code cell of ours made. Everything
    else is the user's and is never overwritten.
    """

    def __init__(self, namespace: MutableMapping[str, Any]) -> None:
        self.namespace = namespace
        self._lock = threading.RLock()
        self._entries: dict[str, Entry] = {}
        self._kept: dict[str, tuple[Any, Entry | None]] = {}
        self._emitted: list[cells_of.Emitted] = []
        self._executed: dict[str, tuple[str, Anchor]] = {}  # name -> source that bound it last, and what it bound
        self._watched: dict[str, Callable[[], str]] = {}
        self._forgotten: set[str] = set()  # names that the user took back

    # writing ------------------------------------------------------------------------------------------------

    def handle(self, run_id: str, *, question_key: str = "") -> WriteHandle:
        """Return the handle through which a run writes, until it is revoked."""
        return WriteHandle(self, run_id, question_key)

    def write(
        self,
        label: str,
        value: Any,
        *,
        run_id: str = "",
        step: int | None = None,
        parents: Mapping[str, str] | Iterable[str] = (),
        question_key: str = "",
        producer: str = "",
        cell: CodeCell | None = None,
    ) -> Bound:
        """Return how `label` was bound to `value`, at once. Tools write through `handle` instead."""
        with self._lock:
            pending = self.plan(
                label, value, run_id=run_id, step=step, parents=parents, question_key=question_key, producer=producer,
                cell=cell,
            )  # fmt: skip
            self.commit([pending])
            return pending.bound

    def name_for(self, label: str, *, question_key: str = "", cell: CodeCell | None = None) -> str:
        """Return the name that `label` would get now. `cell` is the code cell that computes it, where it is known."""
        return self.place(label, question_key=question_key, cell=cell)[0]

    def place(
        self, label: str, *, question_key: str = "", cell: CodeCell | None = None, taken: Collection[str] = ()
    ) -> tuple[str, str]:
        """Return (name, why it is not the label) before the value is known; pass it to `plan` as `promised`."""
        with self._lock:
            return self._place(label, "", question_key, cell, taken)[:2]

    def plan(
        self,
        label: str,
        value: Any,
        *,
        run_id: str = "",
        step: int | None = None,
        parents: Mapping[str, str] | Iterable[str] = (),
        question_key: str = "",
        producer: str = "",
        cell: CodeCell | None = None,
        beside: Mapping[str, Pending] | None = None,
        promised: tuple[str, str] | None = None,
    ) -> Pending:
        """Return the write, decided but not done.

        `parents` maps names (variables, or sources given to `watch`) to fingerprints; names alone are fingerprinted
        now. `cell` is the code cell that computes the value: where the user ran the same source earlier, the
        variable is ours. `beside` are the other writes of the same step, by name: parents may be among them.
        `promised` is what `place` returned: source that was written with that name stays true, where it still can be.
        """
        with self._lock:
            mark = fingerprint(value)
            beside = beside or {}
            name, why, note, keep = self._place(label, mark, question_key, cell, beside, promised)
            if isinstance(parents, Mapping):
                known = dict(parents)
            else:
                known = {p: beside[p].bound.fingerprint if p in beside else self._content_now(p) for p in parents}
            bound = Bound(
                name=name, requested=label, renamed_because=why, note=note, fingerprint=mark, run_id=run_id, step=step,
                producer=producer, question_key=question_key, parents=known, description=describe(value),
            )  # fmt: skip
            found = Anchor(self.namespace[name]) if name in self.namespace else None
            return Pending(bound, value, found, keep)

    def commit(self, pending: Iterable[Pending]) -> None:
        """Bind all of `pending`, or none.

        Raises:
            StaleResult: the user bound one of the names meanwhile; run the step again.
        """
        writes = list(pending)
        with self._lock:
            for p in writes:
                now = self.namespace.get(p.bound.name, MISSING)
                if (now is not MISSING) if p.found is None else not p.found.holds(now):
                    raise StaleResult(f"{p.bound.name} was bound while the step ran.", "", "Run the step again.")
            before = dict(self._entries), dict(self._kept)
            values = {p.bound.name: self.namespace.get(p.bound.name, MISSING) for p in writes}
            try:
                for p in writes:
                    self._bind(p)
            except BaseException:  # an interrupt between two names, or a namespace that refuses one
                self._entries, self._kept = before
                for name, value in values.items():
                    if value is MISSING:
                        self.namespace.pop(name, None)
                    else:
                        self.namespace[name] = value
                raise

    def _bind(self, p: Pending) -> None:
        name = p.bound.name
        if p.keep is not MISSING:
            self._kept[name] = (p.keep, self._entries.get(name))
        else:
            self._kept.pop(name, None)
        self.namespace[name] = p.value
        self._forgotten.discard(name)
        self._enter(name, p.bound, p.value)

    def _enter(self, name: str, bound: Bound, value: Any) -> None:
        self._entries.pop(name, None)  # the newest stands last: `named` finds it first
        self._entries[name] = Entry(bound, Anchor(value))

    def _place(
        self,
        label: str,
        mark: str,
        question_key: str,
        cell: CodeCell | None,
        taken: Collection[str],
        promised: tuple[str, str] | None = None,
    ) -> tuple[str, str, str, Any]:
        """Return (name, why renamed, note, version to keep) for a write of `label`."""
        if promised is not None and promised[0] not in taken:
            blocked, note, keep = self._blocked(promised[0], label, mark, question_key, cell)
            if not blocked:
                return *promised, note, keep
        base, why = variable_name(label)
        reasons = [why] if why else []
        name, number = base, 1
        while True:
            blocked, note, keep = self._blocked(name, label, mark, question_key, cell)
            if not blocked and name not in taken:
                return name, "; ".join(reasons), note, keep
            if number == 1:
                reasons.append(blocked or f"{name} is another result of this run")
            number += 1
            name = f"{base}_{number}"

    def _blocked(
        self, name: str, label: str, mark: str, question_key: str, cell: CodeCell | None
    ) -> tuple[str, str, Any]:
        """Return (why `name` cannot be written, or ""; note; the version to keep for undo)."""
        if name not in self.namespace:
            return "", "", MISSING
        now = self.namespace[name]
        entry = self._entries.get(name)
        if entry is None or not entry.anchor.holds(now):
            if mark and name not in self._forgotten and fingerprint(now) == mark:
                return "", "", MISSING
            if name not in self._forgotten and self._ran_here(name, now, cell):
                return "", f"{name} was replaced; %lexsi undo {name} brings it back (one version is kept).", now
            return f"{name} is a variable of yours", "", MISSING
        if entry.bound.requested != label:
            return f"{name} holds another result", "", MISSING
        if fingerprint(now) in (entry.bound.fingerprint, mark):
            return "", "", MISSING
        if question_key and entry.bound.question_key == question_key:
            note = f"Your edit of {name} was replaced; %lexsi undo {name} brings it back (one version is kept)."
            return "", note, now
        return f"{name} was edited by you", "", MISSING

    def _ran_here(self, name: str, now: Any, cell: CodeCell | None) -> bool:
        """Return whether the user ran `cell` (or emitted cells, where it is not known) and `name` holds its result."""
        source, anchor = self._executed.get(name, ("", None))
        if anchor is None or not anchor.holds(now):
            return False
        tokens = cells_of.tokens_of(source)
        parts = cells_of.split(tokens, self._emitted) if tokens else None
        if any(name in part.cell.produces for part in parts or ()):
            return True
        if cell is None:
            return False
        # The cell may have been built for the next free name: compare it as it would be under this one.
        others = [cells_of.renamed(cell, {made: name}) for made in cell.produces if made.startswith(f"{name}_")]
        return any(cells_of.made_by(name, source, c) for c in (cell, *others))

    # code cells -----------------------------------------------------------------------------------------------

    def register_cells(
        self, cells: Iterable[CodeCell], *, run_id: str, question_key: str = "", producer: str = ""
    ) -> None:
        """Remember cells that a run handed out: what they make stays ours when the user runs them."""
        with self._lock:
            for cell in cells:
                tokens = cells_of.tokens_of(cell.source)
                if tokens:
                    made = cells_of.Emitted(cell, tokens, run_id, question_key, cell.step, producer)
                    self._emitted.append(made)
            del self._emitted[:-HISTORY]

    def note_cell_run(self, source: str, changed: Collection[str]) -> tuple[str, ...]:
        """Return the names that became ours because `source` is made of emitted cells.

        `changed` are the names that the executed cell bound. Every run is remembered, so that a run that emits the
        same source later knows its own variables again.
        """
        with self._lock:
            for name in changed:
                if name in self.namespace and not name.startswith("_"):
                    self._executed[name] = (source, Anchor(self.namespace[name]))
            tokens = cells_of.tokens_of(source) if self._emitted else None
            parts = cells_of.split(tokens, self._emitted) if tokens else None
            ours: list[str] = []
            for part in parts or ():
                for name in part.cell.produces:
                    # a name that no run bound, or that was forgotten, does not become ours by this
                    if name in changed and name in self.namespace and name in self._entries:
                        self._adopt(name, part)
                        ours.append(name)
            return tuple(dict.fromkeys(ours))

    def _adopt(self, name: str, part: cells_of.Emitted) -> None:
        value, before = self.namespace[name], self._entries[name].bound
        # What the cell reads, as it is now; a source that is no variable is known from the run only. Connections
        # are no content: a new one to the same data makes nothing stale.
        parents = {k: v for k, v in before.parents.items() if k in self._watched}
        for r in part.cell.requires:
            known = r in before.parents or r in self._entries or frame_library(self.namespace.get(r))
            if r != name and known and r in self.namespace:
                parents[r] = self._content_now(r)
        bound = Bound(
            name=name, requested=before.requested, fingerprint=fingerprint(value), run_id=part.run_id, step=part.step,
            question_key=part.question_key, parents=parents, producer=part.producer or before.producer,
            description=describe(value),
        )  # fmt: skip
        self._enter(name, bound, value)

    # reading ------------------------------------------------------------------------------------------------

    def frames(self) -> dict[str, Any]:
        """Return the pandas, polars and Arrow frames of the namespace: name -> frame."""
        return frames_of(self.namespace)

    def frame(self, name: str) -> Any:
        """Return the frame called `name`.

        Raises:
            UnknownFrame: no such frame; lists the nearest names.
        """
        frames = self.frames()
        if name not in frames:
            raise UnknownFrame.among(name, frames)
        return frames[name]

    def bound(self, name: str) -> Bound | None:
        """Return what is known of `name` while it is ours, else None."""
        entry = self._entries.get(name)
        ours = entry is not None and entry.anchor.holds(self.namespace.get(name, MISSING))
        return entry.bound if entry is not None and ours else None

    def is_free(self, name: str, cell: CodeCell) -> bool:
        """Return whether `cell` may bind `name`: it is unbound, ours, or holds what an emitted cell made of it."""
        if name not in self.namespace or self.bound(name) is not None:
            return True
        return name not in self._forgotten and self._ran_here(name, self.namespace[name], cell)

    def is_from_cells(self, name: str) -> bool:
        """Return whether `name` holds what emitted cells left there when the user ran them, results or not."""
        source, anchor = self._executed.get(name, ("", None))
        if name in self._forgotten or anchor is None or not anchor.holds(self.namespace.get(name, MISSING)):
            return False
        tokens = cells_of.tokens_of(source)
        return bool(tokens) and cells_of.split(tokens, self._emitted) is not None

    def named(self, label: str) -> str | None:
        """Return the variable that `label` was bound to last, else None."""
        for name, entry in reversed(list(self._entries.items())):
            if entry.bound.requested == label:
                return name
        return None

    def labels(self) -> list[str]:
        """Return the labels that runs bound, oldest first."""
        return list(dict.fromkeys(entry.bound.requested for entry in self._entries.values()))

    def made(self) -> list[str]:
        """Return the names that are ours and hold what a run made, oldest first."""
        return [name for name in list(self._entries) if self.bound(name) is not None]

    def fingerprint(self, name: str) -> str:
        """Return the fingerprint of what `name` holds now: a parent for `write`.

        Raises:
            UnknownVariable: neither a variable nor a watched source.
        """
        mark = self._content_now(name)
        if not mark:
            raise UnknownVariable.among(name, [*self.frames(), *self._watched])
        return mark

    def watch(self, source: str, content: Callable[[], str]) -> None:
        """Let results name `source` (a dataset, a file) as a parent; `content()` returns its fingerprint now."""
        self._watched[source] = content

    def _content_now(self, name: str) -> str:
        """Return the fingerprint of a variable or a watched source, "" when it is gone."""
        if name in self._watched:
            return self._watched[name]()
        return fingerprint(self.namespace[name]) if name in self.namespace else ""

    # staleness ----------------------------------------------------------------------------------------------

    def stale(self, names: Iterable[str] | None = None) -> dict[str, str]:
        """Return name -> reason for each of our variables (or of `names`) whose parents' content differs now."""
        with self._lock:
            return staleness.stale(self._entries, self.namespace, self._watched, names)

    def listing(self) -> list[VariableRow]:
        """Return a row for each variable that a run made, in the order they were made."""
        with self._lock:
            return staleness.listing(self._entries, self.namespace, self._watched)

    # forgetting and undoing ---------------------------------------------------------------------------------

    def forget(self, name: str) -> None:
        """Make `name` the user's: its value stays, no later run writes it."""
        with self._lock:
            if name not in self._entries:
                raise UnknownVariable.among(name, self._entries)
            del self._entries[name]
            self._kept.pop(name, None)
            self._forgotten.add(name)

    def undo(self, name: str) -> Any:
        """Return the version of `name` that a run replaced, bound again. A second undo swaps back.

        Raises:
            LexsiError: nothing was replaced, or the user bound the name to something else since.
        """
        with self._lock:
            if name not in self._kept:
                raise LexsiError(f"Nothing to undo for {name!r}.", "No run replaced an edited version of it.")
            entry = self._entries.get(name)
            now = self.namespace.get(name, MISSING)
            if now is not MISSING and (entry is None or not entry.anchor.holds(now)):
                raise LexsiError(
                    f"{name} is a variable of yours now.", "Undo would overwrite it.", "Rename or delete it, then undo."
                )
            value, before = self._kept.pop(name)
            if now is not MISSING:
                self._kept[name] = (now, entry)
            self.namespace[name] = value
            if before is not None:
                self._entries[name] = replace(before, anchor=Anchor(value))
            else:
                self._entries.pop(name, None)
            return value

    restore = undo
