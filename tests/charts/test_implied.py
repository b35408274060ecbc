"""Charts that an answer implies: bars by a key, a line over time, one a question at most, none for anything else."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.tools.implied import implied

BY_STATUS = "SELECT status, count(*) AS n FROM loans GROUP BY status ORDER BY n DESC"
MANY = pd.DataFrame({"city": [f"c{i}" for i in range(31)], "n": range(31)})


def asked(frame: pd.DataFrame, *sql: str, before: tuple[Any, ...] = ()) -> tuple[Any, dict[str, Any]]:
    """Return the run and the namespace of queries, each summarised."""
    names: dict[str, Any] = {"loans": frame}
    lines = list(before)
    for at, text in enumerate(sql):
        label = f"answer_{at}"
        lines += [
            call("run_sql", sql=text, label=label),
            call("summarize_result", question="q", sql_result_label=label),
        ]
    session = Session(planner=ScriptedPlanner([*lines, say("done")]), namespace=names)
    run = session.ask("q")
    session.close()
    assert all(s.status == "ok" for s in run.steps), run.steps
    return run, names


def test_counts_by_a_key_get_bars_in_the_order_of_the_rows(loans, same_chart):
    run, names = asked(loans, BY_STATUS)
    chart = run.of(Chart)[0]
    assert chart.spec["mark"]["type"] == "bar"
    assert chart.spec["encoding"]["y"]["sort"] is None
    assert [v["status"] for v in chart.spec["data"]["values"]] == names["answer_0"]["status"].tolist()
    same_chart(run, names)


@pytest.mark.parametrize(("n", "whole"), [([5, 4], True), ([5.5, 4.0], False), ([500, 4], False)])
def test_small_counts_have_no_halves_on_their_axis(n: list[Any], whole: bool) -> None:
    frame = pd.DataFrame({"status": ["a", "b"], "n": n})
    spec = implied(frame, BY_STATUS)
    assert spec is not None
    assert ("format" in spec["encoding"]["x"]["axis"]) is whole
    if whole:
        convert = pytest.importorskip("vl_convert")
        drawn = {**spec, "width": 420, "data": {"values": frame.to_dict("records")}}
        ticks = re.findall(r">([\d.]+)</text>", convert.vegalite_to_svg(drawn, vl_version="5.20"))
        assert ticks == ["0", "1", "2", "3", "4", "5"]


def test_dates_and_years_get_a_line(loans, same_chart):
    month = "SELECT date_trunc('month', granted) AS month, sum(amount) AS amount FROM loans GROUP BY 1 ORDER BY 1"
    year = "SELECT year(granted) AS year, count(*) AS n FROM loans GROUP BY ALL ORDER BY 1"
    kinds = []
    for sql in (month, year):
        run, names = asked(loans, sql)
        spec = run.of(Chart)[0].spec
        kinds.append((spec["mark"]["type"], spec["encoding"]["x"]["type"]))
        same_chart(run, names)
    assert kinds == [("line", "temporal"), ("line", "ordinal")]


def test_at_most_one_chart_a_question(loans):
    run, _ = asked(loans, BY_STATUS, BY_STATUS)
    assert len(run.of(Chart)) == 1


def test_a_chart_that_was_asked_for_is_enough(loans):
    draw = call("render_chart", label="loans", spec={"mark": "bar", "encoding": {"x": {"field": "amount"}}})
    run, _ = asked(loans, BY_STATUS, before=(draw,))
    assert [c.name for c in run.of(Chart)] == ["chart_1"]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) AS n FROM loans",
        "SELECT loan_id, amount FROM loans ORDER BY amount DESC LIMIT 5",
        "SELECT status, max(granted) AS latest FROM loans GROUP BY 1",
        "SELECT status, duration, count(*) AS n FROM loans GROUP BY 1, 2",
        "SELECT status, count(*) AS n FROM loans WHERE status = 'B' GROUP BY 1",
        "SELECT loan_id, sum(amount) AS total FROM loans GROUP BY ALL LIMIT 1",
    ],
)
def test_numbers_lists_and_wider_results_get_none(loans, sql):
    run, _ = asked(loans, sql)
    assert run.of(Chart) == []


def test_more_than_thirty_groups_get_none():
    assert implied(MANY, "SELECT city, count(*) AS n FROM t GROUP BY city") is None
    assert implied(MANY.head(30), "SELECT city, count(*) AS n FROM t GROUP BY city") is not None


def test_a_missing_or_repeated_key_gets_none():
    sql = "SELECT city, count(*) AS n FROM t GROUP BY city"
    assert implied(pd.DataFrame({"city": ["a", None], "n": [1, 2]}), sql) is None
    assert implied(pd.DataFrame({"city": ["a", "a"], "n": [1, 2]}), sql) is None


def test_an_answer_stands_where_its_chart_cannot_be_drawn(loans, monkeypatch):
    from lexsi_nb.tools import implied as module
    from lexsi_nb.tools.vega.drawing import BadChart

    def refuse(*args: Any, **options: Any) -> None:
        raise BadChart.of(["$: no"])

    monkeypatch.setattr(module, "drawn", refuse)
    run, _ = asked(loans, BY_STATUS)
    assert run.of(Chart) == []
    assert run.steps[1].status == "ok"
