"""What moved scores, as pictures to switch between: importance, beeswarm, dependence, one case as a waterfall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from lexsi_nb.app.shap_views import Plot, ShapViews, View
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.widgets.blocks import Block, Words, blocks_text
from lexsi_nb.widgets.chart import chart_html
from lexsi_nb.widgets.live.base import Answer, LiveWidget
from lexsi_nb.widgets.live.theme import drawing
from lexsi_nb.widgets.named_values import quoted
from lexsi_nb.widgets.shap_view import view_blocks

PLOTS = {"importance": "Importance", "beeswarm": "Beeswarm", "dependence": "Dependence", "waterfall": "One case"}
MOST_FEATURES, MOST_CASES = 200, 200  # offered in a list


class ShapPlots(LiveWidget):
    """Pictures of the contributions of the rows that were scored last."""

    kind: ClassVar[str] = "shap"

    def __init__(self, views: ShapViews, plot: Plot = "importance", **chosen: Any) -> None:
        self.views = views
        self.chosen: dict[str, Any] = {"plot": plot, "feature": None, "by": None, "case": None, **chosen}
        self.now: View = self._view(self.chosen)
        super().__init__(
            f"What moved {len(self.views.explained.frame):,} scores",
            plots=[{"id": k, "label": v} for k, v in PLOTS.items()],
            features=self.views.features[:MOST_FEATURES],
            cases=self._cases(),
            synthetic=self.views.explainer.synthetic,
            **self._drawn(),
        )

    def cell(self) -> CodeCell | None:
        """Return the cell that draws what is shown now."""
        return self.now.cell

    def static(self) -> dict[str, Any]:
        """Return the picture that is shown now, and what it says."""
        return {"text/html": chart_html(self.now.chart), "text/plain": blocks_text(self.blocks())}

    def view(self, plot: Plot, **chosen: Any) -> View:
        """Return one of the pictures; what is shown stays. Raises: as `ShapViews.view`."""
        return self.views.view(plot, **chosen)

    def blocks(self) -> list[Block]:
        """Return what is drawn as a table with bars, and how to see the other pictures."""
        how = "Others:\n" + "\n".join(f"  %lexsi shap {line}" for line in self._others())
        return [*view_blocks(self.now), Words(how, "quiet")]

    def _others(self) -> list[str]:
        feature, case = self.views.features[0], str(self.views.cases[0])
        lines = {
            "importance": "importance",
            "beeswarm": "beeswarm",
            "dependence": f"dependence {quoted('feature', feature)}",
            "waterfall": f"waterfall {quoted('case', case)}",
        }
        return [line for plot, line in lines.items() if plot != self.chosen["plot"]]

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "show": self._show, "picture": self._picture}

    def _show(self, content: Mapping[str, Any]) -> dict[str, Any]:
        chosen = {**self.chosen, **{k: content[k] or None for k in self.chosen if k in content}}
        self.now = self._view(chosen)
        self.chosen = chosen
        self.update(**self._drawn())
        return {"sentence": self.now.chart.alt}

    def _picture(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """Return the picture in the page's colours, or its spec where the page draws.

        Either is sent on request, so that it is not saved with the state.
        """
        return drawing(self.now.chart.spec, content)

    def _cases(self) -> list[dict[str, str]]:
        """Return the cases to choose from, each with its rank and score."""
        made, first = self.views.explainer, self.views.ranked.head(MOST_CASES)
        rank, score = made.predicted.rank_column, made.predicted.score_column
        decimals = ".3f" if made.trained.task != "regression" else ",.6g"
        return [
            {"id": str(case), "label": f"{case} (rank {place}, score {value:{decimals}})"}
            for case, place, value in first[[made.predicted.entity, rank, score]].itertuples(index=False, name=None)
        ]

    def _view(self, chosen: Mapping[str, Any]) -> View:
        return self.views.view(
            cast(Plot, chosen["plot"]), feature=chosen["feature"], by=chosen["by"], case=chosen["case"]
        )

    def _drawn(self) -> dict[str, Any]:
        feature = self.chosen["feature"] or self.views.features[0]
        case = self.chosen["case"] if self.chosen["case"] is not None else self.views.cases[0]
        return {
            "plot": self.chosen["plot"],
            "feature": str(feature),
            "by": "" if self.chosen["by"] is None else str(self.chosen["by"]),
            "case": str(case),
            "alt": self.now.chart.alt,
        }
