"""What moved scores, as pictures to switch between: importance, beeswarm, dependence, one case as a waterfall."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, cast

from lexsi_nb.app.shap_views import Plot, ShapViews, View
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData
from lexsi_nb.widgets.chart import chart_html
from lexsi_nb.widgets.images import png
from lexsi_nb.widgets.live.base import Answer, LiveWidget

if TYPE_CHECKING:
    from lexsi_nb.app.explaining import Explainer, LateExplainer

PLOTS = {"importance": "Importance", "beeswarm": "Beeswarm", "dependence": "Dependence", "waterfall": "One case"}
MOST_FEATURES, MOST_CASES = 200, 200  # offered in a list


class ShapPlots(LiveWidget):
    """Pictures of the contributions of the rows that were scored last."""

    kind: ClassVar[str] = "shap"

    def __init__(self, explainer: Explainer | LateExplainer, plot: Plot = "importance", **chosen: Any) -> None:
        self.views = ShapViews(explainer)
        self.chosen: dict[str, Any] = {"plot": plot, "feature": None, "by": None, "case": None, **chosen}
        self.now: View = self._view(self.chosen)
        super().__init__(
            f"What moved {len(self.views.explained.frame):,} scores",
            plots=[{"id": k, "label": v} for k, v in PLOTS.items()],
            features=self.views.features[:MOST_FEATURES],
            cases=[str(c) for c in self.views.cases[:MOST_CASES]],
            **self._drawn(),
        )

    def cell(self) -> CodeCell | None:
        """Return the cell that draws what is shown now."""
        return self.now.cell

    def static(self) -> dict[str, Any]:
        """Return the picture that is shown now, and what it says."""
        return {"text/html": chart_html(self.now.chart), "text/plain": self.now.chart.alt}

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
        """Return the picture in the page's colours. It is sent on request, so that it is not saved with the state."""
        ink, line = ("#e6e6e6", "#6b6b6b") if content.get("dark") is True else ("#333333", "#bbbbbb")
        drawn = png({**self.now.chart.spec, "config": themed(ink, line)}, scale=2.0)
        return {"png": b64encode(drawn).decode()}

    def _view(self, chosen: Mapping[str, Any]) -> View:
        if chosen["plot"] not in PLOTS:
            raise BadData(f"There is no picture {chosen['plot']!r}.", "", f"There are {', '.join(PLOTS)}.")
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


def themed(ink: str, line: str) -> dict[str, Any]:
    """Return the Vega-Lite config for a picture on the page's own ground: words in `ink`, lines in `line`."""
    words = {"labelColor": ink, "titleColor": ink}
    return {
        "background": "transparent",
        "view": {"stroke": line},
        "axis": {
            **words,
            "domainColor": line,
            "tickColor": line,
            "gridColor": line,
            "gridOpacity": 0.4,
            "labelLimit": 260,
        },
        "legend": words,
        "title": {"color": ink},
        "rule": {"color": ink},
    }
