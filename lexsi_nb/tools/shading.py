"""Points of a chart coloured by another feature: what stands in the spec, and in the altair cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.colours import CATEGORIES
from lexsi_nb.modeling.importance import feature_of, values_source
from lexsi_nb.modeling.source import literals
from lexsi_nb.tools.charts import quoted_text

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Trained

GREY = "#76767b"
# The part of a scheme that is 3:1 and more on white at the opacity of points; dark pages take another part.
SCHEME = {"name": "plasma", "extent": [0, 0.53]}
SCHEME_SOURCE = '{"name": "plasma", "extent": [0, 0.53]}'
OPACITY = 0.85
# An axis of contributions: the line at zero is seen among the others.
AXIS = {
    "gridColor": {"condition": {"test": "datum.value === 0", "value": "#888888"}, "value": "#88888840"},
    "gridOpacity": 1,
    "gridWidth": {"condition": {"test": "datum.value === 0", "value": 2}, "value": 1},
}
AXIS_SOURCE = """\
axis = alt.Axis(
    gridColor={"condition": {"test": "datum.value === 0", "value": "#888888"}, "value": "#88888840"},
    gridOpacity=1,
    gridWidth={"condition": {"test": "datum.value === 0", "value": 2}, "value": 1},
)
"""


@dataclass(frozen=True)
class Shade:
    """A feature that colours points, which stands as the column `by` among them; gaps are grey."""

    feature: Any
    kind: str  # of Vega-Lite

    @classmethod
    def of(cls, trained: Trained, wanted: Any) -> Shade:
        """Return the shade by a feature. Raises: UnknownColumn: the model has no such feature, with the nearest."""
        feature = feature_of(trained, wanted)
        dated, words = feature in trained.dates, feature in trained.categories
        return cls(feature, "temporal" if dated else "nominal" if words else "quantitative")

    @property
    def opacity(self) -> float:
        """How opaque points are: groups are told apart by their colour alone."""
        return 1.0 if self.kind == "nominal" else OPACITY

    def values(self, trained: Trained, rows: str) -> str:
        """Return the expression for the values."""
        value = values_source(trained, self.feature, rows)
        return value + '.dt.strftime("%Y-%m-%d")' if self.kind == "temporal" else value

    def encoding(self) -> dict[str, Any]:
        """Return the colour as it stands in a spec."""
        coloured: dict[str, Any] = {"test": "isValid(datum.by)", "field": "by", "type": self.kind}
        coloured["title"] = str(self.feature)
        coloured["scale"] = {"range": list(CATEGORIES)} if self.kind == "nominal" else {"scheme": SCHEME}
        return {"condition": coloured, "value": GREY}

    def source(self) -> str:
        """Return the colour as it stands in a cell."""
        colours = f"range={literals(CATEGORIES)}" if self.kind == "nominal" else f"scheme={SCHEME_SOURCE}"
        scale = f", scale=alt.Scale({colours})"
        colour = f'alt.Color("by:{self.kind[0].upper()}", title={quoted_text(str(self.feature))}{scale})'
        return f'alt.condition("isValid(datum.by)", {colour}, alt.value("{GREY}"))'

    def tooltip(self) -> dict[str, Any]:
        """Return the tooltip's line as it stands in a spec."""
        return {"field": "by", "type": self.kind, "title": str(self.feature)}

    def tooltip_source(self) -> str:
        """Return the tooltip's line as it stands in a cell."""
        return f', alt.Tooltip("by:{self.kind[0].upper()}", title={quoted_text(str(self.feature))})'
