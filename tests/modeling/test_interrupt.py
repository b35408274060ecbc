"""Long steps stop within a second, also inside an emitted cell."""

from __future__ import annotations

import ctypes
import threading
import time

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import Cancelled


class Stopped(Cancelled):
    """Cancelled as it can be raised in another thread, where no arguments can be given."""

    def __init__(self):
        super().__init__("Stopped.")


@pytest.fixture(scope="module")
def large():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200_000, 30)), columns=[f"v{i}" for i in range(30)])
    frame["case_id"] = np.arange(200_000)
    frame["bad"] = (frame["v0"] + frame["v1"] * frame["v2"] + rng.logistic(size=200_000) > 2).astype(int)
    return frame


def seconds_to_stop(work, after):
    """Return how long a thread that runs `work` lives on once Cancelled is raised in it, as often as it takes.

    An exception that lands in a `__del__` is lost, so the app raises again until the thread is gone.
    """
    ended = []

    def body():
        try:
            work()
        except Exception as error:  # noqa: BLE001 - handed to the asserting thread
            ended.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join(after)
    assert thread.is_alive(), "the work was over before it could be stopped"
    begin = time.perf_counter()
    while thread.is_alive() and time.perf_counter() - begin < 30:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Stopped))
        thread.join(0.1)
    took = time.perf_counter() - begin
    assert isinstance(ended[0], Cancelled)
    return took


@pytest.mark.parametrize("model_type", ["LightGBM", pytest.param("XGBoost", marks=pytest.mark.slow)])
def test_training_and_explaining_stop_soon(backend, large, spec, model_type):
    pytest.importorskip(model_type.lower(), reason=f"{model_type} is not installed: not tested with it")
    asked = spec(model_type=model_type)
    # The first round of XGBoost sketches all columns in one call, which nothing can stop.
    limit = 1 if model_type == "LightGBM" else 3
    for after in (0.5, 2.0):
        assert seconds_to_stop(lambda: backend.train(large, asked), after) < limit
    small = backend.train(large.head(3_000), asked)
    assert seconds_to_stop(lambda: backend.explain(small, large), 1.0) < 1


def test_a_poll_stops_cross_validation_and_scoring(backend, large, spec):
    small = backend.train(large.head(2_000), spec(repeats=1))
    for work in (backend.predict, backend.explain):
        with pytest.raises(Cancelled):
            work(small, large, cancelled=lambda: True)
