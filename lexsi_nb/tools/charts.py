"""The pictures of a predictive answer: a Vega-Lite spec, and the altair cell that draws the same.

The data part of each cell is executed; only the last lines, which need altair (seconds to import), are mirrored by a
spec. A test holds the two equal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Attribution, Chart
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.importance import beside
from lexsi_nb.modeling.source import frame_lines

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained, Predicted, Trained

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
BLUE, ORANGE = "#4c78a8", "#d9771f"  # told apart with every common colour vision; 3:1 and more on white
WIDTH = 420
MOST_FEATURES = 8
SYNTHETIC = " (SYNTHETIC data)"


@dataclass(frozen=True)
class Picture:
    """A chart and the cell that makes it again."""

    chart: Chart
    cell: CodeCell


def ranking(
    predicted: Predicted, trained: Trained, labelled: Any, top_k: int, name: str, *, synthetic: bool
) -> Picture:
    """Return the highest `top_k` scores as bars; for a classification with the base rate as a dashed rule."""
    entity, score = predicted.entity, predicted.score_column
    rate = trained.task == "classification"
    title = f"Highest {min(top_k, len(predicted.frame))} of {len(predicted.frame):,} scores" + SYNTHETIC * synthetic
    axis = ("score, calibrated" if trained.calibrated else "score, not calibrated") if rate else score
    if trained.classes and trained.positive is None:
        axis = "probability of the likeliest class, not calibrated"
    data = f"top = {predicted.variable}[[{entity!r}, {score!r}]].head({top_k})\n".replace("'", '"')
    names: dict[str, Any] = {predicted.variable: predicted.frame}
    if rate:
        lines, rows = frame_lines(trained.frame_name, labelled)
        target = f"{rows}[{quoted_text(trained.target)}]"
        if as_pandas(labelled)[trained.target].isna().any():
            target += ".dropna()"  # of the rows whose outcome is known, as those learned from
        data += "".join(f"{line}\n" for line in lines)
        data += f'base = pd.DataFrame({{"base_rate": [{target}.eq({trained.positive!r}).mean()]}})\n'
        names[trained.frame_name] = labelled
    made = CodeCell("import pandas as pd\n\n" + data, "chart data", produces=("top", "base") if rate else ("top",)).run(
        names
    )
    scale = {"domain": [0, 1]} if rate else {"zero": True}
    x = {"field": _field(score), "scale": scale, "title": axis, "type": "quantitative"}
    y = {"field": _field(entity), "sort": None, "title": entity, "type": "nominal"}
    bars = {
        "data": {"values": records_of(made["top"])},
        "mark": {"type": "bar", "color": BLUE},
        "encoding": {
            "x": x,
            "y": y,
            "tooltip": [_plain(entity, "nominal"), {**_plain(score, "quantitative"), "format": ".2f"}],
        },
    }
    source = f"bars = alt.Chart(top).mark_bar(color={BLUE!r}).encode(\n".replace("'", '"')
    domain = "domain=[0, 1]" if rate else "zero=True"
    source += (
        f"    x=alt.X({_shorthand(score, 'quantitative')}, title={quoted_text(axis)}, scale=alt.Scale({domain})),\n"
    )
    source += f"    y=alt.Y({_shorthand(entity, 'nominal')}, title={quoted_text(entity)}, sort=None),\n"
    source += (
        f"    tooltip=[alt.Tooltip({_shorthand(entity, 'nominal')}), "
        f'alt.Tooltip({_shorthand(score, "quantitative")}, format=".2f")],\n)\n'
    )
    spec: dict[str, Any] = {"$schema": SCHEMA, "title": title, "width": WIDTH}
    if rate:
        rule_x = {"field": "base_rate", "type": "quantitative"}
        rule = {
            "data": {"values": records_of(made["base"])},
            "mark": {"type": "rule", "color": ORANGE, "strokeDash": [4, 4], "size": 2},
            "encoding": {"x": rule_x, "tooltip": [{**rule_x, "format": ".2f"}]},
        }
        spec["layer"] = [bars, rule]
        source += f'rule = alt.Chart(base).mark_rule(color="{ORANGE}", strokeDash=[4, 4], size=2).encode(\n'
        source += '    x="base_rate:Q", tooltip=[alt.Tooltip("base_rate:Q", format=".2f")]\n)\n'
        source += f"{name} = alt.layer(bars, rule).properties(title={quoted_text(title)}, width={WIDTH})\n"
    else:
        spec.update(bars)
        source += f"{name} = bars.properties(title={quoted_text(title)}, width={WIDTH})\n"
    alt = _alt_ranking(title, made["top"], entity, score, trained if rate else None)
    cell = CodeCell(cell_source(data, source, name), title, "chart", requires=tuple(names), produces=(name,))
    return Picture(Chart(spec, title, alt, name), cell)


def contributions(explained: Explained, attribution: Attribution, name: str, *, synthetic: bool) -> Picture:
    """Return what moved one case's score, as bars left and right of zero."""
    entity = explained.entity
    title = f"What moved the score of {entity} {attribution.case}" + SYNTHETIC * synthetic
    drop = f"[{', '.join(quoted_text(c) for c in beside(explained))}]"
    case = explained.cases[0].case_id
    data = (
        f"case = {explained.variable}.loc[{explained.variable}[{quoted_text(entity)}] == {case!r}].iloc[0]\n"
        f"parts = case.drop({drop}).astype(float)\n"
        f'parts = parts.reindex(parts.abs().sort_values(ascending=False, kind="stable").index)\n'
        f'bars = pd.DataFrame({{"feature": parts.index[:{MOST_FEATURES}], '
        f'"contribution": parts.to_numpy()[:{MOST_FEATURES}]}})\n'
    )
    if len(attribution.reasons) > MOST_FEATURES:
        rest = len(attribution.reasons) - MOST_FEATURES
        data += f'bars.loc[{MOST_FEATURES}] = ["{rest} others", parts.iloc[{MOST_FEATURES}:].sum()]\n'
    made = CodeCell("import pandas as pd\n\n" + data, "chart data", produces=("bars",)).run(
        {explained.variable: explained.frame}
    )
    unit = f"contribution ({explained.unit})"
    x = {"field": "contribution", "title": unit, "type": "quantitative"}
    spec = {
        "$schema": SCHEMA,
        "title": title,
        "width": WIDTH,
        "data": {"values": records_of(made["bars"])},
        "mark": {"type": "bar"},
        "encoding": {
            "color": {"condition": {"test": "(datum.contribution > 0)", "value": ORANGE}, "value": BLUE},
            "x": x,
            "y": {"field": "feature", "sort": None, "title": None, "type": "nominal"},
            "tooltip": [_plain("feature", "nominal"), {**_plain("contribution", "quantitative"), "format": "+.2f"}],
        },
    }
    source = (
        f"{name} = alt.Chart(bars).mark_bar().encode(\n"
        f'    x=alt.X("contribution:Q", title={quoted_text(unit)}),\n'
        '    y=alt.Y("feature:N", title=None, sort=None),\n'
        f'    color=alt.condition(alt.datum.contribution > 0, alt.value("{ORANGE}"), alt.value("{BLUE}")),\n'
        '    tooltip=["feature:N", alt.Tooltip("contribution:Q", format="+.2f")],\n'
        f").properties(title={quoted_text(title)}, width={WIDTH})\n"
    )
    words = ", ".join(f"{r.feature} {r.contribution:+.2f}" for r in attribution.reasons[:5])
    cell = CodeCell(cell_source(data, source, name), title, "chart", requires=(explained.variable,), produces=(name,))
    return Picture(Chart(spec, title, f"{title}, in {explained.unit}: {words}.", name), cell)


