"""The picture of a reading that was asked for, as a Vega-Lite specification over its own columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.reading import Column, Key, Reading
from lexsi_nb.grounding.rendering.layered import UNITS, boxes, heat, in_cells, matrix
from lexsi_nb.grounding.rendering.output_names import key_name, listed_names, measure_name, unique_names
from lexsi_nb.grounding.rendering.phrasing import column_of
from lexsi_nb.grounding.rendering.spread import spread_names

KEEPS_UNIT = frozenset({"avg", "sum", "min", "max", "median", "stddev", "range", "iqr"})
YES_NO = "datum.value === true ? 'yes' : datum.value === false ? 'no' : 'missing'"
BOX_READ = "box: quartiles, median; whiskers: within 1.5 IQR; points: furthest"
APART = {"labelSeparation": 8}  # pixels between the numbers of an axis: "2,000 2,200", not "2,0002,200"


def picture(r: Reading, unit: Callable[[Column], str] = lambda _: "") -> dict[str, Any] | None:
    """Return the specification of the chart that was asked for, None where the result has nothing to draw.

    unit: the unit of a column's numbers, "" where none is known; axes say it.
    """
    if r.chart == "box":
        return _boxes(r, unit)
    if binned(r):
        return _bins(r, unit)
    if r.kind == "distribution" and len(r.columns) == 1:
        return _distribution(r)
    if r.kind == "vintage" and r.keys:
        return _curves([measure_name(m) for m in r.measures if m.share], r)
    if r.kind == "correlation" and r.chart == "heat":
        return matrix([c.name for c in r.columns])
    if r.chart == "scatter" and r.kind == "list":
        return _points(r, unit)
    return _figures(r, unit) if r.measures and r.keys else None


def _points(r: Reading, unit: Callable[[Column], str]) -> dict[str, Any] | None:
    """Return a point a row, at its two numbers, which come last; what is before them and no key colours the points."""
    *others, a, b = (None, *zip(r.columns, listed_names(r.columns), strict=True))
    if a is None or b is None or a[0].type != "number" or b[0].type != "number":
        return None
    x, y = (_field(name, unit(c)) | {"axis": APART, "scale": {"zero": False}} for c, name in (a, b))
    spec = _encoded("point", x, y)
    kinds = [k for k in others if k is not None and k[0] in r.shown]
    if kinds:
        spec["encoding"]["color"] = _key(Key(kinds[0][0]), kinds[0][1], "nominal", "legend")
    return spec


def _figures(r: Reading, unit: Callable[[Column], str]) -> dict[str, Any]:
    """Return a figure by one or two groupings: bars, lines, areas, cells, or the parts of a pie."""
    names = unique_names([key_name(k) for k in r.keys] + [measure_name(m) for m in r.measures])
    keys, measure = names[: len(r.keys)], names[len(r.keys)]
    if r.chart in ("line", "area") and len(keys) == 2 and along(r.keys[1]) and not along(r.keys[0]):
        r, keys = replace(r, keys=r.keys[::-1]), keys[::-1]  # a line goes over times, and its colour tells the groups
    size = _size(r, measure, units_of(r, unit).get(measure, ""))
    over_time = bool(r.keys[0].grain) or r.keys[0].column.type == "date"
    mark = {"any": "line" if over_time else "bar", "histogram": "bar", "scatter": "point"}
    mark |= {"stacked": "bar", "grouped": "bar"}
    kind = mark.get(r.chart, r.chart or "bar")
    if kind in ("pie", "donut"):
        parts = _key(r.keys[0], keys[0], "nominal", "legend") | {"sort": None}
        largest = {"field": size["field"], "type": "quantitative", "sort": "descending"}
        arc = {"type": "arc", "innerRadius": 60} if kind == "donut" else "arc"
        return {"mark": arc, "encoding": {"theta": size, "color": parts, "order": largest}}
    if kind in ("heat", "turned"):
        first, second = (in_cells(k, _key(k, n, "ordinal")) for k, n in zip(r.keys[:2], keys[:2], strict=True))
        return heat(second, first, size) if kind == "heat" else heat(first, second, size)
    dated = over_time and r.keys[0].grain != "year"
    x = _key(r.keys[0], keys[0], "temporal" if dated else "ordinal" if over_time or kind != "bar" else "nominal")
    if dated and kind == "bar" and r.keys[0].grain in UNITS:
        x = in_cells(r.keys[0], x, side_by_side=r.chart == "grouped")  # as wide as the period
    if not over_time:
        x["sort"] = None
    spec = _encoded(kind, x, size)
    if len(keys) > 1:
        spec["encoding"]["color"] = _key(r.keys[1], keys[1], "nominal", "legend")
        if r.chart == "grouped":
            spec["encoding"]["xOffset"] = {"field": keys[1], "type": "nominal"}
    return spec


def binned(r: Reading) -> bool:
    """Whether a reading counts the values in bins, which only a histogram draws."""
    return r.kind == "distribution" and "bin_start" in r.sql


def along(key: Key) -> bool:
    """Whether the groups by a key have an order that a line can follow: times and numbers."""
    return bool(key.grain or key.column.order or key.column.type in ("date", "number"))


def _boxes(r: Reading, unit: Callable[[Column], str]) -> dict[str, Any] | None:
    column = r.measures[0].column
    if column is None:
        return None
    keys, value = spread_names(r)
    upright = bool(r.keys) and (bool(r.keys[0].grain) or r.keys[0].column.type in ("date", "number"))
    group = _key(r.keys[0], keys[0], "temporal" if r.keys[0].grain in UNITS else "ordinal") if r.keys else None
    if group and not upright:
        group["sort"] = None
    mean = any(m.function == "avg" for m in r.measures)
    size = 14 if not upright else 24 if r.keys[0].grain in ("", "year") else 8
    return boxes(group, _title(value, unit(column)), APART, upright=upright, mean=mean, size=size)


def heading(r: Reading, notes: Iterable[str] = ()) -> str | dict[str, str]:
    """Return the title of a picture of a reading, its columns by their own names; with notes below it, where some are.

    notes: what the picture has to say of its points, such as that the last of them is of an incomplete period.
    """
    text = r.text
    for k in r.keys:
        if sum(other.column.name == k.column.name for other in r.keys) == 1:
            text = text.replace(column_of(k.column, ""), k.column.name)
    if r.chart == "scatter" and r.kind == "list":
        numbers = [n.replace("_", " ") for n in listed_names(r.columns)][-2:]
        text = f"{' and '.join(reversed(numbers))}, {text}" if len(numbers) == 2 else text
    figures = r.measures if r.kind == "groupby" and r.chart and len(r.measures) > 1 else ()
    plain = [m for m in figures[:1] if not m.share and m.function != "metric"]  # the others stand beside a rate
    drawn = [f"drawn is {_title(measure_name(m), '')}" for m in plain]
    if r.chart == "scatter":
        drawn = list(r.notes)  # of points that are not drawn
    if r.kind == "correlation" and r.notes:
        drawn = [r.notes[0].partition(";")[0]]  # whose coefficient it is
    if r.chart == "box":
        drawn = [BOX_READ + "; diamond: mean" * (len(r.measures) > 1)]
    text, said = text[:1].upper() + text[1:], "; ".join([*drawn, *notes])
    return {"text": text, "subtitle": said} if said else text


def _size(r: Reading, measure: str, unit: str) -> dict[str, Any]:
    """Return what the height of a point says: the figure that the reading's text is about."""
    if not r.drawn:
        return _field(measure, unit)
    name = r.drawn.removesuffix("_percent")
    return _field(r.drawn) | {"title": _title(name, unit if name == r.drawn else "percent")}


