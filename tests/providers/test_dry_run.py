"""A dry run in the middle of a conversation shows what the question then sends, whatever happened before."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx


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
