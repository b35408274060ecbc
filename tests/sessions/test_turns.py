"""ask, run, stream and aclose: in scripts, in a running event loop, several sessions at once, one turn at a time."""

from __future__ import annotations

import asyncio
import threading

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.errors import RunFailed
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

FRAME = pd.DataFrame({"x": [1, 2, 3]})
TOTAL = [call("run_sql", sql="SELECT sum(x) AS total FROM t", label="totals"), say("six")]


def session_of(*script, **options) -> lx.Session:
    return lx.Session({"t": FRAME}, planner=ScriptedPlanner(list(script)), namespace={}, replay="off", **options)


def test_ask_works_inside_a_running_event_loop():
    async def cell() -> str:
        return session_of(*TOTAL).ask("q").answer

    assert asyncio.run(cell()) == "six"


def test_run_leaves_the_callers_event_loop_free():
    async def cell() -> tuple[str, int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.002)

        beside = asyncio.create_task(tick())
        run = await session_of(*TOTAL).run("q")
        beside.cancel()
        return run.answer, ticks

    answer, ticks = asyncio.run(cell())
    assert answer == "six"
    assert ticks > 3


def test_stream_yields_the_same_events_as_ask_and_one_end():
    told: list[str] = []
    session_of(*TOTAL).ask("q", on_event=lambda e: told.append(e.kind))

    async def cell() -> tuple[list[str], str]:
        session = session_of(*TOTAL)
        kinds = [e.kind async for e in session.stream("q")]
        return kinds, session.runs[-1].status

    kinds, status = asyncio.run(cell())
    assert kinds == told
    assert kinds.count("turn_finished") == 1
    assert status == "answered"


def test_who_stops_reading_a_stream_stops_the_run_and_the_next_question_works():
    endless = "SELECT sum(a.range * b.range) AS n FROM range(10000000) AS a, range(10000000) AS b"

    async def cell() -> lx.Session:
        one, long = (call("run_sql", sql=sql, label="one") for sql in ("SELECT 1 AS a", endless))
        session = session_of(one, long, say("after"))  # the second call cannot be over before reading stops
        stream = session.stream("q")
        async for event in stream:
            if event.kind == "tool_finished":
                break
        await stream.aclose()
        assert session.runs[-1].status == "interrupted"
        assert session.history.open_calls() == []
        session.use(planner=ScriptedPlanner([say("after")]))
        assert (await session.run("again")).answer == "after"
        return session

    asyncio.run(cell())


def test_a_second_question_is_refused_in_words_and_changes_nothing():
    session = session_of(*TOTAL)
    said: list[str] = []

    def second(event) -> None:
        if event.kind == "tool_started":
            with pytest.raises(RunFailed, match="Another question is still running") as refused:
                session.ask("another")
            said.append(str(refused.value))
            with pytest.raises(RunFailed, match="cannot be forgotten now"):
                session.reset()

    run = session.ask("q", on_event=second)
    assert run.answer == "six"
    assert len(said) == 1
    assert [r.question for r in session.runs] == ["q"]


def test_a_question_that_follows_at_once_from_another_thread_sees_a_finished_turn():
    session = session_of(*TOTAL, say("seven"))
    session.ask("q")
    answers: list[str] = []
    other = threading.Thread(target=lambda: answers.append(session.ask("q2").answer))
    other.start()
    other.join(20)
    assert answers == ["seven"]


def test_several_sessions_run_at_once_each_with_its_own_conversation():
    sessions = [session_of(*TOTAL) for _ in range(3)]

    async def cell() -> list[str]:
        runs = await asyncio.gather(*(s.run(f"q{i}") for i, s in enumerate(sessions)))
        return [r.answer for r in runs]

    assert asyncio.run(cell()) == ["six"] * 3
    assert [s.history.messages[0].text for s in sessions] == ["q0", "q1", "q2"]
    assert all(s.namespace["totals"]["total"].tolist() == [6] for s in sessions)


def test_a_closed_session_can_be_asked_again():
    session = session_of(*TOTAL, say("again"))

    async def cell() -> None:
        await session.run("q")
        await session.aclose()

    asyncio.run(cell())
    assert session.ask("q").answer == "again"
    session.close()
