"""Loop control in the real loop (groups 16 to 21): what a tool says about going on is what happens."""

from __future__ import annotations

import asyncio
import json
import re

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.agent.planner import Decision, ToolCall, UsageReport
from lexsi_nb.app.run import RunStopped
from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, calls, say


class Control:
    """Tools that stop, go on, or fail."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    @lx.tool(reveals="schema")
    def go(self, name: str = "go", *, loop: lx.LoopControllerRef) -> str:
        """Go on."""
        self.ran.append(name)
        loop.set_state(loop.PROCEED)
        return f"{name} went on"

    @lx.tool(reveals="schema")
    def answer(self, *, loop: lx.LoopControllerRef) -> dict[str, int]:
        """Answer the question."""
        self.ran.append("answer")
        loop.set_state(loop.STOP_SUCCESS)
        return {"answer": 42}

    @lx.tool(reveals="schema")
    def fatal(self, *, loop: lx.LoopControllerRef) -> str:
        """Stop for good."""
        self.ran.append("fatal")
        loop.set_state(loop.STOP_FATAL, "the licence has expired")
        return "stopping"

    @lx.tool(reveals="schema")
    def fail(self, how: str = "success", *, loop: lx.LoopControllerRef) -> str:
        """Set a state, then fail."""
        self.ran.append("fail")
        loop.set_state(loop.STOP_SUCCESS if how == "success" else loop.STOP_FATAL, "")
        raise ValueError("broken")

    @lx.tool(parallel_safe=True, reveals="schema")
    async def beside(self, name: str, state: str = "go", *, loop: lx.LoopControllerRef) -> str:
        """Run beside others.

        Args:
            name: Whoever calls.
            state: go, success or fatal.
        """
        self.ran.append(f"{name} in")
        await asyncio.sleep(0.01)
        if state == "success":
            loop.set_state(loop.STOP_SUCCESS)
        if state == "fatal":
            loop.set_state(loop.STOP_FATAL, f"{name} is fatal")
        self.ran.append(f"{name} out")
        return f"{name} done"


@pytest.fixture
def control() -> Control:
    return Control()


def run_of(control, *lines, **options):
    planner = ScriptedPlanner(list(lines))
    session = Session(planner=planner, namespace={"t": pd.DataFrame({"a": [1]})}, **options)
    for one in (control.go, control.answer, control.fatal, control.fail, control.beside):
        session.add_tool(one)
    run = session.ask("q")
    assert session.history.open_calls() == []
    return run, planner, session


def statuses(run) -> list[tuple[str, str]]:
    return [(s.tool, s.status) for s in run.steps]


def test_proceed_goes_on(control):
    run, planner, _ = run_of(control, call("go"), say("done"))
    assert (run.answer, len(planner.turns)) == ("done", 2)


def test_success_makes_the_tools_own_result_the_answer_and_skips_later_calls(control):
    run, planner, session = run_of(control, calls(call("go"), call("answer"), call("go", name="late"), call("fatal")))
    assert (run.status, json.loads(run.answer)) == ("answered", {"answer": 42})
    assert control.ran == ["go", "answer"]
    assert len(planner.turns) == 1
    assert statuses(run) == [("go", "ok"), ("answer", "ok"), ("go", "skipped"), ("fatal", "skipped")]
    results = [m for m in session.history.messages if m.role == "tool"]
    assert [m.status for m in results] == ["ok", "ok", "skipped", "skipped"]
    assert "skipped" in results[-1].text


def test_fatal_fails_the_run_with_the_reason(control):
    run, planner, _ = run_of(control, calls(call("fatal"), call("go")), say("never"))
    assert (run.status, run.answer) == ("failed", "the licence has expired")
    assert control.ran == ["fatal"]
    assert len(planner.turns) == 1
    with pytest.raises(RunStopped, match="licence"):
        run.raise_if_stopped()


def test_a_success_of_a_tool_that_failed_counts_for_nothing(control):
    run, planner, _ = run_of(control, call("fail"), say("it failed"))
    assert (run.status, run.answer) == ("answered", "it failed")
    assert len(planner.turns) == 2


def test_a_fatal_stop_of_a_tool_that_failed_counts(control):
    run, planner, _ = run_of(control, call("fail", how="fatal"), say("never"))
    assert run.status == "failed"
    assert "ValueError: broken" in run.answer
    assert len(planner.turns) == 1


def test_calls_side_by_side_overlap_and_each_has_a_controller_of_its_own(control):
    run, _, _ = run_of(control, calls(call("beside", name="a"), call("beside", name="b")), say("done"))
    assert control.ran == ["a in", "b in", "a out", "b out"]
    assert statuses(run) == [("beside", "ok"), ("beside", "ok")]
    assert run.answer == "done"


def test_in_one_turn_a_fatal_stop_outweighs_a_success(control):
    for order in (("success", "fatal"), ("fatal", "success")):
        one, two = (call("beside", name=s, state=s) for s in order)
        run, planner, _ = run_of(control, calls(one, two), say("never"))
        assert (run.status, run.answer) == ("failed", "fatal is fatal")
        assert len(planner.turns) == 1


def test_a_success_side_by_side_is_the_answer_and_the_others_results_stay(control):
    run, _, _ = run_of(
        control, calls(call("beside", name="a"), call("beside", name="b", state="success")), say("never")
    )
    assert (run.status, run.answer) == ("answered", "b done")
    assert statuses(run) == [("beside", "ok"), ("beside", "ok")]


def test_one_call_that_is_not_parallel_safe_puts_all_in_order(control):
    run_of(control, calls(call("beside", name="a"), call("go"), call("beside", name="b")), say("done"))
    assert control.ran == ["a in", "a out", "go", "b in", "b out"]


def test_an_answer_beside_a_failed_call_is_no_answer(control):
    both = Decision(calls=(ToolCall("fail"),), answer="all is well")
    run, planner, _ = run_of(control, both, say("it failed"))
    assert run.answer == "it failed"
    good = Decision(calls=(ToolCall("go"),), answer="all is well")
    run, planner, _ = run_of(control, good, say("never"))
    assert (run.answer, len(planner.turns)) == ("all is well", 1)
    assert control.ran[-1] == "go"


def test_errors_in_a_row_end_the_run_and_a_good_turn_begins_anew(control):
    bad = call("no_such_tool")
    run, _, _ = run_of(control, *[bad] * 6, say("never"))
    assert run.status == "failed"
    assert run.answer.startswith("6 turns in a row failed. Last: No tool 'no_such_tool'.")
    run, _, _ = run_of(control, *[bad] * 5, call("go"), *[bad] * 5, say("done"))
    assert run.answer == "done"


def test_a_planner_sends_fifty_calls_in_one_turn(control):
    run, _, session = run_of(control, calls(*(call("go", name=str(i)) for i in range(50))), say("done"))
    assert len(control.ran) == 20
    assert [s.status for s in run.steps] == ["ok"] * 20 + ["skipped"] * 30
    assert "at most 20 calls in one turn" in run.steps[-1].summary
    assert sum(m.role == "tool" for m in session.history.messages) == 50
    assert run.answer == "done"


def test_a_planner_sends_two_terminal_decisions(control):
    class Two(ScriptedPlanner):
        async def decide(self, turn):
            yield say("one")
            yield say("two")

    session = Session(planner=Two([]), namespace={"t": pd.DataFrame({"a": [1]})})
    run = session.ask("q")
    assert run.status == "failed"
    assert "two decisions in one turn" in run.answer


def test_a_planner_without_a_decision_fails_and_says_so(control):
    class Silent(ScriptedPlanner):
        async def decide(self, turn):
            return
            yield

    run = Session(planner=Silent([]), namespace={"t": pd.DataFrame({"a": [1]})}).ask("q")
    assert (run.status, "without a decision" in run.answer) == ("failed", True)


def test_a_planner_gives_two_calls_one_id(control):
    twins = Decision(calls=(ToolCall("go", {"name": "a"}, "x"), ToolCall("go", {"name": "b"}, "x")))
    _, _, session = run_of(control, twins, say("done"))
    ids = [c.id for m in session.history.messages for c in m.calls]
    assert len(set(ids)) == 2
    assert [m.text for m in session.history.messages if m.role == "tool"] == ["a went on", "b went on"]


def test_every_call_has_a_result_after_an_interrupt_too(control):
    session = Session(
        planner=ScriptedPlanner([call("go"), say("x"), calls(call("stop_me"), call("go"))]),
        namespace={"t": pd.DataFrame({"a": [1]})},
    )

    @lx.tool
    async def stop_me() -> str:
        """Be cancelled."""
        asyncio.current_task().cancel()
        await asyncio.sleep(0)
        return "not reached"

    session.add_tool(control.go)
    session.add_tool(stop_me)
    session.ask("first, so that ids repeat")
    run = session.ask("second")
    assert run.status == "interrupted"
    assert session.history.open_calls() == []
    assert [m.status for m in session.history.messages if m.role == "tool"] == ["ok", "cancelled", "cancelled"]


# -- the agent reference


class ScriptedModel:
    """Answers side queries from a list."""

    name = "scripted-model"

    def __init__(self, *replies: str, local: bool = True) -> None:
        self.replies, self.local = list(replies), local
        self.asked: list[tuple[str, str]] = []
        self.last_usage = UsageReport(1, 30, 12)

    async def complete(self, prompt, *, system="", output_type=str):
        self.asked.append((system, prompt))
        await asyncio.sleep(0)
        return self.replies.pop(0)


@lx.toolset()
class DatasetToolset:
    """Works on one frame, as the document's example does."""

    def __init__(self, df: pd.DataFrame) -> None:
        self.df = df

    def context(self) -> str:
        return f"You are an analyst.\n--- START ---\n{self.dataset_info()}\n--- END ---"

    @lx.tool()
    def dataset_info(self) -> str:
        """
        Inspect the dataset and return information and metadata about it.

        This should be used to answer questions about the dataset.

        Returns:
            str: a textual representation of the dataset
        """
        return f"Columns: {', '.join(self.df.columns)}\nhead:\n{self.df.head(15)}"

    @lx.tool()
    def generate_python_code(self, query: str, agent: lx.AgentRef, loop: lx.LoopControllerRef) -> str:
        """
        Generate Python code to be run in a notebook, for exploring or changing a DataFrame.

        Input is a full question about or request for an action on the loaded dataframe.

        Args:
            query (str): A full question about the current dataset.

        Returns:
            str: The code, as a cell.
        """
        reply = agent.oneshot(prompt="Write Python for the DataFrame df.", query=query)
        loop.set_state(loop.STOP_SUCCESS)
        _, code, _ = re.split(r"```\w*", reply)
        return json.dumps({"action": "code_cell", "language": "python", "content": code.strip()})


