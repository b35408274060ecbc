"""Explanations over many cases: importance, beeswarm and dependence, as frames and as Vega-Lite 5 specifications."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData, UnknownColumn

if TYPE_CHECKING:
    import pandas as pd

    from lexsi_nb.modeling.backend import Explained

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
BLUE, GREY = "#4c78a8", "#9d9da1"
MOST_FEATURES, MOST_CASES = 12, 1000


def importance(explained: Explained) -> pd.DataFrame:
    """Return `feature`, `importance` (mean absolute contribution over the cases), `share` of the sum; largest first."""
    import pandas as pd

    total = sum(moved for _, moved in explained.importance) or 1.0
    rows = [(feature, moved, moved / total) for feature, moved in explained.importance]
    return pd.DataFrame(rows, columns=pd.Index(["feature", "importance", "share"]))


def beeswarm(explained: Explained, frame: Any, *, most: int = MOST_FEATURES) -> pd.DataFrame:
    """Return a row a case and feature: the case, `feature`, `value` as text, `place`, `contribution`.

    The `most` features that move the most, and the first 1,000 cases. place: float64 in [0, 1], the rank of a number
    or date among the cases explained; missing for words and gaps. frame: the frame that was explained.
    """
    import pandas as pd

    rows = rows_of(explained, frame)
    parts = []
    for feature in [f for f, _ in explained.importance[:most]]:
        column, values = by_text(explained, feature), rows[by_text(explained, feature, rows)]
        ordered = values.dtype.kind in "iufbM"
        parts.append(pd.DataFrame({
            explained.entity: explained.frame[explained.entity].head(MOST_CASES).to_numpy(),
            "feature": feature,
            "value": values.astype("string").to_numpy(),
            "place": (values.rank(pct=True) if ordered else pd.Series(float("nan"), values.index)).to_numpy(),
            "contribution": explained.frame[column].head(MOST_CASES).to_numpy(),
        }))  # fmt: skip
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def dependence(explained: Explained, frame: Any, feature: Any) -> pd.DataFrame:
    """Return the case, `value` and `contribution` of one feature, a row a case, the first 1,000.

    Raises: UnknownColumn: the model has no such feature, with the nearest.
    """
    import pandas as pd

    known = [f for f, _ in explained.importance]
    if str(feature) not in known:
        raise UnknownColumn.among(str(feature), known, where=explained.model_id)
    rows = rows_of(explained, frame)
    return pd.DataFrame({
        explained.entity: explained.frame[explained.entity].head(MOST_CASES).to_numpy(),
        "value": rows[by_text(explained, feature, rows)].to_numpy(),
        "contribution": explained.frame[by_text(explained, feature)].head(MOST_CASES).to_numpy(),
    })  # fmt: skip


def rows_of(explained: Explained, frame: Any) -> Any:
    """Return the rows of `frame` that were explained, in the order of the explanation, the first 1,000.

    Raises: BadData: an explained case is not in the frame.
    """
    from lexsi_nb.modeling.columns import as_pandas

    data = as_pandas(frame)
    ids: Any = explained.frame[explained.entity].head(MOST_CASES)
    if explained.entity not in data.columns:
        return data.iloc[ids.to_numpy()]
    rows = data.drop_duplicates(explained.entity).set_index(explained.entity, drop=False)
    if not ids.isin(rows.index).all():
        raise BadData("An explained case is not in the frame.", "", f"Give {explained.frame_name}.")
    return rows.loc[ids]


def by_text(explained: Explained, feature: Any, frame: Any = None) -> Any:
    """Return the column that is called `feature`, also where names are numbers."""
    columns = (explained.frame if frame is None else frame).columns
    return next(c for c in columns if c == feature or str(c) == str(feature))


def importance_spec(explained: Explained, *, title: str = "What moved the scores") -> dict[str, Any]:
    """Return bars of the mean absolute contribution, largest first."""
    rows = importance(explained).head(MOST_FEATURES)
    x = {"field": "importance", "type": "quantitative", "title": f"mean absolute contribution ({explained.unit})"}
    return spec(title, rows, {"type": "bar", "color": BLUE}, {
        "x": x,
        "y": {"field": "feature", "type": "nominal", "sort": None, "title": None},
        "tooltip": [{"field": "feature", "type": "nominal"}, {**x, "format": ".3f"}],
    })  # fmt: skip


def beeswarm_spec(explained: Explained, frame: Any, *, title: str = "What moved each score") -> dict[str, Any]:
    """Return a strip of points a feature, shaded by the value's place among the cases (grey: words and gaps)."""
    rows = beeswarm(explained, frame)
    shade = {
        "condition": {
            "test": "isValid(datum.place)", "field": "place", "type": "quantitative", "title": "value",
            "scale": {"scheme": "viridis", "domain": [0, 1]}, "legend": {"format": ".0%"},
        },
        "value": GREY,
    }  # fmt: skip
    return spec(title, rows, {"type": "circle", "opacity": 0.6}, {
        "x": {"field": "contribution", "type": "quantitative", "title": f"contribution ({explained.unit})"},
        "y": {"field": "feature", "type": "nominal", "sort": None, "title": None},
        "color": shade,
        "tooltip": [{"field": f, "type": "nominal"} for f in ("feature", "value")]
        + [{"field": "contribution", "type": "quantitative", "format": "+.3f"}],
    })  # fmt: skip


def dependence_spec(explained: Explained, frame: Any, feature: Any, *, title: str = "") -> dict[str, Any]:
    """Return the contribution of one feature over its values: points, or a strip a word."""
    rows = dependence(explained, frame, feature)
    letter = rows["value"].dtype.kind
    kind = "temporal" if letter == "M" else "quantitative" if letter in "iuf" else "nominal"
    if kind == "temporal":
        rows["value"] = rows["value"].astype("string")
    y = {"field": "contribution", "type": "quantitative", "title": f"contribution ({explained.unit})"}
    return spec(title or f"How {feature} moved the scores", rows, {"type": "circle", "opacity": 0.6, "color": BLUE}, {
        "x": {"field": "value", "type": kind, "title": str(feature)},
        "y": y,
        "tooltip": [{"field": "value", "type": kind}, {**y, "format": "+.3f"}],
    })  # fmt: skip


def spec(title: str, rows: Any, mark: dict[str, Any], encoding: dict[str, Any]) -> dict[str, Any]:
    """Return a Vega-Lite specification with its data inside; gaps are null."""
    import json

    values = json.loads(rows.to_json(orient="records", date_format="iso"))
    return {"$schema": SCHEMA, "title": title, "width": 420, "data": {"values": values}, "mark": mark,
            "encoding": encoding}  # fmt: skip
