"""Group 18: what a return value becomes for the planner and for the notebook."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import json
from dataclasses import dataclass

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pydantic
import pytest

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.egress.policy import Policy
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.returns import convert
from lexsi_nb.toolkit.spec import ToolResult


@dataclass
class Point:
    x: int
    when: dt.date


class Model(pydantic.BaseModel):
    a: int
    b: list[float]


class Colour(enum.Enum):
    RED = "red"


class Plain:
    pass


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("", ""),
        ("word", "word"),
        (3, "3"),
        (0, "0"),
        (2.5, "2.5"),
        (True, "True"),
        (decimal.Decimal("1.10"), "1.10"),
        (dt.date(2020, 1, 2), "2020-01-02"),
        (Colour.RED, "red"),
        (np.int64(4), "4"),
        (np.float64(0.5), "0.5"),
        (b"abc", "3 bytes"),
        ([], "[]"),
        ({}, "{}"),
        ({"é": [1, None, float("nan")]}, '{"é": [1, null, null]}'),
        ((1, "a"), '[1, "a"]'),
        ({2, 1}, "[1, 2]"),
        ({1: dt.date(2020, 1, 2)}, '{"1": "2020-01-02"}'),
        (Point(1, dt.date(2020, 1, 2)), '{"x": 1, "when": "2020-01-02"}'),
        (Model(a=1, b=[1.5]), '{"a": 1, "b": [1.5]}'),
        ([Model(a=1, b=[])], '[{"a": 1, "b": []}]'),
        (np.array([[1, 2]]), "[[1, 2]]"),
        ({"f": pd.DataFrame({"a": [1]})}, '{"f": "DataFrame of 1 rows and 1 columns"}'),
    ],
)
def test_values_become_text_or_json(value, text):
    result = convert(value)
    assert result.ok
    assert result.observation.text == text


def test_what_a_tool_returns_counts_as_rows_unless_it_says_it_tells_less(call):
    @tool
    def plain() -> int:
        """Give a number."""
        return 5

    @tool(reveals="schema")
    def names() -> list[str]:
        """Name the tables."""
        return ["loan"]

    assert Policy().observe(call(plain).result.observation, local=False) == "[1 part(s) withheld by the data policy]"
    assert Policy().observe(call(names).result.observation, local=False) == '["loan"]'


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "arrow"])
def test_a_frame_becomes_its_shape_and_a_bounded_preview(make):
    frame = make({"id": list(range(100)), "note": ["x" * 200] * 100})
    result = convert(frame)
    schema, rows = result.observation.segments
    assert result.payload is frame
    assert (schema.kind, rows.kind, rows.columns) == ("schema", "rows", ("id", "note"))
    assert "100 rows and 2 columns: id " in schema.text
    assert "x" not in schema.text
    assert len(rows.text.splitlines()) == 22
    assert rows.text.endswith("... 80 more rows")
    assert max(map(len, rows.text.splitlines())) < 80


def test_frames_with_odd_shapes_are_shown_too():
    duplicate = pd.DataFrame([[1, 2]], columns=["a", "a"])
    assert "a | a\n1 | 2" in convert(duplicate).observation.text
    assert convert(pd.DataFrame({"a": []})).observation.text.startswith("DataFrame of 0 rows and 1 columns: a ")
    wide = convert(pd.DataFrame([range(200)])).observation.text
    assert "170 more" in wide
    assert "Series of 2 rows" in convert(pd.Series([1, 2], name="s")).observation.text
    assert "Series of 2 rows" in convert(pl.Series("s", [1, 2])).observation.text


def test_a_tool_result_passes_through():
    given = ToolResult(True, Observation.of("a", Segment("b", "stats")), payload=1, artifacts=(2,), meta={"k": 3})
    assert convert(given) == given


def test_a_failed_result_without_words_gets_some():
    assert convert(ToolResult(False, "", error="server said no")).observation.text == "server said no"
    assert convert(ToolResult(False, "")).observation.text


def test_a_code_cell_or_its_action_becomes_a_proposed_cell():
    action = {"action": "code_cell", "language": "python", "content": "x = 1\ny = 2"}
    for value in (CodeCell("x = 1\ny = 2"), action, json.dumps(action), [CodeCell("x = 1\ny = 2")]):
        result = convert(value)
        assert result.artifacts == (CodeCell("x = 1\ny = 2"),)
        assert result.observation.text == "Proposed a python cell of 2 lines:\nx = 1\ny = 2"
    assert convert('{"action": "code_cell"').artifacts == ()
    assert convert({"action": "code_cell", "content": 5}).artifacts == ()
    assert convert({"action": "other", "content": "x"}).artifacts == ()


def test_output_is_capped_over_all_parts_and_the_object_stays_whole():
    result = convert("x" * 1_000_000, limit=100)
    assert result.observation.text.startswith("x" * 100 + "\n[cut: the first 100 characters")
    assert len(result.payload) == 1_000_000
    many = convert(ToolResult(True, Observation.of("a" * 60, "b" * 60, "c" * 60)), limit=100)
    assert many.observation.text.startswith("a" * 60 + "\n" + "b" * 40 + "\n[cut")
    assert len(convert("x" * 1000, limit=None).observation.text) == 1000


def test_a_huge_list_costs_no_more_than_what_is_shown():
    visited = []

    class Counting(list):
        def __iter__(self):
            for item in super().__iter__():
                visited.append(item)
                yield item

    convert(Counting(range(1_000_000)), limit=1_000)
    assert len(visited) <= 1_002  # one look more each for cells and for media


def test_objects_show_no_memory_address_and_a_failing_str_is_said():
    class Broken:
        def __str__(self):
            raise RuntimeError("no")

    assert "0x" not in convert(Plain()).observation.text
    assert convert(Plain()).observation.text
    assert "cannot be shown" in convert(Broken()).observation.text


def test_a_value_that_holds_itself_ends():
    loop: dict = {}
    loop["me"] = loop
    assert "..." in convert(loop).observation.text
