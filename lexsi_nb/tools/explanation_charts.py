"""The pictures of an explanation over many cases: importance bars, a beeswarm, and one feature's dependence.

As in `charts`: the data part of each cell is executed, and its last lines are mirrored by the spec.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.colours import BLUE
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.modeling.importance import Figures, aligned, beside, feature_of, values_source
from lexsi_nb.modeling.source import literal, literals, spared
from lexsi_nb.tools.charts import (
    SCHEMA,
    SYNTHETIC,
    WIDTH,
    Picture,
    cell_source,
    contribution_title,
    quoted_text,
    records_of,
)
from lexsi_nb.tools.shading import AXIS, AXIS_SOURCE, GREY, OPACITY, SCHEME, SCHEME_SOURCE, Shade

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained, Trained

MOST_BARS, MOST_SWARMS = 12, 8
MOST_DOTS = 200  # cases drawn in a beeswarm; a point a feature each
MOST_POINTS = 1000  # cases drawn of one feature
STEP = 34  # pixels a line of a beeswarm
PLACE = "feature value, by percentile"
PLACE_WORDS = "datum.value == 0 ? 'low' : datum.value == 1 ? 'high' : 'median'"


def importance_bars(explained: Explained, figures: Figures, name: str, *, synthetic: bool) -> Picture:
    """Return the mean absolute contribution of the strongest features as bars, largest first."""
    title = f"What moved {len(explained.frame):,} scores" + SYNTHETIC * synthetic
    unit = f"mean absolute contribution ({explained.unit})"
    axis = [unit, "how far it moves a score on average, up or down"]
    data = f'size = {figures.variable}["importance"]\n'
    data += f"bars = {figures.variable}[size > 0.01 * size.max()].head({MOST_BARS})\n"
    size = figures.frame["importance"]
    bars = figures.frame[size > 0.01 * size.max()].head(MOST_BARS)
    x = {"field": "importance", "type": "quantitative", "title": axis}
    y = {"field": "feature", "type": "nominal", "sort": None, "title": None}
    tooltip = [
        {"field": "feature", "type": "nominal"},
        {"field": "importance", "type": "quantitative", "format": ".3f"},
        {"field": "share", "type": "quantitative", "format": ".0%"},
    ]
    labels = {
        "mark": {"type": "text", "align": "left", "dx": 3},
        "encoding": {"x": x, "y": y, "text": {**tooltip[1], "format": ".2f"}, "tooltip": tooltip},
    }
    spec = {
        "$schema": SCHEMA,
        "title": title,
        "width": WIDTH,
        "data": {"values": records_of(bars)},
        "layer": [
            {"mark": {"type": "bar", "color": BLUE}, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
            labels,
        ],
    }
    source = (
        f'bar = alt.Chart(bars).mark_bar(color="{BLUE}").encode(\n'
        f'    x=alt.X("importance:Q", title={literals(axis)}),\n'
        '    y=alt.Y("feature:N", title=None, sort=None),\n'
        '    tooltip=["feature:N", alt.Tooltip("importance:Q", format=".3f"), '
        'alt.Tooltip("share:Q", format=".0%")],\n'
        ")\n"
        'labels = bar.mark_text(align="left", dx=3).encode(text=alt.Text("importance:Q", format=".2f"))\n'
        f"{name} = (bar + labels).properties(title={quoted_text(title)}, width={WIDTH})\n"
    )
    listed = ", ".join(f"{r.feature} {r.share:.0%}" for r in bars.head(5).itertuples())
    cell = CodeCell(cell_source(data, source, name), title, "chart", requires=(figures.variable,), produces=(name,))
    return Picture(Chart(spec, title, f"{title}, share of the {unit}: {listed}.", name), cell)


BEESWARM = '''\
def beeswarm_of(values, contributions, cases, most={most}):
    """Return a point a case and feature: value, its place among the cases, contribution, how far aside it is drawn."""
    drawn = np.sort(np.random.default_rng(0).permutation(len(contributions))[:most])
    width, parts = np.ptp(contributions.to_numpy()) / 80 or 1, []
    for feature, column in values.items():
        moved, column = contributions[feature].to_numpy()[drawn], column.reset_index(drop=True)
        place = np.nan if column.dtype == "string" else column.rank(pct=True)[drawn].to_numpy()
        pile = pd.Series(moved // width)
        nth = pile.groupby(pile).cumcount()
        parts.append(pd.DataFrame({{
            "feature": str(feature),
            "case": cases.astype("string").fillna("missing").to_numpy()[drawn],
            "value": column[drawn].astype("string").fillna("missing").to_numpy(),
            "place": np.round(place, 3),
            "contribution": moved.round(4),
            "aside": np.where(nth % 2, -1, 1) * ((nth + 1) // 2),
        }}))
    points = pd.concat(parts, ignore_index=True)
    points["aside"] = (points["aside"] / max(1, points["aside"].abs().max())).round(3)
    return points


'''


def beeswarm(
    trained: Trained, explained: Explained, frame: Any, figures: Figures, name: str, *, synthetic: bool
) -> Picture:
    """Return a swarm of points a feature, shaded by the value's place among the cases; words and gaps are grey."""
    n = len(explained.frame)
    cases = f"{MOST_DOTS} of {n:,} cases, drawn at random" if n > MOST_DOTS else f"{n:,} cases"
    title = f"Contributions in {cases}" + SYNTHETIC * synthetic
    lines, rows = aligned(explained, frame)
    features = [feature_of(trained, f) for f in figures.frame["feature"].head(MOST_SWARMS)]
    values = "".join(f"    {literal(f)}: {values_source(trained, f, rows)},\n" for f in features)
    source = spared(BEESWARM, {explained.frame_name, explained.variable, name}).format(most=MOST_DOTS)
    data = "".join(f"{line}\n" for line in lines)
    data += f"values = {{\n{values}}}\n"
    data += f"contributions = {explained.variable}.drop(columns={literals(beside(explained))})\n"
    data += f"points = beeswarm_of(values, contributions, {explained.variable}[{literal(explained.entity)}])\n"
    made = CodeCell(f"import numpy as np\nimport pandas as pd\n\n{source}{data}", "chart data", produces=("points",))
    points = made.run({explained.frame_name: frame, explained.variable: explained.frame})["points"]
    unit = contribution_title(explained.unit)
    x = {"field": "contribution", "type": "quantitative", "title": unit, "axis": AXIS}
    spec = {
        "$schema": SCHEMA,
        "title": title,
        "width": WIDTH,
        "height": {"step": STEP},
        "data": {"values": records_of(points)},
        "mark": {"type": "circle", "opacity": OPACITY, "invalid": None},
        "encoding": {
            "x": x,
            "y": {"field": "feature", "type": "nominal", "sort": None, "title": None},
            "yOffset": {"field": "aside", "type": "quantitative", "scale": {"domain": [-1.3, 1.3]}},
            "color": {
                "condition": {
                    "test": "isValid(datum.place)",
                    "field": "place",
                    "type": "quantitative",
                    "title": PLACE,
                    "scale": {"domain": [0, 1], "scheme": SCHEME},
                    "legend": {"values": [0, 0.5, 1], "labelExpr": PLACE_WORDS},
                },
                "value": GREY,
            },
            "tooltip": [
                {"field": "case", "type": "nominal", "title": str(explained.entity)},
                {"field": "feature", "type": "nominal"},
                {"field": "value", "type": "nominal"},
                {"field": "contribution", "type": "quantitative", "format": "+.3f"},
            ],
        },
    }
    chart = (
        f'words = "{PLACE_WORDS}"\n'
        "shade = alt.condition(\n"
        '    "isValid(datum.place)",\n'
        f'    alt.Color("place:Q", title="{PLACE}", legend=alt.Legend(values=[0, 0.5, 1], labelExpr=words),\n'
        f"              scale=alt.Scale(domain=[0, 1], scheme={SCHEME_SOURCE})),\n"
        f'    alt.value("{GREY}"),\n)\n'
        f"{AXIS_SOURCE}"
        f"{name} = alt.Chart(points).mark_circle(opacity={OPACITY}, invalid=None).encode(\n"
        f'    x=alt.X("contribution:Q", title={literals(unit)}, axis=axis),\n'
        '    y=alt.Y("feature:N", title=None, sort=None),\n'
        '    yOffset=alt.YOffset("aside:Q", scale=alt.Scale(domain=[-1.3, 1.3])),\n'
        "    color=shade,\n"
        f'    tooltip=[alt.Tooltip("case:N", title={quoted_text(str(explained.entity))}), "feature:N", "value:N",\n'
        '             alt.Tooltip("contribution:Q", format="+.3f")],\n'
        f').properties(title={quoted_text(title)}, width={WIDTH}, height={{"step": {STEP}}})\n'
    )
    listed = ", ".join(str(f) for f in features[:5])
    alt = f"{title}: a point a case and feature, {listed} and so on; colour is the value's percentile."
    cell = CodeCell(
        cell_source(f"{source}{data}", chart, name).replace("import pandas", "import numpy as np\nimport pandas", 1),
        title, "chart", requires=(explained.frame_name, explained.variable), produces=(name,),
    )  # fmt: skip
    return Picture(Chart(spec, title, alt, name), cell)


