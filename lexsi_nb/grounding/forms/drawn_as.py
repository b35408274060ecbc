"""The chart a reading is drawn as: the kind that was asked for, or one that can be read, and then that is said."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.forms.asking import refuse
from lexsi_nb.grounding.language import undefined
from lexsi_nb.grounding.reading import Measure, Reading
from lexsi_nb.grounding.rendering.output_names import key_name, measure_name, unique_names
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

MOST_PARTS = 6  # of a pie: more, and nobody sees which is the larger
MOST_LINES = 20  # of one picture: more can't be told apart by their colours
MOST_CELLS = 60  # of a heat map, across or down
ON_OFFER = (
    "bars (stacked or grouped), lines, areas, pies, scatter plots, histograms, box plots, heat maps and vintage curves"
)
_TWO = ("stacked", "grouped", "area", "line")
_ADD_UP = frozenset({"count", "sum"})


def not_drawn(kind: str) -> str:
    """Return why a picture is not drawn, with the kinds that are: `I draw no violin plot`."""
    near = next((means for said, means in undefined.CHARTS_INSTEAD if said.match(kind)), "")
    return f"I draw no {kind.casefold()}. I draw {ON_OFFER}." + (f" Here {near} may do." if near else "")


def drawn_as(reading: Reading, index: SchemaIndex) -> Reading:
    """Return the reading with the chart that can be read, and a note where it is another than was asked for.

    Raises:
        Unread: a heat map without two groupings, or with too many cells.
    """
    if not reading.chart or not reading.sql or reading.kind in ("vintage", "correlation") or reading.chart == "box":
        return reading
    if reading.chart == "heat" and (reading.kind == "list" or len(reading.keys) != 2 or not reading.measures):
        refuse("A heat map needs a figure and two groupings, as in 'heat map of' a number 'by' one 'and' another.")
    if not reading.measures or not reading.keys or "bin_start" in reading.sql:
        return reading
    chart, why = _fitting(reading, index)
    if chart == reading.chart:
        return reading
    return replace(reading, chart=chart, notes=(*reading.notes, *([why] if why else [])))


def _fitting(r: Reading, index: SchemaIndex) -> tuple[str, str]:
    """Return the chart that fits a figure by groups, and why it is another than was asked for ("" where unsaid)."""
    chart, two, figure = r.chart, len(r.keys) > 1, r.measures[0]
    ordered = bool(r.keys[0].grain or r.keys[0].column.order or r.keys[0].column.type in ("date", "number"))
    if chart in ("pie", "donut"):
        return _pie(r, index)
    if chart == "area" and not ordered:
        return (
            "stacked" if two else "bar"
        ), f"drawn as bars: {r.keys[0].column.name} has no order for an area to follow"
    if chart in ("stacked", "grouped") and not two:
        return "bar", ""
    if not two:
        return chart, ""
    if chart in ("any", "bar"):
        chart = "line" if chart == "any" and r.keys[0].grain else "stacked" if adds_up(figure) else "grouped"
    if chart in ("stacked", "area") and not adds_up(figure):
        chart = "line" if chart == "area" else "grouped"
        side = "as lines" if chart == "line" else "side by side"
        return chart, f"drawn {side}: a {measure_name(figure).replace('_', ' ')} does not add up over groups"
    rows, columns = _sizes(r, index)
    if chart == "heat":
        if max(rows, columns) > MOST_CELLS:
            refuse(f"A heat map of {rows:,} by {columns:,} can't be read; ask for at most {MOST_CELLS} each way.")
    elif columns > MOST_LINES and chart in _TWO and max(rows, columns) <= MOST_CELLS * 2:
        return "heat", f"drawn as a heat map: {columns:,} colours can't be told apart"
    return chart, ""


def _pie(r: Reading, index: SchemaIndex) -> tuple[str, str]:
    if len(r.keys) > 1:
        return ("stacked" if adds_up(r.measures[0]) else "grouped"), "drawn as bars: a pie has one grouping"
    figure = r.measures[0]
    if not adds_up(figure):
        return "bar", f"drawn as bars: a {measure_name(figure).replace('_', ' ')} is no part of a whole"
    if r.limit:
        return "bar", "drawn as bars: the groups are some of all, and a pie is of all"
    names = unique_names([key_name(k) for k in r.keys] + [measure_name(m) for m in r.measures])
    x = quote(names[1])
    n, least = index.engine.query(f"SELECT count(*) AS n, min({x}) AS least FROM (\n{r.sql}\n) AS parts").iloc[0]
    if least == least and least is not None and least < 0:
        return "bar", "drawn as bars: a pie has no parts below zero"
    if n > MOST_PARTS:
        return "bar", f"drawn as bars: a pie of {int(n):,} parts can't be read, one of up to {MOST_PARTS} can"
    return r.chart, ""


def adds_up(m: Measure) -> bool:
    """Whether the figures of groups can be put on top of each other: numbers of rows and sums, no means and rates."""
    return (m.function in _ADD_UP and not m.share) or (m.of_total and not m.within)


def _sizes(r: Reading, index: SchemaIndex) -> tuple[int, int]:
    """Return how many groups there are by the first key and by the second."""
    names = unique_names([key_name(k) for k in r.keys] + [measure_name(m) for m in r.measures])
    counts = ", ".join(f"count(DISTINCT {quote(n)}) AS n{at}" for at, n in enumerate(names[:2]))
    rows, columns = index.engine.query(f"SELECT {counts} FROM (\n{r.sql}\n) AS groups").iloc[0]
    return int(rows), int(columns)
