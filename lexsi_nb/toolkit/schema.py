"""A tool's arguments: the JSON schema a planner reads and the strict check of what it sends.

Nothing is coerced but what JSON lacks: a string becomes a date, an Enum member or bytes, a list becomes a set or a
tuple, and an integer is a fine float. "5" and 5.0 are no integers, 1 is no boolean. pydantic is imported on first use.
"""

from __future__ import annotations

import functools
import json
import operator
import sys
import types
import typing
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

from lexsi_nb.artifacts.media import HOW, BinaryContent
from lexsi_nb.toolkit import problems
from lexsi_nb.toolkit.signature import MISSING, BadTool, Parameter

Shape = Literal["anthropic", "openai"]
_MOST_PROBLEMS = 20


class Invalid(Exception):
    """Arguments that do not fit; `problems` has every one of them."""

    def __init__(self, found: list[str]) -> None:
        self.problems = found
        super().__init__("\n".join(found))


class ArgumentSchema:
    """The arguments of one tool; everything is built on first use and kept."""

    def __init__(self, tool: str, parameters: tuple[Parameter, ...]) -> None:
        self.tool = tool
        self.parameters = parameters

    @cached_property
    def model(self) -> type[Any]:
        """The strict pydantic model of the arguments.

        Raises:
            BadTool: a parameter's type has no JSON form; says which.
        """
        from pydantic import BaseModel, ConfigDict, Field, create_model

        config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, arbitrary_types_allowed=False)
        fields: dict[str, Any] = {}
        for name, p in zip(self._attributes, self.parameters, strict=True):
            default = ... if p.default is MISSING else p.default
            extra: dict[str, Any] = {"alias": p.name} if name != p.name else {}
            annotation = _portable(p.annotation, {})
            if p.description:
                how = f" {HOW}" if p.annotation is BinaryContent else ""
                annotation = typing.Annotated[annotation, Field(description=p.description + how)]
            fields[name] = (annotation, Field(default, **extra))
        try:
            return create_model(f"{self.tool}_args", __config__=config, **fields)
        except Exception as error:  # pydantic raises several kinds, and user types any
            culprit = self._culprit(BaseModel, config)
            reason = str(error).splitlines()[0]
            raise BadTool(f"{self.tool} cannot be a tool: the type of {culprit} has no JSON form.", reason) from error

    @cached_property
    def json_schema(self) -> dict[str, Any]:
        """The JSON schema: objects are closed, defaults optional, titles left out to save tokens."""
        model = self.model
        with warnings.catch_warnings():
            # A default that JSON lacks (a sentinel, a frame) is left out of the schema; the parameter stays optional.
            warnings.simplefilter("ignore")
            schema = model.model_json_schema(by_alias=True)
        schema = _tidy(schema)
        schema.setdefault("properties", {})
        schema["additionalProperties"] = False
        return schema

    def validate(self, raw: Any, *, media: Callable[[str], Any] | None = None) -> dict[str, Any]:
        """Return the values to call with, defaults filled in; `raw` is never touched or shared.

        `media(name)` returns the picture or PDF that a variable holds, for parameters that take one.

        Raises:
            Invalid: has every problem: path, what came, what a right value looks like.
        """
        if raw is None:
            raw = {}
        if not isinstance(raw, dict):
            raise Invalid([f"$: expected an object of arguments, got {problems.shown(raw)}."])
        schema, model = self.json_schema, self.model
        found = list(problems.find(raw, schema, schema.get("$defs", {})))
        try:
            text = json.dumps(raw, allow_nan=False)
            context = {"media": media, "checked": _checked_media}
            value = model.__pydantic_validator__.validate_json(text, strict=True, context=context)
        except Exception as error:
            raise Invalid(_report(found + _others(error, raw, found))) from error
        if found:
            raise Invalid(_report(found))
        values = value.__dict__
        return {p.name: values[name] for name, p in zip(self._attributes, self.parameters, strict=True)}

    def definition(self, description: str, shape: Shape) -> dict[str, Any]:
        """Return the tool's definition in a provider's shape."""
        if shape == "anthropic":
            return {"name": self.tool, "description": description, "input_schema": self.json_schema}
        if shape == "openai":
            function = {"name": self.tool, "description": description, "parameters": self.json_schema}
            return {"type": "function", "function": function}
        raise ValueError(f"No shape {shape!r}. There is: anthropic, openai.")

    @cached_property
    def _attributes(self) -> tuple[str, ...]:
        """A field name for each parameter: its own, unless pydantic keeps that name for itself."""
        from pydantic import BaseModel

        def taken(name: str) -> bool:
            return name.startswith(("_", "model_")) or hasattr(BaseModel, name)

        return tuple(f"argument_{i}" if taken(p.name) else p.name for i, p in enumerate(self.parameters))

    def _culprit(self, base: type[Any], config: Any) -> str:
        from pydantic import create_model

        for p in self.parameters:
            try:
                create_model("one", __config__=config, value=(_portable(p.annotation, {}), ...))
            except Exception:  # noqa: BLE001 - the same kinds as above; here only which parameter it is matters
                return repr(p.name)
        return "a parameter"