def dataset_session(planner, model, **options) -> Session:
    frame = pd.DataFrame({"region": ["N", "S"], "amount": [1.0, 2.0]})
    session = Session(planner=planner, model=model, namespace={"df": frame}, **options)
    session.add_tool(DatasetToolset(frame))
    return session


def test_the_dataset_toolset_of_the_document_ends_in_a_proposed_cell():
    model = ScriptedModel("Sure:\n```python\ntotal = df.groupby('region').amount.sum()\n```\nThat sums it.")
    planner = ScriptedPlanner(
        [calls(call("generate_python_code", query="Sum the amount by region."), call("dataset_info"))]
    )
    session = dataset_session(planner, model)
    run = session.ask("total by region")
    assert run.status == "answered"
    (cell,) = run.cells
    assert (cell.source, cell.language, cell.step) == ("total = df.groupby('region').amount.sum()", "python", 1)
    scope = {"df": session.namespace["df"]}
    exec(cell.source, scope)
    assert scope["total"].to_dict() == {"N": 1.0, "S": 2.0}
    assert model.asked == [("Write Python for the DataFrame df.", "Sum the amount by region.")]
    assert (run.usage.requests, run.usage.input_tokens, run.usage.output_tokens) == (1, 30, 12)
    assert [s.status for s in run.steps] == ["ok", "skipped"]


