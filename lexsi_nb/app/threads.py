"""The private event loop of a session, and worker threads that can be stopped from outside."""

from __future__ import annotations

import asyncio
import contextvars
import ctypes
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from typing import Any

from lexsi_nb.errors import Cancelled


class LoopThread:
    """An event loop on a daemon thread of its own, started on first use.

    A notebook's own loop is running already, so a blocking `ask` needs one that it may wait for.
    """

    def __init__(self, name: str = "lexsi") -> None:
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: weakref.finalize[..., Any] | None = None
        self._lock = threading.Lock()

    def submit(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Start the coroutine on the private loop and return its future."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The running loop."""
        with self._lock:
            if self._loop is None or self._loop.is_closed():
                self._loop = asyncio.new_event_loop()
                thread = threading.Thread(target=self._loop.run_forever, name=f"{self._name}-loop", daemon=True)
                thread.start()
                # A session that nobody closed gives its thread back when it is collected.
                self._end = weakref.finalize(self, _end, self._loop, thread)
            return self._loop

    def close(self) -> None:
        """Stop the loop; pending work on it is cancelled."""
        with self._lock:
            end, self._end, self._loop = self._end, None, None
        if end is not None:
            end()


def _end(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    async def cancel_all() -> None:
        rest = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        loop.stop()

    if thread is threading.current_thread():
        loop.call_soon(loop.stop)  # collected on the loop's own thread: it cannot wait for itself
        return
    asyncio.run_coroutine_threadsafe(cancel_all(), loop)
    thread.join(2)
    if not thread.is_alive():
        loop.close()


# A thread that has not ended by then (a minute) sits in foreign code that never returns to Python.
STOP_TRIES = 600


class StoppableThreads(Executor):
    """Runs each call on a daemon thread of its own; `stop` raises Cancelled inside those still running.

    A thread inside one long C call sees the exception when that call returns, so long work goes in chunks.
    """

    def __init__(self) -> None:
        self._running: dict[int, threading.Thread] = {}
        self._lock = threading.Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Start `fn` on a new thread and return its future."""
        future: Future[Any] = Future()
        # It runs from now on: a thread cannot be taken back, and whoever gave up is still told what it brings.
        future.set_running_or_notify_cancel()
        context = contextvars.copy_context()

        def body() -> None:
            ident = threading.get_ident()
            with self._lock:
                self._running[ident] = threading.current_thread()
            try:
                try:
                    value = context.run(fn, *args, **kwargs)
                finally:
                    with self._lock:
                        self._running.pop(ident, None)
            except BaseException as error:  # noqa: BLE001  (carried to whoever waits)
                _settle(future, error=error)
            else:
                _settle(future, value=value)

        threading.Thread(target=body, name="lexsi-step", daemon=True).start()
        return future

    def stop(self) -> int:
        """Raise Cancelled in every running thread; returns how many there were."""
        with self._lock:
            idents = set(self._running)
        if idents:
            threading.Thread(target=self._raise_until_gone, args=(idents,), name="lexsi-stop", daemon=True).start()
        return len(idents)

    def _raise_until_gone(self, idents: set[int]) -> None:
        """Raise again until the threads are gone: an exception that lands in a `__del__` is lost."""
        pause = threading.Event()
        for _ in range(STOP_TRIES):
            with self._lock:
                left = idents & set(self._running)
                for ident in left:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(_Stopped))
            if not left:
                return
            pause.wait(0.1)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing to shut down: threads end with their call."""


class _Stopped(Cancelled):
    def __init__(self) -> None:
        super().__init__("The step was stopped.", "The run was interrupted.")


def _settle(future: Future[Any], *, value: Any = None, error: BaseException | None = None) -> None:
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(value)


async def posted(post: Callable[[Callable[[], None]], Any], act: Callable[[], Any]) -> Any:
    """Return what `act` returns on the thread that `post` reaches; an interrupt there is a stop of the run."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def body() -> None:
        try:
            value = act()
        except KeyboardInterrupt:
            # The stop button, while a tool ran there: it goes on to whoever pumps that thread.
            stopped = Cancelled("The call was stopped.", "The run was interrupted.")
            loop.call_soon_threadsafe(_unless_done, done, None, stopped)
            raise
        except Exception as error:  # noqa: BLE001  (carried to the loop)
            loop.call_soon_threadsafe(_unless_done, done, None, error)
        else:
            loop.call_soon_threadsafe(_unless_done, done, value, None)

    post(body)
    return await done


def _unless_done(future: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(value)
