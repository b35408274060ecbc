"""A session with a provider's model on a loopback server: dry run, interrupt, usage, exact bytes, keys of a keyring."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.egress.redaction import redact
from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.planners import keys
from lexsi_nb.planners.choice import parse
from lexsi_nb.toolkit.redaction import mask
from lexsi_nb.widgets.answer_html import foot_html
from tests.injection.test_canaries import CELL, EVERYTHING, PRIVATE, RARE, people

__all__ = ["people"]
FRAME = pd.DataFrame({"city": ["Brno", "Praha", "Brno"], "amount": [10, 20, 30]})
TOTAL = [("run_sql", {"sql": "SELECT sum(amount) AS total FROM sales", "label": "totals"})]


def session_with(server: Any, **options: Any) -> lx.Session:
    return lx.Session({"sales": FRAME}, planner=server.choice("anthropic"), namespace={}, replay="off", **options)


def totals(server: Any) -> Any:
    """Return a brain that asks for the total and then answers."""
    return lambda asked: server.Reply("Sixty.") if asked.results else server.Reply(calls=TOTAL)


def test_a_dry_run_shows_the_first_request_word_for_word_and_sends_nothing(model_server: Any) -> None:
    session = session_with(model_server)
    run = session.ask("How many sales?", dry_run=True)
    assert (run.status, run.sent, model_server.requests, session.history.messages) == ("answered", [], [], [])
    head, where, _, body = run.answer.split("\n", 3)
    assert head.startswith("Dry run: nothing was sent. The first request would go to anthropic:test-model (127.0.0.1:")
    tokens = len(body) // 4 + 1
    assert f"about {tokens:,} tokens, {len(body.encode()):,} bytes, under the data policy schema." in where
    session.ask("How many sales?")
    assert body == session.sent.entries[0].body
    assert json.loads(body) == model_server.requests[0].body


def test_a_dry_run_asks_no_side_model_either(model_server: Any) -> None:
    def poem(agent: lx.AgentRef) -> str:
        """Write a line about the data."""
        return agent.oneshot(prompt="You write one line.", query="About sales.")

    from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

    planner = ScriptedPlanner([call("poem"), say("Done.")])
    session = lx.Session(
        {"sales": FRAME}, planner=planner, model=model_server.choice("openai"), policy="rows", namespace={}
    )
    session.add_tool(poem)
    run = session.ask("A poem.", dry_run=True)
    assert model_server.requests == []
    assert "Dry run: nothing was sent to openai:test-model" in run.steps[0].summary


@pytest.mark.parametrize("fault", ["stall", "hang"])
def test_stop_in_a_cell_while_the_model_hangs_returns_within_a_second_and_keeps_the_work(
    ip: Any, model_server: Any, capsys: Any, fault: str
) -> None:
    model_server.brain = lambda asked: (
        model_server.Reply("Sixty.") if asked.results else model_server.Reply(calls=TOTAL)
    )
    model_server.faults = ["", fault]
    ip.user_ns["sales"] = FRAME
    ip.run_line_magic("lexsi", f"model {model_server.choice('anthropic')}")
    pressed: list[float] = []

    def press() -> None:
        model_server.stalled.wait(20)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    result = ip.run_cell("%%lexsi --replay off\nWhat is the total?")
    took = time.monotonic() - pressed[0]
    assert took < 1
    assert not result.success
    assert "Kept: totals" in str(result.error_in_exec)
    assert ip.user_ns["totals"]["total"].tolist() == [60]
    assert getattr(ip, ATTRIBUTE).session.runs[-1].status == "interrupted"
    capsys.readouterr()
    assert ip.run_cell("%%lexsi --replay off\nAnd now?").success
    assert "Sixty." in capsys.readouterr().out


def test_usage_is_told_by_event_step_and_answer_with_its_price(model_server: Any) -> None:
    model_server.brain = lambda asked: (
        model_server.Reply("Sixty.") if asked.results else model_server.Reply(calls=TOTAL)
    )
    events: list[Any] = []
    run = session_with(model_server).ask("What is the total?", on_event=events.append)
    told = [e for e in events if e.kind == "usage_updated"]
    assert told[-1].requests == run.usage.requests == 2
    assert told[-1].cache_read_tokens == run.usage.cache_read_tokens
    assert told[-1].cost == "unknown"  # nobody has a price for a test model
    assert run.steps[0].usage["requests"] == 1
    assert run.steps[0].usage["input_tokens"] == told[0].input_tokens
    assert f"Used: {run.usage.words}" in foot_html(run)
    assert "price unknown" in foot_html(run)


@pytest.mark.parametrize(
    ("policy", "kept_here"),
    [("schema", (CELL, PRIVATE, RARE)), ({"level": "stats", "private": ["ssn"]}, (CELL, PRIVATE, RARE))],
)
def test_no_canary_is_in_the_bytes_that_a_server_receives(
    model_server: Any, people: pd.DataFrame, policy: Any, kept_here: tuple[str, ...]
) -> None:
    lines = iter(EVERYTHING)

    def brain(asked: Any) -> Any:
        if not asked.tools:  # a side query, as for SQL
            return model_server.Reply("SELECT city, count(*) AS n FROM people GROUP BY city")
        line = next(lines, None)
        if line is None or not asked.may_call:
            return model_server.Reply("Looked at.")
        return model_server.Reply(calls=[(c.name, c.args) for c in line.calls])

    model_server.brain = brain
    session = lx.Session(
        namespace={"people": people},
        planner=model_server.choice("anthropic"),
        policy=policy,
        max_steps=40,
        replay="off",
    )
    run = session.ask("Look at people.", approve=("connect_datalake",))
    assert run.ok, run.answer
    assert len(model_server.requests) > len(EVERYTHING)
    assert [json.loads(s.body) for s in run.sent] == [r.body for r in model_server.requests]
    sent = "\n".join(s.body for s in run.sent)
    for canary in kept_here:
        assert canary not in sent, sent[max(0, sent.find(canary) - 300) : sent.find(canary) + 60]


def test_a_key_from_the_keyring_is_masked_in_every_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(keys, "in_keyring", lambda provider: "plain-words-as-a-key")
    found = keys.find(parse("openai:gpt-5.2"))
    assert found is not None
    assert "plain-words" not in repr(found)
    for hide in (redact, mask):
        assert hide("it failed with plain-words-as-a-key in it") == "it failed with [secret] in it"
