"""What a run is doing, with *Stop*; it is there only while the run goes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, ClassVar

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.wording import counted
from lexsi_nb.errors import LexsiError
from lexsi_nb.kernel.frontends import joined
from lexsi_nb.widgets.live.base import Answer, LiveWidget


class RunProgress(LiveWidget):
    """The steps of a run under way; `stop` is called on the first click of *Stop*, beside the busy cell.

    `lines`: a step each; `begun`: when the last one began, by the monotonic clock, None where it is over; `writing`:
    the end of the answer that is being written; `cells`: returns the cells of the steps that are done, which
    *Show code* shows as one.
    """

    kind: ClassVar[str] = "progress"

    def __init__(
        self,
        lines: Sequence[str],
        stop: Callable[[], None],
        *,
        writing: str = "",
        begun: float | None = None,
        cells: Callable[[], Sequence[CodeCell]] = tuple,
    ) -> None:
        self._stop = stop
        self._cells = cells
        super().__init__("Run under way", stopping=False, **drawn(lines, writing, begun))

    def show(self, lines: Sequence[str], writing: str = "", begun: float | None = None) -> None:
        """Show these steps in place of those before."""
        self.update(**drawn(lines, writing, begun))

    def cell(self) -> CodeCell:
        """Return the cells of the steps that are done, as one. Raises: LexsiError: no step has made code yet."""
        cells = list(self._cells())
        if not cells:
            raise LexsiError("No step has made code yet.", "", "It is shown here once one has.")
        return CodeCell(joined(cells), title=f"{counted(len(cells), 'cell')} so far")

    def static(self) -> dict[str, Any]:
        """Return the lines as they are."""
        text = "\n".join([*self.state["lines"], *([self.state["writing"]] if self.state["writing"] else [])])
        return {"text/html": f"<pre>{escape(text)}</pre>", "text/plain": text}

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "stop": self._stopped}

    def _stopped(self, _: Mapping[str, Any]) -> dict[str, Any]:
        if not self.state["stopping"]:
            self.update(stopping=True)
            self._stop()
        return {}


def drawn(lines: Sequence[str], writing: str, begun: float | None) -> dict[str, Any]:
    """Return the state that shows steps: `seconds` since the last began, None where none goes on.

    >>> drawn(["1 Query the data, 0.2 s", "2 Score the cases"], "", None)["lines"]
    ['Step 1: Query the data, 0.2 s', 'Step 2: Score the cases']
    """
    named = [re.sub(r"^(\d+) ", r"Step \1: ", line) for line in lines]
    return {"lines": named, "writing": writing, "seconds": None if begun is None else time.monotonic() - begun}
