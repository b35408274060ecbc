# ruff: noqa: UP006, UP007, UP035, UP045 - old and new spellings are compared here
"""Groups 6 to 11: what a planner may send, and how it hears of every mistake at once."""

from __future__ import annotations

import collections
import datetime as dt
import enum
import typing
import uuid
from dataclasses import dataclass
from typing import Annotated, Dict, List, Literal, NamedTuple, Optional, Tuple, TypedDict, Union

import annotated_types
import pydantic
import pytest

from lexsi_nb.toolkit.declare import Tool, tool_of
from lexsi_nb.toolkit.schema import Invalid


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Span(TypedDict):
    start: int
    end: typing.NotRequired[int]


@dataclass
class Base:
    name: str


@dataclass
class Point(Base):
    x: int
    y: float = 0.0


class Line(pydantic.BaseModel):
    points: list[Point]
    label: str | None = None


class Thick(Line):
    width: int


class Pair(NamedTuple):
    a: int
    b: str


def declared(annotation: object, default: object = ...) -> Tool:
    """Return a tool of one parameter, `value`."""
    if default is ...:

        def f(value):
            return value

    else:

        def f(value=default):
            return value

    f.__annotations__["value"] = annotation
    f.__doc__ = "Take a value."
    return tool_of(f)


def problems(annotation: object, value: object) -> list[str]:
    with pytest.raises(Invalid) as caught:
        declared(annotation).schema.validate({"value": value})
    return caught.value.problems


@pytest.mark.parametrize(
    ("annotation", "sent", "received"),
    [
        (int, 3, 3),
        (float, 3, 3.0),
        (str, "é", "é"),
        (bool, True, True),
        (Literal["a", 1], "a", "a"),
        (Literal["a", 1], 1, 1),
        (Colour, "red", Colour.RED),
        (Level, 2, Level.HIGH),
        (Span, {"start": 1}, {"start": 1}),
        (Span, {"start": 1, "end": 2}, {"start": 1, "end": 2}),
        (set[str], ["a", "b"], {"a", "b"}),
        (frozenset[int], [1], frozenset({1})),
        (bytes, "abc", b"abc"),
        (dt.date, "2020-02-29", dt.date(2020, 2, 29)),
        (dt.datetime, "2020-02-29T10:00:00", dt.datetime(2020, 2, 29, 10)),
        (dt.time, "10:30:00", dt.time(10, 30)),
        (uuid.UUID, "12345678-1234-5678-1234-567812345678", uuid.UUID("12345678-1234-5678-1234-567812345678")),
        (Annotated[int, annotated_types.Ge(1)], 1, 1),
        (Annotated[str, pydantic.Field(pattern="^C-\\d+$")], "C-1", "C-1"),
        (tuple[int, str], [1, "a"], (1, "a")),
        (tuple[int, ...], [1, 2, 3], (1, 2, 3)),
        (dict[str, int], {"a": 1}, {"a": 1}),
        (dict, {"a": [1, None]}, {"a": [1, None]}),
        (Point, {"name": "p", "x": 1}, Point("p", 1, 0.0)),
        (Optional[Point], None, None),
        (list[Point], [{"name": "p", "x": 1, "y": 2}], [Point("p", 1, 2.0)]),
        (dict[str, Point], {"k": {"name": "p", "x": 1}}, {"k": Point("p", 1)}),
        (tuple[Point, int], [{"name": "p", "x": 1}, 2], (Point("p", 1), 2)),
        (Point | int, {"name": "p", "x": 1}, Point("p", 1)),
        (Line, {"points": [{"name": "p", "x": 1}]}, Line(points=[Point("p", 1)])),
        (Thick, {"points": [], "width": 2}, Thick(points=[], width=2)),
        (list[Span], [{"start": 1}], [{"start": 1}]),
        (Pair, [1, "x"], Pair(1, "x")),
    ],
)
def test_values_of_accepted_types_arrive_as_those_types(annotation, sent, received):
    got = declared(annotation).schema.validate({"value": sent})["value"]
    assert got == received
    assert type(got) is type(received)


