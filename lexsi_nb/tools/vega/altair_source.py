"""A spec as the altair source that a person would write; what has no plain spelling is handed to `from_dict`."""

from __future__ import annotations

import re
from typing import Any

from lexsi_nb.modeling.source import literal

_PARTS = {"scale": "Scale", "axis": "Axis", "legend": "Legend", "bin": "Bin", "timeUnit": "TimeUnitParams"}
_DIRECT = frozenset("field type aggregate bin timeUnit title sort scale axis legend stack format formatType".split())
WIDTH = 92
_TOP = frozenset("title width height mark encoding".split())
_LAYERED, _LAYER = frozenset("title width height layer encoding".split()), frozenset("mark encoding transform".split())
LOCAL = 'alt.renderers.enable("png")  # drawn here; the default renderer loads a library from the network'


def chart_source(spec: dict[str, Any], data: str, name: str) -> str:
    """Return the lines that bind `name` to the chart of `data`, an expression for its rows."""
    return _plain(spec, data, name) or _from_dict(spec, data, name)


def _plain(spec: dict[str, Any], data: str, name: str) -> str | None:
    """Return `alt.Chart(...).mark_...().encode(...)`; None where a part of the spec has no such spelling."""
    options = _options(spec)
    if options is None:
        return None
    tail = f".properties({', '.join(options)})" if options else ""
    if "layer" in spec:
        return _layers(spec, data, name, tail)
    drawn = _view(spec, data, "") if not set(spec) - _TOP and spec.get("encoding") else None
    return f"{name} = {drawn}{tail}\n" if drawn else None


def _layers(spec: dict[str, Any], data: str, name: str, tail: str) -> str | None:
    """Return `alt.layer(alt.Chart().mark_...(), ..., data=...)`, what all layers share after it."""
    if set(spec) - _LAYERED:
        return None
    views = [_view(v, "", "    ") if set(v) <= _LAYER and v.get("encoding") else None for v in spec["layer"]]
    channels = _channels(spec.get("encoding") or {}, "")
    if channels is None or not all(views):
        return None
    lines, data = (f"{name}_rows = {data}\n", f"{name}_rows") if "\n" in data else ("", data)
    shared = f".encode(\n{channels})" if channels else ""
    return (
        f"{lines}{name} = alt.layer(\n" + "".join(f"    {v},\n" for v in views) + f"    data={data},\n){shared}{tail}\n"
    )


def _view(spec: dict[str, Any], data: str, pad: str) -> str | None:
    """Return one mark with its channels."""
    if "mark" not in spec:
        return None
    mark = dict(spec["mark"])
    kind = mark.pop("type")
    channels = _channels(spec["encoding"], pad)
    if channels is None or not all(_is_name(k) and _is_flat(v) for k, v in mark.items()):
        return None
    kept = spec.get("transform", [])
    if not all(isinstance(t, dict) and set(t) == {"filter"} and isinstance(t["filter"], str) for t in kept):
        return None
    filters = "".join(f".transform_filter({literal(t['filter'])})" for t in kept)
    arguments = ", ".join(f"{k}={literal(v)}" for k, v in mark.items())
    return f"alt.Chart({data}){filters}.mark_{kind}({arguments}).encode(\n{channels}{pad})"


def _channels(encoding: dict[str, Any], pad: str) -> str | None:
    """Return the channels, a line each; None where one has no plain spelling."""
    found = []
    for channel, definition in encoding.items():
        source = _channel(channel, definition)
        if source is None or not _is_name(channel):
            return None
        found.append(f"{pad}    {channel}={source},\n")
    return "".join(found)


def _options(spec: dict[str, Any]) -> list[str] | None:
    """Return what stands in `.properties(...)`."""
    options = []
    if "title" in spec:
        title = _title(spec["title"])
        if title is None:
            return None
        options.append(f"title={title}")
    for key in ("width", "height"):
        if key in spec:
            if not _is_flat(spec[key]):
                return None
            options.append(f"{key}={literal(spec[key])}")
    return options


def _title(title: Any) -> str | None:
    if isinstance(title, str):
        return literal(title)
    if (
        isinstance(title, dict)
        and set(title) == {"text", "subtitle"}
        and all(isinstance(v, str) for v in title.values())
    ):
        return f"alt.TitleParams({literal(title['text'])}, subtitle={literal(title['subtitle'])})"
    return None