def dependence_chart(
    trained: Trained, explained: Explained, frame: Any, feature: Any, figures: Figures, name: str, *, synthetic: bool,
    by: Any = None, unit: str = "",
) -> Picture:  # fmt: skip
    """Return the contribution of one feature over its values, a point a case; cases without a value are left out.

    by: another feature that colours the points; cases without a value of it are grey. unit: that of the feature.
    """
    column = feature_of(trained, feature)
    shade = None if by is None else Shade.of(trained, by)
    opacity = OPACITY if shade is None else shade.opacity
    title = f"How {column} moved {len(explained.frame):,} scores" + SYNTHETIC * synthetic
    lines, rows = aligned(explained, frame)
    dated, words = column in trained.dates, column in trained.categories
    value = values_source(trained, column, rows)
    value += '.dt.strftime("%Y-%m-%d")' if dated else ""
    needed = 'subset=["value", "contribution"]' if shade else ""
    data = "".join(f"{line}\n" for line in lines) + (
        f'points = pd.DataFrame({{"value": {value}.to_numpy(), '
        f'"contribution": {explained.variable}[{literal(column)}].to_numpy(), '
        f'"case": {explained.variable}[{literal(explained.entity)}].astype("string").fillna("missing").to_numpy()}})\n'
        + (f'points["by"] = {shade.values(trained, rows)}.to_numpy()\n' if shade else "")
        + f"points = points.dropna({needed})\n"
        f"points = points.sample(min({MOST_POINTS}, len(points)), random_state=0)\n"
    )
    made = CodeCell(f"import numpy as np\nimport pandas as pd\n\n{data}", "chart data", produces=("points",))
    points = made.run({explained.frame_name: frame, explained.variable: explained.frame})["points"]
    moved, axis = contribution_title(explained.unit), f"{column} ({unit})" if unit else str(column)
    kind = "temporal" if dated else "nominal" if words else "quantitative"
    zero = {} if dated or words else {"scale": {"zero": False}}
    y = {"field": "contribution", "type": "quantitative", "title": moved, "axis": AXIS}
    spec = {
        "$schema": SCHEMA,
        "title": title,
        "width": WIDTH,
        "data": {"values": records_of(points)},
        "mark": {"type": "circle", "opacity": opacity, **({} if shade else {"color": BLUE})},
        "encoding": {
            "x": {"field": "value", "type": kind, "title": axis, **zero},
            "y": y,
            **({"color": shade.encoding()} if shade else {}),
            "tooltip": [
                {"field": "case", "type": "nominal", "title": str(explained.entity)},
                {"field": "value", "type": kind, "title": axis},
                {"field": "contribution", "type": "quantitative", "format": "+.3f"},
                *([shade.tooltip()] if shade else []),
            ],
        },
    }
    scale = ", scale=alt.Scale(zero=False)" if zero else ""
    letter, plain = kind[0].upper(), "" if shade else f', color="{BLUE}"'
    source = (
        f"{AXIS_SOURCE}"
        f"{name} = alt.Chart(points).mark_circle(opacity={opacity}{plain}).encode(\n"
        f'    x=alt.X("value:{letter}", title={quoted_text(axis)}{scale}),\n'
        f'    y=alt.Y("contribution:Q", title={literals(moved)}, axis=axis),\n'
        + (f"    color={shade.source()},\n" if shade else "")
        + f'    tooltip=[alt.Tooltip("case:N", title={quoted_text(str(explained.entity))}), '
        f'alt.Tooltip("value:{letter}", title={quoted_text(axis)}), alt.Tooltip("contribution:Q", format="+.3f")'
        f"{shade.tooltip_source() if shade else ''}],\n"
        f").properties(title={quoted_text(title)}, width={WIDTH})\n"
    )
    first = ", ".join(f"{r.value}: {r.contribution:+.2f}" for r in figures.frame.head(6).itertuples())
    text = cell_source(data, source, name)
    if "np." in data:
        text = text.replace("import pandas", "import numpy as np\nimport pandas", 1)
    cell = CodeCell(text, title, "chart", requires=(explained.frame_name, explained.variable), produces=(name,))
    return Picture(Chart(spec, title, f"{title}, mean contribution ({explained.unit}): {first}.", name), cell)
