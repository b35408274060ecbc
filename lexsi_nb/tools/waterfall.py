"""One case's score as a waterfall: from the base value, each contribution in turn, to the raw score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.colours import BLUE, ORANGE
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.modeling.importance import aligned, beside
from lexsi_nb.modeling.source import is_literal, literal, literals
from lexsi_nb.tools.charts import SCHEMA, SYNTHETIC, WIDTH, Picture, cell_source, quoted_text, records_of

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained, Trained

MOST = 6  # features by name, as in an explanation; the others are summed

DATA = '''\
def text_of(value):
    """Return a value as a label has it."""
    if pd.isna(value):
        return "missing"
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_))
    return f"{{value:,.6g}}" if number else str(value)


{lines}at = {at}
case, row = {attributions}.iloc[at], {rows}.iloc[at]
parts = case.drop({beside}).astype("float64")
parts = parts.iloc[np.argsort(-parts.abs().to_numpy(), kind="stable")]
large, others = parts.iloc[:{most}], parts.iloc[{most}:]
steps = [("", "starting point", 0.0)]
steps += [(str(f), f"{{f}} = {{text_of(row[f])}}", c) for f, c in large.items()]
steps += [("others", f"{{len(others)}} other feature{{'s' * (len(others) > 1)}}", others.sum())] if len(others) else []
bars = pd.DataFrame([*steps, ("", "sum", 0.0)], columns=["feature", "label", "contribution"])
bars["end"] = float(case[{base}]) + bars["contribution"].cumsum()
bars["start"] = bars["end"] - bars["contribution"]
bars["text"] = bars["contribution"].map("{{:+.2f}}".format)
{ends}
'''
ENDS = 'bars.loc[[0, len(bars) - 1], "text"] = bars["end"].map("{:+.2f}".format)'
# The score of log-odds is their logistic function.
SCORED_ENDS = """\
bars.loc[[0, len(bars) - 1], "text"] = [
    f"{x:+.2f}, score {1 / (1 + np.exp(-x)):.3f}" for x in bars["end"].iloc[[0, -1]]
]"""
SIDE = "datum.contribution < 0 ? 'right' : 'left'"
ASIDE = "datum.contribution < 0 ? -4 : 4"


def waterfall(
    trained: Trained, explained: Explained, frame: Any, case_id: Any, name: str, *, synthetic: bool
) -> Picture:
    """Return the contributions of one case, largest first, each from where the one before it ended.

    The dashed rule is the base value, the solid one the raw score, where the last bar ends. Contributions beyond the
    6 largest are one bar.
    """
    title = f"What moved the score of {explained.entity} {case_id}" + SYNTHETIC * synthetic
    data = _data(trained, explained, frame, case_id)
    made = CodeCell(f"import numpy as np\nimport pandas as pd\n\n{data}", "chart data", produces=("bars",))
    bars = made.run({explained.frame_name: frame, explained.variable: explained.frame})["bars"]
    axis = f"raw score ({explained.unit})"
    spec = {"$schema": SCHEMA, "title": title, "width": WIDTH, "layer": _layers(bars, axis)}
    source = (
        "bar = alt.Chart(bars).mark_bar().encode(\n"
        f'    x=alt.X("start:Q", title={quoted_text(axis)}, scale=alt.Scale(zero=False, padding=40),\n'
        "            axis=alt.Axis(tickCount=6)),\n"
        '    x2="end",\n'
        '    y=alt.Y("label:N", title=None, sort=None, axis=alt.Axis(labelLimit=260)),\n'
        f'    color=alt.condition(alt.datum.contribution > 0, alt.value("{ORANGE}"), alt.value("{BLUE}")),\n'
        '    tooltip=["label:N", alt.Tooltip("contribution:Q", format="+.3f"), '
        'alt.Tooltip("end:Q", format="+.3f")],\n'
        ")\n"
        f'numbers = alt.Chart(bars).mark_text(align=alt.expr("{SIDE}"), dx=alt.expr("{ASIDE}")).encode(\n'
        '    x="end:Q", y=alt.Y("label:N", title=None, sort=None), text="text:N"\n'
        ")\n"
        'base = alt.Chart(bars.head(1)).mark_rule(strokeDash=[4, 4]).encode(x="start:Q")\n'
        'total = alt.Chart(bars.tail(1)).mark_rule().encode(x="end:Q")\n'
        f"{name} = alt.layer(bar, numbers, base, total).properties(title={quoted_text(title)}, width={WIDTH})\n"
    )
    first, last = bars["end"].iloc[0], bars["end"].iloc[-1]
    listed = ", ".join(f"{r.label} {r.contribution:+.2f}" for r in bars.iloc[1:6].itertuples() if r.feature)
    text = cell_source(data, source, name).replace("import pandas", "import numpy as np\nimport pandas", 1)
    cell = CodeCell(text, title, "chart", requires=(explained.frame_name, explained.variable), produces=(name,))
    alt = f"{title}, in {explained.unit}, from the base value {first:+.2f} to {last:+.2f}: {listed}."
    return Picture(Chart(spec, title, alt, name), cell)


def _data(trained: Trained, explained: Explained, frame: Any, case_id: Any) -> str:
    """Return the source that makes the bars."""
    ids: Any = explained.frame[explained.entity]
    if is_literal(case_id) and ids.nunique() == len(ids):
        at = f"np.flatnonzero({explained.variable}[{literal(explained.entity)}] == {literal(case_id)})[0]"
    else:
        at = str(ids.astype(object).tolist().index(case_id))
    lines, rows = aligned(explained, frame)
    logistic = trained.task == "classification" and not trained.calibrated
    return DATA.format(
        attributions=explained.variable, rows=rows, lines="".join(f"{line}\n" for line in lines), at=at,
        beside=literals(beside(explained)), most=MOST, base=literal(explained.base_column),
        ends=SCORED_ENDS if logistic else ENDS,
    )  # fmt: skip


def _layers(bars: Any, axis: str) -> list[dict[str, Any]]:
    """Return the bars, their numbers, and the rules at both ends."""
    start = {
        "field": "start", "type": "quantitative", "title": axis, "scale": {"zero": False, "padding": 40},
        "axis": {"tickCount": 6},
    }  # fmt: skip
    label = {"field": "label", "type": "nominal", "sort": None, "title": None}
    end = {"field": "end", "type": "quantitative"}
    bar = {
        "data": {"values": records_of(bars)},
        "mark": {"type": "bar"},
        "encoding": {
            "x": start,
            "x2": {"field": "end"},
            "y": {**label, "axis": {"labelLimit": 260}},
            "color": {"condition": {"test": "(datum.contribution > 0)", "value": ORANGE}, "value": BLUE},
            "tooltip": [
                {"field": "label", "type": "nominal"},
                {"field": "contribution", "type": "quantitative", "format": "+.3f"},
                {**end, "format": "+.3f"},
            ],
        },
    }
    numbers = {
        "data": {"values": records_of(bars)},
        "mark": {"type": "text", "align": {"expr": SIDE}, "dx": {"expr": ASIDE}},
        "encoding": {"x": end, "y": label, "text": {"field": "text", "type": "nominal"}},
    }
    base = {
        "data": {"values": records_of(bars.head(1))},
        "mark": {"type": "rule", "strokeDash": [4, 4]},
        "encoding": {"x": {"field": "start", "type": "quantitative"}},
    }
    total = {"data": {"values": records_of(bars.tail(1))}, "mark": {"type": "rule"}, "encoding": {"x": end}}
    return [bar, numbers, base, total]
