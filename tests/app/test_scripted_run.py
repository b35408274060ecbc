"""Runs driven by a script, over kernel frames: the loop, the gates and the session without any guessing."""

from __future__ import annotations

import asyncio

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, calls, decline, say


@pytest.fixture
def loans() -> pd.DataFrame:
    return pd.DataFrame({"loan_id": [1, 2, 3, 4], "amount": [10.0, 20.0, 30.0, 40.0], "status": list("ABAB")})


def session_of(lines, namespace) -> Session:
    return Session(planner=ScriptedPlanner(lines), namespace=namespace)


def test_a_label_becomes_a_variable_and_a_view(loans):
    names = {"loans": loans}
    run = session_of(
        [
            call("run_sql", sql="SELECT * FROM loans WHERE status = 'A'", label="good"),
            call("run_sql", sql="SELECT sum(amount) AS total FROM good", label="total"),
            say("done"),
        ],
        names,
    ).ask("total of A")
    assert run.status == "answered", run.answer
    assert names["good"]["loan_id"].tolist() == [1, 3]
    assert names["total"].iloc[0, 0] == 40.0
    assert [v.name for v in run.variables] == ["good", "total"]
    assert [s.status for s in run.steps] == ["ok", "ok"]


def test_the_cells_alone_give_the_same_frames(loans):
    names = {"loans": loans}
    run = session_of(
        [
            call("run_sql", sql="SELECT * FROM loans WHERE status = 'A'", label="good"),
            call("run_sql", sql="SELECT sum(amount) AS total FROM good", label="total"),
            say("done"),
        ],
        names,
    ).ask("total of A")
    alone = {"loans": loans}
    for cell in run.cells:
        assert "lexsi" not in cell.source
        exec(cell.source, alone)
    pd.testing.assert_frame_equal(alone["good"], names["good"])
    pd.testing.assert_frame_equal(alone["total"], names["total"])


def test_an_edit_in_place_is_seen_by_the_next_query(loans):
    names = {"loans": loans}
    session = session_of([call("run_sql", sql="SELECT sum(amount) AS s FROM loans", label="s"), say("1")] * 2, names)
    session.ask("sum")
    loans.loc[0, "amount"] = 1000.0
    session.ask("sum again")
    assert session.runs[-1].frame.iloc[0, 0] == 1090.0


def test_a_users_variable_is_never_overwritten(loans):
    mine = pd.DataFrame({"x": [1]})
    names = {"loans": loans, "good": mine}
    run = session_of([call("run_sql", sql="SELECT * FROM loans", label="good"), say("done")], names).ask("q")
    assert names["good"] is mine
    assert len(names["good_2"]) == 4
    assert any("good_2" in w for w in run.facts["warnings"])


def test_a_failed_call_leaves_the_namespace_unchanged_and_names_what_is_near(loans):
    names = {"loans": loans}
    before = dict(names)
    run = session_of([call("run_sql", sql="SELECT amonut FROM loans", label="x"), say("sorry")], names).ask("q")
    assert names == before
    assert run.steps[0].status == "failed"
    assert "amount" in run.steps[0].summary


def test_three_steps_allow_three_decisions_and_one_forced_answer(loans):
    planner = ScriptedPlanner([call("inspect_data")] * 9, last_words="out of steps")
    run = Session(planner=planner, namespace={"loans": loans}, max_steps=3).ask("q")
    assert [t.force_final for t in planner.turns] == [False, False, False, True]
    assert len(run.steps) == 3
    assert run.answer == "out of steps"


def test_an_unknown_tool_is_answered_with_the_nearest_name(loans):
    run = session_of([call("run_sqll", sql="SELECT 1"), say("x")], {"loans": loans}).ask("q")
    assert run.steps[0].status == "unknown_tool"
    assert "run_sql" in run.steps[0].summary


def test_declining_calls_no_tool(loans):
    run = session_of([decline("no idea")], {"loans": loans}).ask("what is the meaning of life?")
    assert (run.status, run.steps, run.cells) == ("declined", [], [])


def test_calls_of_one_turn_each_have_a_result(loans):
    planner = ScriptedPlanner(
        [calls(call("inspect_data"), call("sample_values", table="loans", column="status")), say("x")]
    )
    session = Session(planner=planner, namespace={"loans": loans})
    session.ask("q")
    assert session.history.open_calls() == []
    assert "A: 2" in planner.turns[1].observations("sample_values")[0].text


def test_ask_works_inside_a_running_event_loop(loans):
    async def inside() -> str:
        return session_of([say("fine")], {"loans": loans}).ask("q").answer

    assert asyncio.run(inside()) == "fine"


def test_stream_ends_with_the_turn(loans):
    session = session_of([call("inspect_data"), say("fine")], {"loans": loans})

    async def kinds() -> list[str]:
        return [e.kind async for e in session.stream("q")]

    got = asyncio.run(kinds())
    assert got[0] == "run_started"
    assert got[-1] == "turn_finished"
    assert "tool_finished" in got
    assert session.runs[-1].answer == "fine"


def test_no_data_is_a_clear_failure():
    run = Session(planner=ScriptedPlanner([say("x")]), namespace={}).ask("q")
    assert run.status == "failed"
    assert "no DataFrame" in run.answer


def test_a_dry_run_stops_before_the_first_change(loans):
    names = {"loans": loans}
    run = session_of([call("inspect_data"), call("run_sql", sql="SELECT 1", label="x")], names).ask("q", dry_run=True)
    assert run.steps[-1].status == "dry_run"
    assert "x" not in names
