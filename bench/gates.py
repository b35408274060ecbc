"""Gates plus injection for a five-argument tool, against pydantic validating the same model, in one run.

Run: python bench/gates.py [--check]   (--check fails when the gates take 100 microseconds or more)
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, Literal

from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.refs import AgentRef, ContextRef, LoopController, LoopControllerRef
from lexsi_nb.toolkit.registry import Registry
from lexsi_nb.toolkit.spec import ToolResult

LIMIT = 100.0
ROUNDS, CALLS = 15, 2_000
DONE = ToolResult(True, "done")
ARGS = {"table": "loan", "column": "status", "k": 20, "order": "frequency", "names": ["a", "b", "c"]}


def take(
    table: str, column: str, k: int, order: Literal["frequency", "value"], names: list[str] | None, *,
    agent: AgentRef, context: ContextRef, loop: LoopControllerRef,
) -> ToolResult:  # fmt: skip
    """Take five arguments and three references.

    Args:
        table: a table
        column: a column
        k: how many
        order: which first
        names: some names
    """
    return DONE


@tool
async def direct(
    table: str, column: str, k: int, order: Literal["frequency", "value"], names: list[str] | None, *,
    agent: AgentRef, context: ContextRef, loop: LoopControllerRef,
) -> ToolResult:  # fmt: skip
    """Take five arguments and three references, on the loop.

    Args:
        table: a table
        column: a column
        k: how many
        order: which first
        names: some names
    """
    return DONE


def microseconds(run: Callable[[], Any]) -> float:
    """Return the median over the rounds of the mean time of a call, in microseconds of CPU time."""
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        run()
        times.append((time.process_time() - begun) / CALLS * 1e6)
    return statistics.median(times)


def schemas(count: int) -> tuple[float, float]:
    """Return microseconds for the definitions of so many tools, when they are built and when they are kept."""

    def made(number: int) -> Any:
        def one(table: str, k: int = number, order: Literal["a", "b"] = "a") -> str:
            """Return a table."""
            return table

        return tool(name=f"tool_{number}")(one)

    registry = Registry([made(n) for n in range(count)])
    times = []
    for _ in range(2):
        begun = time.process_time()
        registry.definitions()
        times.append((time.process_time() - begun) * 1e6)
    return times[0], times[1]


def main() -> int:
    """Print the measurements; return 1 when `--check` is given and the limit is passed."""
    registry = Registry([direct, tool(thread_safe=True)(take)])
    options: dict[str, Any] = {
        "context": {},
        "injected": {"agent": object(), "loop_controller": LoopController()},
        "scopes": frozenset(),
    }
    loop = asyncio.new_event_loop()

    async def gated(name: str) -> None:
        for _ in range(CALLS):
            outcome = await registry.call(name, ARGS, **options)
        assert outcome.status == "ok", outcome

    async def keyed() -> None:
        for i in range(CALLS):
            await registry.call("direct", ARGS, idempotency_key=str(i), **options)

    references: dict[str, Any] = {"agent": None, "context": None, "loop": None}

    async def bare() -> None:
        for _ in range(CALLS):
            await direct(**ARGS, **references)

    model = registry.spec("direct").args_schema()

    def pydantic_alone() -> None:
        text = json.dumps(ARGS)
        for _ in range(CALLS):
            model.model_validate_json(text, strict=True)

    baseline = microseconds(pydantic_alone)
    plain = microseconds(lambda: loop.run_until_complete(bare()))
    gates = microseconds(lambda: loop.run_until_complete(gated("direct"))) - plain
    key = microseconds(lambda: loop.run_until_complete(keyed())) - plain
    thread = microseconds(lambda: loop.run_until_complete(gated("take")))
    loop.close()
    print(f"pydantic's own validation             {baseline:7.1f} us")
    ratio = f"ratio {gates / baseline:.1f}   limit {LIMIT:.0f} us"
    print(f"gates and injection, five arguments   {gates:7.1f} us   {ratio}")
    print(f"the same with an idempotency key      {key:7.1f} us")
    print(f"the same with a thread for the tool   {thread:7.1f} us")
    first, again = schemas(40)
    print(f"definitions of 40 tools               {first:7.0f} us at first, {again:.0f} us from then on")
    return 1 if "--check" in sys.argv and gates >= LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
