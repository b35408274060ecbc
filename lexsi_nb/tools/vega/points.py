"""Fewer points than rows: aggregated in the engine where the spec aggregates, else a sample, and said so."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from lexsi_nb.tools.vega.known import escaped
from lexsi_nb.tools.vega.words import OF_A_SAMPLE

MOST = 5_000  # points a chart holds
ROOM = 130_000  # bytes of rows a chart holds: a notebook keeps them with each output
BINS = 10

_SQL = {
    "count": "count(*)", "sum": "sum({})", "mean": "avg({})", "average": "avg({})", "median": "median({})",
    "min": "min({})", "max": "max({})", "distinct": "count(DISTINCT {})", "stdev": "stddev_samp({})",
    "variance": "var_samp({})", "valid": "count({})",
}  # fmt: skip
_ADDITIVE = frozenset({"count", "sum", "distinct", "valid"})
_UNITS = {"year": "year", "yearquarter": "quarter", "yearmonth": "month", "yearmonthdate": "day"}
_PLAIN_KEYS = frozenset(
    "field type aggregate bin timeUnit title axis legend scale sort stack format formatType".split()
)


@dataclass(frozen=True)
class Fewer:
    """The SQL that makes the chart's rows from the result, the spec that draws them, and what to say of it."""

    sql: str
    spec: dict[str, Any]
    said: str


class TooMany(Exception):
    """A sample of so many rows would show wrong numbers; the text says what to do."""


def quoted(name: str) -> str:
    """Return a column or table as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def fewer(spec: dict[str, Any], table: str, columns: list[str], n: int, extent: Any, *, most: int = MOST) -> Fewer:
    """Return how a chart of `n` rows is drawn from fewer.

    extent: function of a column -> (lowest, highest), asked for binned ones. most: rows of a sample.

    Raises:
        TooMany: the spec counts or sums in a way that neither the engine nor a sample can stand in for.
    """
    grouped = _aggregated(spec, table, n, extent)
    if grouped is not None:
        return grouped
    wrong = sorted(_aggregates(spec) - OF_A_SAMPLE)
    if wrong:
        raise TooMany(
            f"{n:,} rows are too many to draw, and {', '.join(wrong)} of a sample would be wrong numbers; aggregate "
            "with run_sql first and chart that result"
        )
    listed = ", ".join(quoted(c) for c in columns) or "*"
    sql = (
        f"SELECT {listed}\nFROM (\n    SELECT *, row_number() OVER () AS chart_row\n    FROM {quoted(table)}\n"
        f"    ORDER BY hash(chart_row)\n    LIMIT {most}\n)\nORDER BY chart_row"
    )
    return Fewer(sql, spec, f"a sample of {most:,} of {n:,} rows")


def _aggregates(node: Any) -> set[str]:
    """Return the aggregate functions anywhere in a spec; a histogram's count is one of them."""
    found: set[str] = set()
    if isinstance(node, dict):
        if isinstance(node.get("aggregate"), str):
            found.add(node["aggregate"])
        for key in ("aggregate", "joinaggregate", "window"):
            if isinstance(node.get(key), list):
                found |= {str(op.get("op")) for op in node[key] if isinstance(op, dict)}
        for value in node.values():
            found |= _aggregates(value)
    elif isinstance(node, list):
        for value in node:
            found |= _aggregates(value)
    return found


