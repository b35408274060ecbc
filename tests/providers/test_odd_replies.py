"""Replies that no model should write: each is told to the model, or ends the run in a line; the next question works."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx

FRAME = pd.DataFrame({"city": ["Brno", "Praha", "Brno"], "amount": [10, 20, 30]})
SQL = ("run_sql", {"sql": "SELECT sum(amount) AS total FROM sales", "label": "totals"})


@pytest.fixture(params=["anthropic", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


def asked(model_server: Any, provider: str, first: Any, *, max_steps: int = 4, **options: Any) -> Any:
    """Return the run in which the model says `first`, then answers; the session is usable afterwards."""
    model_server.brain = lambda asked: model_server.Reply("Done.") if asked.results else first
    session = lx.Session(
        {"sales": FRAME}, planner=model_server.choice(provider), namespace={}, replay="off", max_steps=max_steps,
        **options,
    )  # fmt: skip
    run = session.ask("What is the total?")
    model_server.brain = lambda asked: model_server.Reply("Fine.")
    assert session.ask("And now?").answer == "Fine."
    session.close()
    return run


def test_an_unknown_tool_is_told_the_nearest(model_server: Any, provider: str) -> None:
    run = asked(model_server, provider, model_server.Reply(calls=[("run_sqll", {})]))
    assert run.steps[0].status == "unknown_tool"
    assert "run_sql" in run.steps[0].summary
    assert run.answer == "Done."


@pytest.mark.parametrize("raw", ["{not json", "[1, 2]", '"text"', "null", '{"sql": "SELECT 1"'])
def test_arguments_that_are_no_object_are_shown_to_their_writer(model_server: Any, provider: str, raw: str) -> None:
    run = asked(model_server, provider, model_server.Reply(calls=[SQL], raw=raw))
    assert [s.status for s in run.steps] == ["invalid"]
    assert run.answer == "Done."


def test_calls_under_one_id_each_get_a_result(model_server: Any, provider: str) -> None:
    calls = [SQL, ("inspect_data", {}), ("sample_values", {"table": "sales", "column": "city"})]
    run = asked(model_server, provider, model_server.Reply(calls=calls, id="same"))
    assert [s.status for s in run.steps] == ["ok"] * 3
    assert run.answer == "Done."
    assert len({s.call_id for s in run.steps}) == 3


@pytest.mark.parametrize(
    ("first", "says"),
    [
        ({"thought": "Only thinking."}, "neither called a tool nor answered"),
        ({}, "sent an empty reply"),
        ({"text": "A beginning", "stop": "max"}, "cut at its limit of tokens.*--max-tokens"),
        ({"calls": [SQL], "raw": '{"sql": "SELECT su', "stop": "max"}, "cut at its limit of tokens"),
        ({"text": "I cannot.", "stop": "refusal"}, "refused the content"),
        ({"text": "   \n"}, "neither called a tool nor answered|empty reply"),
    ],
)
def test_a_reply_without_a_decision_is_one_line(
    model_server: Any, provider: str, first: dict[str, Any], says: str
) -> None:
    stops = {"max": {"anthropic": "max_tokens", "openai": "length"},
             "refusal": {"anthropic": "refusal", "openai": "content_filter"}}  # fmt: skip
    stop = stops[first["stop"]][provider] if "stop" in first else ""
    run = asked(model_server, provider, model_server.Reply(**{**first, "stop": stop}))
    assert run.status == "failed"
    assert pd.Series([run.answer]).str.contains(says).all(), run.answer
    assert "\n" not in run.answer
    assert not run.steps


def test_a_model_that_never_stops_calling_is_stopped(model_server: Any, provider: str) -> None:
    model_server.brain = lambda asked: model_server.Reply(calls=[("inspect_data", {})])
    session = lx.Session(
        {"sales": FRAME}, planner=model_server.choice(provider), namespace={}, replay="off", max_steps=3
    )
    run = session.ask("What is the total?")
    assert (run.status, run.answer) == ("failed", "No answer within 3 steps; what was made so far is kept.")
    assert len(run.sent) == 4
    assert not model_server.requests[-1].may_call
    model_server.brain = lambda asked: model_server.Reply("Fine.")
    assert session.ask("And now?").ok


def test_huge_arguments_do_not_come_back_in_full(model_server: Any, provider: str) -> None:
    text = "x" * 400_000
    run = asked(model_server, provider, model_server.Reply(calls=[("run_sql", {"sql": f"SELECT '{text}' AS t"})]))
    assert run.status == "answered", run.answer[:500]
    assert all(len(s.summary) < 20_000 for s in run.steps)


def test_any_script_is_carried(model_server: Any, provider: str) -> None:
    word = "Žluťoučký 数据 \U0001f600 عربي \u2028 \u0000"
    call = ("run_sql", {"sql": f"SELECT '{word[:-1]}' AS \"{word[:9]}\"", "label": "greeting"})
    run = asked(model_server, provider, model_server.Reply(text=word[:-1], calls=[call]), policy="rows")
    assert [s.status for s in run.steps] == ["ok"], run.steps[0].summary
    assert word[:9] in json.dumps([r.body for r in model_server.requests], ensure_ascii=False)


def test_two_models_at_once_and_a_switch_between_vendors(model_server: Any) -> None:
    model_server.brain = lambda asked: (
        model_server.Reply(f"From {asked.path}") if asked.results else model_server.Reply(calls=[SQL], thought="Hm.")
    )
    sessions = [
        lx.Session({"sales": FRAME}, planner=model_server.choice(p), namespace={}, replay="off")
        for p in ("anthropic", "openai")
    ]
    paths = [s.ask("Total?").answer for s in sessions]
    assert ["/v1/messages" in paths[0], "/chat/completions" in paths[1]] == [True, True]
    first = sessions[0]
    assert any("signature" in str(r.body) for r in model_server.requests)
    for line in (
        model_server.choice("openai"),
        model_server.choice("openai", api="responses"),
        model_server.choice("anthropic"),
        model_server.choice("anthropic", model="another"),
    ):
        seen = len(model_server.requests)
        first.use(planner=line)
        assert first.ask("Again?").ok
        if "openai" in line:
            assert not any("c2lnbmF0dXJl" in str(r.body) for r in model_server.requests[seen:])
