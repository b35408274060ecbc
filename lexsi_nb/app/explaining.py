"""Explaining any case of the last ranking, after the run is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lexsi_nb.artifacts.results import Attribution, stamped
from lexsi_nb.errors import RunFailed, StaleResult, UnknownCase
from lexsi_nb.kernel.variables import Variables


@dataclass(frozen=True)
class Explainer:
    """The model and the scored frame of a run that ranked cases."""

    backend: Any
    trained: Any
    predicted: Any
    frame_name: str
    variables: Variables
    synthetic: bool = False

    def case_of(self, row: Any) -> Any:
        """Return the case id in `row`: an id, a row of a frame, or a mapping with the entity column."""
        entity = self.predicted.entity
        if hasattr(row, "index") and hasattr(row, "get") and entity in getattr(row, "index", ()):
            return row[entity]
        if isinstance(row, dict):
            if entity not in row:
                raise UnknownCase(f"The row has no {entity!r}.", "", f"Pass an id or a row with {entity}.")
            return row[entity]
        return row

    def explain(self, row: Any) -> Attribution:
        """Return what moved the score of one case.

        Raises:
            UnknownCase: not among the scored rows; lists the nearest ids.
            StaleResult: the frame or the model changed since the scores were made.
        """
        from lexsi_nb.tools.explain_prediction import attribution_of

        case = self.case_of(row)
        stale = self.variables.stale([self.predicted.variable])
        if stale:
            reason = "; ".join(stale.values())
            raise StaleResult(f"{self.predicted.variable} is stale: {reason}.", "", "Ask again.")
        frame = self.variables.frame(self.frame_name)
        ids = {str(i): i for i in frame[self.predicted.entity].tolist()}
        if str(case) not in ids:
            raise UnknownCase.among(str(case), ids)
        explained = self.backend.explain(self.trained, frame, [ids[str(case)]], frame_name=self.frame_name)
        found = attribution_of(explained, self.trained, frame, explained.cases[0])
        return stamped(found, synthetic=self.synthetic, cell=explained.cell)


@dataclass(frozen=True)
class LateExplainer:
    """The same for a run that another kernel parked: model and scores are made again when they are asked for."""

    context: Any
    variables: Variables
    synthetic: bool = False

    def explain(self, row: Any) -> Attribution:
        """Return what moved the score of one case. Raises: as `Explainer.explain`; StaleResult: other rows now."""
        from lexsi_nb.tools.predict import model_of, predicted_of

        step = self.context.step(0, "explain_prediction", lambda *_: None)
        predicted = predicted_of(step)
        trained = model_of(step, predicted.model_id)
        made = Explainer(self.context.backend, trained, predicted, predicted.frame_name, self.variables, self.synthetic)
        return made.explain(row)


def nothing_to_explain() -> RunFailed:
    """Return the error for an explanation before any ranking."""
    return RunFailed("There is nothing to explain yet.", "No run has ranked cases.", "Ask a predictive question first.")
