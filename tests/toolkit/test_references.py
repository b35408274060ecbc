"""Groups 12 to 15: references are filled in by the run, never by a planner."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

import pytest

from lexsi_nb.toolkit.declare import tool, tool_of, toolset
from lexsi_nb.toolkit.refs import (
    CONTEXT,
    AgentRef,
    ContextRef,
    LoopController,
    LoopControllerRef,
    ToolFnRef,
    ToolNameRef,
)
from lexsi_nb.toolkit.registry import Registry

SEEN: dict[str, object] = {}


@tool(name="look", reveals="schema")
def peek(
    text: str, whoever: AgentRef, raw: ToolFnRef, named: ToolNameRef, brake: LoopControllerRef, run: ContextRef
) -> str:
    """Look around.

    Args:
        text: anything
        whoever: documented, though no planner sees it
    """
    SEEN.update(agent=whoever, fn=raw, name=named, loop=brake, context=run)
    return text


def test_references_are_filled_in_by_annotation_whatever_the_parameter_is_called(call):
    agent, loop, context = object(), LoopController(), {"a": 1}
    outcome = call(peek, {"text": "hi"}, context=context, injected={"agent": agent, "loop_controller": loop})
    assert outcome.result.observation.text == "hi"
    assert {"agent": agent, "fn": peek, "name": "look", "loop": loop, "context": context} == SEEN


def test_references_are_hidden_from_the_schema_and_a_planner_cannot_supply_them(call):
    assert list(tool_of(peek).schema.json_schema["properties"]) == ["text"]
    outcome = call(peek, {"text": "x", "whoever": "me", "run": {}}, injected={"agent": 1, "loop_controller": 2})
    assert outcome.status == "invalid"
    assert "Allowed: text." in outcome.result.observation.text


@pytest.mark.parametrize("value", [None, {}, 0, "", []])
def test_a_falsy_value_is_injected_too(call, value):
    got = []

    @tool
    def f(agent: AgentRef, context: ContextRef = "default") -> None:
        """Do."""
        got.extend([agent, context])

    assert call(f, {}, context=value, injected={"agent": value}).status == "ok"
    assert got == [value, value]


def test_a_reference_the_run_does_not_have_fails_unless_the_parameter_has_a_default(call):
    @tool
    def needs(agent: AgentRef) -> None:
        """Do."""

    @tool
    def manages(agent: AgentRef = "none") -> str:  # type: ignore[assignment]
        """Do."""
        return str(agent)

    outcome = call(needs)
    assert outcome.status == "failed"
    assert "no agent" in outcome.result.observation.text
    assert call(manages).result.observation.text == "none"


def test_async_tools_methods_and_positional_only_parameters_are_injected(call):
    class Box:
        @tool
        async def act(self, a: int, /, name: ToolNameRef, fn: ToolFnRef, *, b: int = 2) -> str:
            """Do."""
            return f"{name} {a} {b} {fn == self.act}"

    assert call(Box().act, {"a": 1}).result.observation.text == "act 1 2 True"


def test_a_package_can_type_its_own_context(call):
    class Run:
        dataset = "bank"

    Context = Annotated[Run, CONTEXT]

    @tool
    def which(run: Context) -> str:
        """Name the dataset."""
        return run.dataset

    assert call(which, context=Run()).result.observation.text == "bank"
    assert tool_of(which).schema.json_schema["properties"] == {}


def test_the_loop_controller_keeps_the_last_state_and_refuses_others():
    loop = LoopController()
    assert (loop.state, loop.stops) == (loop.PROCEED, False)
    loop.set_state(loop.STOP_FATAL, "no data")
    assert (loop.state, loop.reason, loop.stops) == (LoopController.STOP_FATAL, "no data", True)
    with pytest.raises(ValueError, match="STOP_SUCCESS"):
        loop.set_state("stop")  # type: ignore[arg-type]


@toolset
class DatasetToolset:
    """Works on one frame."""

    def __init__(self) -> None:
        self.df = {"rows": 3}

    def context(self) -> str:
        return f"The frame is {self.df}."

    @tool()
    def generate_python_code(self, query: str, agent: AgentRef, loop: LoopControllerRef) -> str:
        """
        Generate Python code for the frame `df`.

        Args:
            query (str): A full question about the frame.

        Returns:
            str: The code, as a cell.
        """
        answer = agent.oneshot(prompt=self.context(), query=query)
        loop.set_state(loop.STOP_SUCCESS)
        return json.dumps({"action": "code_cell", "language": "python", "content": answer.strip()})


def test_the_dataset_toolset_of_the_document_proposes_a_cell_and_stops_the_loop(call):
    class ScriptedAgent:
        def oneshot(self, *, prompt: str, query: str) -> str:
            return f"# {prompt} {query}\nlen(df)\n"

    loop = LoopController()
    references = {"agent": ScriptedAgent(), "loop_controller": loop}
    outcome = call(Registry([DatasetToolset()]), {"query": "how many?"}, injected=references)
    (cell,) = outcome.result.artifacts
    assert cell.source == "# The frame is {'rows': 3}. how many?\nlen(df)"
    assert loop.state is LoopController.STOP_SUCCESS


def test_concurrent_calls_have_references_of_their_own():
    @tool
    async def stop(me: str, loop: LoopControllerRef) -> str:
        """Stop or go on."""
        await asyncio.sleep(0)
        if me == "a":
            loop.set_state(loop.STOP_SUCCESS)
        return me

    async def both():
        registry, loops = Registry([stop]), [LoopController(), LoopController()]
        calls = [
            registry.call("stop", {"me": m}, injected={"loop_controller": one})
            for m, one in zip("ab", loops, strict=True)
        ]
        await asyncio.gather(*calls)
        return [one.stops for one in loops]

    assert asyncio.run(both()) == [True, False]
