"""Validation compared with `jsonschema` on generated cases: what it refuses, we never accept."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import json
import math
import operator
from functools import reduce
from typing import Annotated, Any, Literal, TypedDict

import annotated_types
import jsonschema
import pydantic
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lexsi_nb.toolkit.declare import Tool, tool_of
from lexsi_nb.toolkit.schema import Invalid


class Mixed(enum.Enum):
    ONE = 1
    WORD = "word"


@dataclasses.dataclass
class Leaf:
    n: int
    tag: str = "t"


class Branch(pydantic.BaseModel):
    leaf: Leaf
    more: list[Leaf] = []


class Named(TypedDict):
    a: int


BASE = [
    int, float, str, bool, bytes, dt.date, dt.datetime, dt.time, decimal.Decimal, Mixed, Leaf, Branch, Named, None,
    Literal[1, "a", 2], Literal[True, "x"], Annotated[int, annotated_types.Ge(0), annotated_types.Lt(3)],
    Annotated[str, pydantic.Field(pattern="^[ab]$", max_length=2)], Annotated[float, annotated_types.MultipleOf(0.5)],
    Annotated[list[int], annotated_types.Len(1, 2)],
]  # fmt: skip
annotations = st.recursive(
    st.sampled_from(BASE),
    lambda inner: st.one_of(
        inner.map(lambda t: list[t]),
        inner.map(lambda t: dict[str, t]),
        inner.map(lambda t: tuple[t, ...]),
        st.tuples(inner, inner).map(lambda ts: tuple[ts]),
        st.lists(inner, min_size=2, max_size=3).map(lambda ts: reduce(operator.or_, [t or type(None) for t in ts])),
        st.sampled_from([set[int], frozenset[str], set[bool], dict[int, str]]),
    ),
    max_leaves=4,
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 4), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1.0, 0.5, 2**70, "a", "b", "ab", "word", "t", "", "5", "1577836800", "é", "2020-02-29"]),
    st.sampled_from(["2020-02-29T10:00:00Z", "10:30", "10:30:00", "1.50", "NaN", "2021-02-29", "a\n", "true"]),
    st.text(max_size=3),
)  # fmt: skip
keys = st.sampled_from(["n", "tag", "a", "leaf", "more", "z", "1"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=6
)


def declared(annotation: Any) -> Tool:
    def f(value):
        return value

    f.__annotations__["value"] = annotation
    f.__doc__ = "Take a value."
    return tool_of(f)


def accepted(tool: Tool, args: Any) -> bool:
    try:
        tool.schema.validate(args)
    except Invalid as invalid:
        found = invalid.problems
    else:
        return True
    assert found
    assert all(problem.startswith(("$", "...")) for problem in found)
    return False


@st.composite
def cases(draw: st.DrawFn) -> tuple[Any, Any]:
    annotation = draw(annotations)
    return annotation, draw(values | near(annotation))


def near(annotation: Any) -> st.SearchStrategy[Any]:
    """Return values in the neighbourhood of the type, so that many are accepted."""
    schema = declared(annotation).schema.json_schema
    return _near(schema["properties"]["value"], schema.get("$defs", {}))


def _near(schema: dict[str, Any], defs: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "$ref" in schema:
        return _near(defs[schema["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in schema:
        return st.one_of(*(_near(s, defs) for s in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return st.tuples(*(_near(s, defs) for s in schema["prefixItems"])).map(list)
        return st.lists(_near(schema.get("items") or {}, defs), max_size=3)
    if kind == "object" and "properties" in schema:
        required = {k: _near(v, defs) for k, v in schema["properties"].items() if k in schema.get("required", ())}
        optional = {k: _near(v, defs) for k, v in schema["properties"].items() if k not in required}
        return st.fixed_dictionaries(required, optional=optional)
    if kind == "object":
        rest = schema.get("additionalProperties")
        return st.dictionaries(keys, _near(rest, defs) if isinstance(rest, dict) else scalars, max_size=2)
    return {"integer": st.integers(-3, 4), "boolean": st.booleans(), "null": st.none()}.get(kind or "", scalars)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(cases())
def test_what_jsonschema_refuses_is_never_accepted(case):
    annotation, value = case
    tool = declared(annotation)
    args = {"value": value}
    checker = jsonschema.Draft202012Validator(tool.schema.json_schema)
    if not checker.is_valid(args):
        assert not accepted(tool, args), (annotation, value, tool.schema.json_schema)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.data())
def test_what_is_accepted_survives_a_round_trip_through_json(data):
    tool = declared(data.draw(st.sampled_from(BASE)))
    args = {"value": data.draw(scalars)}
    again = json.loads(json.dumps(args))
    if isinstance(args["value"], float) and math.isnan(args["value"]):
        return
    assert accepted(tool, args) == accepted(tool, again)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(values)
def test_whatever_comes_as_arguments_is_answered(value):
    assert accepted(declared(Branch), value) in (True, False)
