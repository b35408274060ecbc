"""A `range` for the loops of an emitted cell that reports progress and lets the step be stopped."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator

from lexsi_nb.errors import Cancelled


class Laps:
    """Stands in for `range` in a cell's namespace: same numbers, one tick and one poll for cancel a lap.

    The source stays plain; only the name `range` it finds while a tool runs it is this one.
    """

    def __init__(
        self, total: int, stage: str, tick: Callable[[int, int, str], None], cancelled: Callable[[], bool]
    ) -> None:
        self.done, self.total, self.stage = 0, max(1, total), stage
        self.tick, self.cancelled = tick, cancelled
        self.poll()

    def __call__(self, *args: int) -> Iterator[int]:
        """Yield what `range(*args)` yields."""
        for i in builtins.range(*args):
            self.poll()
            yield i
            self.done = min(self.done + 1, self.total)
            self.tick(self.done, self.total, self.stage)

    def poll(self) -> None:
        """Return nothing. Raises: Cancelled: somebody asked to stop."""
        if self.cancelled():
            raise Cancelled(f"Stopped while {self.stage}.", f"{self.done} of {self.total} done.", "Ask again.")
