"""The picture of a reading that was asked for, as a Vega-Lite specification over its own columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from lexsi_nb.grounding.reading import Column, Key, Reading
from lexsi_nb.grounding.rendering.sql import key_name, measure_name, unique_names

KEEPS_UNIT = frozenset({"avg", "sum", "min", "max", "median", "stddev", "range", "iqr"})
YES_NO = "datum.value === true ? 'yes' : datum.value === false ? 'no' : 'missing'"
APART = {"labelSeparation": 8}  # pixels between the numbers of an axis: "2,000 2,200", not "2,0002,200"


def picture(r: Reading, unit: Callable[[Column], str] = lambda _: "") -> dict[str, Any] | None:
    """Return the specification of the chart that was asked for, None where the result has nothing to draw.

    unit: the unit of a column's numbers, "" where none is known; axes say it.
    """
    if r.kind == "distribution" and len(r.columns) == 1:
        return _distribution(r, unit)
    if r.kind == "vintage" and r.keys:
        return _curves([measure_name(m) for m in r.measures if m.share], r)
    if r.chart == "scatter" and r.kind == "list":
        numbers = [_field(c.name, unit(c)) | {"axis": APART} for c in r.columns if c.type == "number"][-2:]
        return _encoded("point", *numbers) if len(numbers) == 2 else None
    if not r.measures or not r.keys:
        return None
    names = unique_names([key_name(k) for k in r.keys] + [measure_name(m) for m in r.measures])
    keys, measure = names[: len(r.keys)], names[len(r.keys)]
    size = _size(r, measure, units_of(r, unit).get(measure, ""))
    over_time = bool(r.keys[0].grain) or r.keys[0].column.type == "date"
    mark = {"any": "line" if over_time else "bar", "histogram": "bar", "pie": "arc", "scatter": "point"}
    kind = mark.get(r.chart, r.chart or "bar")
    if kind == "arc":
        color = _key(r.keys[0], keys[0], "nominal", "legend")
        return {"mark": "arc", "encoding": {"theta": size, "color": color}}
    dated = over_time and r.keys[0].grain != "year"
    x = _key(r.keys[0], keys[0], "temporal" if dated else "ordinal" if over_time or kind == "line" else "nominal")
    if not over_time:
        x["sort"] = None
    spec = _encoded(kind, x, size)
    if len(keys) > 1:
        spec["encoding"]["color"] = _key(r.keys[1], keys[1], "nominal", "legend")
    return spec


def heading(r: Reading, notes: Iterable[str] = ()) -> str | dict[str, str]:
    """Return the title of a picture of a reading, its columns by their own names; with notes below it, where some are.

    notes: what the picture has to say of its points, such as that the last of them is of an incomplete period.
    """
    text = r.text
    for k in r.keys:
        if sum(other.column.name == k.column.name for other in r.keys) == 1:
            text = text.replace(f"{k.column.table}.{k.column.name}", k.column.name)
    if r.chart == "scatter" and r.kind == "list":
        numbers = [c.name.replace("_", " ") for c in r.columns if c.type == "number"][-2:]
        text = f"{' and '.join(reversed(numbers))}, {text}" if len(numbers) == 2 else text
    figures = r.measures if r.kind == "groupby" and r.chart and len(r.measures) > 1 else ()
    plain = [m for m in figures[:1] if not m.share and m.function != "metric"]  # the others stand beside a rate
    drawn = [f"drawn is {_title(measure_name(m), '')}" for m in plain]
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
        spec["transform"].append({"calculate": "slice(datum.cohort, 0, 10)", "as": "began"})  # a day without its time
        spec["encoding"]["color"] = {"field": "began", "type": "ordinal", "title": "cohort"}
    return spec


def _distribution(r: Reading, unit: Callable[[Column], str]) -> dict[str, Any]:
    own = r.columns[0]
    if "bin_start" in r.sql:  # bins have no single value to draw, whatever chart was asked for
        x: dict[str, Any] = {"field": "bin_start", "type": "quantitative", "bin": "binned"}
        x |= {"title": _title(own.name, unit(own)), "axis": APART}
        return _encoded("bar", x, _field("number_of_rows")) | {
            "encoding": {"x": x, "x2": {"field": "bin_end"}, "y": _field("number_of_rows")}
        }
    x = _key(Key(own), own.name, "nominal") | {"sort": None}
    return _encoded("bar", x, _field("number_of_rows"))


def _field(name: str, unit: str = "") -> dict[str, Any]:
    return {"field": name, "type": "quantitative", "title": _title(name, unit)}


def _title(name: str, unit: str) -> str:
    words = name.replace("_", " ")
    return f"{words} ({unit})" if unit else words


def _encoded(mark: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    return {"mark": mark, "encoding": {"x": x, "y": y}}