def test_a_side_query_leaves_no_trace_in_the_history():
    model = ScriptedModel("```\n1\n```")
    session = dataset_session(ScriptedPlanner([call("generate_python_code", query="One?")]), model)
    session.ask("q")
    assert [(m.role, m.name) for m in session.history.messages] == [
        ("user", ""), ("assistant", ""), ("tool", "generate_python_code"), ("assistant", ""),
    ]  # fmt: skip
    assert not any("Write Python" in m.text for m in session.history.messages)


def test_usage_of_side_queries_is_told_while_the_run_goes():
    model = ScriptedModel("```\n1\n```")
    session = dataset_session(ScriptedPlanner([call("generate_python_code", query="One?")]), model)
    seen = []
    session.ask("q", on_event=lambda e: seen.append(e) if e.kind == "usage_updated" else None)
    assert [(e.requests, e.input_tokens) for e in seen] == [(1, 30)]


class Far(ScriptedPlanner):
    """A scripted planner that is not on this machine."""

    local = False


@pytest.mark.parametrize(("policy", "there"), [("schema", False), ("stats", False), ("rows", True)])
def test_a_toolsets_context_joins_the_framing_under_the_data_policy(policy, there):
    planner = Far([say("x")])
    dataset_session(planner, None, policy=policy).ask("q")
    assert planner.turns[0].system.startswith("You are the data analyst")
    assert ("--- START ---" in planner.turns[0].system) == there
    assert ("withheld by the data policy" in planner.turns[0].system) != there
    near = ScriptedPlanner([say("x")])
    dataset_session(near, None).ask("q")
    assert "--- START ---" in near.turns[0].system


