"""`sample_values`: the distinct values of a column, most frequent first."""

from __future__ import annotations

import datetime
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.planners.scripted import call


def values(play: Any, column: Any, **args: Any) -> list[str]:
    run = play(call("sample_values", table="t", column="c", **args), namespace={"t": pd.DataFrame({"c": column})})
    assert run.steps[0].status == "ok", run.steps[0].summary
    return run.steps[0].summary.splitlines()[1:]


def test_most_frequent_first_then_by_value(play: Any) -> None:
    assert values(play, ["b", "a", "c", "c", "a", "c"]) == ["c: 3", "a: 2", "b: 1"]
    assert values(play, ["b", "a", "b"], order_by_freq=False) == ["a: 1", "b: 2"]


def test_twenty_unless_said_otherwise_and_what_is_left_is_said(play: Any) -> None:
    names = {"t": pd.DataFrame({"c": range(150)})}
    run = play(
        call("sample_values", table="t", column="c"),
        call("sample_values", table="t", column="c", k=100),
        namespace=names,
    )
    assert "20 distinct values shown, there are more" in run.steps[0].summary
    assert len(run.steps[1].summary.splitlines()) == 101


@pytest.mark.parametrize("k", [0, -1, 101, 10**9])
def test_k_is_from_1_to_100(play: Any, k: int) -> None:
    run = play(call("sample_values", table="t", column="c", k=k), namespace={"t": pd.DataFrame({"c": [1]})})
    assert run.steps[0].status == "rejected"
    assert "between 1 and 100" in run.steps[0].summary


@pytest.mark.parametrize(
    "name",
    ["with space", 'quo"te', "it's", "order", "SELECT", "čeština", "日本", "a;b", "x--y", ") FROM t; --", "%", "\\n"],
)
def test_any_name_is_quoted(play: Any, name: str) -> None:
    names = {"t": pd.DataFrame({name: ["v", "v"], "other": [1, 2]})}
    run = play(call("sample_values", table="t", column=name), namespace=names)
    assert run.steps[0].summary.splitlines()[1:] == ["v: 2"]


def test_odd_table_names_are_quoted(play: Any) -> None:
    source = {'my "t"': pd.DataFrame({"c": ["v"]})}
    run = play(call("sample_values", table='my "t"', column="c"), dataset=source)
    assert run.steps[0].summary.splitlines()[1:] == ["v: 1"]


def test_unknown_names_list_the_nearest(play: Any) -> None:
    names = {"loans": pd.DataFrame({"status": ["A"]})}
    run = play(
        call("sample_values", table="loan", column="status"),
        call("sample_values", table="loans", column="statsu"),
        namespace=names,
    )
    assert [s.status for s in run.steps] == ["failed", "failed"]
    assert "loans" in run.steps[0].summary
    assert "status" in run.steps[1].summary


def test_case_of_a_name_may_differ(play: Any) -> None:
    run = play(call("sample_values", table="T", column="C"), namespace={"t": pd.DataFrame({"c": ["v"]})})
    assert run.steps[0].summary.splitlines() == ["t.c: 1 distinct value shown, that is all.", "v: 1"]


def test_missing_values_have_a_line_and_none_at_all_says_so(play: Any) -> None:
    assert values(play, ["a", None, None]) == ["NULL: 2", "a: 1"]
    assert values(play, pd.Series([], dtype="object")) == ["(no rows)"]


@pytest.mark.parametrize(
    ("column", "wanted"),
    [
        ([True, False, True], ["True: 2", "False: 1"]),
        (pd.to_datetime(["2020-01-01", "2020-01-01"]).tz_localize("Europe/Prague"), None),
        ([datetime.date(1600, 1, 1), datetime.date(1600, 1, 1)], ["1600-01-01: 2"]),
        ([[1, 2], [1, 2]], None),
        ([{"a": 1}, {"a": 1}], None),
        (pd.Categorical(["a", "a"], categories=["a", "b"]), ["a: 2"]),
    ],
)
def test_values_of_every_type(play: Any, column: Any, wanted: list[str] | None) -> None:
    found = values(play, column)
    assert len(found) == 1 if wanted is None else found == wanted
    assert found[0].endswith(": 2") or wanted


def test_long_texts_are_cut(play: Any) -> None:
    assert values(play, ["x" * 500]) == ["x" * 77 + "...: 1"]


def test_values_are_stats_to_a_policy(play: Any) -> None:
    run = play(call("sample_values", table="t", column="c"), namespace={"t": pd.DataFrame({"c": ["secret-value"]})})
    outcome = run.planner_used.turns[1].observations("sample_values")[0]
    assert "secret-value" in outcome.text  # a planner on this machine reads it all
