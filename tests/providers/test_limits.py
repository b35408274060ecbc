"""Requests keep within limits: in flight, a minute, tokens a minute; over sessions, event loops and threads."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import threading
import time
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.egress.gate import Gate
from lexsi_nb.egress.limits import RateLimits
from lexsi_nb.egress.pace import LimitsTaken, Pacer, RequestTooLarge
from lexsi_nb.errors import BadData
from lexsi_nb.planners.choice import parse
from lexsi_nb.planners.failures import ModelFailed
from lexsi_nb.planners.provider import ProviderModel

FRAME = pd.DataFrame({"city": ["Brno", "Praha"], "amount": [10, 20]})


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (None, RateLimits()),
        ("", RateLimits()),
        ("none", RateLimits()),
        ("4 in flight", RateLimits(4)),
        ("60 requests a minute, 1.5k tokens per minute", RateLimits(None, 60, 1500)),
        ("90,000 tokens a minute, 2 at once", RateLimits(2, None, 90_000)),
        ({"a_minute": 3}, RateLimits(None, 3)),
    ],
)
def test_limits_are_written_in_words(given: Any, meant: RateLimits) -> None:
    assert RateLimits.of(given) == meant
    assert RateLimits.of(meant.words if meant.any else None) == meant


@pytest.mark.parametrize("given", ["fast", "0 in flight", {"per_hour": 3}, {"in_flight": 0}, "-3 a minute"])
def test_limits_that_cannot_be_read_say_how_they_are_written(given: Any) -> None:
    with pytest.raises(BadData, match="4 in flight, 60 a minute"):
        RateLimits.of(given)


class Bench:
    """Runs requests of a pacer and notes when each began and how many were under way."""

    def __init__(self, pacer: Pacer) -> None:
        self.pacer, self.began, self.most, self.now, self.told = pacer, [], 0, 0, []

    async def one(self, name: int, tokens: int = 1, hold: float = 0.01) -> None:
        async with self.pacer.turn(tokens, lambda why, seconds: self.told.append(why)):
            self.began.append((name, self.pacer.clock()))
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(hold)
            self.now -= 1

    def all(self, count: int, **more: Any) -> None:
        async def several() -> None:
            await asyncio.gather(*(self.one(i, **more) for i in range(count)))

        asyncio.run(several())


def test_never_more_under_way_than_allowed_and_in_order() -> None:
    bench = Bench(Pacer("p", RateLimits(in_flight=2)))
    bench.all(7)
    assert bench.most == 2
    assert [n for n, _ in bench.began] == list(range(7))
    assert "p: waiting for a request that is under way (limit 2)" in bench.told


@pytest.mark.parametrize(("limits", "tokens"), [(RateLimits(a_minute=3), 1), (RateLimits(tokens_a_minute=30), 10)])
def test_no_window_of_a_minute_has_more_than_allowed(limits: RateLimits, tokens: int) -> None:
    bench = Bench(Pacer("p", limits, minute=0.15))
    bench.all(8, tokens=tokens, hold=0)
    times = [at for _, at in bench.began]
    assert all(later - earlier >= 0.15 for earlier, later in zip(times, times[3:], strict=False))
    assert times[2] - times[0] < 0.15  # what is allowed goes at once
    assert any("a minute" in why for why in bench.told)


def test_one_request_beyond_the_limit_is_refused_instead_of_waiting_for_ever() -> None:
    with pytest.raises(RequestTooLarge, match=r"about 31 tokens.*30 a minute"):
        asyncio.run(Bench(Pacer("p", RateLimits(tokens_a_minute=30))).one(0, tokens=31))


def test_limits_hold_over_event_loops_of_several_threads() -> None:
    pacer = Pacer("p", RateLimits(in_flight=1))
    benches = [Bench(pacer) for _ in range(3)]
    inside: list[int] = []
    for bench in benches:
        original = bench.one

        async def one(name: int, original: Any = original, bench: Bench = bench, **more: Any) -> None:
            await original(name, **more)
            inside.append(sum(b.now for b in benches))

        bench.one = one  # type: ignore[method-assign]
    threads = [threading.Thread(target=b.all, args=(5,)) for b in benches]
    for t in threads:
        t.start()
    for t in threads:
        t.join(20)
    assert sum(len(b.began) for b in benches) == 15
    assert max(inside) <= 1


def test_a_waiting_request_that_is_cancelled_gives_its_place_to_the_next() -> None:
    pacer = Pacer("p", RateLimits(in_flight=1))
    bench = Bench(pacer)

    async def act() -> None:
        first = asyncio.create_task(bench.one(0, hold=0.05))
        await asyncio.sleep(0)
        second, third = asyncio.create_task(bench.one(1)), asyncio.create_task(bench.one(2))
        await asyncio.sleep(0.01)
        second.cancel()
        await asyncio.gather(first, second, third, return_exceptions=True)

    asyncio.run(act())
    assert [n for n, _ in bench.began] == [0, 2]
    bench.all(1)


def test_an_event_loop_has_one_owner_of_limits(model_server: Any) -> None:
    line = model_server.choice("anthropic")
    first, second = Gate(limits=RateLimits(in_flight=1)), Gate(limits=RateLimits(in_flight=5))
    ask = lambda gate: ProviderModel(parse(line), gate).complete("Hello?")  # noqa: E731

    async def on_one_loop() -> None:
        await ask(first)
        with pytest.raises((LimitsTaken, ModelFailed), match="limited already: 1 in flight"):
            await ask(second)
        assert second.sent.entries == []
        second.limits = RateLimits(in_flight=1)  # the same: nothing to own
        await ask(second)
        second.limits = RateLimits()
        await ask(second)
        first.close()
        second.limits = RateLimits(in_flight=5)
        await ask(second)

    asyncio.run(on_one_loop())
    second.close()


def test_owners_of_several_event_loops_keep_within_the_limits_of_all_together() -> None:
    pacer = Pacer("p")
    first, second = Gate(), Gate()
    loops = [asyncio.new_event_loop() for _ in range(2)]

    async def claim(owner: Gate, limits: RateLimits) -> None:
        pacer.claim(owner, limits)

    loops[0].run_until_complete(claim(first, RateLimits(in_flight=3, a_minute=60)))
    loops[1].run_until_complete(claim(second, RateLimits(in_flight=2)))
    assert pacer.limits == RateLimits(in_flight=2, a_minute=60)
    bench = Bench(pacer)
    loops[0].run_until_complete(asyncio.wait([loops[0].create_task(bench.one(i)) for i in range(6)]))
    assert bench.most == 2
    loops[1].run_until_complete(claim(second, RateLimits(in_flight=9)))
    assert pacer.limits == RateLimits(in_flight=3, a_minute=60)
    pacer.release(first)
    assert pacer.limits == RateLimits(in_flight=9)
    del second  # an owner that is gone limits nobody
    gc.collect()
    assert not pacer.limits.any
    for loop in loops:
        loop.close()


def test_two_sessions_with_other_limits_both_work_and_the_strictest_holds(model_server: Any) -> None:
    many = {"planner": model_server.choice("anthropic"), "namespace": {}, "replay": "off"}
    first = lx.Session({"sales": FRAME}, limits="2 a minute", **many)
    second = lx.Session({"sales": FRAME}, limits="50 in flight", **many)
    try:
        assert first.ask("How many sales?").ok
        assert second.ask("How many sales?").ok
        waited: list[str] = []

        def on_event(event: Any) -> None:
            if event.kind == "request_waiting":
                waited.append(event.reason)
                os.kill(os.getpid(), signal.SIGINT)

        assert second.ask("And now?", on_event=on_event).status == "interrupted"
        assert "2 requests a minute" in waited[0]  # the first session's, of another event loop
    finally:
        first.close()
        second.close()


def test_a_run_that_waits_says_so_and_is_stopped_at_once_with_nothing_noted_as_sent(model_server: Any) -> None:
    session = lx.Session(
        {"sales": FRAME}, planner=model_server.choice("anthropic"), namespace={}, replay="off", limits="1 a minute"
    )
    try:
        assert session.ask("How many sales?").ok
        pressed: list[float] = []

        def on_event(event: Any) -> None:
            if event.kind == "request_waiting":
                assert "1 requests a minute" in event.reason
                assert event.seconds is not None
                assert 50 < event.seconds <= 60
                pressed.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)

        run = session.ask("And now?", on_event=on_event)
        took = time.monotonic() - pressed[0]
        assert run.status == "interrupted"
        assert took < 1
        assert run.sent == []
        assert len(model_server.requests) == 1
        session.limits = None
        assert session.ask("And now?").ok
    finally:
        session.close()
