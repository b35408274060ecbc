"""One case's score as a waterfall: from the base value, each contribution in turn, to the raw score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.modeling.importance import beside
from lexsi_nb.modeling.source import is_literal, literal, literals
from lexsi_nb.tools.charts import BLUE, ORANGE, SCHEMA, SYNTHETIC, WIDTH, Picture, cell_source, quoted_text, records_of

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained

MOST = 10

DATA = """\
case = {attributions}[{which}].iloc[0]
parts = case.drop({beside}).astype("float64")
parts = parts.iloc[np.argsort(-parts.abs().to_numpy(), kind="stable")]
others = parts.iloc[{most}:]
steps = list(zip(map(str, parts.index[:{most}]), parts.iloc[:{most}]))
steps += [(f"{{len(others)}} other features", others.sum())] if len(others) else []
bars = pd.DataFrame(steps, columns=["feature", "contribution"])
bars["end"] = case[{base}] + bars["contribution"].cumsum()
bars["start"] = bars["end"] - bars["contribution"]
bars = bars.astype({{"start": "float64", "end": "float64"}})
"""


def waterfall(explained: Explained, case_id: Any, name: str, *, synthetic: bool) -> Picture:
    """Return the contributions of one case, largest first, each from where the one before it ended.

    The dashed rule is the base value; the last bar ends at the raw score. What is beyond the 10 largest is one bar.
    """
    title = f"What moved the score of {explained.entity} {case_id}" + SYNTHETIC * synthetic
    ids: Any = explained.frame[explained.entity]
    place = ids.astype(object).tolist().index(case_id)
    if is_literal(case_id) and ids.nunique() == len(ids):
        which = f"{explained.variable}[{literal(explained.entity)}] == {literal(case_id)}"
    else:
        which = f"{explained.variable}.index == {explained.variable}.index[{place}]"
    data = DATA.format(
        attributions=explained.variable, which=which, beside=literals(beside(explained)), most=MOST,
        base=literal(explained.base_column),
    )  # fmt: skip
    made = CodeCell(f"import numpy as np\nimport pandas as pd\n\n{data}", "chart data", produces=("bars", "case"))
    found = made.run({explained.variable: explained.frame})
    bars, base = found["bars"], float(found["case"][explained.base_column])
    unit = f"{explained.unit}, from the base value {base:+.2f}"
    start = {"field": "start", "type": "quantitative", "title": unit}
    bar = {
        "data": {"values": records_of(bars)},
        "mark": {"type": "bar"},
        "encoding": {
            "x": start,
            "x2": {"field": "end"},
            "y": {"field": "feature", "type": "nominal", "sort": None, "title": None},
            "color": {"condition": {"test": "(datum.contribution > 0)", "value": ORANGE}, "value": BLUE},
            "tooltip": [
                {"field": "feature", "type": "nominal"},
                {"field": "contribution", "type": "quantitative", "format": "+.3f"},
                {"field": "end", "type": "quantitative", "format": "+.3f"},
            ],
        },
    }
    rule = {
        "data": {"values": records_of(bars.head(1))},
        "mark": {"type": "rule", "strokeDash": [4, 4]},
        "encoding": {"x": {"field": "start", "type": "quantitative"}},
    }
    spec = {"$schema": SCHEMA, "title": title, "width": WIDTH, "layer": [bar, rule]}
    source = (
        "bar = alt.Chart(bars).mark_bar().encode(\n"
        f'    x=alt.X("start:Q", title={quoted_text(unit)}),\n'
        '    x2="end",\n'
        '    y=alt.Y("feature:N", title=None, sort=None),\n'
        f'    color=alt.condition(alt.datum.contribution > 0, alt.value("{ORANGE}"), alt.value("{BLUE}")),\n'
        '    tooltip=["feature:N", alt.Tooltip("contribution:Q", format="+.3f"), '
        'alt.Tooltip("end:Q", format="+.3f")],\n'
        ")\n"
        'rule = alt.Chart(bars.head(1)).mark_rule(strokeDash=[4, 4]).encode(x="start:Q")\n'
        f"{name} = (bar + rule).properties(title={quoted_text(title)}, width={WIDTH})\n"
    )
    listed = ", ".join(f"{r.feature} {r.contribution:+.2f}" for r in bars.head(5).itertuples())
    text = cell_source(data, source, name).replace("import pandas", "import numpy as np\nimport pandas", 1)
    cell = CodeCell(text, title, "chart", requires=(explained.variable,), produces=(name,))
    return Picture(Chart(spec, title, f"{title}, in {unit}: {listed}.", name), cell)