def _key(key: Key, name: str, kind: str, guide: str = "axis") -> dict[str, Any]:
    """Return what tells the groups apart, in words: True and False are yes and no, as in a table."""
    channel: dict[str, Any] = {"field": name, "type": kind, "title": _title(name, "")}
    return {**channel, guide: {"labelExpr": YES_NO}} if key.column.type == "bool" else channel


def units_of(r: Reading, unit: Callable[[Column], str]) -> dict[str, str]:
    """Return the units of the numbers of a reading's result, by its columns; those without one are left out."""
    names = unique_names([key_name(k) for k in r.keys] + [measure_name(m) for m in r.measures])[len(r.keys) :]
    found = {c.name: unit(c) for c in r.columns if c.type == "number"}
    for name, m in zip(names, r.measures, strict=True):
        if m.column is not None and m.function in KEEPS_UNIT and not (m.share or m.of_total):
            found[name] = unit(m.column)
    return {name: u for name, u in found.items() if u}


def _curves(ages: list[str], r: Reading) -> dict[str, Any]:
    """Return one line a cohort over its ages; ages that a cohort has not reached are not drawn."""
    named = re.fullmatch(r"[a-z]+_(?:\d+_)?(.+?)s?(?:_\d+)?", ages[0])
    unit = named[1].replace("_", " ") if named else ""
    age = "toNumber(replace(datum.reached, /[^0-9]+/g, ''))"
    x = {"field": "age", "type": "quantitative", "title": f"age in {unit}s", "axis": {"format": "d", "tickMinStep": 1}}
    y = {"field": "percentage", "type": "quantitative", "title": "percent of the cohort"}
    spec = _encoded("line", x, y)
    spec["mark"] = {"type": "line", "point": True}
    spec["encoding"]["color"] = {"field": "cohort", "type": "ordinal"}
    spec["transform"] = [
        {"fold": ages, "as": ["reached", "percentage"]}, {"calculate": age, "as": "age"},
        {"filter": "isValid(datum.percentage)"},
    ]  # fmt: skip
    if r.keys[0].grain != "year":
        spec["transform"].append(
            {"calculate": "slice(datum.cohort, 0, 7)", "as": "began"}
        )  # the month it began in, as in a table
        spec["encoding"]["color"] = {"field": "began", "type": "ordinal", "title": "cohort"}
    return spec


def _bins(r: Reading, unit: Callable[[Column], str]) -> dict[str, Any]:
    """Return the bars of a histogram: bins have no single value to draw, whatever chart was asked for."""
    own = r.columns[0] if r.columns else r.measures[0].column
    assert own is not None
    x: dict[str, Any] = {"field": "bin_start", "type": "quantitative", "bin": "binned"}
    x |= {"title": _title(own.name, unit(own)), "axis": APART}
    encoding = {"x": x, "x2": {"field": "bin_end"}, "y": _field("number_of_rows")}
    if r.keys:
        encoding["color"] = _key(r.keys[0], spread_names(r)[0][0], "nominal", "legend")
    return {"mark": "bar", "encoding": encoding}


def _distribution(r: Reading) -> dict[str, Any]:
    own = r.columns[0]
    x = _key(Key(own), own.name, "nominal") | {"sort": None}
    return _encoded("bar", x, _field("number_of_rows"))


def _field(name: str, unit: str = "") -> dict[str, Any]:
    return {"field": name, "type": "quantitative", "title": _title(name, unit)}


def _title(name: str, unit: str) -> str:
    words = name.replace("_", " ")
    return f"{words} ({unit})" if unit else words


def _encoded(mark: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    return {"mark": mark, "encoding": {"x": x, "y": y}}