def _channel(channel: str, d: Any) -> str | None:
    if isinstance(d, list):
        parts = [_channel(channel, one) for one in d]
        return None if None in parts else f"[{', '.join(p for p in parts if p)}]"
    if not isinstance(d, dict):
        return None
    if set(d) in ({"value"}, {"datum"}) and _is_flat(next(iter(d.values()))):
        kind = next(iter(d))
        return f"alt.{kind}({literal(d[kind])})"
    if set(d) == {"condition", "value"}:
        return _condition(d)
    if set(d) - _DIRECT:
        return None
    short, rest = _shorthand(d)
    options = []
    for key, value in rest.items():
        source = _option(key, value)
        if source is None:
            return None
        options.append(f"{key}={source}")
    made = f"alt.{channel[0].upper()}{channel[1:]}"
    if short is not None and not options and channel not in ("tooltip", "detail", "order"):
        return literal(short)
    return f"{made}({', '.join([*([literal(short)] if short is not None else []), *options])})"


def _condition(d: dict[str, Any]) -> str | None:
    """Return one value where a test holds and another where it does not."""
    c = d["condition"]
    if not isinstance(c, dict) or set(c) != {"test", "value"} or not isinstance(c["test"], str):
        return None
    if not (_is_flat(c["value"]) and _is_flat(d["value"])):
        return None
    return f"alt.condition({literal(c['test'])}, alt.value({literal(c['value'])}), alt.value({literal(d['value'])}))"


def _shorthand(d: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Return ("mean(amount):Q", what it does not say); None where the name or the parts do not fit one."""
    name, kind, aggregate, unit = d.get("field"), d.get("type"), d.get("aggregate"), d.get("timeUnit")
    plain = (name is None and aggregate == "count") or (isinstance(name, str) and re.fullmatch(r"[\w ]+", name))
    simple = (
        isinstance(aggregate, (str, type(None))) and isinstance(unit, (str, type(None))) and not (aggregate and unit)
    )
    if not plain or not simple:
        return None, d
    function = aggregate or unit
    text = f"{function}({name or ''})" if function else str(name)
    text += f":{kind[0].upper()}" if kind else ""
    if kind is None:
        return None, d  # altair would guess the type; the spec has none
    return text, {k: v for k, v in d.items() if k not in ("field", "type", "aggregate", "timeUnit")}


def _option(key: str, value: Any) -> str | None:
    if isinstance(value, dict):
        part = _PARTS.get(key)
        if part is None or not all(_is_name(k) and _is_flat(v) for k, v in value.items()):
            return None
        return f"alt.{part}({', '.join(f'{k}={literal(v)}' for k, v in value.items())})"
    return _literal(value) if _is_flat(value) else None


def _literal(value: Any) -> str:
    return f"[{', '.join(literal(v) for v in value)}]" if isinstance(value, list) else literal(value)


def _is_name(text: str) -> bool:
    return text.isidentifier() and text not in ("type", "from", "in", "is", "class")


def _is_flat(value: Any) -> bool:
    if isinstance(value, list):
        return all(v is None or isinstance(v, (str, int, float, bool)) for v in value)
    return value is None or isinstance(value, (str, int, float, bool))


def _from_dict(spec: dict[str, Any], data: str, name: str) -> str:
    named = {"data": {"name": "rows"}, **spec}  # the schema wants some data; the next line sets them
    return f"{name} = alt.Chart.from_dict(\n    {written(named, 4)}\n)\n{name}.data = {data}\n"


def written(value: Any, indent: int = 0) -> str:
    """Return the source of plain nested values: on one line where it fits, else an entry a line.

    >>> written({"mark": {"type": "bar"}, "n": None})
    '{"mark": {"type": "bar"}, "n": None}'
    """
    if not isinstance(value, (dict, list)) or not value:
        return literal(value)
    pad = " " * (indent + 4)
    if isinstance(value, dict):
        entries = [f"{literal(k)}: {written(v, indent + 4)}" for k, v in value.items()]
        opened, closed = "{", "}"
    else:
        entries = [written(v, indent + 4) for v in value]
        opened, closed = "[", "]"
    line = f"{opened}{', '.join(entries)}{closed}"
    if len(line) + indent <= WIDTH and "\n" not in line:
        return line
    return opened + "\n" + "".join(f"{pad}{e},\n" for e in entries) + " " * indent + closed
