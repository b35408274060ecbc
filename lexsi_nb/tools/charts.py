"""The pictures of a predictive answer: a Vega-Lite spec, and the altair cell that draws the same.

The data part of each cell is executed; only the last lines, which need altair (seconds to import), are mirrored by a
spec. A test holds the two equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.colours import BLUE, GREY, ORANGE
from lexsi_nb.artifacts.results import Attribution, Chart
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.importance import beside
from lexsi_nb.modeling.source import frame_lines, literals

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained, Predicted, Trained

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
WIDTH, HEIGHT = 420, 140
BINS = 10
MOST_FEATURES = 6
SYNTHETIC = " (SYNTHETIC data)"


@dataclass(frozen=True)
class Picture:
    """A chart and the cell that makes it again."""

    chart: Chart
    cell: CodeCell


def ranking(
    predicted: Predicted, trained: Trained, labelled: Any, top_k: int, name: str, *, synthetic: bool
) -> Picture:
    """Return how all scores lie, the highest `top_k` marked; for a classification with the average of known cases."""
    score, n = predicted.score_column, len(predicted.frame)
    top_k, rate = min(top_k, n), trained.task == "classification"
    title = f"All {n:,} scores, the {top_k:,} highest marked" + SYNTHETIC * synthetic
    kind = "calibrated probability" if trained.calibrated else "not calibrated: an order, no probability"
    axis = f"score ({kind})" if rate else score
    if trained.classes and trained.positive is None:
        axis = "probability of the likeliest class, not calibrated"
    marked, others = f"{top_k:,} highest", "the others"
    data = (
        f"scores = {predicted.variable}[{quoted_text(score)}].to_numpy()  # highest first\n"
        f"every, edges = np.histogram(scores, bins={BINS})\n"
        f"top, _ = np.histogram(scores[:{top_k}], bins=edges)\n"
        f'bars = [pd.DataFrame({{"low": edges[:-1], "high": edges[1:], "rows": rows, "which": which}})\n'
        f"        for which, rows in (({quoted_text(marked)}, top), ({quoted_text(others)}, every - top))]\n"
        'bars = pd.concat(bars, ignore_index=True).query("rows > 0").round(4)\n'
    )
    names: dict[str, Any] = {predicted.variable: predicted.frame}
    if rate:
        lines, rows = frame_lines(trained.frame_name, labelled)
        target = f"{rows}[{quoted_text(trained.target)}]"
        if as_pandas(labelled)[trained.target].isna().any():
            target += ".dropna()"  # of the rows whose outcome is known, as those learned from
        data += "".join(f"{line}\n" for line in lines)
        data += f"share = {target}.eq({trained.positive!r}).mean()\n"
        data += 'base = pd.DataFrame({"share": [share], "label": [f"average of known cases {share:.2f}"]})\n'
        names[trained.frame_name] = labelled
    source = f"import numpy as np\nimport pandas as pd\n\n{data}"
    made = CodeCell(source, "chart data", produces=("bars", "base") if rate else ("bars",)).run(names)
    colour = {"domain": [marked, others], "range": [ORANGE, BLUE]}
    bars = {
        "data": {"values": records_of(made["bars"])},
        "mark": {"type": "bar"},
        "encoding": {
            "x": {"field": "low", "bin": "binned", "title": axis, "type": "quantitative"},
            "x2": {"field": "high"},
            "y": {"field": "rows", "title": "number of rows", "type": "quantitative"},
            "color": {"field": "which", "scale": colour, "title": None, "type": "nominal"},
        },
    }
    source = (
        "bars = alt.Chart(bars).mark_bar().encode(\n"
        f'    x=alt.X("low:Q", bin="binned", title={quoted_text(axis)}),\n'
        '    x2="high",\n    y=alt.Y("rows:Q", title="number of rows"),\n'
        f'    color=alt.Color("which:N", title=None, scale=alt.Scale(domain=[{quoted_text(marked)}, '
        f'{quoted_text(others)}], range=["{ORANGE}", "{BLUE}"])),\n)\n'
    )
    spec: dict[str, Any] = {"$schema": SCHEMA, "title": title, "width": WIDTH, "height": HEIGHT}
    size = f"title={quoted_text(title)}, width={WIDTH}, height={HEIGHT}"
    form = ".3f" if rate else ",.6g"
    low, high = (format(float(predicted.frame[score].iloc[at]), form) for at in (-1, 0))
    alt = f"{title}: from {low} to {high}."
    if rate:
        known = records_of(made["base"])
        layers, drawn = _average(known)
        spec["layer"] = [bars, *layers]
        source += f"{drawn}{name} = alt.layer(bars, rule, words).properties({size})\n"
        alt = f"{alt[:-1]}; {known[0]['label']} (dashed)."
    else:
        spec.update(bars)
        source += f"{name} = bars.properties({size})\n"
    cell = CodeCell(
        _with_numpy(cell_source(data, source, name)), title, "chart", requires=tuple(names), produces=(name,)
    )
    return Picture(Chart(spec, title, alt, name), cell)


def _average(known: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """Return the dashed line of the average with its words: (layers of the spec, source that draws them)."""
    x = {"field": "share", "type": "quantitative"}
    rule = {"type": "rule", "color": GREY, "strokeDash": [4, 4], "size": 2}
    words = {"type": "text", "align": "left", "baseline": "bottom", "dx": 4, "style": "guide-label"}
    text = {"x": x, "y": {"value": 0}, "text": {"field": "label", "type": "nominal"}}
    layers: list[dict[str, Any]] = [
        {"data": {"values": known}, "mark": rule, "encoding": {"x": x}},
        {"data": {"values": known}, "mark": words, "encoding": text},
    ]
    source = (
        f'rule = alt.Chart(base).mark_rule(color="{GREY}", strokeDash=[4, 4], size=2).encode(x="share:Q")\n'
        'words = alt.Chart(base).mark_text(align="left", baseline="bottom", dx=4, style="guide-label").encode(\n'
        '    x="share:Q", y=alt.value(0), text="label:N"\n)\n'
    )
    return layers, source


def contributions(explained: Explained, attribution: Attribution, name: str, *, synthetic: bool) -> Picture:
    """Return what moved the explained scores on average, as bars left and right of zero.

    Of one case, or where cases are explained for different classes: what moved the score of the first.
    """
    entity, n = explained.entity, len(explained.cases)
    together = n > 1 and len({c.predicted for c in explained.cases}) == 1
    what = f"the {n} scores, on average" if together else f"the score of {entity} {attribution.case}"
    title = f"What moved {what}" + SYNTHETIC * synthetic
    drop = f"[{', '.join(quoted_text(c) for c in beside(explained))}]"
    if together:
        data = f"parts = {explained.variable}.drop(columns={drop}).astype(float).mean()\n"
    else:
        case = explained.cases[0].case_id
        data = (
            f"case = {explained.variable}.loc[{explained.variable}[{quoted_text(entity)}] == {case!r}].iloc[0]\n"
            f"parts = case.drop({drop}).astype(float)\n"
        )
    data += (
        'parts = parts.reindex(parts.abs().sort_values(ascending=False, kind="stable").index)\n'
        f'bars = pd.DataFrame({{"feature": parts.index[:{MOST_FEATURES}], '
        f'"contribution": parts.to_numpy()[:{MOST_FEATURES}]}})\n'
    )
    rest = len(attribution.reasons) - MOST_FEATURES
    if rest > 0:
        others = f"{rest} other feature{'s' * (rest > 1)}"
        data += f'bars.loc[{MOST_FEATURES}] = ["{others}", parts.iloc[{MOST_FEATURES}:].sum()]\n'
    made = CodeCell("import pandas as pd\n\n" + data, "chart data", produces=("bars",)).run(
        {explained.variable: explained.frame}
    )["bars"]
    unit = contribution_title(explained.unit)
    spec = {
        "$schema": SCHEMA,
        "title": title,
        "width": WIDTH,
        "data": {"values": records_of(made)},
        "mark": {"type": "bar"},
        "encoding": {
            "color": {"condition": {"test": "(datum.contribution > 0)", "value": ORANGE}, "value": BLUE},
            "x": {"field": "contribution", "title": unit, "type": "quantitative"},
            "y": {"field": "feature", "sort": None, "title": None, "type": "nominal"},
            "tooltip": [_plain("feature", "nominal"), {**_plain("contribution", "quantitative"), "format": "+.2f"}],
        },
    }
    source = (
        f"{name} = alt.Chart(bars).mark_bar().encode(\n"
        f'    x=alt.X("contribution:Q", title={literals(unit)}),\n'
        '    y=alt.Y("feature:N", title=None, sort=None),\n'
        f'    color=alt.condition(alt.datum.contribution > 0, alt.value("{ORANGE}"), alt.value("{BLUE}")),\n'
        '    tooltip=["feature:N", alt.Tooltip("contribution:Q", format="+.2f")],\n'
        f").properties(title={quoted_text(title)}, width={WIDTH})\n"
    )
    words = ", ".join(f"{r.feature} {r.contribution:+.2f}" for r in made.head(5).itertuples())
    cell = CodeCell(cell_source(data, source, name), title, "chart", requires=(explained.variable,), produces=(name,))
    return Picture(Chart(spec, title, f"{title}, in {explained.unit}: {words}.", name), cell)


def contribution_title(unit: str) -> list[str]:
    """Return the title of an axis of contributions, with what its numbers say."""
    return [f"contribution ({unit})", "above 0 raises the score"]


def _with_numpy(source: str) -> str:
    return source.replace("import pandas", "import numpy as np\nimport pandas", 1)


def cell_source(data: str, chart: str, name: str) -> str:
    # The default renderer of altair loads vega from a CDN when the cell is run.
    local = 'alt.renderers.enable("png")  # drawn here; the default renderer loads a library from the network\n'
    return f"import altair as alt\nimport pandas as pd\n\n{local}{data}\n{chart}{name}\n"


def records_of(frame: Any) -> list[dict[str, Any]]:
    """Return the rows as plain Python values, the way altair puts them into a spec: what is no number is null."""

    def plain(value: Any) -> Any:
        value = value.item() if hasattr(value, "item") else value
        return None if isinstance(value, float) and value != value else value

    return [
        {str(k): plain(v) for k, v in zip(frame.columns, row, strict=True)}
        for row in frame.itertuples(index=False, name=None)
    ]


def _plain(name: str, kind: str) -> dict[str, Any]:
    return {"field": name, "type": kind}


def quoted_text(value: str) -> str:
    quoted = repr(value)
    return '"' + quoted[1:-1] + '"' if quoted[0] == "'" and '"' not in quoted else quoted
