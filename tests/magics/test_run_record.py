"""What a run leaves for the run view: fields in the metadata of its output, and what holds in the kernel now."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.magics.current import state_of
from lexsi_nb.magics.recorded import Recorded
from lexsi_nb.magics.showing import show
from lexsi_nb.planners.scripted import ScriptedPlanner, call, decline, say
from lexsi_nb.widgets.record import KEY, record_of


@pytest.fixture
def loans(ip: Any) -> pd.DataFrame:
    ip.user_ns["loans"] = pd.DataFrame({"loan_id": [1, 2, 3], "amount": [10.0, 20.0, 30.0]})
    return ip.user_ns["loans"]


@lx.tool(side_effect="irreversible")
def pay(amount: int) -> str:
    """Pay an amount."""
    return f"paid {amount}"


def ask(ip: Any, *lines: Any) -> Any:
    planner = ScriptedPlanner(list(lines))
    magics = getattr(ip, ATTRIBUTE)
    magics.session.planner = lambda: planner
    ip.run_cell("%%lexsi How much in all?", store_history=False)
    return magics.session.runs[-1]


def published(monkeypatch: pytest.MonkeyPatch, run: Any, environment: str) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    monkeypatch.setattr("IPython.display.display", lambda *_, metadata, **__: kept.append(metadata))
    show(run, environment)
    return kept


def test_a_run_is_recorded_with_steps_variables_and_what_was_sent(ip: Any, loans: pd.DataFrame) -> None:
    sql = "SELECT sum(amount) AS total FROM loans"
    run = ask(ip, call("run_sql", sql=sql, label="total"), say("60 in all."))
    record = record_of(run)
    assert (record["question"], record["status"], record["run"]) == ("How much in all?", "answered", run.id)
    assert record["steps"] == [
        {
            "number": 1, "tool": "run_sql", "title": "total by SQL", "args": f"sql={sql}, label=total",
            "status": "ok", "cells": [2],
        }
    ]  # fmt: skip
    assert record["variables"] == [
        {"name": "total", "what": "DataFrame, 1 rows x 1 columns", "step": 1, "from": ["loans"]}
    ]
    assert not {"sent", "used", "usd"} & set(record)  # what there is nothing of is left out
    json.dumps(record)


def test_the_same_run_leaves_the_same_record(ip: Any, loans: pd.DataFrame) -> None:
    lines = (call("run_sql", sql="SELECT * FROM loans", label="all_loans"), say("Here."))
    assert record_of(ask(ip, *lines)) == record_of(ask(ip, *lines))


@pytest.mark.parametrize("environment", ["lab-extension", "notebook", "headless"])
def test_the_last_output_carries_it_wherever_it_was_made(
    ip: Any, loans: pd.DataFrame, monkeypatch: pytest.MonkeyPatch, environment: str
) -> None:
    run = ask(ip, decline("That is not in the data."))
    *before, last = published(monkeypatch, run, environment)
    assert last[KEY]["status"] == "declined"
    assert not any(KEY in metadata for metadata in before)


def test_secrets_and_long_arguments_are_not_kept(ip: Any, loans: pd.DataFrame) -> None:
    sql = f"SELECT 'password=hunter22', '{'x' * 5000}' FROM loans"
    record = json.dumps(record_of(ask(ip, call("run_sql", sql=sql, label="odd"), say("Here."))))
    assert "hunter22" not in record
    assert len(record) < 2_000


def test_the_state_tells_stale_variables_and_loads_no_session_before_a_question(ip: Any, loans: pd.DataFrame) -> None:
    magics = getattr(ip, ATTRIBUTE)
    state = state_of(magics)
    assert state.pop("seconds") < 10
    assert state == {"variables": [], "runs": [], "recorded": [], "approvals": [], "problem": ""}
    assert not magics.asked
    ask(ip, call("run_sql", sql="SELECT sum(amount) AS total FROM loans", label="total"), say("60 in all."))
    loans.loc[0, "amount"] = 5.0
    (row,) = state_of(magics)["variables"]
    assert (row["name"], row["state"]) == ("total", "stale")
    assert "loans was edited" in row["reason"]


def test_the_state_tells_what_waits_for_a_person(ip: Any, loans: pd.DataFrame) -> None:
    magics = getattr(ip, ATTRIBUTE)
    magics.session.add_tool(pay)
    magics.session.scopes |= {"pay"}
    run = ask(ip, call("pay", amount=5), say("Done."))
    assert run.status == "awaiting_approval"
    assert record_of(run)["approval"] == {"id": run.approval.id, "tool": "pay"}
    (waiting,) = state_of(magics)["approvals"]
    assert waiting == {
        "id": run.approval.id, "run": run.id, "tool": "pay", "question": "How much in all?", "here": True,
    }  # fmt: skip
    run.resume(decline="no")
    after = state_of(magics)
    assert after["approvals"] == []
    assert (after["runs"][-1]["run"], after["runs"][-1]["status"]) == (run.id, "answered")


def test_a_store_that_cannot_be_used_is_said(ip: Any, loans: pd.DataFrame, monkeypatch: Any, tmp_path: Any) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEXSI_NB_STATE", str(tmp_path / "file" / "state"))
    assert "LEXSI_NB_STATE" in state_of(getattr(ip, ATTRIBUTE))["problem"]


class Remote(ScriptedPlanner):
    """Stands for a model elsewhere: its runs are recorded, and it says what it used."""

    name = "remote:model"
    local = False


def test_the_state_tells_the_runs_with_the_cell_that_asked(ip: Any, loans: pd.DataFrame) -> None:
    magics = getattr(ip, ATTRIBUTE)
    planner = ScriptedPlanner([say("60 in all.")])
    magics.session.planner = lambda: planner
    run = magics.session.ask("How much in all?", cell="cell-7")
    (told,) = state_of(magics)["runs"]
    assert (told["run"], told["cell"], told["status"]) == (run.id, "cell-7", "answered")
    assert "cell" not in record_of(run)  # in a saved output it stands in its cell


def test_the_state_tells_the_recordings_of_this_notebook(
    ip: Any, loans: pd.DataFrame, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JPY_SESSION_NAME", "loans.ipynb")
    magics = getattr(ip, ATTRIBUTE)
    lines = [call("run_sql", sql="SELECT sum(amount) AS total FROM loans", label="total"), say("60 in all.")]
    planner = Remote([*lines, say("Of another notebook.")])
    magics.session.planner = lambda: planner
    magics.session.sent.record("remote", "x" * 10)  # of an earlier run
    kept = magics.session.ask("How much in all?", recording="q1")
    (told,) = state_of(magics)["recorded"]
    assert told["recording"] == kept.recording == ".lexsi/q1.yaml"
    assert (told["question"], told["status"], told["planner"], told["sent"]) == (
        "How much in all?", "answered", "remote:model", [],
    )  # fmt: skip
    assert [(s["number"], s["title"], s["status"]) for s in told["steps"]] == [(1, "Query the data", "ok")]
    assert told["variables"] == [{"name": "total", "what": "made when the cell is run", "step": 1}]
    assert Recorded()._repr_json_()["recorded"] == [told]  # the same where nothing was loaded yet

    monkeypatch.setenv("JPY_SESSION_NAME", "other.ipynb")
    assert state_of(magics)["recorded"] == []
    (tmp_path / ".lexsi" / "broken.yaml").write_text("steps: [")
    assert state_of(magics)["recorded"] == []


def test_what_was_sent_and_its_price_stand_in_the_recording(
    tmp_path: Any, model_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    model_server.brain = lambda asked: model_server.Reply("3 loans.")
    session = lx.Session(
        {"loans": pd.DataFrame({"loan_id": [1, 2, 3]})},
        planner=model_server.choice("openai", "gpt-4o"),
        namespace={},
        recordings=tmp_path / ".lexsi",
    )
    run = session.ask("How many loans?", recording="q1")
    assert run.status == "answered", run.answer
    recorded = session.recordings.files.read("q1")
    assert recorded is not None
    sizes = [s.bytes for s in run.sent]
    assert [(s.requests, s.bytes) for s in recorded.sent] == [(len(sizes), sum(sizes))]
    assert sum(sizes) > 100
    assert recorded.used == run.usage.words
    assert float(recorded.usd) == float(run.usage.cost or 0) > 0
    again = session.ask("How many loans?", recording="q1")
    assert again.replayed
    assert again.sent == []
