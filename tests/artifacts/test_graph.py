"""The result graph: typed nodes, parents, fingerprints, the cell of each, and staleness that follows edits."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.app.graph import UnknownNode
from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.widgets.graph import graph_html, graph_text

LINES = [
    call("run_sql", sql="SELECT * FROM loans WHERE status = 'A'", label="good"),
    call("run_sql", sql="SELECT status, sum(amount) AS amount FROM good GROUP BY 1", label="total"),
    call(
        "render_chart",
        label="total",
        spec={"mark": "bar", "encoding": {"x": {"field": "status"}, "y": {"field": "amount"}}},
    ),
    say("done"),
]


@pytest.fixture
def asked():
    """Return (run, namespace, session) of two queries and a chart over a frame."""
    names = {"loans": pd.DataFrame({"status": list("ABAB"), "amount": [1.0, 2.0, 3.0, 4.0]})}
    session = Session(planner=ScriptedPlanner([*LINES, *LINES]), namespace=names)
    yield session.ask("total of A"), names, session
    session.close()


def test_nodes_stand_after_what_they_came_from(asked):
    run, _, _ = asked
    assert [(n.id, n.kind, n.parents) for n in run.graph] == [
        ("loans", "frame", ()),
        ("good", "frame", ("loans",)),
        ("total", "frame", ("good",)),
        ("chart_1", "chart", ("total",)),
    ]
    assert {n.state for n in run.graph} == {"fresh"}


def test_each_node_has_its_content_and_its_cell(asked):
    run, _, session = asked
    assert run.graph["good"].fingerprint == session.variables.fingerprint("good")
    assert run.graph["loans"].fingerprint == session.variables.fingerprint("loans")
    assert run.graph["good"].cell.produces == ("good",)
    assert run.graph["chart_1"].cell.kind == "chart"
    assert [n.id for n in run.graph.children("good")] == ["total"]


def test_an_edit_in_place_makes_everything_below_stale(asked):
    run, names, _ = asked
    names["loans"].loc[0, "amount"] = 100.0
    graph = run.graph
    assert graph["loans"].state == "edited"
    assert set(graph.stale()) == {"good", "total", "chart_1"}
    assert graph["good"].text == "stale: loans was edited since step 1"


def test_an_edit_of_a_result_is_edited_there_and_stale_below(asked):
    run, names, _ = asked
    names["good"].loc[0, "amount"] = 100.0
    states = {n.id: n.state for n in run.graph}
    assert states == {"loans": "fresh", "good": "edited", "total": "stale", "chart_1": "stale"}


def test_a_variable_made_again_by_another_run_is_replaced_here(asked):
    run, names, session = asked
    names["loans"].loc[0, "amount"] = 100.0
    later = session.ask("total of A, please")
    assert {n.state for n in later.graph} == {"fresh"}
    assert run.graph["good"].text == f"replaced: made again by run {later.id}"


def test_a_deleted_variable_is_gone(asked):
    run, names, _ = asked
    del names["good"], names["loans"]
    assert run.graph["good"].text == "gone: the variable was deleted"
    assert run.graph["loans"].state == "gone"


def test_an_unknown_node_names_the_nearest(asked):
    with pytest.raises(UnknownNode, match="total"):
        asked[0].graph["totl"]


def test_the_north_star_is_one_graph(bank_run):
    graph = bank_run.graph
    kinds = {n.id: n.kind for n in graph}
    assert kinds["bank"] == "dataset"
    assert kinds["context_df"] == "frame"
    assert (kinds["model"], kinds["predictions"], kinds["attributions"]) == ("model", "predictions", "attributions")
    assert [n.parents for n in graph.of("chart")] == [("predictions",), ("attributions",)]
    assert set(graph["predictions"].parents) == {"predict_df", "model"}
    ids = [n.id for n in graph]
    assert all(ids.index(p) < ids.index(n.id) for n in graph for p in n.parents if p in ids)


def test_the_command_prints_it(ip, capsys):
    ip.user_ns["loans"] = pd.DataFrame({"status": list("ABAB"), "amount": [1.0, 2.0, 3.0, 4.0]})
    magics = ip._lexsi_magics
    magics.session.use(planner=ScriptedPlanner(LINES))
    magics.session.ask("total of A")
    ip.run_line_magic("lexsi", "graph")
    out = capsys.readouterr().out
    assert "chart_1" in out
    assert "fresh" in out


def test_text_and_html_say_the_same(asked):
    graph = asked[0].graph
    assert graph_text(graph).splitlines()[0].split() == [
        "result",
        "kind",
        "what",
        "from",
        "made",
        "by",
        "content",
        "state",
    ]
    for node in graph:
        assert node.id in graph_text(graph)
        assert node.id in graph_html(graph)


def test_a_result_of_an_earlier_run_says_who_made_it_and_that_it_was_edited():
    names = {"loans": pd.DataFrame({"status": list("ABAB"), "amount": [1.0, 2.0, 3.0, 4.0]})}
    total = call("run_sql", sql="SELECT sum(amount) AS amount FROM good", label="total")
    session = Session(planner=ScriptedPlanner([LINES[0], say("done"), total, say("done")]), namespace=names)
    first = session.ask("those in A")
    names["good"]["amount"] *= 2
    second = session.ask("their total")
    read = second.graph["good"]
    assert (read.kind, read.parents, read.tool) == ("frame", ("loans",), f"run_sql of run {first.id}")
    assert read.text == "fresh: edited before it was read"
    names["good"]["amount"] *= 2
    assert second.graph["good"].text == "edited: changed since it was read"
    session.close()