@pytest.mark.parametrize(
    ("annotation", "sent", "expected"),
    [
        (int, "abc", '$.value: expected an integer, got a string ("abc").'),
        (int, "5", "$.value: expected an integer"),
        (int, 5.0, "$.value: expected an integer, got a number (5.0)."),
        (int, True, "$.value: expected an integer, got true."),
        (bool, 1, "$.value: expected true or false"),
        (float, "1.5", "$.value: expected a number"),
        (float, float("nan"), "$.value: expected a number"),
        (str, 5, "$.value: expected a string"),
        (str, None, "$.value: expected a string, got null."),
        (Literal[1, 2], True, "$.value: expected one of 1, 2, got true."),
        (Level, True, "$.value: expected one of 1, 2, got true."),
        (Colour, "rde", '$.value: expected one of "red", "blue", got "rde". Did you mean \'red\'?'),
        (dt.date, "next friday", '$.value: expected a date as YYYY-MM-DD, got "next friday".'),
        (dt.date, "1577836800", "$.value: expected a date as YYYY-MM-DD"),
        (dt.date, "2021-02-29", "$.value: "),
        (dt.datetime, "5", "$.value: expected a time as YYYY-MM-DDTHH:MM:SS"),
        (Annotated[int, annotated_types.Ge(1)], 0, "$.value: expected an integer at least 1, got 0."),
        (Annotated[str, pydantic.Field(pattern="^C-\\d+$")], "9", "$.value: expected a string matching ^C-\\d+$"),
        (list[int], [1, "x", 3], "$.value[1]: expected an integer"),
        (tuple[int, str], [1], "$.value: expected a list [an integer, a string], got 1 items."),
        (Point, {"name": "p"}, "$.value.x: missing; expected an integer."),
        (Point, {"name": "p", "x": 1, "z": 2}, "$.value.z: not an argument, got 2. Allowed: name, x, y."),
        (Span, {"start": 1, "stop": 2}, "$.value.stop: not an argument"),
        (Line, {"points": [{"name": "p", "x": "1"}]}, "$.value.points[0].x: expected an integer"),
        (Line, {"points": [], "colour": "red"}, "$.value.colour: not an argument"),
        (dict[str, Point], {"k": {"name": 1, "x": 1}}, "$.value.k.name: expected a string"),
        (Point | int, "x", "$.value: expected an object with name, x, y or an integer, got a string"),
        (Point | int, {"name": "p", "x": "1"}, "$.value.x: expected an integer"),
        (int | str, 1.5, "$.value: expected an integer or a string, got a number (1.5)."),
    ],
)
def test_a_wrong_value_is_refused_with_path_what_came_and_what_is_right(annotation, sent, expected):
    found = problems(annotation, sent)
    assert len(found) == 1
    assert found[0].startswith(expected)


def test_every_problem_comes_at_once_with_the_nearest_names():
    def pay(
        amount: Annotated[float, annotated_types.Gt(0)], currency: Literal["EUR", "GBP"], pay_on: dt.date | None = None
    ):
        """Pay."""

    with pytest.raises(Invalid) as caught:
        tool_of(pay).schema.validate({"ammount": 5, "currency": "eur", "pay_on": "next friday"})
    assert caught.value.problems == [
        "$.amount: missing; expected a number above 0.",
        "$.ammount: not an argument, got 5. Did you mean 'amount'? Allowed: amount, currency, pay_on.",
        '$.currency: expected one of "EUR", "GBP", got "eur". Did you mean \'EUR\'?',
        '$.pay_on: expected a date as YYYY-MM-DD or null, got a string ("next friday").',
    ]


def test_a_validator_of_the_users_model_speaks_in_its_own_words():
    class Even(pydantic.BaseModel):
        n: int

        @pydantic.field_validator("n")
        @classmethod
        def even(cls, n: int) -> int:
            if n % 2:
                raise ValueError("must be even")
            return n

    assert problems(Even, {"n": 3}) == ["$.value.n: must be even, got 3."]


def test_optional_and_both_unions_are_one_and_nested_unions_flatten():
    schemas = [
        declared(a).schema.json_schema
        for a in (Optional[int], int | None, Union[int, None], Union[int, Union[None, int]])
    ]
    assert all(s == schemas[0] for s in schemas)
    nested = declared(Union[int, Union[str, Union[float, None]]]).schema.json_schema
    assert nested == declared(int | str | float | None).schema.json_schema


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (List[int], list[int]),
        (Dict[str, List[int]], dict[str, list[int]]),
        (Tuple[int, str], tuple[int, str]),
    ],
)
def test_typing_and_builtin_generics_are_equal(old, new):
    assert declared(old).schema.json_schema == declared(new).schema.json_schema


