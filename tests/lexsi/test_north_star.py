"""The north-star question with models on the platform, by the real SDK against the stand-in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.__main__ import QUESTION
from lexsi_nb.artifacts.results import Attribution, Chart, ModelCard, Table
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

ACTS = ("train_tabular_model", "predict", "explain_prediction")
KEYS = (
    "last_model_id", "last_model_task", "last_train_tag", "last_train_df_label", "agent_workspace",
    "agent_run_tab_project:classification", "last_predictions", "last_predict_tag", "last_predict_df_label",
    "last_prediction_columns", "last_xai", "last_xai_failures",
)  # fmt: skip


@pytest.fixture
def run(bank: Any, platform: str, session_on: Any) -> Any:
    session = session_on(platform, dataset=bank)
    found = session.ask(QUESTION, approve=ACTS)
    found.session = session
    return found


def test_the_north_star_on_the_platform(run: Any, tmp_path: Path) -> None:
    assert run.status == "answered", run.answer
    assert run.backend == "lexsi"
    names = run.session.namespace
    assert len(names["predictions"]) == len(names["predict_df"])
    assert len(names["attributions"]) == len(run.of(Attribution)) == 10
    assert run.of(ModelCard)
    assert run.of(Table)
    assert run.of(Chart)
    cache = run.session.cache
    assert [k for k in KEYS if k not in cache] == []
    assert all(x["platform_summary"] for x in cache["last_xai"])
    assert cache["agent_run_tab_project:classification"].name.startswith("agentclass")
    assert "Lexsi" in run.answer or "lexsi" in str(run.of(ModelCard)[0].facts)
    check_cells_alone(run, tmp_path)


def check_cells_alone(run: Any, folder: Path) -> None:
    """The cells in a fresh interpreter without this package, with the plain SDK, give the same frames."""
    frames = ["predictions", "attributions", "quality"]
    save = f"\nfor _name in {frames!r}:\n    globals()[_name].to_pickle(_name + '.pkl')\n"
    ban = "import sys\nsys.modules['lexsi_nb'] = None\n"
    (folder / "cells.py").write_text("\n\n".join([ban, *(c.source for c in run.cells), save]))
    done = subprocess.run(
        [sys.executable, "cells.py"], cwd=folder, capture_output=True, text=True, timeout=300, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stderr[-3000:]
    for name in frames:
        pd.testing.assert_frame_equal(run.session.namespace[name], pd.read_pickle(folder / f"{name}.pkl"), atol=1e-6)


def test_the_first_upload_waits_for_a_person(bank: Any, server: Any, session_on: Any) -> None:
    session = session_on("lexsi", dataset=bank)
    run = session.ask(QUESTION)
    assert (run.status, server.seen, session.sent.entries) == ("awaiting_approval", [], [])
    shown = dict(run.approval.effect)
    assert shown["goes to"] == f"Lexsi at {server.url}, organisation personal, workspace lexsi-nb"
    assert int(shown["rows"].replace(",", "")) == len(session.namespace["context_df"])
    columns = shown["columns"].split(", ")
    assert columns[0] == "loan_id"
    assert columns[-1] == run.approval.args["target_column"]
    assert shown["note"].startswith("Features: ")
    assert "small" in shown["note"]
    assert "Lexsi plan" in shown["cost"]
    # What was shown is what is sent: one step after another, each asked about.
    run.resume(approve=True)
    sent = [s for s in server.seen if s.path.endswith("uploadfile_with_info")]
    head = sent[0].body.split(b"\r\n\r\n", 1)[1].splitlines()[0].decode()
    assert head.split(",") == columns
    assert run.status == "awaiting_approval"
    assert dict(run.approval.effect)["frame predict_df"].startswith(
        f"{len(session.namespace['predict_df']):,} rows: loan_id"
    )


def test_nothing_is_sent_unless_the_platform_was_chosen(
    server: Any, session_on: Any, frames: dict[str, pd.DataFrame]
) -> None:
    """A token and an address in the environment choose nothing."""
    lines = [
        call("train_tabular_model", df_label="known", target_column="bad", entity_column="loan_id"),
        call("predict", df_label="new"), say("done"),
    ]  # fmt: skip
    session = session_on("auto", namespace=dict(frames), planner=ScriptedPlanner(lines))
    assert [s.status for s in session.ask("q").steps][:2] == ["ok", "ok"]
    assert (server.seen, session.sent.entries) == ([], [])


@pytest.mark.slow
def test_asked_again_nothing_is_uploaded_or_trained_twice(bank: Any, server: Any, session_on: Any) -> None:
    session = session_on("lexsi", dataset=bank)
    first = session.ask(QUESTION, approve=ACTS)
    uploads = len(server.to("v2/project/uploadfile_with_info"))
    again = session.ask(QUESTION, approve=ACTS)
    assert (first.status, again.status) == ("answered", "answered"), again.answer
    assert len(server.to("v2/project/uploadfile_with_info")) == uploads
    assert len(server.to("v2/project/upload_data_with_check")) == 1
    assert [s.status for s in again.steps if s.tool in ACTS] == ["duplicate"] * 3
    assert again.frame.equals(first.frame)
