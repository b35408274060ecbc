"""Loop, gates and events a step with a scripted planner, beside pydantic-ai's loop with a function model.

Both call the same trivial tool N times and then answer. Wanted: under 1 ms a step.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any

import pandas as pd

from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import Line, ScriptedPlanner, call, say
from lexsi_nb.toolkit.declare import tool

STEPS, ROUNDS = 50, 15


@tool
async def add(a: int, b: int) -> int:
    """Add two integers.

    Args:
        a: The first.
        b: The second.
    """
    return a + b


def ours(session: Session) -> float:
    """Return milliseconds a step of a whole run: preparation, loop, gates, events, result."""
    lines: list[Line] = [call("add", a=i, b=1) for i in range(STEPS)]
    session.use(planner=ScriptedPlanner([*lines, say("done")]))
    began = time.perf_counter()
    run = session.ask("q")
    spent = time.perf_counter() - began
    assert run.status == "answered", run.answer
    assert sum(s.status == "ok" for s in run.steps) == STEPS
    return 1000 * spent / STEPS


async def theirs() -> float | None:
    """Return milliseconds a step of pydantic-ai's loop, None where it is not installed."""
    try:
        from pydantic_ai import Agent, UsageLimits
        from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
        from pydantic_ai.models.function import FunctionModel
    except ImportError:
        return None
    done = 0

    def reply(messages: Any, info: Any) -> Any:
        nonlocal done
        done += 1
        if done > STEPS:
            return ModelResponse(parts=[TextPart("done")])
        return ModelResponse(parts=[ToolCallPart("add", {"a": done, "b": 1})])

    agent = Agent(FunctionModel(reply))

    @agent.tool_plain
    async def add(a: int, b: int) -> int:
        """Add two integers."""
        return a + b

    began = time.perf_counter()
    await agent.run("q", usage_limits=UsageLimits(request_limit=None))
    return 1000 * (time.perf_counter() - began) / STEPS


def main() -> None:
    """Print milliseconds a step and the ratio."""
    session = Session(namespace={"t": pd.DataFrame({"x": [1]})}, max_steps=STEPS + 1)
    session.add_tool(add)
    ours(session)  # the first round builds schemas
    mine = statistics.median(ours(session) for _ in range(ROUNDS))
    print(f"lexsi-nb     {mine:.3f} ms a step (median of {ROUNDS} rounds of {STEPS} steps; wanted under 1)")
    if asyncio.run(theirs()) is None:
        print("pydantic-ai  not installed: pip install pydantic-ai-slim to compare")
        return
    rounds = [asyncio.run(theirs()) for _ in range(ROUNDS)]
    other = statistics.median(r for r in rounds if r is not None)
    print(f"pydantic-ai  {other:.3f} ms a step\nratio        {mine / other:.2f}")


if __name__ == "__main__":
    main()