def _checked_media(content: BinaryContent) -> BinaryContent:
    """Return media of an argument as what their bytes are.

    Raises:
        ValueError: no known kind of media, or too large a picture.
    """
    from lexsi_nb.toolkit.media import to_binary_content

    return to_binary_content(content)


def _report(found: list[tuple[str, str]]) -> list[str]:
    lines = [f"{path}: {what}" for path, what in dict.fromkeys(found)]
    if len(lines) > _MOST_PROBLEMS:
        lines[_MOST_PROBLEMS:] = [f"... and {len(lines) - _MOST_PROBLEMS} more."]
    return lines


def _others(error: Exception, raw: dict[str, Any], found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return what pydantic refused beyond the schema's own problems: a date that does not exist, a validator's word."""
    details = getattr(error, "errors", None)
    if details is None:
        return [] if found else [("$", f"cannot be read as JSON: {type(error).__name__}: {error}.")]
    seen = [path for path, _ in found]
    others: dict[str, dict[str, Any]] = {}
    for item in details(include_url=False, include_context=False, include_input=False):
        path, value = _locate(item["loc"], raw)
        if not any(path.startswith(p) or p.startswith(path) for p in seen):
            others.setdefault(path, {})[item["msg"].removeprefix("Value error, ")] = value
    # A union has a message a branch.
    lines = []
    for path, said in others.items():
        value = next(iter(said.values()))
        lines.append((path, f"{' or '.join(said)}, got {problems.shown(value)}."))
    return lines or ([] if found else [("$", str(error))])


def _locate(loc: tuple[Any, ...], value: Any) -> tuple[str, Any]:
    """Return the path of a pydantic location in the arguments, without the names of union branches in it."""
    path = "$"
    for step in loc:
        if isinstance(value, dict) and step in value:
            path, value = f"{path}.{step}", value[step]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            path, value = f"{path}[{step}]", value[step]
    return path, value


def _tidy(node: Any, *, named: bool = False) -> Any:
    """Return the schema without generated titles, with every object that lists its fields closed."""
    if isinstance(node, list):
        return [_tidy(item) for item in node]
    if not isinstance(node, dict):
        return node
    out = {
        key: value if key in ("default", "enum", "const", "examples") and not named
        else _tidy(value, named=not named and key in ("properties", "$defs"))
        for key, value in node.items()
        if named or key != "title"
    }  # fmt: skip
    if not named and "properties" in out:
        out["additionalProperties"] = False
    return out


def _portable(annotation: Any, memo: dict[Any, Any]) -> Any:
    """Return the annotation with `typing.TypedDict` made readable for pydantic, which refuses it before Python 3.12."""
    if sys.version_info >= (3, 12):
        return annotation
    if typing.is_typeddict(annotation) and type(annotation).__module__ == "typing":
        return _portable_typeddict(annotation, memo)
    args = typing.get_args(annotation)
    origin = typing.get_origin(annotation)
    if not args or origin is typing.Literal:
        return annotation
    if origin is typing.Annotated:
        inner = _portable(args[0], memo)
        return annotation if inner is args[0] else typing.Annotated[(inner, *annotation.__metadata__)]
    parts = tuple(a if a is Ellipsis else _portable(a, memo) for a in args)
    if all(a is b for a, b in zip(args, parts, strict=True)):
        return annotation
    return functools.reduce(operator.or_, parts) if origin in (typing.Union, types.UnionType) else origin[parts]


def _portable_typeddict(cls: Any, memo: dict[Any, Any]) -> Any:
    import typing_extensions

    if cls not in memo:
        memo[cls] = cls  # a dict that holds itself stays as it is, and pydantic says why it cannot
        hints = typing.get_type_hints(cls, include_extras=True)
        fields = {}
        for name, hint in hints.items():
            mark, inner = typing.get_origin(hint), hint
            if mark in (typing.Required, typing.NotRequired):
                inner = typing.get_args(hint)[0]
            else:
                # Only bare hints ask the class: under postponed annotations it counts NotRequired as required.
                mark = typing.Required if name in cls.__required_keys__ else typing.NotRequired
            fields[name] = mark[_portable(inner, memo)]
        make: Any = typing_extensions.TypedDict
        made = make(cls.__name__, fields)
        made.__doc__, made.__module__ = cls.__doc__, cls.__module__
        memo[cls] = made
    return memo[cls]
