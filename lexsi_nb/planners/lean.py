"""Tool definitions as a model needs them: everything the gates check anyway costs tokens and is left out."""

from __future__ import annotations

from typing import Any

from lexsi_nb.toolkit.redaction import named_like_a_secret

HOSTED = "Used by hosted backends only."
_GONE = ("title", "default", "additionalProperties")
_DEEPEST = 8  # of types inside types; a type that holds itself stays a reference


def lean(definition: dict[str, Any]) -> dict[str, Any]:
    """Return a definition with a shorter schema that means the same.

    "X or null, default null" becomes an optional X; titles and `additionalProperties: false` go, named types stand
    where they are used. So do arguments that only hosted backends use, and those for keys and passwords, which are no
    model's business. The gates check against the whole schema and say every problem.
    """
    schema = definition["input_schema"]
    defs = schema.get("$defs", {})
    properties = {
        name: _with_default(_short(field, defs, 0), field.get("default"))
        for name, field in schema.get("properties", {}).items()
        if not str(field.get("description", "")).startswith(HOSTED) and not named_like_a_secret(name)
    }
    out: dict[str, Any] = {"type": "object", "properties": properties}
    if required := [n for n in schema.get("required", []) if n in properties]:
        out["required"] = required
    if defs and "$ref" in str(properties):
        out["$defs"] = defs
    return {**definition, "input_schema": out}


def _short(field: dict[str, Any], defs: dict[str, Any], depth: int) -> dict[str, Any]:
    out = {k: v for k, v in field.items() if k not in _GONE or (k == "additionalProperties" and v is not False)}
    name = str(out.get("$ref", "")).removeprefix("#/$defs/")
    if name in defs and depth < _DEEPEST and f"#/$defs/{name}" not in str(defs[name]):
        out.pop("$ref")
        out = {**_short(defs[name], defs, depth + 1), **out}
    kinds = [k for k in out.get("anyOf", []) if k.get("type") != "null"]
    if len(kinds) == 1 and len(out["anyOf"]) == 2:
        out.pop("anyOf")
        out = {**_short(kinds[0], defs, depth + 1), **out}
    elif kinds:
        out["anyOf"] = [_short(k, defs, depth + 1) for k in kinds]
    if isinstance(out.get("items"), dict):
        out["items"] = _short(out["items"], defs, depth + 1)
    if isinstance(out.get("properties"), dict):
        out["properties"] = {k: _short(v, defs, depth + 1) for k, v in out["properties"].items()}
    if "enum" in out:
        out.pop("type", None)
    return out


def _with_default(field: dict[str, Any], default: Any) -> dict[str, Any]:
    """Return the field with a default that tells something."""
    told = isinstance(default, (str, int, float)) and default not in ("", False)
    return {**field, "default": default} if told else field
