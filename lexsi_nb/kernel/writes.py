"""The only way a run writes: step by step, all or nothing, and not at all after it was cancelled."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts import CodeCell
from lexsi_nb.errors import Cancelled
from lexsi_nb.kernel.bound import Bound, Pending

if TYPE_CHECKING:
    from lexsi_nb.kernel.variables import Variables


class WriteHandle:
    """A run's right to write. `revoke()` ends it, also for threads that run on."""

    def __init__(self, variables: Variables, run_id: str, question_key: str) -> None:
        self.variables, self.run_id, self.question_key = variables, run_id, question_key
        self.promised: dict[
            str, tuple[str, str]
        ] = {}  # label -> (name, why) that code cells of this run are built with
        self._revoked = threading.Event()
        self._lock = threading.RLock()  # revoke() waits for a commit under way, so that none follows it

    @property
    def revoked(self) -> bool:
        """Whether writing is over."""
        return self._revoked.is_set()

    def revoke(self) -> None:
        """End the right to write; what was committed stays."""
        with self._lock:
            self._revoked.set()

    def check(self) -> None:
        """Raise Cancelled once the handle is revoked."""
        if self.revoked:
            raise Cancelled("The step was stopped.", "It cannot write any more.")

    @contextmanager
    def step(self, number: int | None = None, *, producer: str = "") -> Iterator[StepWrites]:
        """Return the writes of a step: bound together when the block ends well, dropped when it raises."""
        self.check()
        writes = StepWrites(self, number, producer)
        try:
            yield writes
            writes.commit()
        finally:
            writes.close()

    def write(self, label: str, value: Any, *, step: int | None = None, producer: str = "", **how: Any) -> Bound:
        """Return how `label` was bound, as a step of one write."""
        with self.step(step, producer=producer) as writes:
            return writes.write(label, value, **how)


class StepWrites:
    """What a step wants to bind: visible to the step, to nobody else before it succeeds."""

    def __init__(self, handle: WriteHandle, number: int | None, producer: str) -> None:
        self.handle, self.number, self.producer = handle, number, producer
        self._pending: dict[str, Pending] = {}
        self._closed = False

    def name_for(self, label: str, *, cell: CodeCell | None = None) -> str:
        """Return the variable name for the source of a code cell; a write of `label` in this run then binds it.

        Where the user takes the name meanwhile, the write takes the next one. `cell` is the source under the plain
        name, where it is known already: when the user ran the same source before, the plain name is ours.
        """
        for p in self._pending.values():
            if p.bound.requested == label:
                return p.bound.name
        handle = self.handle
        others = {name for other, (name, _) in handle.promised.items() if other != label}
        place = handle.variables.place(
            label, question_key=handle.question_key, cell=cell, taken={*others, *self._pending}
        )
        handle.promised[label] = place
        return place[0]

    def write(
        self,
        label: str,
        value: Any,
        *,
        parents: Mapping[str, str] | Iterable[str] = (),
        producer: str = "",
        cell: CodeCell | None = None,
    ) -> Bound:
        """Return how `label` will be bound when the step succeeds.

        Raises:
            Cancelled: the run was stopped, or the step is over.
        """
        self._check()
        for name in [n for n, p in self._pending.items() if p.bound.requested == label]:
            del self._pending[name]  # the step's own later value wins
        pending = self.handle.variables.plan(
            label, value, run_id=self.handle.run_id, step=self.number, parents=parents,
            question_key=self.handle.question_key, producer=producer or self.producer, cell=cell, beside=self._pending,
            promised=self.handle.promised.get(label),
        )  # fmt: skip
        self._check()  # fingerprinting takes time
        self._pending[pending.bound.name] = pending
        return pending.bound

    def value(self, label: str, default: Any = None) -> Any:
        """Return what this step wrote under `label`, else `default`."""
        return next((p.value for p in self._pending.values() if p.bound.requested == label), default)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """What the step wrote so far."""
        return tuple(p.bound for p in self._pending.values())

    def commit(self) -> None:
        """Bind everything that the step wrote; further writes are refused."""
        with self.handle._lock:
            self._check()
            self.handle.variables.commit(self._pending.values())
            self._closed = True

    def close(self) -> None:
        """Drop what was not committed."""
        self._closed = True

    def _check(self) -> None:
        self.handle.check()
        if self._closed:
            raise Cancelled("The step is over.", "It cannot write any more.")
