"""render_chart: what it draws, what its cell draws again, what it refuses, and how long results are kept small."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

N = {"field": "amount", "type": "quantitative"}
SPECS = {
    "bars by count": {
        "mark": "bar",
        "encoding": {"x": {"field": "status", "type": "nominal"}, "y": {"aggregate": "count"}},
    },
    "types are filled in": {
        "mark": "point",
        "encoding": {"x": {"field": "granted"}, "y": {"field": "amount"}, "color": {"field": "insured"}},
    },
    "mean with a title": {
        "title": "Mean amount",
        "mark": {"type": "bar", "color": "#4c78a8"},
        "encoding": {
            "x": {"aggregate": "mean", "field": "amount", "title": "mean amount"},
            "y": {"field": "status", "type": "nominal", "sort": "-x"},
            "tooltip": [
                {"field": "status", "type": "nominal"},
                {"aggregate": "mean", "field": "amount", "format": ".0f"},
            ],
        },
    },
    "line over months": {
        "mark": "line",
        "encoding": {
            "x": {"timeUnit": "yearmonth", "field": "granted", "type": "temporal"},
            "y": {"aggregate": "sum", "field": "amount"},
        },
        "height": 120,
    },
    "histogram": {
        "mark": "bar",
        "encoding": {"x": {"bin": {"maxbins": 5}, "field": "amount"}, "y": {"aggregate": "count"}},
    },
    "heat map": {
        "mark": "rect",
        "encoding": {
            "x": {"field": "duration", "type": "ordinal", "axis": {"labelAngle": 0}},
            "y": {"field": "status", "type": "nominal"},
            "color": {"aggregate": "count", "scale": {"scheme": "blues"}, "legend": None},
        },
    },
    "pie": {
        "mark": {"type": "arc", "innerRadius": 20},
        "encoding": {"theta": {"aggregate": "count"}, "color": {"field": "status"}},
    },
    "column with a dot and one with a blank": {
        "mark": "tick",
        "encoding": {"x": {"field": "net.amount"}, "y": {"field": "Region Name"}},
    },
    "condition": {
        "mark": "bar",
        "encoding": {
            "x": N,
            "y": {"field": "loan_id", "type": "nominal"},
            "color": {"condition": {"test": "datum.AMOUNT > 20000", "value": "#e4842a"}, "value": "#4c78a8"},
        },
    },
    "transforms": {
        "transform": [
            {"calculate": "datum.amount / datum.duration", "as": "rate"},
            {"aggregate": [{"op": "mean", "field": "rate", "as": "mean_rate"}], "groupby": ["status"]},
        ],
        "mark": "bar",
        "encoding": {"x": {"field": "mean_rate"}, "y": {"field": "status"}},
    },
    "layers": {
        "layer": [
            {"mark": "bar", "encoding": {"x": {"field": "status"}, "y": {"aggregate": "mean", "field": "amount"}}},
            {"mark": {"type": "rule", "color": "#e4842a"}, "encoding": {"y": {"aggregate": "mean", "field": "amount"}}},
        ]
    },
    "own rows beside the data": {
        "layer": [
            {"mark": "point", "encoding": {"x": {"field": "duration"}, "y": {"field": "amount"}}},
            {
                "data": {"values": [{"limit": 30000}]},
                "mark": "rule",
                "encoding": {"y": {"field": "limit", "type": "quantitative"}},
            },
        ]
    },
    "facets": {
        "facet": {"field": "status"},
        "spec": {"mark": "point", "encoding": {"x": {"field": "duration"}, "y": {"field": "amount"}}},
    },
    "repeats": {
        "repeat": ["amount", "net.amount"],
        "spec": {
            "mark": "bar",
            "encoding": {"x": {"field": {"repeat": "repeat"}, "bin": True}, "y": {"aggregate": "count"}},
        },
    },
    "side by side": {
        "hconcat": [
            {"mark": "bar", "encoding": {"x": {"field": "status"}, "y": {"aggregate": "count"}}},
            {"mark": "boxplot", "encoding": {"x": {"field": "status"}, "y": {"field": "amount"}}},
        ]
    },
    "selection": {
        "params": [{"name": "brush", "select": {"type": "interval", "encodings": ["x"]}}],
        "mark": "point",
        "encoding": {
            "x": {"field": "granted"},
            "y": {"field": "amount"},
            "opacity": {"condition": {"param": "brush", "value": 1}, "value": 0.2},
        },
    },
}


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS.keys())
def test_the_cell_alone_draws_the_same_chart(spec, loans, render, same_chart):
    run, names = render(loans, spec)
    assert run.steps[0].status == "ok", run.steps[0].summary
    same_chart(run, names)


@pytest.mark.parametrize(
    "name", ["bars by count", "mean with a title", "heat map", "line over months", "pie", "histogram"]
)
def test_a_plain_view_is_written_as_a_person_would(name, loans, render):
    run, _ = render(loans, SPECS[name])
    assert "from_dict" not in run.cells[-1].source
    assert ".encode(" in run.cells[-1].source


def test_values_of_every_kind_reach_the_chart_as_altair_writes_them(render, same_chart):
    import datetime
    import decimal

    odd = pd.DataFrame(
        {
            "day": [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2), None],
            "paid": [decimal.Decimal("1.50"), None, decimal.Decimal("2")],
            "took": pd.to_timedelta([1, 2, None], unit="h"),
            "when": pd.to_datetime(["2020-01-01T10:00:00Z", None, "2020-01-02T00:00:00Z"]),
            "n": pd.array([1, None, 3], dtype="Int64"),
            "x": [1.5, float("nan"), float("inf")],
            "kind": pd.Categorical(["a", None, "b"], categories=["a", "b", "c"]),
            "tags": [["a", "b"], None, []],
        }
    )
    channels = {"x": "day", "y": "paid", "size": "took", "color": "when", "opacity": "n", "angle": "x", "shape": "kind"}
    spec = {"mark": "point", "encoding": {c: {"field": f} for c, f in channels.items()}}
    spec["encoding"]["detail"] = {"field": "tags"}
    run, names = render(odd, spec)
    assert run.steps[0].status == "ok", run.steps[0].summary
    same_chart(run, names)


def test_polars_and_arrow_results_are_drawn(loans, render, same_chart):
    import polars as pl

    for frame in (pl.from_pandas(loans[["status", "amount"]]), pl.from_pandas(loans[["status", "amount"]]).to_arrow()):
        run, names = render(frame, SPECS["bars by count"])
        assert run.steps[0].status == "ok", run.steps[0].summary
        same_chart(run, names)


def test_a_bad_spec_stores_nothing_and_says_every_problem(loans, render):
    spec = {
        "data": {"url": "https://example.org/a.csv"},
        "mark": "barr",
        "encoding": {"xx": {"field": "status"}, "y": {"field": "amonut", "aggregate": "meen"}},
    }
    run, names = render(loans, spec)
    assert run.steps[0].status == "failed"
    said = run.steps[0].summary
    for part in ("url", "'barr'", "'xx'", "'amonut'", "amount", "'meen'"):
        assert part in said, said
    assert run.artifacts == []
    assert run.cells == []
    assert list(names) == ["loans"]


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ({"encoding": {"x": N}}, "nothing to draw"),
        (
            {"mark": "bar", "encoding": {"x": N}, "transform": [{"calculate": "datum.amount +", "as": "q"}]},
            "cannot be drawn",
        ),
        ({"mark": "bar", "encoding": {"x": N}, "transform": [{"calculate": "foo(datum.amount)", "as": "q"}]}, "foo"),
        ({"mark": "bar", "encoding": {"x": {"field": "amount", "type": "number"}}}, "no type 'number'"),
        ({"mark": {"type": "image", "url": "https://example.org/x.png"}, "encoding": {"x": N}}, "somewhere else"),
        ({"mark": "bar", "encoding": {"x": N, "href": {"value": "https://example.org"}}}, "somewhere else"),
        ({"mark": "bar", "encoding": {"x": N}, "usermeta": {"embedOptions": {}}}, "usermeta"),
        (
            {
                "mark": "bar",
                "encoding": {"x": N},
                "transform": [{"lookup": "status", "from": {"data": {"url": "x.csv"}, "key": "k", "fields": ["v"]}}],
            },
            "url",
        ),
        ({"mark": "bar", "encoding": {"x": N}, "transform": [{"filterr": "true"}]}, "no transform"),
        ({"mark": "bar", "encoding": {"x": {"field": "amount", "bin": "yes please"}}}, "bin"),
        ({"mark": "bar", "data": {"values": [{"a": 1}]}, "encoding": {"x": {"field": "a"}}}, "values"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_reason(spec, word, loans, render):
    run, _ = render(loans, spec)
    assert run.steps[0].status == "failed"
    assert word in run.steps[0].summary
    assert not run.artifacts


def test_names_in_another_case_are_put_right_and_said(loans, render):
    run, _ = render(loans, {"mark": "bar", "encoding": {"x": {"field": "AMOUNT"}, "y": {"field": "region name"}}})
    chart = run.of(Chart)[0]
    assert chart.spec["encoding"]["x"]["field"] == "amount"
    assert chart.spec["encoding"]["y"]["field"] == "Region Name"
    assert "AMOUNT is amount" in run.steps[0].summary


def test_only_the_columns_that_are_used_are_in_the_chart(loans, render):
    run, _ = render(loans, SPECS["bars by count"])
    assert set(run.of(Chart)[0].spec["data"]["values"][0]) == {"status"}


def test_an_unknown_label_names_the_nearest(loans):
    planner = ScriptedPlanner([call("render_chart", spec=SPECS["bars by count"], label="laons"), say("x")])
    run = Session(planner=planner, namespace={"loans": loans}).ask("draw")
    assert "loans" in run.steps[0].summary
    assert run.steps[0].status == "failed"


def test_an_empty_result_is_not_drawn(loans, render):
    run, _ = render(loans.head(0), SPECS["bars by count"])
    assert "no rows" in run.steps[0].summary


def test_each_chart_has_an_id_of_its_own(loans, render):
    run, _ = render(loans, SPECS["bars by count"], SPECS["pie"])
    assert [s.id for s in run.artifacts] == ["chart_1", "chart_2"]


# -- more rows than a chart holds


@pytest.mark.parametrize(
    "name", ["bars by count", "mean with a title", "line over months", "histogram", "heat map", "pie"]
)
def test_long_results_are_aggregated_in_the_engine_and_say_so(name, many_loans, render, same_chart):
    spec = {**SPECS[name], "encoding": {k: v for k, v in SPECS[name]["encoding"].items() if k != "tooltip"}}
    run, names = render(many_loans, spec)
    assert run.steps[0].status == "ok", run.steps[0].summary
    chart = run.of(Chart)[0]
    assert len(chart.spec["data"]["values"]) < 1000
    assert chart.spec["title"]["subtitle"] == "20,000 rows, aggregated"
    same_chart(run, names)


def test_aggregated_numbers_are_those_of_all_rows(many_loans, render):
    run, _ = render(many_loans, SPECS["bars by count"])
    values = {v["status"]: v["count"] for v in run.of(Chart)[0].spec["data"]["values"]}
    assert values == many_loans["status"].value_counts().to_dict()


def test_bins_hold_every_row(many_loans, render):
    run, _ = render(many_loans, SPECS["histogram"])
    values = run.of(Chart)[0].spec["data"]["values"]
    assert sum(v["count"] for v in values) == 20_000
    assert len(values) <= 6


def test_points_are_sampled_in_the_engine_and_say_so(many_loans, render, same_chart):
    spec = {"title": "Loans", "mark": "point", "encoding": {"x": {"field": "duration"}, "y": {"field": "amount"}}}
    run, names = render(many_loans, spec)
    chart = run.of(Chart)[0]
    assert len(chart.spec["data"]["values"]) == 1_600
    assert chart.spec["title"] == {"text": "Loans", "subtitle": "a sample of 1,600 of 20,000 rows"}
    assert "sample" in run.steps[0].summary
    same_chart(run, names)


def test_fewer_rows_are_drawn_where_they_are_long(many_loans, render, same_chart):
    many_loans["note"] = "of a client who wrote this and that about the loan, " + many_loans["loan_id"].astype(str)
    spec = {
        "mark": "point",
        "encoding": {"x": {"field": "duration"}, "y": {"field": "amount"}, "tooltip": {"field": "note"}},
    }
    run, names = render(many_loans.head(2_000), spec)
    assert run.of(Chart)[0].spec["title"]["subtitle"] == "a sample of 800 of 2,000 rows"
    same_chart(run, names)


def test_groups_of_too_many_bytes_are_refused_with_what_to_do(many_loans, render):
    many_loans["note"] = "of a client who wrote this and that about the loan, " + (many_loans["loan_id"] % 2500).astype(
        str
    )
    run, _ = render(many_loans, {"mark": "bar", "encoding": {"x": {"field": "note"}, "y": {"aggregate": "count"}}})
    assert "draw fewer groups" in run.steps[0].summary
    assert not run.artifacts


def test_the_same_sample_is_drawn_again(many_loans, render):
    spec = {"mark": "point", "encoding": {"x": {"field": "duration"}, "y": {"field": "amount"}}}
    first, second = (render(many_loans, spec)[0].of(Chart)[0].spec for _ in range(2))
    assert first == second


def test_counts_of_a_sample_are_refused(many_loans, render):
    run, _ = render(many_loans, SPECS["facets"] | {"spec": SPECS["bars by count"]})
    assert "would be wrong numbers" in run.steps[0].summary
    assert not run.artifacts


def test_synthetic_data_are_named_in_the_title(bank):
    planner = ScriptedPlanner(
        [
            call("run_sql", sql="SELECT status, count(*) AS n FROM loan GROUP BY status", label="by_status"),
            call(
                "render_chart",
                spec={"mark": "bar", "encoding": {"x": {"field": "status"}, "y": {"field": "n"}}},
                label="by_status",
                title="Loans",
            ),
            say("x"),
        ]
    )
    run = Session(bank, planner=planner, namespace={}).ask("draw")
    assert run.of(Chart)[0].title == "Loans (SYNTHETIC data)"


def test_a_spec_may_come_as_json_text(loans, render):
    import json

    run, _ = render(loans, json.dumps(SPECS["bars by count"]), "{mark: bar")
    assert [s.status for s in run.steps] == ["ok", "failed"]
    assert "no JSON" in run.steps[1].summary


def test_columns_that_are_numbers_are_drawn(loans, render, same_chart):
    frame = loans[["duration", "amount"]].set_axis([0, 1], axis=1)
    run, names = render(frame, {"mark": "point", "encoding": {"x": {"field": "0"}, "y": {"field": "1"}}})
    assert run.steps[0].status == "ok", run.steps[0].summary
    same_chart(run, names)


def test_two_columns_of_one_name_are_refused(loans, render):
    frame = loans[["duration", "amount"]].set_axis(["a", "a"], axis=1)
    run, _ = render(frame, {"mark": "point", "encoding": {"x": {"field": "a"}}})
    assert "more than one column called a" in run.steps[0].summary


def test_a_very_wide_result_is_drawn_from_the_columns_it_uses(render, same_chart):
    frame = pd.DataFrame({f"c{i}": [i, i + 1] for i in range(2_000)})
    run, names = render(frame, {"mark": "point", "encoding": {"x": {"field": "c7"}, "y": {"field": "C1999"}}})
    assert run.steps[0].status == "ok", run.steps[0].summary
    same_chart(run, names)


@pytest.mark.parametrize("word", ["a\0b", "\x01", "\ufffe", "&<>\"'", "</svg>", "x" * 5_000, "a\nb"])
def test_characters_that_no_picture_can_hold_do_not_end_the_kernel(word, render):
    frame = pd.DataFrame({"word": [word, "plain"], "n": [1, 2]})
    spec = {"title": word, "mark": "bar", "encoding": {"x": {"field": "word"}, "y": {"field": "n"}}}
    run, _ = render(frame, spec)
    assert run.steps[0].status == "ok", run.steps[0].summary
    assert run.artifacts[0]._repr_mimebundle_()["image/png"]
    assert run.of(Chart)[0].spec["data"]["values"][0]["word"] == word


def test_an_expression_cannot_make_them_either(loans, render):
    spec = {
        "transform": [{"calculate": "'a\\u0000b'", "as": "odd"}],
        "mark": "bar",
        "encoding": {"x": {"field": "odd", "type": "nominal"}, "y": {"aggregate": "count"}},
    }
    run, _ = render(loans, spec)
    assert run.steps[0].status in ("ok", "failed")
    assert run.steps[0].summary


@pytest.mark.parametrize("column", ["words", "lists", "structs"])
def test_a_sum_of_what_is_no_number_is_refused(column, render):
    frame = pd.DataFrame(
        {
            "g": ["a", "b"],
            "words": ["x", "y"],
            "lists": [[1], [2, 3]],
            "structs": [{"a": 1}, {"a": 2}],
            "yes": [True, False],
        }
    )
    spec = {"mark": "bar", "encoding": {"x": {"field": "g"}, "y": {"aggregate": "sum", "field": column}}}
    run, _ = render(frame, spec, {**spec, "encoding": {**spec["encoding"], "y": {"aggregate": "mean", "field": "yes"}}})
    assert run.steps[0].status == "failed"
    assert f"sum needs numbers, and {column} has none" in run.steps[0].summary
    assert run.steps[1].status == "ok"
