"""A model and scores made before a run was parked are there again in another kernel, the same or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.artifacts.results import Attribution
from lexsi_nb.planners.scripted import call, say

TRAIN = call("train_tabular_model", df_label="known", target_column="bad", entity_column="case")
SCORE = call("predict", df_label="opened", top_k=3)
WAIT = call("refund", customer="C-1", amount=900.0)


def frames() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    known = pd.DataFrame({"case": range(80), "x": rng.normal(size=80), "y": rng.normal(size=80)})
    known["bad"] = (known["x"] + rng.normal(size=80) > 0.5).astype(int)
    opened = pd.DataFrame({"case": range(100, 120), "x": rng.normal(size=20), "y": rng.normal(size=20)})
    return {"known": known, "opened": opened}


def restarted(before: Any) -> dict[str, Any]:
    """Return the namespace of a new kernel: the user's own frames, and what the run's cells make."""
    names = frames()
    for cell in before.cells:
        if cell.kind != "chart":
            exec(cell.source, names)
    return names


@pytest.fixture
def before(session_of) -> Any:
    """A run that trained, scored, and waits for a person."""
    run = session_of([TRAIN, SCORE, WAIT], namespace=frames()).ask("q")
    assert run.status == "awaiting_approval", run.answer
    return run


def test_a_restored_model_explains_what_it_scored(session_of, before):
    more = [
        call("explain_prediction", top_k=2),
        call("explain_model", feature="x"),
        call("summarize_result", question="q"),
        say("done"),
    ]
    names = restarted(before)
    session = session_of(more, namespace=names)
    run = session.resume(before.approval.id, approve=True)
    assert run.status == "answered", run.answer
    assert {s.status for s in run.steps} == {"ok"}, [s.summary for s in run.steps]
    top = names["predictions"].head(3)
    assert [a.case for a in run.of(Attribution)] == [str(c) for c in top["case"].head(2)]
    assert run.of(Attribution)[0].probability == pytest.approx(top["probability"].iloc[0])
    assert run.frame["case"].tolist() == top["case"].tolist()
    assert session.explain(int(top["case"].iloc[2])).case == str(top["case"].iloc[2])


def test_cases_are_explained_where_the_run_itself_only_went_on(session_of, before):
    names = restarted(before)
    session = session_of([say("refunded")], namespace=names)
    run = session.resume(before.approval.id, approve=True)
    assert run.frame["case"].tolist() == names["predictions"]["case"].head(3).tolist()
    assert run.facts["quality"], "what the answer has to say beside the numbers is kept"
    assert session.explain(101).case == "101"


def test_rows_that_are_others_now_are_refused_and_the_rest_goes_on(session_of, before):
    names = restarted(before)
    names["known"]["bad"] = names["known"]["bad"].to_numpy()[::-1]
    session = session_of([call("explain_prediction", top_k=2), say("no")], namespace=names)
    run = session.resume(before.approval.id, approve=True)
    failed = next(s for s in run.steps if s.tool == "explain_prediction")
    assert (failed.status, run.status) == ("failed", "answered")
    assert "known is not what it was trained on" in failed.summary
    assert "attributions" not in names


def test_edited_scores_are_not_explained_as_the_models_own(session_of, before):
    names = restarted(before)
    names["predictions"].loc[0, "probability"] = 0.99
    session = session_of([call("explain_prediction", top_k=2), say("no")], namespace=names)
    run = session.resume(before.approval.id, approve=True)
    failed = next(s for s in run.steps if s.tool == "explain_prediction")
    assert failed.status == "failed"
    assert "Call predict again" in failed.summary
    assert "attributions" not in names


def test_a_model_that_no_run_trained_is_still_unknown(session_of, before):
    names = restarted(before)
    session = session_of([call("explain_prediction", model_id="LightGBM_none"), say("no")], namespace=names)
    run = session.resume(before.approval.id, approve=True)
    failed = next(s for s in run.steps if s.tool == "explain_prediction")
    assert "No model 'LightGBM_none'" in failed.summary
