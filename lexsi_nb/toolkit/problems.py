"""Every problem of a call's arguments at once: where, what came, what a right value looks like.

The check follows the JSON schema a planner was shown. It is one of two: pydantic decides as well, and both must agree.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from lexsi_nb.errors import nearest

_FORMATS = {
    "date": ("a date as YYYY-MM-DD", r"\d{4}-\d{2}-\d{2}"),
    "date-time": ("a time as YYYY-MM-DDTHH:MM:SS, with Z or an offset", r"\d{4}-\d{2}-\d{2}[Tt _]\d{2}:\d{2}.*"),
    "time": ("a time of day as HH:MM:SS", r"\d{2}:\d{2}.*"),
    "duration": ("a duration such as PT90S or P3D", r"[+-]?P.+|.*\d{1,2}:\d{2}.*"),
    "uuid": ("a UUID", r"(urn:uuid:)?\{?[0-9a-fA-F-]{32,36}\}?"),
}
_KINDS = {
    type(None): "null", bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object",
}  # fmt: skip
_TYPES = {
    "string": "a string", "integer": "an integer", "number": "a number", "boolean": "true or false", "array": "a list",
    "object": "an object", "null": "null",
}  # fmt: skip


def json_type(value: Any) -> str:
    """Return the JSON name of a value's type; for what JSON does not have, the Python name."""
    kind = _KINDS.get(type(value))
    if kind is None:
        # An OrderedDict or a StrEnum member, which a program rather than JSON handed over.
        kind = next((k for base, k in _KINDS.items() if isinstance(value, base)), type(value).__name__)
    return kind


