"""Tools and planners that misbehave, in the real loop: the run ends in order and nothing acts that should not."""

from __future__ import annotations

import asyncio
import threading

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.session import DEFAULT_SCOPES, Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, calls, say

SECRET = "sk-abcdefghijklmnop1234567890"


def session_of(tools, *lines, **options) -> Session:
    options.setdefault("namespace", {"t": pd.DataFrame({"a": [1, 2]})})
    session = Session(planner=ScriptedPlanner(list(lines)), **options)
    for tool in tools:
        session.add_tool(tool)
    return session


# -- tools


def test_a_tool_that_raises_leaves_a_short_text_for_the_planner_and_the_traceback_for_the_person():
    @lx.tool
    def bad() -> None:
        """Fail."""
        raise ZeroDivisionError(f"login with {SECRET} failed")

    session = session_of([bad], call("bad"), say("it failed"))
    run = session.ask("q")
    assert run.steps[0].summary == "bad failed. ZeroDivisionError: login with [secret] failed"
    assert "Traceback" not in run.steps[0].summary
    assert SECRET not in str(session.history.messages)


def test_a_tool_that_hangs_is_given_up_and_the_run_goes_on():
    let_go = threading.Event()

    @lx.tool(timeout=0.2, thread_safe=True)
    def hang() -> str:
        """Hang."""
        let_go.wait(20)
        return "late"

    run = session_of([hang], call("hang"), say("gave up")).ask("q")
    let_go.set()
    assert run.answer == "gave up"
    assert run.steps[0].summary == "hang failed. It did not finish within 0.2 s."


def test_a_tool_that_hangs_after_acting_is_not_asked_again():
    let_go, acted = threading.Event(), []

    @lx.tool(timeout=0.2, thread_safe=True, side_effect="write", reveals="schema")
    def pay() -> str:
        """Pay."""
        acted.append(1)
        let_go.wait(20)
        return "paid"

    run = session_of([pay], call("pay"), call("pay"), say("check it")).ask("q")
    let_go.set()
    assert acted == [1]
    assert [s.status for s in run.steps] == ["failed", "rejected"]


def test_a_hundred_megabytes_are_cut_for_the_planner_and_whole_for_the_notebook():
    @lx.tool(thread_safe=True)
    def flood() -> str:
        """Say much."""
        return "x" * 100_000_000

    session = session_of([flood], call("flood"), say("much"))
    run = session.ask("q")
    assert len(run.steps[0].summary) < 21_000
    assert "cut" in run.steps[0].summary
    assert sum(len(m.text) for m in session.history.messages) < 25_000


def test_what_a_tool_prints_reaches_neither_the_planner_nor_the_history(capsys):
    @lx.tool(reveals="schema")
    def chatty() -> str:
        """Print a secret."""
        print(SECRET)
        return "said nothing"

    session = session_of([chatty], call("chatty"), say("done"))
    run = session.ask("q")
    assert SECRET not in str(session.history.messages)
    assert SECRET not in str(run.steps)
    assert "print" not in run.steps[0].summary


def test_a_secret_argument_is_in_no_step_and_no_message():
    got = []

    @lx.tool(reveals="schema")
    def login(password: str) -> str:
        """Log in."""
        got.append(password)
        return "in"

    session = session_of([login], call("login", password="hunter22hunter22"), say("done"))
    run = session.ask("q")
    assert got == ["hunter22hunter22"]
    assert "hunter22" not in str(run.steps)
    assert "hunter22" not in str(session.history.messages)


def test_a_tool_that_changes_its_arguments_changes_nothing_else():
    @lx.tool
    def greedy(names: list[str], options: dict[str, int] | None = None) -> str:
        """Change the arguments."""
        names.clear()
        if options is not None:
            options["more"] = 1
        return "done"

    step = call("greedy", names=["a", "b"], options={"x": 1})
    session = session_of([greedy], step, step, say("done"))
    run = session.ask("q")
    for made in run.steps:
        assert made.args == {"names": ["a", "b"], "options": {"x": 1}}
    assert session.history.messages[1].calls[0].args == {"names": ["a", "b"], "options": {"x": 1}}


def test_a_tool_cannot_call_another_through_the_run_past_its_gates():
    acted = []

    @lx.tool(side_effect="irreversible")
    def drop() -> str:
        """Drop everything."""
        acted.append(1)
        return "dropped"

    @lx.tool
    def sly(ctx: lx.ContextRef, agent: lx.AgentRef) -> str:
        """Look for a way around."""
        ways = [name for name in ("call", "registry", "approve", "run_tool") if hasattr(agent, name)]
        ways += [name for name in ("registry", "session") if hasattr(ctx, name) or hasattr(ctx.run, name)]
        return ",".join(ways) or "none"

    run = session_of([drop, sly], call("sly"), say("x")).ask("q")
    assert run.steps[0].summary == "none"
    assert acted == []


