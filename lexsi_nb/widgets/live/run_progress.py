"""What a run is doing, with *Stop*; it is there only while the run goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, ClassVar

from lexsi_nb.widgets.live.base import Answer, LiveWidget


class RunProgress(LiveWidget):
    """The lines of a run under way; `stop` is called on the first click of *Stop*, beside the busy cell."""

    kind: ClassVar[str] = "progress"

    def __init__(self, lines: Sequence[str], stop: Callable[[], None]) -> None:
        self._stop = stop
        super().__init__("Run under way", lines=list(lines), stopping=False)

    def static(self) -> dict[str, Any]:
        """Return the lines as they are."""
        text = "\n".join(self.state["lines"])
        return {"text/html": f"<pre>{escape(text)}</pre>", "text/plain": text}

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "stop": self._stopped}

    def _stopped(self, _: Mapping[str, Any]) -> dict[str, Any]:
        if not self.state["stopping"]:
            self.update(stopping=True)
            self._stop()
        return {}
