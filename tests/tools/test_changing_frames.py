"""A frame that changes while a run goes on: a step that read it is refused, and what stood before stays."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.session import Session
from lexsi_nb.modeling.embedded import EmbeddedBackend
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

TRAIN = call("train_tabular_model", df_label="known", target_column="bad", entity_column="case")
SCORE = call("predict", df_label="opened")
EXPLAIN = call("explain_prediction", top_k=2)


@pytest.fixture
def frames() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    known = pd.DataFrame({"case": range(80), "x": rng.normal(size=80), "y": rng.normal(size=80)})
    known["bad"] = (known["x"] + rng.normal(size=80) > 0.5).astype(int)
    opened = pd.DataFrame({"case": range(100, 120), "x": rng.normal(size=20), "y": rng.normal(size=20)})
    return {"known": known, "opened": opened}


class Meddled(EmbeddedBackend):
    """The embedded backend; somebody edits a frame in another cell while it does `during`."""

    def __init__(self, during: str, edit: Any) -> None:
        self.during, self.edit = during, edit

    def meddle(self, doing: str) -> None:
        if doing == self.during:
            self.during = ""
            self.edit()

    def train(self, frame: Any, spec: Any, **options: Any) -> Any:
        made = super().train(frame, dataclasses.replace(spec, repeats=1), **options)
        self.meddle("train")
        return made

    def predict(self, trained: Any, frame: Any, **options: Any) -> Any:
        made = super().predict(trained, frame, **options)
        self.meddle("predict")
        return made

    def explain(self, trained: Any, frame: Any, case_ids: Any = None, **options: Any) -> Any:
        made = super().explain(trained, frame, case_ids, **options)
        self.meddle("explain")
        return made


@pytest.mark.parametrize(
    ("during", "frame", "calls", "stays", "absent"),
    [
        ("train", "known", [TRAIN], [], "model"),
        ("predict", "opened", [TRAIN, SCORE], ["model", "quality"], "predictions"),
        ("explain", "opened", [TRAIN, SCORE, EXPLAIN], ["model", "predictions"], "attributions"),
    ],
)
def test_an_edit_during_a_step_is_noticed_and_nothing_is_lost(frames, play, during, frame, calls, stays, absent):
    def edit() -> None:
        frames[frame].loc[0, "x"] = 99.0

    backend = Meddled(during, edit)
    run = play(*calls, calls[-1], namespace=frames, backend=backend)
    failed = run.steps[len(calls) - 1]
    assert failed.status == "failed"
    assert f"{frame} was changed while {failed.tool} read it" in failed.summary
    again = run.steps[len(calls)]
    if during == "explain":
        assert "Call predict again" in again.summary
    else:
        assert again.status == "ok", again.summary
    assert all(name in frames for name in stays)
    assert (absent in frames) == (again.status == "ok")


EDITS = {
    "a value": lambda n: n["opened"].__setitem__("x", n["opened"]["x"] + 1),
    "a column that goes": lambda n: n["opened"].pop("x"),
    "a column that becomes text": lambda n: n["opened"].__setitem__("x", "many"),
    "rows that go": lambda n: n.__setitem__("opened", n["opened"].head(0)),
}
SAYS = {
    "a value": "",
    "a column that goes": "No column 'x' in opened",
    "a column that becomes text": "x of opened: not numbers",
    "rows that go": "opened has no rows",
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_between_steps_is_seen_by_the_next_one(frames, edit):
    @lx.tool(reveals="schema")
    def meddle() -> str:
        """Edit the frame, as a person would in another cell. Use it never."""
        EDITS[edit](frames)
        return "edited"

    lines = [TRAIN, SCORE, call("meddle"), EXPLAIN, SCORE, EXPLAIN, say("done")]
    session = Session(planner=ScriptedPlanner(lines), namespace=frames, backend=Meddled("", None))
    session.add_tool(meddle)
    run = session.ask("q")
    session.close()
    first, again, last = run.steps[3], run.steps[4], run.steps[5]
    assert first.status == "failed"
    assert "Call predict again" in first.summary
    if SAYS[edit]:
        assert again.status == "failed"
        assert SAYS[edit] in again.summary
        assert last.status == "failed"
    else:
        assert (again.status, last.status) == ("ok", "ok"), (again.summary, last.summary)
    assert len(frames["predictions"]) == 20
    assert "model" in frames
