"""The chart that an answer implies: bars for one measure by a key, a line over time, none for anything else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from lexsi_nb.artifacts.colours import BLUE
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.errors import MissingExtra
from lexsi_nb.grounding.rendering.charting import APART, YES_NO
from lexsi_nb.tools.context import StepContext
from lexsi_nb.tools.vega.drawing import BadChart, drawn
from lexsi_nb.tools.vega.rows import column_types

MOST_GROUPS = 30
MOST_TIMES = 1_000
FEW = 10  # below it, an axis would have halves between whole numbers


def show_implied(ctx: StepContext, label: str | None) -> None:
    """Show the implied chart of a labelled result: at most one a run, and none where a chart was made already."""
    sql = ctx.get("last_sql")
    if label is None or any(isinstance(s.artifact, Chart) for s in ctx.run.artifacts):
        return
    frame = ctx.frame(label)
    if frame is not ctx.get("last_sql_result") or not hasattr(frame, "iloc"):
        return
    spec = implied(frame, sql or "", ctx.notes.result_units)
    if spec is None:
        return
    read_as = ctx.notes.read_as.split(" (")[0]
    spec["title"] = ctx.notes.chart_title or f"{read_as[:1].upper()}{read_as[1:]}"
    try:
        made = drawn(spec, label, ctx, name=ctx.name_for("answer_chart"))
    except (BadChart, MissingExtra):
        return  # nobody asked for it: the answer stands without
    ctx.emit(made.cell)
    ctx.show(made.chart, parents=tuple(n for n in made.cell.requires if n != ctx.run.con))


def implied(frame: Any, sql: str, units: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any] | None:
    """Return the spec of the chart that a result implies, None where words or rows say it better.

    A result of a GROUP BY with one key and one measure: over time (dates, or years) a line of at most 1,000 points,
    else bars for 2 to 30 groups, in the order of the rows. units: column -> unit, which the axis says.
    """
    if frame.shape[1] != 2 or len(frame) < 2 or not _grouped(sql):
        return None
    key, measure = map(str, frame.columns)
    if key == measure or not frame[frame.columns[0]].is_unique or frame[frame.columns[0]].isna().any():
        return None
    types = column_types(frame.set_axis([key, measure], axis=1))
    if types[measure] != "quantitative":
        return None
    axis: dict[str, Any] = dict(APART)
    if frame.dtypes.iloc[1].kind in "iu" and frame[frame.columns[1]].abs().max() < FEW:
        axis["format"] = "d"  # ticks at whole numbers only: there is no half of what is counted
    value = {"field": measure, "type": "quantitative", "title": _words(measure, units), "axis": axis}
    over_time = types[key] == "temporal" or (_is_year(frame[frame.columns[0]]) and types[key] == "quantitative")
    if over_time and 3 <= len(frame) <= MOST_TIMES and frame[frame.columns[0]].is_monotonic_increasing:
        kind = "temporal" if types[key] == "temporal" else "ordinal"
        x = {"field": key, "type": kind, "title": _words(key)}
        return {
            "mark": {"type": "line", "color": BLUE, "point": len(frame) <= MOST_GROUPS},
            "encoding": {"x": x, "y": value},
        }
    if len(frame) > MOST_GROUPS:
        return None
    kind = "nominal" if types[key] == "nominal" else "ordinal"
    y: dict[str, Any] = {"field": key, "type": kind, "sort": None, "title": _words(key)}
    if types[key] == "boolean":
        y["axis"] = {"labelExpr": YES_NO}
    return {"mark": {"type": "bar", "color": BLUE}, "encoding": {"x": value, "y": y}}


def _grouped(sql: str) -> bool:
    """Whether the SQL groups by exactly one key at its top."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except SqlglotError:
        return False
    group = tree.args.get("group") if isinstance(tree, exp.Select) else None
    return group is not None and (len(group.expressions) == 1 or bool(group.args.get("all")))


def _is_year(column: Any) -> bool:
    return column.dtype.kind in "iu" and bool(column.between(1900, 2100).all())


def _words(name: str, units: Mapping[str, str] = MappingProxyType({})) -> str:
    words = name.replace("_", " ")
    return f"{words} ({units[name]})" if name in units else words