def shown(value: Any, limit: int = 80) -> str:
    """Return a value as JSON, cut to `limit` characters."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text):,} characters)"


def find(value: Any, schema: dict[str, Any], defs: dict[str, Any], path: str = "$") -> Iterator[tuple[str, str]]:
    """Yield (path, problem) for everything in `value` that the schema refuses."""
    while "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches:
        yield from _branches(value, branches, schema, defs, path)
        return
    for part in schema.get("allOf", ()):
        yield from find(value, part, defs, path)
    closed = [schema["const"]] if "const" in schema else schema.get("enum")
    if closed is not None and not any(_same(value, allowed) for allowed in closed):
        near = nearest(value, [c for c in closed if isinstance(c, str)], n=1) if isinstance(value, str) else []
        hint = f" Did you mean {near[0]!r}?" if near else ""
        yield path, f"expected {describe(schema, defs)}, got {shown(value)}.{hint}"
        return
    kind = schema.get("type")
    if kind and not _is(value, kind):
        yield path, f"expected {describe(schema, defs)}, got {_came(value)}."
    elif isinstance(value, str):
        if not _string_fits(value, schema):
            yield path, f"expected {describe(schema, defs)}, got {shown(value)}."
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if not _number_fits(value, schema):
            yield path, f"expected {describe(schema, defs)}, got {shown(value)}."
    elif isinstance(value, list):
        yield from _items(value, schema, defs, path)
    elif isinstance(value, dict):
        yield from _fields(value, schema, defs, path)


def describe(schema: dict[str, Any], defs: dict[str, Any], depth: int = 0) -> str:
    """Return what a right value looks like, in words."""
    while "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    if branches := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(describe(b, defs, depth) for b in branches))
    if "const" in schema:
        return shown(schema["const"])
    if "enum" in schema:
        return f"one of {', '.join(shown(v) for v in schema['enum'][:30])}"
    kind = schema.get("type")
    if kind == "string":
        return _describe_string(schema)
    if kind in ("integer", "number"):
        return _TYPES[kind] + _bounds(schema)
    if kind == "array" and depth < 2:
        if "prefixItems" in schema:
            return f"a list [{', '.join(describe(s, defs, depth + 1) for s in schema['prefixItems'])}]"
        of = f" of {describe(schema['items'], defs, depth + 1)} each" if schema.get("items") else ""
        low, high = schema.get("minItems"), schema.get("maxItems")
        size = f", at least {low} long" if low else ""
        return f"a list{of}{size}{f', at most {high} long' if high is not None else ''}"
    if kind == "object" and schema.get("properties"):
        return f"an object with {', '.join(schema['properties'])}"
    return _TYPES.get(kind or "", "another value")


def _describe_string(schema: dict[str, Any]) -> str:
    text = _FORMATS[schema["format"]][0] if schema.get("format") in _FORMATS else "a string"
    if "pattern" in schema:
        text += f" matching {schema['pattern']}"
    low, high = schema.get("minLength"), schema.get("maxLength")
    if low:
        text += f", at least {low} character{'s' * (low != 1)} long"
    if high is not None:
        text += f", at most {high} characters long"
    return text


def _bounds(schema: dict[str, Any]) -> str:
    words = {
        "minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below",
        "multipleOf": "a multiple of",
    }  # fmt: skip
    parts = [f"{word} {schema[key]}" for key, word in words.items() if key in schema]
    return f" {' and '.join(parts)}" if parts else ""


def _came(value: Any) -> str:
    kind = json_type(value)
    if kind in ("null", "boolean"):
        return shown(value)
    return f"{_TYPES.get(kind, f'a Python {kind}')} ({shown(value)})"


def _same(value: Any, allowed: Any) -> bool:
    # In Python True == 1 and 1.0 == 1; a planner that writes one where the other is asked for has misread the schema.
    return json_type(value) == json_type(allowed) and value == allowed


def _is(value: Any, kind: str) -> bool:
    actual = json_type(value)
    return actual == kind or (kind == "number" and actual == "integer")


def _string_fits(value: str, schema: dict[str, Any]) -> bool:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", math.inf):
        return False
    if "pattern" in schema and not _compiled(schema["pattern"]).search(value):
        return False
    known = _FORMATS.get(schema.get("format", ""))
    return known is None or _compiled(known[1]).fullmatch(value) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error:
        # A pattern of Rust's dialect; pydantic alone decides then.
        return re.compile("")


def _number_fits(value: float, schema: dict[str, Any]) -> bool:
    if isinstance(value, float) and not math.isfinite(value):
        return False
    if "multipleOf" in schema:
        quotient = value / schema["multipleOf"]
        if quotient != int(quotient):
            return False
    return (
        schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf)
        and value > schema.get("exclusiveMinimum", -math.inf)
        and value < schema.get("exclusiveMaximum", math.inf)
    )


def _branches(
    value: Any, branches: list[dict[str, Any]], schema: dict[str, Any], defs: dict[str, Any], path: str
) -> Iterator[tuple[str, str]]:
    """Yield nothing when a branch takes the value; the problems of the one branch it was meant for, else a summary."""
    reports = []
    for branch in branches:
        report = list(find(value, branch, defs, path))
        if not report:
            return
        reports.append(report)
    # A branch that looked inside the value is the one that was meant; with several, their fields cannot be told apart.
    inside = [report for report in reports if any(where != path or "not an argument" in what for where, what in report)]
    if len(inside) == 1:
        yield from inside[0]
        return
    yield path, f"expected {describe(schema, defs)}, got {_came(value)}."


def _items(value: list[Any], schema: dict[str, Any], defs: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
    prefix = schema.get("prefixItems", [])
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", math.inf):
        yield path, f"expected {describe(schema, defs)}, got {len(value)} items."
    if schema.get("uniqueItems") and len({json.dumps(v, sort_keys=True) for v in value}) < len(value):
        yield path, "expected items that all differ, got the same one twice."
    rest = schema.get("items")
    for i, item in enumerate(value):
        sub = prefix[i] if i < len(prefix) else rest
        if isinstance(sub, dict):
            yield from find(item, sub, defs, f"{path}[{i}]")


def _fields(
    value: dict[Any, Any], schema: dict[str, Any], defs: dict[str, Any], path: str
) -> Iterator[tuple[str, str]]:
    fields = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}.{name}", f"missing; expected {describe(fields.get(name, {}), defs)}."
    rest = schema.get("additionalProperties", True)
    for name, item in value.items():
        where = f"{path}.{name}"
        if not isinstance(name, str):
            yield where, f"names are strings, got a {type(name).__name__}."
        elif name in fields:
            yield from find(item, fields[name], defs, where)
        elif rest is False:
            near = nearest(str(name), fields, n=1)
            allowed = f"Allowed: {', '.join(fields)}." if fields else "There are no arguments."
            hint = f"Did you mean {near[0]!r}? " if near else ""
            yield where, f"not an argument, got {shown(item)}. {hint}{allowed}"
        elif isinstance(rest, dict):
            yield from find(item, rest, defs, where)
        if isinstance(names := schema.get("propertyNames"), dict):
            yield from find(name, names, defs, where)
