"""Work of which only the newest is wanted, beside everything else that the kernel does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context

from lexsi_nb.widgets.live.base import Superseded

Work = Callable[[Callable[[], None]], None]  # its argument raises Superseded once the work is not wanted any more


class Newest:
    """One piece of work at a time on a thread of its own; a newer one ends it and takes its place."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now: _Job | None = None
        self._next: _Job | None = None

    def begin(self, work: Work) -> None:
        """Begin a piece of work as soon as the one under way has noticed that it is not wanted."""
        job = _Job(work)
        with self._lock:
            left_out, self._next = self._next, job if self._now is not None else None
            if self._now is not None:
                self._now.unwanted.set()
            else:
                self._start(job)
        if left_out is not None:  # it notices at once, and says so
            left_out.unwanted.set()
            left_out.run()

    def stop(self) -> None:
        """End what is under way; nothing where nothing is."""
        with self._lock:
            for job in (self._now, self._next):
                if job is not None:
                    job.unwanted.set()

    def _start(self, job: _Job) -> None:
        self._now = job
        # With the context of the message: what is sent belongs to it.
        threading.Thread(target=copy_context().run, args=(self._go, job), name="lexsi-table", daemon=True).start()

    def _go(self, job: _Job) -> None:
        try:
            job.run()
        finally:
            with self._lock:
                self._now, waiting, self._next = None, self._next, None
                if waiting is not None:
                    self._start(waiting)


class _Job:
    def __init__(self, work: Work) -> None:
        self.unwanted = threading.Event()
        self._work = work

    def run(self) -> None:
        self._work(self._check)

    def _check(self) -> None:
        if self.unwanted.is_set():
            raise Superseded("Something newer was asked for.")
