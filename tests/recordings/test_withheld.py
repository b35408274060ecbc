"""A recording holds nothing that the data policy keeps here: by private column, by dataset, in a helper's reply."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

NAME = "Quillfeather"


def session_of(policy: Any, *script: Any, **options: Any) -> lx.Session:
    loans = pd.DataFrame({"loan_id": [1, 2], "client": [NAME, "Ostrander"], "amount": [10.0, 20.0]})
    return lx.Session({"loans": loans}, planner=ScriptedPlanner(list(script)), policy=policy, namespace={}, **options)


def script(answer: str = "Done.") -> list[Any]:
    return [
        call("run_sql", sql="SELECT client, amount FROM loans", label="all_loans"),
        call("run_sql", sql=f"SELECT amount FROM loans WHERE client = '{NAME}'", label="one"),
        say(answer),
    ]


def written(folder: Path) -> str:
    return "".join(p.read_text() for p in folder.rglob("*.yaml"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def data_id() -> str:
    return session_of("rows").binding.start().id


@pytest.mark.parametrize(
    "policy",
    [
        {"level": "rows", "private": ["client"]},
        {"level": "rows", "private": ["loans.client"]},
        {"level": "rows", "datasets": {data_id(): "schema"}},
        "stats",
        "schema",
    ],
    ids=["private", "private by table", "dataset", "stats", "schema"],
)
def test_an_argument_with_a_value_that_is_kept_here_is_not_recorded(folder: Path, policy: Any) -> None:
    run = session_of(policy, *script()).ask("Look at the first.", recording="q1")
    assert run.ok
    assert NAME not in written(folder)
    said = " ".join(run.facts["warnings"])
    assert f"Step 2 (run_sql) has '{NAME.casefold()}' in its arguments" in said


def test_what_the_policy_lets_out_is_recorded(folder: Path) -> None:
    run = session_of({"level": "rows", "private": ["amount"]}, *script()).ask("Look.", recording="q1")
    assert run.recording, run.facts
    assert NAME in written(folder)


def test_words_of_the_question_are_the_persons_own(folder: Path) -> None:
    run = session_of("schema", *script()).ask(f"What does {NAME} owe?", recording="q1")
    assert run.recording, run.facts


def test_an_answer_with_a_private_value_is_left_out_of_the_recording(folder: Path) -> None:
    first = script(f"The first is {NAME}.")
    run = session_of({"level": "rows", "private": ["client"]}, first[0], first[2]).ask("Who?", recording="q1")
    assert run.recording, run.facts
    assert NAME not in written(folder)


class LocalHelper:
    name, local = "local:helper", True

    async def complete(self, prompt: str, *, system: str = "", output_type: type[Any] = str) -> Any:
        """Return what it read."""
        return f"It is about {NAME}."


def test_a_reply_of_a_helper_on_this_machine_is_not_recorded_with_private_values(folder: Path) -> None:
    def ask(agent: lx.AgentRef) -> str:
        """Ask the helper."""
        agent.oneshot(prompt="p", query="q")
        return "asked"

    session = session_of("schema", script()[0], call("ask"), say("Done."), model=LocalHelper())
    session.add_tool(ask)
    run = session.ask("Look.", recording="q1")
    assert run.ok
    assert NAME not in written(folder)
    assert f"A side reply has '{NAME.casefold()}' in it" in " ".join(run.facts["warnings"])


def test_notes_of_a_parked_run_add_no_withheld_word_and_still_keep_one_out_later() -> None:
    from lexsi_nb.agent.planner import ToolCall
    from lexsi_nb.app.recorder import NotRecordable, Recorder
    from lexsi_nb.egress.policy import Policy

    recorder = Recorder(Policy("schema"))
    recorder.decisions = [("", (ToolCall("run_sql", {"sql": f"x = '{NAME}'"}, "1"),))]
    recorder.held = {NAME.casefold(), "ostrander"}
    fields = json.loads(json.dumps(recorder.fields()))
    assert "ostrander" not in json.dumps(fields)
    again = Recorder(Policy("schema"))
    again.restore(fields)
    with pytest.raises(NotRecordable, match=NAME.casefold()):
        again._call(again.decisions[0][1][0], 1, "ok", local=True)
