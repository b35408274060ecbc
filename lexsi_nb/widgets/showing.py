"""Which results an answer shows beside its words: those the planner chose, in its order, else every chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.results import Chart, Table

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run


@dataclass(frozen=True)
class Item:
    """A result to show and the label it has there, "" for none."""

    artifact: Any
    label: str = ""
    is_ranking: bool = False

    @property
    def is_picture(self) -> bool:
        """Whether it is drawn rather than written."""
        return isinstance(self.artifact, Chart)


def items(run: Run) -> list[Item]:
    """Return what comes after the words of an answer, in order."""
    if run.shown is None:
        return [Item(c) for c in run.of(Chart)]
    rankings = [s for s in run.artifacts if s.tool == "predict" and isinstance(s.artifact, Table)]
    last = rankings[-1] if rankings else None
    return [Item(s.artifact, label, s is last) for label, s in run.shown]
