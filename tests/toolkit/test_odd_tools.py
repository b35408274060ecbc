"""Tools and cells of odd shapes: what a breaker tried, and what has to come of it."""

from __future__ import annotations

import asyncio
import functools
import itertools
from typing import TypeVar

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.agent.planner import Decision, ToolCall
from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, say
from lexsi_nb.planners.scripted import call as step


def ask(tool, *lines, **options):
    options.setdefault("namespace", {"t": pd.DataFrame({"a": [1]})})
    session = Session(planner=ScriptedPlanner([*(lines or [step(tool.__name__)]), say("done")]), **options)
    session.add_tool(tool)
    return session.ask("q")


def test_what_a_generator_gives_is_the_result_and_one_without_an_end_fails():
    @lx.tool
    def squares(n: int) -> list[int]:
        """Return squares."""
        return (i * i for i in range(n))  # type: ignore[return-value]

    @lx.tool
    def for_ever() -> list[int]:
        """Return numbers."""
        return itertools.count()  # type: ignore[return-value]

    assert ask(squares, step("squares", n=3)).steps[0].summary == "[0, 1, 4]"
    run = ask(for_ever)
    assert (run.steps[0].status, run.status) == ("failed", "answered")
    assert "return a list or a frame" in run.steps[0].summary


def test_a_generator_of_cells_proposes_them():
    @lx.tool
    def propose() -> list[lx.CodeCell]:
        """Propose cells."""
        return (lx.CodeCell(f"x_{i} = {i}") for i in range(2))  # type: ignore[return-value]

    assert [c.source for c in ask(propose).cells] == ["x_0 = 0", "x_1 = 1"]


def outer(fn):
    @functools.wraps(fn)
    def around(*args, **kwargs):
        return fn(*args, **kwargs) * 10

    return around


def test_a_decorator_around_a_tool_is_not_passed_by():
    @outer
    @lx.tool
    def ten(n: int) -> int:
        """Return ten times the number."""
        return n

    @lx.toolset
    class Set:
        @outer
        @lx.tool
        def more(self, n: int) -> int:
            """Return ten times the number."""
            return n

    assert ask(ten, step("ten", n=4)).steps[0].summary == "40"
    session = Session(planner=ScriptedPlanner([step("more", n=5), say("x")]), namespace={"t": pd.DataFrame({"a": [1]})})
    session.add_tool(Set())
    assert session.ask("q").steps[0].summary == "50"


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, asyncio.CancelledError, SystemExit])
@pytest.mark.parametrize("kind", ["thread", "async"])
def test_whatever_a_tool_raises_the_run_goes_on(error, kind):
    @lx.tool(thread_safe=True)
    def bad() -> str:
        """Raise."""
        raise error

    @lx.tool(name="bad")
    async def bad_async() -> str:
        """Raise."""
        raise error

    run = ask(bad if kind == "thread" else bad_async, step("bad"))
    assert (run.status, run.answer) == ("answered", "done")
    assert run.steps[0].status == "failed"
    assert error.__name__ in run.steps[0].summary


def test_an_interrupt_on_the_cells_thread_is_a_cancelled_step():
    @lx.tool
    def stop() -> str:
        """Be interrupted."""
        raise KeyboardInterrupt

    run = ask(stop)
    assert (run.status, run.steps[0].status) == ("interrupted", "cancelled")


def test_half_a_character_is_replaced_and_kept_nowhere():
    @lx.tool(side_effect="write", reveals="schema")
    def half() -> str:
        """Return half a character."""
        return "a\ud800b"

    run = ask(half)
    assert run.steps[0].summary == "a?b"
    assert run.status == "answered"


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("select 1", "sql"),
        ("not python ((", "python"),
        ("%matplotlib inline\n!ls 'x\nnew = 5", "python"),
        ("a\x00", "python"),
    ],
)
def test_a_cell_that_is_no_plain_python_is_proposed_as_it_is(source, language, tmp_path):
    @lx.tool
    def propose() -> dict[str, str]:
        """Propose a cell."""
        return {"action": "code_cell", "language": language, "content": source}

    run = ask(propose)
    assert run.status == "answered", run.answer
    assert [(c.source, c.language) for c in run.cells] == [(source, language)]
    if language == "sql":
        import nbformat

        cell = nbformat.read(run.export(tmp_path / "x.ipynb"), as_version=4).cells[-1]
        assert (cell.cell_type, cell.source) == ("markdown", "```sql\nselect 1\n```")


