"""How much a run adds to a notebook file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.results import Table
from lexsi_nb.magics.showing import bundles
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.widgets.bundle import alone

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

RUN = 100_000  # bytes


def test_the_north_star_adds_less_than_100_kb(north_star: Run, saved: Callable[..., str]) -> None:
    """With what our Lab extension reads, as in JupyterLab; a headless run leaves that out."""
    outputs = bundles(north_star, live=True)
    by_kind: Counter[str] = Counter()
    for output in outputs:
        for kind, data in output.items():
            by_kind[kind] += len(saved([{kind: data}]).encode())
    total = len(saved(outputs).encode())
    print(f"{total:,} bytes:", dict(by_kind))
    assert total < RUN


@pytest.mark.parametrize(
    "question",
    [
        "How many loans are there per year?",
        "List the loans with their amounts.",
        "What is the average amount of loans per region?",
        "What will the weather be tomorrow?",
    ],
)
def test_other_questions_stay_below_it(question: str, bank: Any, saved: Callable[..., str]) -> None:
    session = Session(bank, namespace={})
    run = session.ask(question)
    session.close()
    total = len(saved(bundles(run)).encode())
    print(f"{question} {run.status}, {total:,} bytes")
    assert total < RUN


@pytest.mark.parametrize("long", [False, True])
def test_a_frame_of_two_thousand_columns_stays_below_it(long: bool, saved: Callable[..., str]) -> None:
    cell = "what somebody wrote, and went on writing, " * 3 if long else 1.5
    wide = pd.DataFrame({f"column_{i}": np.repeat(cell, 50) for i in range(2_000)})
    planner = ScriptedPlanner([call("run_sql", sql="SELECT * FROM wide", label="all_df"), say("There.")])
    session = Session(planner=planner, namespace={"wide": wide})
    run = session.ask("all of it")
    session.close()
    assert run.status == "answered", run.steps
    assert len(run.of(Table)) == 1
    for shown in (bundles(run), [alone(run.of(Table)[0])]):
        assert len(saved(shown).encode()) < RUN
        assert "of 2,000 columns; all in all_df." in " ".join(b["text/plain"] for b in shown)
