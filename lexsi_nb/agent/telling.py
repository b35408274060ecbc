"""The answer in events: pieces as a model writes them, taken back where they turn out not to be the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lexsi_nb.agent import events as ev


@dataclass
class Telling:
    """What was told of the answer so far. The pieces since the last `AnswerWithdrawn` are the answer at the end."""

    emit: Callable[[ev.Event], None]
    told: str = ""
    _space: str = ""  # white space at the end, told only when more follows

    def part(self, text: str) -> None:
        """Tell a piece of text at once: no one knows yet whether calls follow."""
        text = self._space + text
        text = text if self.told else text.lstrip()
        said = text.rstrip()
        self._space = text[len(said) :]
        if said:
            self.told += said
            self.emit(ev.AnswerDelta(said))

    def was_narration(self) -> None:
        """Calls followed: the text was no answer."""
        if said := self.withdraw():
            self.emit(ev.NarrationDelta(said))

    def withdraw(self) -> str:
        """Take back what was told and return it."""
        said, self.told, self._space = self.told, "", ""
        if said:
            self.emit(ev.AnswerWithdrawn())
        return said

    def end(self, answer: str) -> None:
        """Tell what is left of the answer; all of it where it does not begin with what was told."""
        if not answer.startswith(self.told):
            self.withdraw()
        if rest := answer[len(self.told) :]:
            self.emit(ev.AnswerDelta(rest))
        self.told = answer
