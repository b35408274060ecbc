"""A time limit on work in this thread, also inside the loops of a library."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from lexsi_nb.errors import BadData, LexsiError

AGAIN = 0.1  # seconds between two tries: an exception that lands in a `__del__` is lost


class TrainingTooLong(LexsiError):
    """Training took longer than it was allowed to; nothing of it was written."""

    def __init__(self, seconds: float | None = None) -> None:
        limit = "" if seconds is None else f" {seconds:g} seconds"
        super().__init__(
            f"Training was stopped after{limit or ' its time limit'}.",
            "It had not finished.",
            "Allow more time, or learn from part of the rows with sample_percentage.",
        )


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Yield once; work in the block that takes longer is stopped between two steps of the interpreter.

    Raises: TrainingTooLong: the time was up; BadData: no time at all.
    """
    if seconds is None:
        yield
        return
    if not seconds > 0:
        raise BadData(f"A time limit of {seconds:g} seconds leaves no time.", "", "Give seconds above 0, or none.")
    ident, over = threading.get_ident(), threading.Event()

    def watch() -> None:
        left = over.wait(seconds)
        while not left:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(TrainingTooLong))
            left = over.wait(AGAIN)

    watcher = threading.Thread(target=watch, name="training time limit", daemon=True)
    try:
        watcher.start()  # in here, as the time may be up before it returns
        yield
    except TrainingTooLong:
        raise TrainingTooLong(seconds) from None
    finally:
        finish(watcher, over, ident)


def finish(watcher: threading.Thread, over: threading.Event, ident: int) -> None:
    """Return once no exception can come any more; one that has not arrived yet is taken back."""
    while True:
        try:
            over.set()
            if watcher.ident is not None:
                watcher.join()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), None)
            return
        except TrainingTooLong:
            continue