@pytest.mark.parametrize("policy", ["schema", "rows"])
def test_a_model_elsewhere_is_asked_only_what_the_policy_lets_out(policy):
    model = ScriptedModel("```\n1\n```", local=False)
    planner = ScriptedPlanner([call("generate_python_code", query="One?"), say("x")])
    run = dataset_session(planner, model, policy=policy).ask("q")
    assert run.steps[0].status == ("failed" if policy == "schema" else "ok")
    assert len(model.asked) == (policy == "rows")


def test_without_a_model_the_tool_says_what_it_needs():
    run = dataset_session(ScriptedPlanner([call("generate_python_code", query="x"), say("x")]), None).ask("q")
    assert "Session(model=...)" in run.steps[0].summary


def test_an_async_tool_may_ask_too():
    @lx.tool(reveals="schema")
    async def pirate(query: str, agent: lx.AgentRef) -> str:
        """Ask in pirate words."""
        return agent.oneshot(prompt="You are a pirate.", query=query)

    session = Session(
        planner=ScriptedPlanner([call("pirate", query="Hello?"), say("x")]),
        model=ScriptedModel("Ahoy"), namespace={"t": pd.DataFrame({"a": [1]})},
    )  # fmt: skip
    session.add_tool(pirate)
    run = session.ask("q")
    assert run.steps[0].summary == "Ahoy"
    assert run.usage.requests == 1


def test_added_context_is_read_from_the_next_step_on_and_calls_stay_beside_their_results():
    @lx.tool(reveals="schema")
    def learn(text: str, agent: lx.AgentRef) -> str:
        """Tell the planner something."""
        agent.add_context(text)
        assert agent.inspect()["planner"] == "scripted"
        return f"{len(agent.history)} messages"

    planner = ScriptedPlanner([calls(call("learn", text="prefer euros"), call("learn", text="be brief")), say("x")])
    session = Session(planner=planner, namespace={"t": pd.DataFrame({"a": [1]})})
    session.add_tool(learn)
    session.ask("q")
    assert [(m.role, m.text) for m in planner.turns[1].messages[2:]] == [
        ("tool", "2 messages"), ("tool", "3 messages"), ("system", "prefer euros"), ("system", "be brief"),
    ]  # fmt: skip


def test_added_context_is_cut_for_a_planner_elsewhere():
    @lx.tool
    def learn(agent: lx.AgentRef) -> None:
        """Tell the planner a row."""
        agent.add_context("client 17 earns 900")

    planner = Far([call("learn"), say("x")])
    session = Session(planner=planner, namespace={"t": pd.DataFrame({"a": [1]})})
    session.add_tool(learn)
    session.ask("q")
    assert "client 17" not in planner.turns[1].messages[-1].text
    assert "withheld" in planner.turns[1].messages[-1].text


def test_an_answer_of_a_tool_is_whole_for_the_person_and_cut_in_the_history_of_a_planner_elsewhere():
    @lx.tool
    def rows(loop: lx.LoopControllerRef) -> str:
        """Show a row."""
        loop.set_state(loop.STOP_SUCCESS)
        return "client 17 earns 900"

    @lx.tool
    def stop(loop: lx.LoopControllerRef) -> str:
        """Stop with a row in the reason."""
        loop.set_state(loop.STOP_FATAL, "client 17 is missing")
        return "client 17"

    for name in ("rows", "stop"):
        planner = Far([call(name), say("x")])
        session = Session(planner=planner, namespace={"t": pd.DataFrame({"a": [1]})})
        session.add_tool(rows)
        session.add_tool(stop)
        assert "client 17" in session.ask("q").answer
        session.ask("and now?")
        assert not any("client 17" in m.text for m in planner.turns[-1].messages)
