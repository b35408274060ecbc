"""The pictures of what moved scores, for the model and rows that were scored last, each with the cell that draws it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.looks import Prints
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.errors import BadData, StaleResult
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.importance import Figures, dependence, feature_of, importance
from lexsi_nb.modeling.sampling import rows_to_explain
from lexsi_nb.modeling.source import free
from lexsi_nb.tools.explanation_charts import MOST_BARS, MOST_SWARMS, beeswarm, dependence_chart, importance_bars
from lexsi_nb.tools.waterfall import waterfall

if TYPE_CHECKING:
    from lexsi_nb.app.explaining import Explainer, LateExplainer
    from lexsi_nb.modeling.backend import Explained
    from lexsi_nb.tools.charts import Picture

Plot = Literal["importance", "beeswarm", "dependence", "waterfall"]
STEPS = 32  # of a beeswarm in numbers
MOST_CASES = 2000  # explained of a larger frame, drawn at random


@dataclass(frozen=True, repr=False)
class View(Prints):
    """A picture, what it says in words, and the cell that makes it from the scored rows and the model.

    `figures`: a frame of what is drawn, in contributions: a row a feature, a range of values, or a step. `steps`: of
    a beeswarm how many cases lie in each of 32 equal steps from the lowest contribution of all to the highest, for
    each row of `figures`.
    """

    chart: Chart
    cell: CodeCell
    plot: Plot
    unit: str
    figures: Any
    steps: tuple[tuple[int, ...], ...] = ()


class ShapViews(Prints):
    """What moved the scores of up to 2,000 of the scored rows, explained once.

    Raises (when made): StaleResult: the data changed since the scores were made; BadData: the model is elsewhere,
    where explaining many rows would send them.
    """

    def __init__(self, explainer: Explainer | LateExplainer) -> None:
        made = explainer.made()
        if not getattr(made.backend, "local", False):
            raise BadData(
                "These pictures are not there for this model.",
                "It is on the Lexsi platform, where explaining many rows would send them.",
                "Ask `what drives ...?`, which shows first what would be sent.",
            )
        stale = made.variables.stale([made.predicted.variable])
        if stale:
            raise StaleResult(f"{made.predicted.variable} is stale: {'; '.join(stale.values())}.", "", "Ask again.")
        self.explainer = made
        taken = set(made.variables.namespace)
        self.names = {n: free(n, taken) for n in ("explained_rows", "shap_values", "importance", "dependence", "chart")}
        self._rows()

    def _rows(self) -> None:
        made = self.explainer
        frame, self._first = made.variables.frame(made.frame_name), ()
        self.n_rows = len(as_pandas(frame))
        self.frame, self.frame_name = frame, made.frame_name
        if self.n_rows <= MOST_CASES:
            return
        drawn = self.names["explained_rows"]
        cell = rows_to_explain(made.frame_name, frame, MOST_CASES, drawn, seed=0)
        self.frame, self.frame_name = cell.run({made.frame_name: frame})[drawn], drawn
        self._first = (cell,)

    @cached_property
    def explained(self) -> Explained:
        """The contributions of the rows."""
        trained = self.explainer.trained
        named = replace(trained, names={**trained.names, "attributions": self.names["shap_values"]})
        return self.explainer.backend.explain(named, self.frame, frame_name=self.frame_name)

    @cached_property
    def overall(self) -> Figures:
        """The features by their mean absolute contribution, largest first."""
        return importance(self.explained, variable=self.names["importance"])

    @property
    def features(self) -> list[str]:
        """The features by how much they move scores, those first that move them most."""
        return [str(f) for f in self.overall.frame["feature"]]

    @cached_property
    def ranked(self) -> Any:
        """The explained cases as they were scored, highest first: their rows of the predictions."""
        predicted = self.explainer.predicted
        return predicted.frame[predicted.frame[predicted.entity].isin(self.explained.frame[self.explained.entity])]

    @property
    def cases(self) -> list[Any]:
        """The ids of the explained cases, highest score first."""
        return self.ranked[self.explainer.predicted.entity].tolist()

    def view(self, plot: Plot, *, feature: Any = None, by: Any = None, case: Any = None) -> View:
        """Return one picture.

        Args:
            plot: importance: mean absolute contributions; beeswarm: a point a case and feature; dependence:
                contributions of `feature` over its values, coloured by the feature `by`; waterfall: the case `case`
                from base value to raw score.

        Raises:
            BadData: no such picture.
            UnknownColumn: no such feature.
            UnknownCase: not among the explained rows.
        """
        if plot not in get_args(Plot):
            raise BadData(f"There is no picture {plot!r}.", "", f"There are {', '.join(get_args(Plot))}.")
        trained, name, synthetic = self.explainer.trained, self.names["chart"], self.explainer.synthetic
        more: tuple[CodeCell, ...] = ()
        steps: tuple[tuple[int, ...], ...] = ()
        if plot == "importance":
            picture, more = (
                importance_bars(self.explained, self.overall, name, synthetic=synthetic),
                (self.overall.cell,),
            )
            shown = self.overall.frame.head(MOST_BARS)
        elif plot == "beeswarm":
            picture = beeswarm(trained, self.explained, self.frame, self.overall, name, synthetic=synthetic)
            shown, steps = self._spread()
        elif plot == "dependence":
            column = feature_of(trained, self.features[0] if feature is None else feature)
            figures = dependence(trained, self.explained, self.frame, column, variable=self.names["dependence"])
            picture = dependence_chart(
                trained, self.explained, self.frame, column, figures, name, synthetic=synthetic, by=by,
                unit=self.explainer.units.get(str(column), ""),
            )  # fmt: skip
            shown = figures.frame
        else:
            picture, shown = self._waterfall(self.cases[0] if case is None else case, name, synthetic)
        return View(picture.chart, self._cell(picture, more), plot, self.explained.unit, shown, steps)

    def _spread(self) -> tuple[Any, tuple[tuple[int, ...], ...]]:
        """Return (lowest, median and highest contribution a feature, how many cases in each step between the ends)."""
        import numpy as np
        import pandas as pd

        labels = {str(f): f for f in self.explainer.trained.features}
        moved = {name: self.explained.frame[labels[name]].to_numpy() for name in self.features[:MOST_SWARMS]}
        ends = (min(map(np.min, moved.values())), max(map(np.max, moved.values()))) if moved else (0.0, 0.0)
        rows = [[name, v.min(), float(np.median(v)), v.max()] for name, v in moved.items()]
        counts = [np.histogram(v, STEPS, ends)[0] for v in moved.values()]
        frame = pd.DataFrame(rows, columns=["feature", "lowest", "median", "highest"])
        return frame, tuple(tuple(int(n) for n in line) for line in counts)

    def _waterfall(self, case: Any, name: str, synthetic: bool) -> tuple[Picture, Any]:
        import pandas as pd

        from lexsi_nb.errors import UnknownCase
        from lexsi_nb.modeling.cases import id_text, near_ids

        ids = self.explained.frame[self.explained.entity]
        found = {id_text(i): i for i in ids.astype(object).tolist()}
        if id_text(case) not in found:
            raise UnknownCase.among(str(case), near_ids(str(case), ids))
        made = self.explainer
        picture = waterfall(made.trained, self.explained, self.frame, found[id_text(case)], name, synthetic=synthetic)
        return picture, pd.DataFrame(picture.chart.spec["layer"][0]["data"]["values"])

    def _cell(self, picture: Picture, more: tuple[CodeCell, ...]) -> CodeCell:
        cells = (*self._first, self.explained.cell, *more, picture.cell)
        made = {n for c in cells for n in c.produces}
        return replace(
            picture.cell,
            source="\n\n".join(c.source.strip("\n") for c in cells) + "\n",
            requires=tuple(dict.fromkeys(n for c in cells for n in c.requires if n not in made)),
            produces=tuple(dict.fromkeys(n for c in cells for n in c.produces)),
        )
