"""What a person decides by a click: open, at work, done. What was decided stays said."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import LexsiError
from lexsi_nb.store.parked import AlreadySettled
from lexsi_nb.widgets.live.base import Answer, LiveWidget


@dataclass(frozen=True)
class Outcome:
    """What a decision came to, in words. Where it is not `done`, the person may decide again."""

    said: str
    done: bool = True
    outputs: Sequence[Any] = ()  # what the run shows, as (MIME bundle, metadata)
    code: str = ""  # of the run that the decision led to


# From what shows the lines of the run under way, and what was decided, to what it came to. Raises LexsiError: it could
# not be done, so the person may decide again.
Act = Callable[..., Outcome]


class Decision(LiveWidget):
    """A widget that takes one decision and acts on it, on a thread of its own: other widgets answer meanwhile.

    `act` does what was decided; `stop` stops the run that a thread drives; `on_done` hears of the outcome once.
    """

    def __init__(self, title: str, act: Act, stop: Callable[[int], None], **state: Any) -> None:
        self._act, self._stop = act, stop
        self._context = copy_context()  # of the cell: what a tool prints goes to its output
        self._thread: threading.Thread | None = None
        self._ran = ""
        self.on_done: Callable[[Outcome], None] | None = None
        super().__init__(title, phase="open", said="", lines=[], **state)

    @property
    def is_open(self) -> bool:
        """Whether nothing was decided yet."""
        return self.state["phase"] == "open"

    def waiting_cell(self) -> CodeCell:
        """Return the cell by which the decision can be typed."""
        raise NotImplementedError

    def cell(self) -> CodeCell | None:
        """Return what can be typed to decide; once decided, the code of the run that followed, as one cell."""
        if self.state["phase"] == "done":
            return CodeCell(self._ran, "What was run") if self._ran else None
        return self.waiting_cell()

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "stop": self._stopped}

    def decide(self, words: str, /, note: str = "", **what: Any) -> dict[str, Any]:
        """Start what was decided; only the first decision counts. `words` say it, as in *Approved*, `note` why."""
        with self._lock:
            if self.is_open:
                self.update(phase="working", said="Working.", lines=[])
                work = (self._context.copy().run, self._work, words, note, what)
                self._thread = threading.Thread(target=work[0], args=work[1:], daemon=True)
                self._thread.start()
        return {}

    def wait(self) -> None:
        """Return once what was decided has come to its outcome."""
        if self._thread is not None:
            self._thread.join()

    def settle(self, words: str, outcome: Outcome, note: str = "") -> None:
        """Say what was decided and what it came to, for good; open again where it is not done."""
        if not outcome.done:
            self.update(phase="open", said=outcome.said, lines=[])
            return
        self._ran = outcome.code
        at = f"{words} {datetime.now():%Y-%m-%d %H:%M}{f': {note}' if note else ''}"
        said = f"{at.rstrip('.')}. {outcome.said}" if words else outcome.said
        self.update(phase="done", said=said, lines=[], code=bool(outcome.code))
        if self.on_done is not None:
            self.on_done(outcome)

    def _work(self, words: str, note: str, what: Mapping[str, Any]) -> None:
        try:
            outcome = self._act(self._progress, **what)
        except AlreadySettled as error:
            words, outcome = "", Outcome(str(error))
        except LexsiError as error:
            outcome = Outcome(str(error), done=False)
        except Exception as error:  # noqa: BLE001  (the widget would say for ever that it works)
            outcome = Outcome(f"That did not work: {type(error).__name__}: {error}", done=False)
        self.settle(words, outcome, note)

    def _progress(self, lines: Sequence[str]) -> None:
        self.update(lines=list(lines))

    def _stopped(self, _: Mapping[str, Any]) -> dict[str, Any]:
        thread = self._thread
        if self.state["phase"] == "working" and thread is not None and thread.ident is not None:
            self.update(said="Stopping.")
            self._stop(thread.ident)
        return {}
