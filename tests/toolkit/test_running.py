"""Group 20 and the tools that misbehave: failures, hangs, secrets, threads, cancellation."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import sys
import threading

import pytest

from lexsi_nb.egress.policy import Policy
from lexsi_nb.errors import BadData, Cancelled, QueryFailed
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.registry import Registry


def raising(error: BaseException, **options):
    @tool(**options)
    def f() -> None:
        """Raise."""
        raise error

    return f


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("bad column"), "f failed. ValueError: bad column"),
        (BadData("Empty file.", "No rows.", "Try another."), "f failed. BadData: Empty file. No rows. Try another."),
        (Exception(""), "f failed. Exception, without a message."),
        (Exception(), "f failed. Exception, without a message."),
        (StopIteration(5), "f failed. StopIteration: 5"),
        (SystemExit(3), "f failed. SystemExit: 3"),
        (ExceptionGroup("two", [ValueError("a")]), "f failed. ExceptionGroup: two (1 sub-exception)"),
    ],
)
def test_an_exception_becomes_type_and_message_and_is_never_empty(call, error, text):
    outcome = call(raising(error))
    assert outcome.status == "failed"
    assert outcome.result.error == text
    assert outcome.result.observation.text.replace(":\n", ": ") == text
    assert "Traceback" in outcome.result.meta["traceback"]


def test_an_empty_exception_names_what_was_behind_it(call):
    @tool
    def f() -> None:
        """Raise."""
        try:
            raise OSError("server went away")
        except OSError as error:
            raise Exception("") from error

    assert call(f).result.error == "f failed. Exception, without a message, after OSError: server went away"


def test_no_traceback_and_no_flood_reaches_the_planner(call):
    trace = "Traceback (most recent call last):\n  File 'x', line 1\nKeyError: 'a'"
    assert call(raising(RuntimeError(trace))).result.error == "f failed. RuntimeError: KeyError: 'a'"
    assert len(call(raising(RuntimeError("x" * 100_000))).result.error) < 700


@pytest.mark.parametrize(
    "secret",
    [
        "sk-abcdefghijklmnop1234",
        "AKIAABCDEFGHIJKLMNOP",
        "postgres://u:hunter22@host/db",
        "password=hunter22",
        "api_key: 'hunter22'",
    ],
)
def test_secrets_are_masked_in_the_text_and_in_the_traceback(call, secret):
    outcome = call(raising(RuntimeError(f"cannot connect with {secret}")))
    hidden = "hunter22" if "hunter22" in secret else secret
    assert "[secret]" in outcome.result.error
    assert hidden not in outcome.result.error + outcome.result.meta["traceback"]


@pytest.mark.parametrize("text", ["Unexpected token: WHERE", "no column 'secretary' in loan", "key: 5"])
def test_ordinary_words_are_not_masked(call, text):
    assert call(raising(RuntimeError(text))).result.error.endswith(text)


def test_an_exception_that_cannot_be_printed_is_still_named(call):
    class Broken(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no")

    assert "Broken" in call(raising(Broken())).result.error


def test_values_of_secret_environment_variables_are_masked(call, monkeypatch):
    monkeypatch.setenv("LEXSI_ACCESS_TOKEN", "a-quite-ordinary-word")
    assert "ordinary" not in call(raising(RuntimeError("sent a-quite-ordinary-word"))).result.error


def test_a_redactor_of_ones_own_is_used():
    registry = Registry([raising(RuntimeError("Prague"))], redact=lambda text: text.replace("Prague", "***"))
    assert "***" in asyncio.run(registry.call("f")).result.error


def test_a_stop_goes_through(call):
    with pytest.raises(Cancelled):
        call(raising(Cancelled("Stopped.")))


def test_a_tool_that_hangs_is_given_up_after_its_time_and_keeps_nothing_waiting():
    never = threading.Event()

    @tool(timeout=0.02)
    def hang() -> None:
        """Hang."""
        never.wait(30)

    @tool(timeout=0.02)
    async def hang_async() -> None:
        """Hang."""
        await asyncio.Event().wait()

    registry = Registry([hang, hang_async])
    for name in registry.names:
        outcome = asyncio.run(registry.call(name))
        assert outcome.status == "failed"
        assert outcome.result.error == f"{name} failed. It did not finish within 0.02 s."
    never.set()


def test_a_tools_own_time_out_is_its_own_failure(call):
    outcome = call(raising(TimeoutError("the server"), timeout=30))
    assert outcome.result.error == "f failed. TimeoutError: the server"


def test_a_cancelled_call_lets_go_at_once():
    never, started = threading.Event(), threading.Event()

    @tool
    def hang() -> None:
        """Hang."""
        started.set()
        never.wait(30)

    async def scene():
        task = asyncio.create_task(Registry([hang]).call("hang"))
        await asyncio.to_thread(started.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scene())
    never.set()


def test_synchronous_tools_run_where_they_may():
    @tool
    def here() -> str:
        """Say which thread."""
        return threading.current_thread().name

    @tool(thread_safe=True)
    def anywhere() -> str:
        """Say which thread."""
        return threading.current_thread().name

    async def cell_thread(work):
        return await asyncio.get_running_loop().run_in_executor(cell, work)

    async def scene():
        registry = Registry([here, anywhere], executor=pool)
        texts = [await registry.call(n, cell_thread=cell_thread) for n in registry.names]
        texts.append(await registry.call("here"))
        return [o.result.observation.text.split("_")[0] for o in texts]

    with (
        concurrent.futures.ThreadPoolExecutor(1, "cell") as cell,
        concurrent.futures.ThreadPoolExecutor(1, "pool") as pool,
    ):
        assert asyncio.run(scene()) == ["cell", "pool", "pool"]


def test_failures_and_interrupts_cross_the_cell_thread():
    async def cell_thread(work):
        return work()

    registry = Registry([raising(StopIteration("x"))])
    assert asyncio.run(registry.call("f", cell_thread=cell_thread)).result.error == "f failed. StopIteration: x"


def test_context_variables_reach_a_worker(call):
    var = contextvars.ContextVar("var", default="none")
    var.set("seen")

    @tool
    def f() -> str:
        """Read it."""
        return var.get()

    assert call(f).result.observation.text == "seen"


def test_a_synchronous_function_may_return_an_awaitable(call):
    async def later() -> int:
        return 7

    @tool
    def f() -> object:
        """Give it later."""
        return later()

    assert call(f).result.observation.text == "7"


def test_a_hundred_megabytes_are_cut_and_kept(call):
    @tool
    def big() -> str:
        """Give much."""
        return "x" * 100_000_000

    outcome = call(big)
    assert len(outcome.result.observation.text) < 21_000
    assert sys.getsizeof(outcome.result.payload) >= 100_000_000


def test_a_tool_that_calls_another_function_tool_is_plain_python(call):
    @tool
    def inner(a: int) -> int:
        """Add one."""
        return a + 1

    @tool
    def outer(a: int) -> int:
        """Add two."""
        return inner(inner(a))

    assert call(outer, {"a": 1}).result.observation.text == "3"


def test_calls_of_one_turn_run_concurrently_when_awaited_together():
    meet = {}

    @tool(parallel_safe=True)
    async def wait_for(me: str, other: str) -> str:
        """Meet."""
        meet[me].set()
        await meet[other].wait()
        return me

    async def scene():
        meet.update(a=asyncio.Event(), b=asyncio.Event())
        registry = Registry([wait_for])
        calls = [registry.call("wait_for", {"me": a, "other": b}) for a, b in ("ab", "ba")]
        return [o.result.observation.text for o in await asyncio.gather(*calls)]

    assert asyncio.run(scene()) == ["a", "b"]


@pytest.mark.parametrize(
    ("error", "reveals", "elsewhere", "foreign"),
    [
        (ValueError("no float: 'Ada Lovelace'"), "rows", False, True),
        (ValueError("no float: 'Ada Lovelace'"), "schema", True, True),
        (BadData("Ada is no column.", "", ""), "rows", False, False),
        (QueryFailed("Could not convert 'Ada'.", "", ""), "rows", False, True),
    ],
)
def test_a_message_that_may_quote_the_data_is_classified_as_what_the_tool_reveals(
    call, error, reveals, elsewhere, foreign
):
    observation = call(raising(error, reveals=reveals)).result.observation
    said = Policy().observe(observation, local=False)
    assert type(error).__name__ in said, "the kind of error may always be told"
    assert ("Ada" in said) == elsewhere
    assert observation.untrusted == foreign
