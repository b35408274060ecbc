"""A function's signature as a tool's: what a planner supplies, what a run injects, what is refused."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lexsi_nb.errors import LexsiError
from lexsi_nb.toolkit.docstring import Docstring, parse
from lexsi_nb.toolkit.refs import Reference, holds_reference, reference_of

MISSING: Any = inspect.Parameter.empty
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_PLAIN_MODULES = {
    "builtins", "datetime", "decimal", "uuid", "pathlib", "re", "enum", "collections", "collections.abc", "typing",
    "typing_extensions", "ipaddress", "fractions", "types", "numbers",
}  # fmt: skip


class BadTool(LexsiError, TypeError):
    """A function cannot be declared as a tool; the message says what to change."""


class NameClash(BadTool):
    """Two tools have the same name."""


@dataclass(frozen=True)
class Parameter:
    """One argument that a planner supplies."""

    name: str
    annotation: Any
    default: Any = MISSING
    description: str = ""


@dataclass(frozen=True)
class Injected:
    """One parameter that a run fills in."""

    name: str
    reference: Reference
    optional: bool


@dataclass(frozen=True)
class Signature:
    """A checked signature. `positional` names the parameters that cannot be passed by keyword."""

    parameters: tuple[Parameter, ...]
    injected: tuple[Injected, ...]
    positional: tuple[str, ...] = ()


def check_name(name: str) -> str:
    """Return `name` when every provider would take it as a tool's name.

    Raises:
        BadTool: says which characters are allowed.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        allowed = "Letters, digits, _ and - only, at most 64."
        raise BadTool(f"{name!r} is no tool name.", allowed, 'Give @tool(name="...").')
    return name


def read_docstring(fn: Callable[..., Any], name: str, description: str | None) -> Docstring:
    """Return the parsed docstring; a description given to the decorator stands in for a missing one.

    Raises:
        BadTool: there is neither, or it cannot be read.
    """
    text = fn.__doc__ or ""
    if not text.strip():
        if description and description.strip():
            return Docstring(description.strip(), {}, "")
        raise BadTool(
            f"{name} has no docstring.", "A planner chooses a tool from it.",
            "Say in it what the tool does, when to use it and when not to.",
        )  # fmt: skip
    try:
        doc = parse(text)
    except ValueError as error:
        next = "Use the Google, NumPy or reST form."
        raise BadTool(f"The docstring of {name} cannot be read.", f"{error}.", next) from error
    if description and description.strip():
        doc = dataclasses.replace(doc, description=description.strip())
    if not doc.description:
        raise BadTool(f"The docstring of {name} describes parameters only.", "", "Begin it with what the tool does.")
    return doc


def read_signature(fn: Callable[..., Any], name: str, doc: Docstring, scope: Mapping[str, Any]) -> Signature | None:
    """Return the checked signature, or None while an annotation names something not defined yet.

    Raises:
        BadTool: names every parameter that has to change, and why.
    """
    found = [p for i, p in enumerate(inspect.signature(fn).parameters.values()) if not (i == 0 and _is_receiver(fn, p))]
    problems = [problem for p in found if (problem := _shape_problem(p))]
    if problems:
        raise BadTool(f"{name} cannot be a tool: {'; '.join(problems)}.", "", "Annotate every parameter with its type.")
    _check_documented(name, doc, [p.name for p in found])
    hints = _hints(fn, scope)
    if hints is None:
        return None
    parameters: list[Parameter] = []
    injected: list[Injected] = []
    for p in found:
        annotation = hints[p.name]
        if (reference := reference_of(annotation)) is not None:
            injected.append(Injected(p.name, reference, p.default is not MISSING))
        elif problem := annotation_problem(annotation):
            problems.append(f"{p.name}: {problem}")
        else:
            parameters.append(Parameter(p.name, annotation, p.default, doc.parameters.get(p.name, "")))
    if problems:
        raise BadTool(f"{name} cannot be a tool: {'; '.join(problems)}.")
    positional = tuple(p.name for p in found if p.kind is p.POSITIONAL_ONLY)
    return Signature(tuple(parameters), tuple(injected), positional)


