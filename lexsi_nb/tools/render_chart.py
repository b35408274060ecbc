"""`render_chart`: a picture of a result, by any Vega-Lite spec."""

from __future__ import annotations

import json
from typing import Any

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.telling import everything
from lexsi_nb.tools.vega.drawing import BadChart, drawn
from lexsi_nb.tools.vega.points import MOST


@tool(
    scopes=("data:read",),
    side_effect="kernel",
    thread_safe=True,
    capabilities=("chart", "plot", "graph", "picture", "vega-lite"),
    requires=("sql_result:*",),
    returns="The chart's id, for show_artifacts, and what was put right or reduced.",
)
def render_chart(spec: dict | str, label: str, title: str = "", *, ctx: Context) -> ToolResult:
    """Draw a chart of a result by a Vega-Lite specification.

    Use it when a picture was asked for or says more than rows. Leave `data` out: the rows are those of the label.
    Layers, facets, repeats and transforms work. More than 5,000 rows are aggregated or sampled, and the chart says so.
    Not for computing: do that with run_sql first.

    Args:
        spec: The specification as an object, such as {"mark": "bar", "encoding": {"x": {"field": "status"}, "y":
            {"aggregate": "count"}}}.
        label: Label of the run_sql result (or name of the frame) to draw.
        title: Title of the chart; that of the spec when omitted.
    """
    asked = _read(spec)
    own = asked.get("title") if isinstance(asked, dict) else None
    words = title or (own if isinstance(own, str) else "")
    held = ctx.held_against_results(words)
    made = drawn(asked, label, ctx, title=title if held == words else held, name=ctx.name_for(_label(ctx)))
    ctx.emit(made.cell)
    parents = tuple(n for n in made.cell.requires if n != ctx.run.con)
    ctx.show(made.chart, parents=parents)
    rows = len(made.chart.spec["data"]["values"])
    head = f"Chart {made.chart.name} of {label}, {rows:,} of at most {MOST:,} points." + "".join(
        f" {n}." for n in made.notes
    )
    return ToolResult(
        True, Observation.of(head, Segment(made.chart.alt, "rows", everything(label, ctx))), payload=made.chart
    )


def _read(spec: dict | str) -> Any:
    """Return the specification as an object; some planners send its JSON text.

    Raises:
        BadChart: the text is no JSON.
    """
    if not isinstance(spec, str):
        return spec
    try:
        return json.loads(spec)
    except ValueError as error:
        raise BadChart.of([f"$: no JSON: {error}"]) from None


def _label(ctx: Context) -> str:
    """Return the label of the next chart of the run: ids are never used twice."""
    taken = {name for cell in ctx.run.cells for name in cell.produces}
    number = 1
    while f"chart_{number}" in taken:
        number += 1
    return f"chart_{number}"