def cell_source(data: str, chart: str, name: str) -> str:
    # The default renderer of altair loads vega from a CDN when the cell is run.
    local = 'alt.renderers.enable("png")  # drawn here; the default renderer loads a library from the network\n'
    return f"import altair as alt\nimport pandas as pd\n\n{local}{data}\n{chart}{name}\n"


def _alt_ranking(title: str, top: Any, entity: str, score: str, trained: Trained | None) -> str:
    first = ", ".join(f"{i} {s:.2f}" for i, s in zip(top[entity].head(3), top[score].head(3), strict=True))
    base = f" Base rate {trained.n_positive / trained.n_rows:.2f} (dashed)." if trained and trained.n_positive else ""
    return f"{title}: {first}, ...{base}"


def records_of(frame: Any) -> list[dict[str, Any]]:
    """Return the rows as plain Python values, the way altair puts them into a spec: what is no number is null."""

    def plain(value: Any) -> Any:
        value = value.item() if hasattr(value, "item") else value
        return None if isinstance(value, float) and value != value else value

    return [
        {str(k): plain(v) for k, v in zip(frame.columns, row, strict=True)}
        for row in frame.itertuples(index=False, name=None)
    ]


def _field(name: str) -> str:
    # Vega reads dots and brackets in a field as a path.
    return re.sub(r"([.\[\]])", r"\\\1", name)


def _plain(name: str, kind: str) -> dict[str, Any]:
    return {"field": _field(name), "type": kind}


def _shorthand(name: str, kind: str) -> str:
    if re.fullmatch(r"[\w ]+", name):
        return f'"{name}:{kind[0].upper()}"'
    return f"field={quoted_text(_field(name))}, type={quoted_text(kind)}"


def quoted_text(value: str) -> str:
    quoted = repr(value)
    return '"' + quoted[1:-1] + '"' if quoted[0] == "'" and '"' not in quoted else quoted
