"""Keeps requests within limits: each waits its turn, in order, whichever session and event loop it is of.

An event loop has one owner of limits, and each session has an event loop of its own. What is sent to one provider keeps
within the limits of all owners together, because the provider counts by key and not by event loop.
"""

from __future__ import annotations

import asyncio
import threading
import time
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from lexsi_nb.egress.limits import RateLimits
from lexsi_nb.errors import Cancelled, LexsiError

MINUTE = 60.0
CHARS_A_TOKEN = 4
LOOKS_UP = 0.1  # seconds between looks whether anybody still waits
Told = Callable[[str, float | None], None]


class LimitsTaken(LexsiError):
    """Somebody else owns the limits of this event loop, and set other ones for the same provider."""


class RequestTooLarge(LexsiError):
    """One request alone is beyond the limit of tokens a minute, so it would wait for ever; it was not sent."""


@dataclass
class _Waiting:
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]

    def wake(self) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(lambda: self.future.done() or self.future.set_result(None))


@dataclass
class _Claim:
    owner: weakref.ref[object]
    loop: weakref.ref[asyncio.AbstractEventLoop] | None  # None: of a thread without one
    limits: RateLimits

    def holds(self, loop: asyncio.AbstractEventLoop | None) -> bool:
        return loop is not None and self.loop is not None and self.loop() is loop


@dataclass
class Pacer:
    """The requests to one provider. Safe from any thread; a waiting request blocks none and can be cancelled.

    `own` holds always; the limits that owners of event loops claimed hold beside it.
    """

    to: str
    own: RateLimits = field(default_factory=RateLimits)
    clock: Callable[[], float] = time.monotonic
    minute: float = MINUTE
    _claims: list[_Claim] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _under_way: int = 0
    _sent: deque[tuple[float, int]] = field(default_factory=deque)  # when, tokens
    _queue: deque[_Waiting] = field(default_factory=deque)

    @property
    def limits(self) -> RateLimits:
        """What holds now: of each limit the smallest that anybody set."""
        return RateLimits.strictest(self.own, *(c.limits for c in self._claims if c.owner() is not None))

    def claim(self, owner: object, limits: RateLimits) -> None:
        """Set the limits of the running event loop for as long as `owner` lives, or until it sets others.

        Raises:
            LimitsTaken: somebody else owns this event loop's limits and set other ones.
        """
        loop = _running_loop()
        with self._lock:
            self._claims = [c for c in self._claims if c.owner() not in (None, owner)]
            taken = next((c for c in self._claims if c.holds(loop)), None)
            if taken is None and limits.any:
                self._claims.append(_Claim(weakref.ref(owner), weakref.ref(loop) if loop is not None else None, limits))
            self._wake_first()
        if taken is not None and limits.any and limits != taken.limits:
            raise LimitsTaken(
                f"Requests to {self.to} are limited already: {taken.limits.words}.",
                f"Somebody else set that for this event loop; this one asks for {limits.words}.",
                "Give both the same limits, or give each a session and event loop of its own.",
            )

    def release(self, owner: object) -> None:
        """Take the limits away that `owner` set."""
        with self._lock:
            self._claims = [c for c in self._claims if c.owner() not in (None, owner)]
            self._wake_first()

    @asynccontextmanager
    async def turn(self, tokens: int, told: Told) -> AsyncIterator[None]:
        """Enter when a request of about `tokens` may be sent; leave when its response was read.

        Raises:
            RequestTooLarge: it never could be.
        """
        await self._wait(tokens, told)
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def turn_here(self, tokens: int, told: Told, stopped: Callable[[], bool]) -> Iterator[None]:
        """As `turn`, for a thread without an event loop, which waits here until `stopped()` says that nobody does.

        Raises:
            RequestTooLarge: it never could be sent.
            Cancelled: nobody waits for it any more.
        """
        asyncio.run(self._wait_unless(tokens, told, stopped))
        try:
            yield
        finally:
            self._leave()

    def _leave(self) -> None:
        with self._lock:
            self._under_way -= 1
            self._wake_first()

    async def _wait_unless(self, tokens: int, told: Told, stopped: Callable[[], bool]) -> None:
        waiting = asyncio.ensure_future(self._wait(tokens, told))
        try:
            while not waiting.done():
                await asyncio.wait([waiting], timeout=LOOKS_UP)
                if stopped() and not waiting.done():
                    raise Cancelled(f"A request to {self.to} was given up before it was sent.", "", "")
        except Cancelled:
            waiting.cancel()
            await asyncio.wait([waiting])
            raise
        waiting.result()

    async def _wait(self, tokens: int, told: Told) -> None:
        me = _Waiting(asyncio.get_running_loop(), asyncio.get_running_loop().create_future())
        queued, said = False, ""
        try:
            while True:
                with self._lock:
                    held = self._held(tokens) if not self._queue or self._queue[0] is me else ("its turn", None)
                    if held is None:
                        self._under_way += 1
                        self._sent.append((self.clock(), tokens))
                        return
                    if not queued:
                        self._queue.append(me)
                        queued = True
                    me.future = me.loop.create_future()
                why, seconds = held
                if why != said:
                    told(f"{self.to}: waiting for {why}", seconds)
                    said = why
                await asyncio.wait([me.future], timeout=seconds)
        finally:
            if queued:
                with self._lock:
                    self._queue.remove(me)
                    self._wake_first()

    def _held(self, tokens: int) -> tuple[str, float | None] | None:
        """Return why a request may not go now and for how long, None where it may."""
        limits, now = self.limits, self.clock()
        while self._sent and self._sent[0][0] <= now - self.minute:
            self._sent.popleft()
        if limits.tokens_a_minute is not None and tokens > limits.tokens_a_minute:
            raise RequestTooLarge(
                f"The next request to {self.to} has about {tokens:,} tokens.",
                f"The limit is {limits.tokens_a_minute:,} a minute.",
                "Raise the limit, ask for less, or start anew with %lexsi reset.",
            )
        if limits.in_flight is not None and self._under_way >= limits.in_flight:
            return f"a request that is under way (limit {limits.in_flight})", None
        if limits.a_minute is not None and len(self._sent) >= limits.a_minute:
            return f"the limit of {limits.a_minute:,} requests a minute", self._until(len(self._sent) - limits.a_minute)
        if limits.tokens_a_minute is not None:
            over, at = sum(n for _, n in self._sent) + tokens - limits.tokens_a_minute, 0
            while over > 0:
                over -= self._sent[at][1]
                at += 1
            if at:
                return f"the limit of {limits.tokens_a_minute:,} tokens a minute", self._until(at - 1)
        return None

    def _until(self, at: int) -> float:
        """Return the seconds until the sent request at that place is a minute old."""
        return max(0.001, self._sent[at][0] + self.minute - self.clock())

    def _wake_first(self) -> None:
        if self._queue:
            self._queue[0].wake()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


_PACERS: dict[str, Pacer] = {}
_GUARD = threading.Lock()


def pacer_of(origin: str, to: str) -> Pacer:
    """Return the pacer of a provider's address; one for the whole process."""
    with _GUARD:
        return _PACERS.setdefault(origin, Pacer(to))


def pacers() -> list[Pacer]:
    """Return the pacers of all providers that were asked so far."""
    with _GUARD:
        return list(_PACERS.values())