def test_a_tool_defined_anew_while_its_call_waits_is_asked_about_anew():
    def made(words: str):
        @lx.tool(side_effect="irreversible", reveals="schema")
        def wipe(what: str) -> str:
            """Wipe.

            Args:
                what: What.
            """
            return words

        return wipe

    def other():
        @lx.tool(side_effect="irreversible", reveals="schema")
        def wipe(what: str) -> str:
            """Wipe.

            Args:
                what: What.
            """
            return f"everything, not {what}"

        return wipe

    run = ask(made("wiped"), step("wipe", what="x"))
    session, old = run.on_resume.__self__, run.approval.id
    session.add_tool(other(), replace=True)
    run.resume(approve=True)
    assert run.status == "awaiting_approval"
    assert run.approval.id != old
    run.resume(approve=True)
    assert run.steps[0].summary == "everything, not x"
    same = ask(made("wiped"), step("wipe", what="y"))
    same.on_resume.__self__.add_tool(made("wiped"), replace=True)
    assert same.resume(approve=True).steps[0].summary == "wiped", "a cell run again is the same tool"


def test_a_name_in_approve_that_is_no_tool_is_warned_of():
    @lx.tool
    def wipe() -> str:
        """Wipe."""
        return "x"

    run = ask(wipe, approve=("wipee",))
    assert "approve names 'wipee', which is no tool. Nearest: wipe." in run.facts["warnings"]


def test_a_check_that_says_true_says_what_to_return(call):
    @lx.tool(check=lambda args: True)
    def f() -> str:
        """F."""
        return "x"

    outcome = call(f)
    assert outcome.status == "failed"
    assert "return a list of problems" in outcome.result.error


def test_calls_side_by_side_are_told_in_the_order_they_were_called_in():
    @lx.tool(parallel_safe=True)
    async def wait(turns: int) -> str:
        """Wait for so many turns of the loop."""
        for _ in range(turns):
            await asyncio.sleep(0)
        return f"{turns}"

    together = Decision(calls=tuple(ToolCall("wait", {"turns": n}) for n in (9, 1, 5)))
    run = ask(wait, together)
    assert [s.summary for s in run.steps] == ["9", "1", "5"]
    assert [s.number for s in run.steps] == [1, 2, 3]


def test_a_type_that_stands_for_anything_is_refused():
    anything = TypeVar("anything")
    with pytest.raises(TypeError, match="anything stands for anything"):

        @lx.tool
        def f(x: anything) -> str:
            """F."""
            return "x"


@pytest.mark.parametrize(("summary", "text"), [(None, ""), (5, "5")])
def test_a_result_made_by_hand_of_odd_parts_is_taken(call, summary, text):
    @lx.tool
    def f() -> lx.ToolResult:
        """F."""
        return lx.ToolResult(True, summary, artifacts=None, meta=None)  # type: ignore[arg-type]

    outcome = call(f)
    assert (outcome.status, outcome.result.observation.text) == ("ok", text)


def test_an_asynchronous_generator_is_said():
    @lx.tool
    async def f() -> list[int]:
        """F."""

        async def numbers():
            yield 1

        return numbers()  # type: ignore[return-value]

    assert "asynchronous generator" in ask(f).steps[0].summary


def test_an_object_whose_class_is_no_toolset_says_what_to_write():
    class Base:
        @lx.tool
        def a(self) -> str:
            """A."""
            return "a"

    with pytest.raises(TypeError, match=r"Write @lx\.toolset before class Base"):
        Session(namespace={"t": pd.DataFrame({"a": [1]})}).add_tool(Base())