def test_a_default_makes_a_parameter_optional_and_is_used():
    def f(a: int, b: str = "x", c: list[int] = [], d: int = None):  # type: ignore[assignment]  # noqa: B006, RUF013
        """Do."""

    schema = tool_of(f).schema
    assert schema.json_schema["required"] == ["a"]
    assert schema.json_schema["properties"]["b"]["default"] == "x"
    assert schema.validate({"a": 1}) == {"a": 1, "b": "x", "c": [], "d": None}
    schema.validate({"a": 1})["c"].append(5)
    assert schema.validate({"a": 1})["c"] == []


def test_a_default_that_json_lacks_leaves_the_parameter_optional():
    sentinel = object()
    tool = declared(int, sentinel)
    assert "required" not in tool.schema.json_schema
    assert tool.schema.validate({})["value"] is sentinel


def test_a_tool_without_arguments_takes_nothing_and_null_only():
    def f():
        """Do."""

    schema = tool_of(f).schema
    assert schema.validate({}) == schema.validate(None) == {}
    for wrong in ([], "", 0, "{}", False, {"a": 1}):
        with pytest.raises(Invalid):
            schema.validate(wrong)


def test_nested_types_are_in_the_schema_closed_and_with_inherited_fields():
    schema = declared(dict[str, list[Thick]]).schema.json_schema
    thick, point = schema["$defs"]["Thick"], schema["$defs"]["Point"]
    assert set(thick["properties"]) == {"points", "label", "width"}
    assert set(point["properties"]) == {"name", "x", "y"}
    assert thick["additionalProperties"] is point["additionalProperties"] is schema["additionalProperties"] is False


def test_names_pydantic_keeps_for_itself_are_ordinary_parameters():
    def f(json: int, copy: str, model_config: int, _hidden: int, schema: int = 1, title: str = "t"):
        """Do."""

    sent = {"json": 1, "copy": "c", "model_config": 2, "_hidden": 3}
    assert tool_of(f).schema.validate(sent) == {**sent, "schema": 1, "title": "t"}
    assert list(tool_of(f).schema.json_schema["properties"]) == [*sent, "schema", "title"]


def test_what_was_sent_is_neither_changed_nor_shared():
    sent = {"value": [{"a": [1]}]}
    got = declared(list[dict[str, list[int]]]).schema.validate(sent)
    got["value"][0]["a"].append(2)
    assert sent == {"value": [{"a": [1]}]}


@pytest.mark.parametrize(
    "value",
    [{1, 2}, object(), float("inf"), "\ud800", {1: 2}, 10**5000],
    ids=str.lower("set object inf surrogate intkey huge").split(),
)
def test_what_json_cannot_carry_is_refused_and_never_crashes(value):
    with pytest.raises(Invalid):
        declared(Union[list[int], str, float, dict[str, int]]).schema.validate({"value": value})


def test_subclasses_of_json_types_are_taken_as_what_they_are():
    class Word(enum.StrEnum):
        A = "a"

    sent = collections.OrderedDict(value={"k": Word.A})
    assert declared(dict[str, Literal["a", "b"]]).schema.validate(sent) == {"value": {"k": "a"}}


def test_deep_nesting_is_refused_and_never_crashes():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(Invalid):
        declared(list).schema.validate({"value": deep})


def test_many_problems_are_counted_not_all_listed():
    found = problems(list[int], ["x"] * 500)
    assert len(found) == 21
    assert found[-1] == "... and 480 more."


def test_schemas_and_models_are_built_once():
    tool = declared(int)
    assert tool.schema.model is tool.schema.model
    assert tool.schema.json_schema is tool.schema.json_schema
    assert tool.spec.args_schema() is tool.schema.model


def test_definitions_come_in_both_shapes():
    tool = declared(int)
    schema = {
        "type": "object",
        "properties": {"value": {"type": "integer"}},
        "required": ["value"],
        "additionalProperties": False,
    }
    assert tool.schema.definition("D", "anthropic") == {"name": "f", "description": "D", "input_schema": schema}
    assert tool.schema.definition("D", "openai") == {
        "type": "function",
        "function": {"name": "f", "description": "D", "parameters": schema},
    }