def _aggregated(spec: dict[str, Any], table: str, n: int, extent: Any) -> Fewer | None:
    """Return the grouping in the engine, None where the spec is not one plain view of keys and measures."""
    encoding = spec.get("encoding")
    if "mark" not in spec or not isinstance(encoding, dict) or spec.get("transform") or spec.get("params"):
        return None
    if any(k in spec for k in ("layer", "facet", "repeat", "hconcat", "vconcat", "concat")):
        return None
    definitions = {c: d for c, d in encoding.items() if isinstance(d, dict) and ("field" in d or "aggregate" in d)}
    listed = [d for d in encoding.values() if not isinstance(d, dict)]
    if listed or not any("aggregate" in d for d in definitions.values()):
        return None
    keys: dict[str, str] = {}
    measures: dict[str, str] = {}
    drawn: dict[str, Any] = {c: d for c, d in encoding.items() if c not in definitions}
    for channel, d in definitions.items():
        made = _channel(channel, d, keys, measures, extent)
        if made is None:
            return None
        drawn.update(made)
    if spec["mark"]["type"] in ("bar", "area"):
        for channel, d in definitions.items():
            if channel in ("x", "y") and "aggregate" in d and d["aggregate"] not in _ADDITIVE:
                drawn[channel].setdefault("stack", None)  # an average is not stacked; a column of values would be
    selected = [*(f"{sql} AS {quoted(name)}" for name, sql in (keys | measures).items())]
    sql = "SELECT\n    " + ",\n    ".join(selected) + f"\nFROM {quoted(table)}"
    if keys:
        sql += f"\nGROUP BY {', '.join(map(str, range(1, len(keys) + 1)))}"
        sql += f"\nORDER BY {', '.join(map(str, range(1, len(keys) + 1)))}\nLIMIT {MOST + 1}"
    return Fewer(sql, {**spec, "encoding": drawn}, f"{n:,} rows, aggregated")


def _channel(
    channel: str, d: dict[str, Any], keys: dict[str, str], measures: dict[str, str], extent: Any
) -> dict[str, Any] | None:
    """Note the key or measure of one channel; return the channels that draw it, None where it is not a plain one."""
    if set(d) - _PLAIN_KEYS or isinstance(d.get("sort"), dict) or isinstance(d.get("aggregate"), dict):
        return None
    column = str(d.get("field", "")).replace("\\", "")
    rest = {k: v for k, v in d.items() if k not in ("field", "aggregate", "bin", "timeUnit")}
    aggregate = d.get("aggregate")
    if aggregate is not None:
        if aggregate not in _SQL or d.get("bin") or d.get("timeUnit"):
            return None
        name = "count" if aggregate == "count" else f"{aggregate}_{column}"
        measures[name] = _SQL[aggregate].format(quoted(column))
        title = "Count of Records" if aggregate == "count" else f"{aggregate.capitalize()} of {column}"
        return {channel: {"field": escaped(name), **rest, "type": "quantitative", "title": d.get("title", title)}}
    if d.get("timeUnit"):
        unit = _UNITS.get(d["timeUnit"]) if isinstance(d["timeUnit"], str) else None
        if unit is None or d.get("bin"):
            return None
        name = f"{column}_{unit}"
        keys[name] = f"date_trunc('{unit}', {quoted(column)})"
        title = d.get("title", f"{column} ({d['timeUnit']})")
        return {channel: {"field": escaped(name), "timeUnit": d["timeUnit"], **rest, "title": title}}
    if d.get("bin"):
        return _bins(channel, d, column, rest, keys, extent)
    keys[column] = quoted(column)
    return {channel: d}


def _bins(
    channel: str, d: dict[str, Any], column: str, rest: dict[str, Any], keys: dict[str, str], extent: Any
) -> dict[str, Any] | None:
    most = d["bin"].get("maxbins", BINS) if isinstance(d["bin"], dict) else BINS
    if channel not in ("x", "y") or (isinstance(d["bin"], dict) and set(d["bin"]) - {"maxbins"}):
        return None
    low, high = extent(column)
    step = nice_step(low, high, most)
    start, end = f"{column}_from", f"{column}_to"
    keys[start] = f"floor({quoted(column)} / {step!r}) * {step!r}"
    keys[end] = f"floor({quoted(column)} / {step!r}) * {step!r} + {step!r}"
    title = d.get("title", f"{column} (binned)")
    return {
        channel: {"field": escaped(start), "bin": {"binned": True, "step": step}, **rest, "title": title},
        f"{channel}2": {"field": escaped(end)},
    }


def nice_step(low: float, high: float, most: int) -> float:
    """Return the smallest of 1, 2 or 5 times a power of ten that cuts [low, high] into at most `most` bins.

    >>> nice_step(0, 97, 10)
    10
    """
    span = (high - low) or 1
    rough = span / max(most, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-12))
    return int(step) if step >= 1 else round(step, 12)