def annotation_problem(annotation: Any) -> str:
    """Return why a planner could not write a value of this type, or "" when it could."""
    if annotation is Any:
        return "Any says nothing to a planner; name the type, for example str | int"
    if annotation is object:
        return "object says nothing to a planner; name the type, for example str | int"
    if isinstance(annotation, typing.TypeVar) and not (annotation.__bound__ or annotation.__constraints__):
        return f"{annotation.__name__} stands for anything; name the type, for example str | int"
    if holds_reference(annotation):
        return "a reference stands alone: write AgentRef, not Optional[AgentRef] or a list of it"
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return ""
    if origin is typing.Annotated:
        return annotation_problem(typing.get_args(annotation)[0])
    if origin is not None:
        if origin is not typing.Union and inspect.isclass(origin) and (problem := _class_problem(origin)):
            return problem
        parts = (a for a in typing.get_args(annotation) if a is not Ellipsis and a is not types.NoneType)
        return next((problem for a in parts if (problem := annotation_problem(a))), "")
    return _class_problem(annotation) if inspect.isclass(annotation) else ""


def _class_problem(cls: type) -> str:
    if cls is collections.abc.Callable or cls is types.FunctionType:
        return "a planner cannot write a function"
    if cls.__module__ in _PLAIN_MODULES or dataclasses.is_dataclass(cls) or issubclass(cls, enum.Enum):
        return ""
    if typing.is_typeddict(cls) or hasattr(cls, "__total__") or hasattr(cls, "_fields"):
        return ""
    # What pydantic and libraries for it put on their own types.
    if hasattr(cls, "__get_pydantic_core_schema__") or hasattr(cls, "__pydantic_core_schema__"):
        return ""
    return (
        f"a planner cannot write a {cls.__name__}; take its label or name (str), a dataclass or a pydantic model, "
        "and look the object up inside"
    )


def _is_receiver(fn: Callable[..., Any], parameter: inspect.Parameter) -> bool:
    inside_class = "." in fn.__qualname__ and not fn.__qualname__.rpartition(".")[0].endswith("<locals>")
    return inside_class and parameter.name in ("self", "cls") and parameter.annotation is MISSING


def _shape_problem(p: inspect.Parameter) -> str:
    if p.kind is p.VAR_KEYWORD:
        return f"**{p.name} has no names a planner could fill in"
    if p.kind is p.VAR_POSITIONAL:
        return f"*{p.name} has no names a planner could fill in (take a list)"
    if p.annotation is MISSING:
        return f"{p.name} has no type annotation"
    return ""


def _check_documented(name: str, doc: Docstring, signature: list[str]) -> None:
    documented = [n for n in doc.parameters if n not in ("self", "cls")]
    extra = [n for n in documented if n not in signature]
    # References need no description; which these are is not known yet, so only strange names count here.
    if extra:
        raise BadTool(
            f"The docstring of {name} does not fit its signature.",
            f"Docstring: {', '.join(documented)}. Signature: {', '.join(signature) or '(none)'}.",
            "Use the same names in both.",
        )


def check_described(name: str, doc: Docstring, signature: Signature) -> None:
    """Check that a docstring that describes parameters describes each one a planner supplies.

    Raises:
        BadTool: lists both sides.
    """
    wanted = [p.name for p in signature.parameters]
    if doc.parameters and any(n not in doc.parameters for n in wanted):
        raise BadTool(
            f"The docstring of {name} does not fit its signature.",
            f"Docstring: {', '.join(doc.parameters)}. Signature: {', '.join(wanted)}.",
            "Use the same names in both.",
        )


def _hints(fn: Callable[..., Any], scope: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the resolved annotations; None when one names what is not defined yet."""
    try:
        return typing.get_type_hints(fn, localns=dict(scope), include_extras=True)
    except NameError:
        return None


def enclosing_names(fn: Callable[..., Any]) -> dict[str, Any]:
    """Return the local names of the functions and class bodies that `fn` is being defined in."""
    around = [part for part in fn.__qualname__.split(".")[:-1] if part != "<locals>"]
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals is not fn.__globals__:
        frame = frame.f_back
    names: dict[str, Any] = {}
    for part in reversed(around):
        if frame is None or frame.f_code.co_name != part:
            break
        names = {**frame.f_locals, **names}
        frame = frame.f_back
    return names