def test_a_tool_that_asks_its_own_session_is_refused_instead_of_waiting_for_ever():
    @lx.tool
    def nested() -> str:
        """Ask again."""
        return session.ask("inner").answer

    session = session_of([nested], call("nested"), say("x"))
    run = session.ask("q")
    assert "Another question is still running" in run.steps[0].summary
    assert run.answer == "x"


def test_a_tool_that_is_cancelled_half_way_writes_nothing_and_keeps_its_key():
    acted = []

    @lx.tool(side_effect="write", reveals="schema")
    async def half(ctx: lx.ContextRef) -> str:
        """Act, and be cancelled."""
        ctx.write("made", pd.DataFrame({"x": [1]}))
        acted.append(1)
        asyncio.current_task().cancel()
        await asyncio.sleep(0)
        return "not reached"

    names = {"t": pd.DataFrame({"a": [1]})}
    session = session_of([half], call("half"), call("half"), say("check it"), namespace=names)
    run = session.ask("q")
    assert run.status == "interrupted"
    assert "made" not in names
    assert session.history.open_calls() == []
    again = session.ask("q")
    assert [s.status for s in again.steps] == ["rejected"]
    assert acted == [1]


def test_an_effect_or_a_check_that_raises_keeps_the_call_from_running():
    acted = []

    def broken(args):
        raise KeyError("nope")

    for option in ({"effect": broken}, {"check": broken}, {"needs_approval": broken, "side_effect": "write"}):

        @lx.tool(name="act", **{"side_effect": "irreversible", **option})
        def act() -> str:
            """Act."""
            acted.append(1)
            return "acted"

        run = session_of([act], call("act"), say("could not")).ask("q", approve=("act",))
        assert run.steps[0].status == "failed"
    assert acted == []


# -- planners


def test_a_planner_that_invents_arguments_is_told_every_problem_at_once():
    run = session_of([], call("sample_values", tabel="t", column=3, k="many", colour="red"), say("x")).ask("q")
    step = run.steps[0]
    assert step.status == "invalid"
    for word in ("tabel", "table", "column", "k", "colour"):
        assert word in step.summary


@pytest.mark.parametrize("args", [None, [], "sql", {"sql": {"nested": 1}}, {1: 2}])
def test_a_planner_whose_arguments_are_no_object_is_answered(args):
    from lexsi_nb.agent.planner import Decision, ToolCall

    session = session_of([], Decision(calls=(ToolCall("run_sql", args),)), say("x"))
    run = session.ask("q")
    assert run.steps[0].status == "invalid"
    assert run.answer == "x"


def test_a_planner_that_calls_a_removed_tool_is_told_what_there_is():
    session = session_of([], call("sample_values", table="t", column="a"), say("x"))
    session.remove_tool("sample_values")
    run = session.ask("q")
    assert run.steps[0].status == "unknown_tool"
    assert session.history.open_calls() == []


def test_a_tool_removed_in_mid_run_is_unknown_from_then_on():
    @lx.tool
    def saw() -> str:
        """Remove another tool."""
        session.remove_tool("sample_values")
        return "gone"

    session = session_of([saw], calls(call("saw"), call("sample_values", table="t", column="a")), say("x"))
    assert [s.status for s in session.ask("q").steps] == ["ok", "unknown_tool"]


def test_a_planner_cannot_supply_a_reference():
    @lx.tool
    def f(agent: lx.AgentRef, loop: lx.LoopControllerRef) -> str:
        """Do."""
        return "ran"

    run = session_of([f], call("f", agent="me", loop="mine"), say("x")).ask("q")
    assert run.steps[0].status == "invalid"


def test_a_planner_cannot_approve_for_the_person():
    acted = []

    @lx.tool(side_effect="irreversible", scopes="danger")
    def drop(approved: bool = False, approve: str = "") -> str:
        """Drop."""
        acted.append(1)
        return "dropped"

    session = session_of([drop], call("drop", approved=True, approve="yes"), scopes=DEFAULT_SCOPES | {"danger"})
    run = session.ask("approve=drop --approve drop please")
    assert run.status == "awaiting_approval"
    assert acted == []


def test_a_planner_that_raises_ends_the_run_with_a_line():
    def bang(turn):
        raise RuntimeError("no more ideas")

    run = session_of([], bang).ask("q")
    assert (run.status, run.answer) == ("failed", "RuntimeError: no more ideas")
    assert "Traceback" in run.traceback
