"""One live line a step while a run goes; nothing of it stays."""

from __future__ import annotations

import sys
import time
from typing import Any

from lexsi_nb.agent.events import (
    AnswerDelta,
    AnswerWithdrawn,
    CompactionStarted,
    Event,
    RequestWaiting,
    RunStarted,
    ToolFinished,
    ToolProgress,
    ToolStarted,
)
from lexsi_nb.tools.step_titles import step_title

# Redrawing more often than this only makes the page flicker.
EVERY = 0.1
LINE = 78  # characters of a terminal line
TAIL = 600  # characters of the answer under way that are shown


class Progress:
    """Collects events into lines; a subclass shows them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.answer: list[str] = []  # the pieces so far
        self.begun: float | None = None  # when the last line began, while it goes on
        self._drawn = 0.0

    def start(self) -> None:
        """Say at once that the question was taken."""
        self.lines = ["reading the question"]
        self.begun = time.monotonic()
        self.draw()

    def __call__(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, RunStarted):
            return
        if isinstance(event, (RequestWaiting, CompactionStarted)):
            # Said at once and as a line of its own: nothing else may happen for a while.
            self.lines.append(waiting(event))
            self.begun = time.monotonic()
            self.draw()
        elif isinstance(event, ToolStarted):
            if self.lines == ["reading the question"]:
                self.lines = []
            self.lines.append(f"{event.step} {step_title(event.name)}")
            self.begun = time.monotonic()
            self.draw()  # at once: nothing else may come for as long as the step takes
        elif isinstance(event, ToolProgress) and self.lines:
            head = self.lines[-1].split(":")[0]
            much = f" {event.completed:,.0f} of {event.total:,.0f}" if event.total else ""
            self.lines[-1] = f"{head}: {event.stage}{much}".rstrip(": ")
            self._soon()
        elif isinstance(event, ToolFinished) and self.lines:
            head = self.lines[-1].split(":")[0]
            status = "" if event.status == "ok" else f" {event.status}"
            self.begun = None
            self.lines[-1] = f"{head}{status}, {event.seconds:.1f} s"
            self._soon()
        elif isinstance(event, AnswerDelta):
            self.answer.append(event.content)
            if len(self.answer) > 1:  # one that comes whole is shown as the answer in a moment
                self._soon()
        elif isinstance(event, AnswerWithdrawn):
            self.answer = []

    @property
    def writing(self) -> str:
        """The end of the answer that is being written; "" where it comes whole."""
        text = "".join(self.answer) if len(self.answer) > 1 else ""
        return text if len(text) <= TAIL else f"...{text[-TAIL:]}"

    def _soon(self) -> None:
        now = time.monotonic()
        if now - self._drawn >= EVERY:
            self._drawn = now
            self.draw()

    def draw(self) -> None:
        """Show the lines as they are."""

    def clear(self) -> None:
        """Take everything away again."""


def waiting(event: RequestWaiting | CompactionStarted) -> str:
    """Return why nothing is decided for a moment, in a line."""
    if isinstance(event, CompactionStarted):
        return f"shortening the conversation of about {event.tokens:,} tokens"
    return event.reason + (f", {event.seconds:.0f} s" if event.seconds is not None else "")


class NotebookProgress(Progress):
    """In a notebook: one output, replaced as the run goes and cleared at its end."""

    def draw(self) -> None:
        """Show the lines as they are."""
        from IPython.display import clear_output, display

        clear_output(wait=True)
        display({"text/plain": "\n".join(self._shown())}, raw=True)

    def clear(self) -> None:
        """Take everything away again."""
        from IPython.display import clear_output

        # wait: the answer that follows takes its place without the cell shrinking in between.
        clear_output(wait=True)

    def _shown(self) -> list[str]:
        return [*self.lines, *([self.writing] if self.writing else [])]


class TerminalProgress(Progress):
    """In a terminal: the last line, rewritten in place; plain lines where the output is no terminal."""

    def __init__(self, stream: Any = None) -> None:
        super().__init__()
        self.stream = stream or sys.stdout

    def draw(self) -> None:
        """Show the last line."""
        if not self.lines:
            return
        if self.stream.isatty():
            self.stream.write("\r\x1b[K" + (" ".join(self.writing.split())[-LINE:] or self.lines[-1]))
        elif not self.writing:
            self.stream.write(self.lines[-1] + "\n")
        self.stream.flush()

    def clear(self) -> None:
        """Take the line away again."""
        if self.stream.isatty():
            self.stream.write("\r\x1b[K")
            self.stream.flush()


def progress_of(magics: Any, environment: str) -> Progress:
    """Return how progress of a run of the magics shows: with *Stop* where the page and the settings let it."""
    from lexsi_nb.kernel.frontends import in_cell

    made = progress_for(environment, magics.progress)
    if not isinstance(made, NotebookProgress) or magics.widgets == "static" or not in_cell(magics.shell):
        return made
    from lexsi_nb.magics.stopping import StoppableProgress

    return StoppableProgress(magics.shell, cells=lambda: magics.session.cells_so_far())


def progress_for(environment: str, setting: str) -> Progress:
    """Return how progress shows: live where a person sits, not at all in a headless run."""
    if setting == "off" or (setting == "auto" and environment in ("headless", "script")):
        return Progress()
    if environment == "terminal":
        stream = sys.stdout
        return TerminalProgress(stream) if setting == "on" or stream.isatty() else Progress()
    return NotebookProgress() if environment in ("notebook", "lab-extension") else TerminalProgress()
