"""An open question: its readings with the number that each gives, one to take, and whether to keep the meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Choice, Option
from lexsi_nb.errors import BadData
from lexsi_nb.widgets.choice import choice_html, choice_text
from lexsi_nb.widgets.live.base import Answer
from lexsi_nb.widgets.live.decision import Act, Decision


class ChoiceForm(Decision):
    """The readings of a question, of which a person takes one. `act` is called with `number=` and `keep=`."""

    kind: ClassVar[str] = "choice"

    def __init__(self, choice: Choice, act: Act, stop: Callable[[int], None], cell_options: str = "") -> None:
        self.choice, self.cell_options = choice, cell_options
        options = [
            {"number": n, "text": o.text, "gives": o.number, "asks": bool(o.question), "keeps": _kept(o)}
            for n, o in enumerate(choice.options, 1)
        ]
        first = next((o["number"] for o in options if o["asks"]), 0)
        super().__init__(choice.question, act, stop, options=options, chosen=first)

    def waiting_cell(self) -> CodeCell:
        """Return the cell that asks the reading that is marked."""
        question = self._option(self.state["chosen"]).question
        return CodeCell(f"%%lexsi{self.cell_options}\n{question}\n", "Asks the reading that is marked")

    def static(self) -> dict[str, Any]:
        """Return the readings as they stand: with what can be typed, or with the one that was taken."""
        taken = self.state["chosen"] if self.state["phase"] == "done" else 0
        said = self.state["said"] if taken else ""
        return {
            "text/html": choice_html(self.choice, taken, said, self.cell_options),
            "text/plain": choice_text(self.choice, taken, said),
        }

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "mark": self._mark, "take": self._take}

    def _option(self, number: Any) -> Option:
        if not isinstance(number, int) or not 1 <= number <= len(self.choice.options):
            raise BadData(f"There is no reading {number}.", f"There are {len(self.choice.options)}.")
        return self.choice.options[number - 1]

    def _mark(self, content: Mapping[str, Any]) -> dict[str, Any]:
        self._option(content["number"])
        if self.is_open:
            self.update(chosen=content["number"])
        return {}

    def _take(self, content: Mapping[str, Any]) -> dict[str, Any]:
        number = content["number"]
        keep = bool(content.get("keep")) and bool(self._option(number).means)
        if self.is_open:
            self.update(chosen=number)
        return self.decide(f"Reading {number} taken", number=number, keep=keep)


def can_choose(choice: Choice) -> bool:
    """Return whether there is a reading that can be asked by a click."""
    return any(o.question for o in choice.options)


def _kept(option: Option) -> str:
    return f"'{option.words}' means {option.means} from now on" if option.means else ""
