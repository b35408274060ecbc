"""A model behind the platform's chat gateway decides by JSON, as planner and for side queries."""

from __future__ import annotations

import json
import os
import signal
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.modeling.lexsi.failures import PlatformFailed
from lexsi_nb.planners.choice import BadModel
from lexsi_nb.planners.keys import NoKey
from tests.lexsi_server.platform import Project

MODEL = "lexsi:openai/gpt-x --project demo/chat"


@pytest.fixture
def gateway(server: Any) -> Any:
    """The stand-in with a text project."""
    server.platform.projects["chat_internal"] = Project("chat_internal", "chat", "demo_1", "text")
    return server


def test_it_plans_by_json_decisions(gateway: Any) -> None:
    sales = pd.DataFrame({"region": ["N", "S", "S"], "amount": [1.0, 2.0, 3.0]})
    query = {"sql": "SELECT count(*) AS n FROM sales", "label": "counted"}
    gateway.platform.chat = [
        json.dumps({"thought": "Count.", "tool": "run_sql", "args": query}),
        json.dumps({"thought": "Done.", "final_answer": "There are 3 sales."}),
    ]
    session = lx.Session({"sales": sales}, planner=MODEL, namespace={}, replay="off")
    run = session.ask("How many sales are there?")
    assert (run.status, run.answer.split("\n")[0]) == ("answered", "There are 3 sales.")
    assert [s.tool for s in run.steps] == ["run_sql"]
    asked = [s.body for s in gateway.to("gateway/v1/chat/completions")]
    assert [b["model"] for b in asked] == ["gpt-x", "gpt-x"]
    assert asked[0]["provider"] == "openai"
    assert asked[0]["project_name"] == "chat_internal"
    assert [m["role"] for m in asked[0]["messages"]] == ["system", "user"]
    assert (run.usage.requests, run.usage.input_tokens, run.usage.output_tokens) == (2, 22, 14)
    bodies = [e.body for e in session.sent.entries]
    assert bodies[0] == '{"access_token":"[secret]"}'
    assert all("sdk-token" not in b and "eyJ" not in b for b in bodies)
    session.close()


def test_a_refusal_with_status_200_is_no_answer(gateway: Any) -> None:
    gateway.faults.empty_details = "chat/completions"
    session = lx.Session({"sales": pd.DataFrame({"a": [1]})}, planner=MODEL, namespace={}, replay="off")
    run = session.ask("How many?")
    assert run.status == "failed"
    assert "The platform gave no reason." in run.answer
    session.close()


def test_what_is_missing_is_said_before_anything_is_sent(gateway: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadModel, match=r"--project WORKSPACE/PROJECT"):
        lx.Session(planner="lexsi:openai/gpt-x", namespace={}).planner()
    with pytest.raises(BadModel, match="whose model"):
        lx.Session(planner="lexsi:gpt-x --project demo/chat", namespace={}).planner()
    monkeypatch.delenv("SDK_ACCESS_TOKEN")
    with pytest.raises(NoKey, match="SDK_ACCESS_TOKEN"):
        lx.Session(planner=MODEL, namespace={}).planner()
    assert gateway.seen == []


def test_the_limits_of_the_session_hold(gateway: Any) -> None:
    gateway.platform.chat = [json.dumps({"thought": "", "final_answer": "Done."})] * 2
    sales = pd.DataFrame({"a": [1]})
    session = lx.Session({"sales": sales}, planner=MODEL, namespace={}, replay="off", limits="1 a minute")
    try:
        assert session.ask("How many?").ok
        waits: list[Any] = []

        def on_event(event: Any) -> None:
            if event.kind == "request_waiting":
                waits.append(event)
                os.kill(os.getpid(), signal.SIGINT)

        run = session.ask("And now?", on_event=on_event)
        assert run.status == "interrupted"
        assert "1 requests a minute" in waits[0].reason
        assert len(gateway.to("gateway/v1/chat/completions")) == 1
    finally:
        session.close()


def test_a_reply_in_parts_is_read_to_its_end_and_a_cut_one_is_no_reply(gateway: Any) -> None:
    """The planner asks for whole replies; the SDK's stream is read as strictly where somebody uses it."""
    gateway.platform.chat = ["There are three.", "There are four."]
    session = lx.Session({"sales": pd.DataFrame({"a": [1]})}, planner=MODEL, namespace={}, replay="off")
    account = session.planner().model.account()

    def act() -> str:
        project = account.workspace().project("chat")
        asked = [{"role": "user", "content": "How many?"}]
        parts = project.chat_completion(model="gpt-x", messages=asked, provider="openai", stream=True)
        return "".join(p["choices"][0]["delta"]["content"] for p in parts)

    def run() -> str:
        return account.calls.run(act, "asking", tick=lambda *_: None, cancelled=lambda: False)

    assert run() == "There are three."
    gateway.faults.cut_streams = 1
    with pytest.raises(PlatformFailed, match="was cut off"):
        run()
    session.close()


def test_a_dry_run_shows_what_the_model_would_read_and_signs_in_nowhere(gateway: Any) -> None:
    gateway.platform.chat = [json.dumps({"thought": "", "final_answer": "Done."})]
    session = lx.Session({"sales": pd.DataFrame({"a": [1]})}, planner=MODEL, namespace={}, replay="off")
    with pytest.MonkeyPatch.context() as without:
        without.delenv("SDK_ACCESS_TOKEN")
        run = session.ask("How many?", dry_run=True)
    assert (run.status, gateway.seen) == ("answered", [])
    shown = json.loads(run.answer.rpartition("\n")[2])
    assert session.ask("How many?").ok
    (asked,) = gateway.to("gateway/v1/chat/completions")
    assert shown == {**asked.body, "project_name": "chat"}  # its name on the platform is looked up first
    session.close()
