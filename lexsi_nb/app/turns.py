"""One turn at a time: whose it is, the loop it runs on, and what the calling thread does meanwhile."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.events import Event
from lexsi_nb.app.threads import LoopThread
from lexsi_nb.errors import LexsiError, RunFailed

if TYPE_CHECKING:
    from lexsi_nb.app.running import Running
    from lexsi_nb.artifacts.cells import CodeCell

Watcher = Callable[[Event], None]
SETTLE = 0.8  # seconds that a stopped run gets to write its ending


class Turns:
    """The turns of one session, on a private event loop."""

    def __init__(self) -> None:
        self._loop = LoopThread()
        self._lock = threading.Lock()
        self._thread: int | None = None
        self._driven: tuple[int, Running] | None = None  # the run under way, and the thread that drives it

    def begin(self) -> None:
        """Take the turn.

        Raises:
            RunFailed: another question has it.
        """
        if not self._lock.acquire(blocking=False):
            raise RunFailed(
                "Another question is still running.", "A session runs one at a time.", "Wait or interrupt it."
            )
        self._thread = threading.get_ident()

    def end(self) -> None:
        """Give the turn back."""
        self._thread = None
        self._lock.release()

    def must_be_free(self, what: str) -> None:
        """Raise where a question is running.

        Raises:
            RunFailed: with `what` cannot be done.
        """
        if self._lock.locked():
            raise RunFailed(what, "A question is running.", "Wait for it or interrupt it.")

    @contextmanager
    def queued(self) -> Iterator[None]:
        """Have the turn, after whoever has it now.

        Raises:
            RunFailed: this very thread has it, so waiting would never end.
        """
        if self._thread == threading.get_ident():
            raise RunFailed("A question is running on this very thread.", "", "Approve when it has ended.")
        with self._lock:
            self._thread = threading.get_ident()
            try:
                yield
            finally:
                self._thread = None

    def submit(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Start the coroutine on the private loop and return its future."""
        return self._loop.submit(work)

    def close(self) -> None:
        """Stop the private loop."""
        self._loop.close()

    async def events(self, running: Running) -> AsyncGenerator[Event, None]:
        """Yield the events of a run on the caller's event loop, which tools may need; who stops reading stops it."""
        here = asyncio.get_running_loop()
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        running.on_cell_thread(lambda act: here.call_soon_threadsafe(act))

        def tell(event: Event | None) -> None:
            if not here.is_closed():  # whoever listened has gone
                here.call_soon_threadsafe(events.put_nowait, event)

        future = self.submit(running.drive(tell))
        future.add_done_callback(lambda _: tell(None))
        try:
            while (event := await events.get()) is not None:
                yield event
        finally:
            if not future.done():
                running.stop()
                # It writes its ending on its own loop: the conversation is whole before the next question.
                await asyncio.wait([asyncio.wrap_future(future)], timeout=SETTLE)

    def drive(self, running: Running, on_event: Watcher | None) -> None:
        """Run to the end while this thread handles events and the tools that belong on it."""
        inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._driven = (threading.get_ident(), running)
        running.on_cell_thread(inbox.put)
        future = self.submit(running.drive(inbox.put))
        future.add_done_callback(lambda _: inbox.put(None))
        try:
            # In a function of its own: Python 3.11 lets an interrupt that arrives at a loop's jump slip past
            # an `except` around that loop.
            _pump(inbox, on_event)
        except KeyboardInterrupt:
            running.stop()
            _settle(future)
        finally:
            self._driven = None

    def cells_so_far(self) -> list[CodeCell]:
        """Return the code cells of the steps that the run under way has done; [] where none goes on."""
        from lexsi_nb.app.collecting import cells_of

        driven = self._driven
        return [] if driven is None or driven[1].context is None else cells_of(driven[1])

    def stop(self, thread: int) -> bool:
        """Stop the run that another thread drives, and return whether it drives one."""
        driven = self._driven
        if driven is None or driven[0] != thread:
            return False
        driven[1].stop()
        return True


def _pump(inbox: queue.SimpleQueue[Any], on_event: Watcher | None) -> None:
    """Handle what arrives for the cell's thread until the run is over."""
    while True:
        try:
            item = inbox.get(timeout=0.2)
        except queue.Empty:
            continue
        if item is None:
            return
        if not isinstance(item, Event):
            item()  # a user's tool that belongs on this thread
        elif on_event is not None:
            on_event(item)


def _settle(future: Any) -> None:
    """Wait a moment for the run to write its ending; it may still sit inside one long C call."""
    import concurrent.futures

    try:
        future.result(SETTLE)
    except (concurrent.futures.TimeoutError, concurrent.futures.CancelledError, KeyboardInterrupt, LexsiError):
        return
