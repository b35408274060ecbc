"""A dry run in the middle of a conversation shows what the question then sends, whatever happened before."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.planners.keys import NoKey
from lexsi_nb.widgets.answer_text import answer_text


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
@pytest.mark.parametrize("json_only", [False, True])
def test_what_is_shown_is_what_the_question_then_sends(model_server: Any, provider: str, json_only: bool) -> None:
    options = {"json": True} if json_only else {}
    reply = json.dumps({"thought": "It was asked.", "final_answer": "There are 77."})
    calls = [("run_sql", {"sql": "SELECT city FROM sales", "label": "cities"})]
    model_server.brain = lambda asked: (
        model_server.Reply(reply)
        if json_only
        else model_server.Reply("There are 77.")
        if asked.results
        else model_server.Reply(calls=calls)
    )
    sales = pd.DataFrame({"city": ["Brno", "Praha"], "amount": [10, 20]})
    session = lx.Session(planner=model_server.choice(provider, **options), namespace={"sales": sales}, replay="off")
    assert session.ask("How many rows has sales?").ok
    sales.loc[2] = ["Plzen", 30]  # a change that the next question tells of
    model_server.requests.clear()
    sent = len(session.sent.entries)
    body = session.ask("How many sales?", dry_run=True).answer.split("\n", 3)[3]
    assert (model_server.requests, len(session.sent.entries)) == ([], sent)
    assert json_only or "The user changed sales" in body
    assert session.ask("How many sales?").ok
    assert body == session.sent.entries[sent].body
    assert json.loads(body) == model_server.requests[0].body


KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "AWS_BEARER_TOKEN_BEDROCK",
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")  # fmt: skip


@pytest.mark.parametrize("offline", ["0", "1"])
@pytest.mark.parametrize("line", ["anthropic:m", "openai:m", "google:m --effort low", "bedrock:m"])
def test_what_would_be_sent_can_be_looked_at_without_a_key(
    monkeypatch: pytest.MonkeyPatch, line: str, offline: str
) -> None:
    monkeypatch.setenv("LEXSI_NB_OFFLINE", offline)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    session = lx.Session({"sales": pd.DataFrame({"amount": [1]})}, planner=line, namespace={}, replay="off")
    run = session.ask("How many sales?", dry_run=True)
    assert run.status == "answered", run.answer
    assert run.answer.startswith("Dry run: nothing was sent.")
    assert "How many sales?" in run.answer
    assert run.answer.rpartition("\n")[2] in answer_text(run)  # word for word in a terminal too
    assert session.sent.entries == []
    with pytest.raises(NoKey) if line != "bedrock:m" else contextlib.nullcontext():
        assert session.ask("How many sales?").status == "failed"
