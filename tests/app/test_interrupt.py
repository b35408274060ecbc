"""The stop button: honoured within a second, wherever the run is; what was made is kept."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

WITHIN = 1.0


@pytest.fixture
def frames() -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200_000, 30)), columns=[f"x{i}" for i in range(30)])
    frame.insert(0, "id", range(len(frame)))
    frame["bad"] = (frame["x0"] + rng.normal(size=len(frame)) > 2).astype(int)
    return {"cases": frame}


def interrupted(session: Session, question: str, when) -> tuple[object, float]:
    """Return the run and how long it took from the interrupt to the return."""
    moment: list[float] = []

    def on_event(event) -> None:
        if when(event) and not moment:
            moment.append(0.0)
            threading.Timer(0.4, fire).start()

    def fire() -> None:
        moment[0] = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    run = session.ask(question, on_event=on_event)
    assert moment, "the interrupt was never sent"
    return run, time.monotonic() - moment[0]


def started(name: str):
    return lambda e: e.kind == "tool_started" and e.name == name


@pytest.mark.parametrize("model_type", ["LightGBM", pytest.param("XGBoost", marks=pytest.mark.slow)])
def test_training_stops_within_a_second_and_what_was_made_is_kept(frames, model_type):
    pytest.importorskip(model_type.lower(), reason=f"{model_type} is not installed: not tested with it")
    names = dict(frames)
    planner = ScriptedPlanner(
        [
            call("run_sql", sql="SELECT * FROM cases", label="context_df"),
            call(
                "train_tabular_model",
                df_label="context_df",
                target_column="bad",
                entity_column="id",
                model_type=model_type,
            ),
            say("never"),
        ]
    )
    session = Session(namespace=names, planner=planner)
    run, seconds = interrupted(session, "q", started("train_tabular_model"))
    assert run.status == "interrupted"
    assert seconds < WITHIN
    assert "context_df" in names
    assert "model" not in names
    assert session.history.open_calls() == []
    assert "context_df" in [v.name for v in run.variables]
    session.use(planner=ScriptedPlanner([say("usable")]))
    assert session.ask("again").answer == "usable"


def test_a_long_query_stops_within_a_second(frames):
    planner = ScriptedPlanner(
        [call("run_sql", sql="SELECT count(*) FROM cases a, cases b, cases c WHERE a.x1 + b.x1 + c.x2 > 1e9"), say("x")]
    )
    run, seconds = interrupted(Session(namespace=dict(frames), planner=planner), "q", started("run_sql"))
    assert run.status == "interrupted"
    assert seconds < WITHIN


def test_a_users_tool_on_the_cells_thread_is_interrupted(frames):
    @lx.tool
    def spin() -> str:
        """Count for ever."""
        n = 0
        while True:
            n += 1

    session = Session(namespace=dict(frames), planner=ScriptedPlanner([call("spin"), say("x")]))
    session.add_tool(spin)
    run, seconds = interrupted(session, "q", started("spin"))
    assert run.status == "interrupted"
    assert seconds < WITHIN


def test_a_cancelled_step_cannot_write_any_more(frames):
    names = dict(frames)
    release, late = threading.Event(), threading.Event()

    @lx.tool(thread_safe=True)
    def slow(ctx: lx.ContextRef) -> str:
        """Write after it was stopped."""
        try:
            release.wait(10)
            ctx.write("late_df", pd.DataFrame({"x": [1]}))
            ctx.commit()
        finally:
            late.set()
        return "done"

    session = Session(namespace=names, planner=ScriptedPlanner([call("slow"), say("x")]))
    session.add_tool(slow)
    run, _ = interrupted(session, "q", started("slow"))
    release.set()
    assert late.wait(10)
    assert run.status == "interrupted"
    assert "late_df" not in names
