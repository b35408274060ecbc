"""The chart a reading is drawn as: the kind that was asked for, or one that can be read, and then that is said."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.forms.asking import refuse
from lexsi_nb.grounding.language import undefined
from lexsi_nb.grounding.reading import Measure, Reading
from lexsi_nb.grounding.rendering.charting import along, binned
from lexsi_nb.grounding.rendering.output_names import key_name, measure_name, unique_names
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

MOST_PARTS = 6  # of a pie: more, and nobody sees which is the larger
MOST_LINES = 20  # of one picture: more can't be told apart by their colours
MOST_ACROSS, MOST_TIMES, MOST_DOWN = 40, 400, 100  # cells of a heat map; labels of times may be left out, of names not
ON_OFFER = (
    "bars (stacked or grouped), lines, areas, pies, scatter plots, histograms, box plots, heat maps and vintage curves"
)
_TWO = ("stacked", "grouped", "area", "line")
_ADD_UP = frozenset({"count", "sum"})


def not_drawn(kind: str) -> str:
    """Return why a picture is not drawn, with the kinds that are: `I draw no violin plot`."""
    near = next((means for said, means in undefined.CHARTS_INSTEAD if said.match(kind)), "")
    return f"I draw no {kind.casefold()}. I draw {ON_OFFER}." + (f" Here {near} may do." if near else "")


def drawn_as(found: Reading, asked: str, index: SchemaIndex) -> Reading:
    """Return the reading with the chart that can be read, and a note where it is another than was asked for, or none.

    Raises:
        Unread: a heat map without two groupings, or with too many cells.
    """
    reading = replace(found, chart=asked or found.chart)
    if not reading.chart or not reading.sql or reading.kind == "vintage" or found.chart in ("box", "heat"):
        return replace(reading, chart=found.chart or reading.chart)
    figures = bool(reading.measures and reading.keys)
    if asked == "heat" and (not figures or len(reading.keys) != 2):
        refuse("A heat map needs a figure and two groupings, as in 'heat map of' a number 'by' one 'and' another.")
    if asked and reading.kind == "correlation":
        return replace(reading, notes=(*reading.notes, "not drawn: a scatter plot of the two has their points"))
    if not figures:
        drawn = reading.chart == found.chart == "scatter" or reading.kind == "distribution" or not asked
        return reading if drawn else replace(reading, notes=(*reading.notes, "not drawn: there is no figure by groups"))
    if binned(reading):
        return reading
    chart, why = _fitting(reading, index)
    return replace(reading, chart=chart, notes=(*reading.notes, *([why] if why else [])))


def _fitting(r: Reading, index: SchemaIndex) -> tuple[str, str]:
    """Return the chart that fits a figure by groups, and why it is another than was asked for ("" where unsaid)."""
    chart, two, figure = r.chart, len(r.keys) > 1, r.measures[0]
    ordered = any(along(k) for k in r.keys[:2])
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
    adds = adds_up(figure) and "DISTINCT" not in r.sql  # which is there where a row can be in several groups
    if chart in ("any", "bar"):
        chart = "line" if chart == "any" and any(k.grain for k in r.keys) else "stacked" if adds else "grouped"
    if chart in ("stacked", "area") and not adds:
        chart = "line" if chart == "area" else "grouped"
        side = "as lines" if chart == "line" else "side by side"
        return chart, f"drawn {side}: a {measure_name(figure).replace('_', ' ')} does not add up over groups"
    if chart == "heat":
        return _heat(r, index), ""
    if chart in _TWO and (columns := _sizes(r, index)[1]) > MOST_LINES:
        return _heat(r, index), f"drawn as a heat map: {columns:,} colours can't be told apart"
    return chart, ""


def _heat(r: Reading, index: SchemaIndex) -> str:
    """Return `heat`, or `turned` where the first grouping goes across: times do, or else the one with fewer groups."""
    sizes = _sizes(r, index)
    times = [bool(k.grain) for k in r.keys[:2]]
    turned = times[0] if times[0] != times[1] else sizes[0] < sizes[1]
    across = 0 if turned else 1
    if sizes[across] > (MOST_TIMES if times[across] else MOST_ACROSS) or sizes[1 - across] > MOST_DOWN:
        refuse(f"A picture of {sizes[0]:,} by {sizes[1]:,} groups can't be read; ask for fewer groups, or without one.")
    return "turned" if turned else "heat"


def _pie(r: Reading, index: SchemaIndex) -> tuple[str, str]:
    if len(r.keys) > 1:
        return ("stacked" if adds_up(r.measures[0]) else "grouped"), "drawn as bars: a pie has one grouping"
    figure = r.measures[0]
    if "DISTINCT" in r.sql:
        return "bar", "drawn as bars: a row can be in several groups, so they are no parts of a whole"
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
