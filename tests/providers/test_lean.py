"""Tool definitions go out short and mean the same."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest

from lexsi_nb.planners.lean import lean
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.registry import Registry


def definition(function: Any) -> dict[str, Any]:
    registry = Registry()
    (name,) = registry.add(function)
    return lean(next(d for d in registry.definitions("anthropic") if d["name"] == name))


def test_an_optional_argument_is_its_type_alone() -> None:
    @tool
    def f(a: str, b: int | None = None, c: Literal["x", "y"] = "x", d: list[str | int] | None = None) -> str:
        """Do it.

        Args:
            a: What.
            b: How many.
            c: Which.
            d: Others.
        """
        return a

    schema = definition(f)["input_schema"]
    assert schema["required"] == ["a"]
    assert schema["properties"]["b"] == {"type": "integer", "description": "How many."}
    assert schema["properties"]["c"] == {"enum": ["x", "y"], "default": "x", "description": "Which."}
    assert schema["properties"]["d"]["items"] == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    assert "null" not in json.dumps(schema)


def test_a_model_is_not_told_of_arguments_for_keys() -> None:
    @tool
    def login(user: str, password: str, api_key: str | None = None) -> str:
        """Log in."""
        return user

    assert list(definition(login)["input_schema"]["properties"]) == ["user"]


def test_what_is_sent_still_passes_the_gates() -> None:
    """Every built-in: the lean schema names only arguments that the whole one has, and all that are required."""
    from lexsi_nb.tools.catalogue import built_in

    for whole in Registry(built_in()).definitions("anthropic"):
        short = lean(whole)["input_schema"]
        assert set(short["properties"]) <= set(whole["input_schema"]["properties"])
        assert set(short.get("required", ())) == set(whole["input_schema"].get("required", ()))
        assert "$ref" not in json.dumps(short) or "$defs" in short
        assert len(json.dumps(short)) < len(json.dumps(whole["input_schema"]))


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which loans are likely to default?", False),
        ("Which loans are open?", False),
        ("Read data/sales.parquet and sum it", True),
        ("connect my bucket", True),
        ("Use the Excel file", True),
    ],
)
def test_connecting_other_data_is_offered_where_the_question_has_a_word_of_it(question: str, shown: bool) -> None:
    from lexsi_nb.app.offering import CONNECT, offered
    from lexsi_nb.tools.catalogue import built_in

    registry = Registry(built_in())
    assert (CONNECT in offered(registry, question, ["loan"])) is shown
    assert CONNECT in offered(registry, question, [])
