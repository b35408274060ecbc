"""What is wrong with a statement, in words that who wrote it can act on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexsi_nb.grounding.reading import Column

ProblemKind = Literal["literal", "join", "fan-out", "name"]


@dataclass(frozen=True)
class Problem:
    """Something in a statement that the data do not bear out, in words a model can act on.

    `values` are what the data have instead: the policy may keep them from a model that is not on this machine. `sure`
    is false of a join whose values meet in part and that nothing else speaks against: keys may be written unlike.
    """

    kind: ProblemKind
    text: str
    values: tuple[str, ...] = ()
    column: Column | None = None  # whose values they are
    sure: bool = True

    @property
    def whole(self) -> str:
        """The text with the values."""
        return f"{self.text} There is: {', '.join(map(repr, self.values))}." if self.values else self.text
