"""Fields of a spec against the columns: nested ones, those of transforms, other cases, and what is nearest."""

from __future__ import annotations

import pytest

from lexsi_nb.tools.vega.check import checked

COLUMNS = {
    "amount": "quantitative",
    "status": "nominal",
    "granted": "temporal",
    "a.b": "quantitative",
    "owner": "nominal",
    "Total Paid": "quantitative",
}


def problems(spec: dict) -> list[str]:
    """Return the problems of a spec over the columns."""
    return checked({"mark": "bar", "encoding": {}, **spec}, COLUMNS, "loans")[1].problems


def of(field: str) -> dict:
    """Return an encoding of one field."""
    return {"encoding": {"x": {"field": field, "type": "nominal"}}}


@pytest.mark.parametrize(
    "field", ["amount", "a.b", "a\\.b", "owner.name", "owner['name']", "owner[0].name", "Total Paid"]
)
def test_columns_and_paths_into_them_are_known(field):
    assert problems(of(field)) == []


def test_a_column_with_a_dot_is_escaped():
    spec, _ = checked({"mark": "bar", **of("a.b")}, COLUMNS, "loans")
    assert spec["encoding"]["x"]["field"] == "a\\.b"


@pytest.mark.parametrize(
    ("field", "right"), [("AMOUNT", "amount"), ("Owner.name", "owner.name"), ("total paid", "Total Paid")]
)
def test_another_case_is_put_right(field, right):
    spec, report = checked({"mark": "bar", **of(field)}, COLUMNS, "loans")
    assert spec["encoding"]["x"]["field"] == right
    assert report.corrected


def test_an_unknown_field_names_the_nearest():
    assert "Nearest: status" in problems(of("statsu"))[0]


MADE = [
    ([{"calculate": "datum.amount * 2", "as": "double"}], ["double", "amount"], ["triple"]),
    (
        [{"aggregate": [{"op": "mean", "field": "amount", "as": "m"}], "groupby": ["status"]}],
        ["m", "status"],
        ["amount"],
    ),
    ([{"joinaggregate": [{"op": "sum", "field": "amount", "as": "all"}]}], ["all", "amount"], ["sum"]),
    ([{"window": [{"op": "rank", "as": "r"}], "sort": [{"field": "amount"}]}], ["r"], ["rank"]),
    ([{"bin": True, "field": "amount", "as": "bin"}], ["bin", "bin_end", "amount"], ["amount_bin"]),
    ([{"timeUnit": "year", "field": "granted", "as": "year"}], ["year"], ["years_of"]),
    ([{"fold": ["amount", "a\\.b"]}], ["key", "value"], ["keys_of"]),
    ([{"fold": ["amount"], "as": ["what", "size"]}], ["what", "size"], ["value"]),
    ([{"flatten": ["owner"], "as": ["one"]}], ["one"], ["two"]),
    ([{"pivot": "status", "value": "amount", "groupby": ["granted"]}], ["A", "granted"], []),
    ([{"density": "amount"}], ["value", "density"], ["amount"]),
    ([{"regression": "amount", "on": "granted"}], ["amount", "granted"], ["status"]),
    ([{"quantile": "amount"}], ["prob", "value"], ["amount"]),
    ([{"stack": "amount", "groupby": ["status"], "as": ["from", "to"]}], ["from", "to"], ["amount_from"]),
    ([{"filter": {"field": "status", "equal": "A"}}], ["amount"], ["A"]),
    ([{"filter": {"or": ["datum.amount > 1", {"field": "status", "oneOf": ["A"]}]}}], ["amount"], ["oneOf"]),
    (
        [{"calculate": "datum['Total Paid'] / 2", "as": "half"}, {"calculate": "datum.half", "as": "same"}],
        ["same"],
        ["quarter_"],
    ),
]


@pytest.mark.parametrize(("transforms", "known", "unknown"), MADE, ids=lambda v: str(v)[:40])
def test_names_that_transforms_make_are_known_after_them(transforms, known, unknown):
    for field in known:
        assert problems({"transform": transforms, **of(field)}) == [], field
    for field in unknown:
        assert problems({"transform": transforms, **of(field)}), field


@pytest.mark.parametrize(
    "transform",
    [
        {"calculate": "datum.amuont * 2", "as": "x"},
        {"filter": "datum.nothing > 1"},
        {"filter": {"field": "nothing", "equal": 1}},
        {"aggregate": [{"op": "mean", "field": "nothing", "as": "m"}]},
        {"aggregate": [{"op": "meen", "field": "amount", "as": "m"}]},
        {"aggregate": [{"op": "mean", "field": "amount"}]},
        {"fold": ["nothing"]},
        {"window": [{"op": "sum", "field": "nothing", "as": "s"}]},
    ],
    ids=str,
)
def test_transforms_of_what_is_not_there_are_problems(transform):
    assert problems({"transform": [transform]})


def test_transforms_of_a_parent_hold_for_its_children():
    spec = {
        "transform": [{"calculate": "datum.amount", "as": "double"}],
        "layer": [{"mark": "bar", **of("double")}, {"mark": "line", **of("doubel")}],
    }
    found = checked(spec, COLUMNS, "loans")[1].problems
    assert len(found) == 1
    assert "$.layer[1].encoding.x" in found[0]


def test_rows_written_into_a_layer_have_their_own_fields():
    layer = {
        "data": {"values": [{"limit": 3}]},
        "mark": "rule",
        "encoding": {"y": {"field": "limit", "type": "quantitative"}},
    }
    assert checked({"layer": [layer, {"mark": "bar", **of("amount")}]}, COLUMNS, "loans")[1].problems == []
    assert checked({"layer": [layer, {"mark": "bar", **of("limit")}]}, COLUMNS, "loans")[1].problems


def test_expressions_in_conditions_are_checked_and_put_right():
    color = {"condition": {"test": "datum.AMOUNT > 3", "value": "red"}, "value": "blue"}
    spec, report = checked({"mark": "bar", "encoding": {"color": color}}, COLUMNS, "loans")
    assert spec["encoding"]["color"]["condition"]["test"] == "datum.amount > 3"
    assert not report.problems


def test_text_that_is_no_object_is_a_problem():
    assert checked("bar", COLUMNS, "loans")[1].problems  # type: ignore[arg-type]
