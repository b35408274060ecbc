"""Planner and side model change together or not at all; a question that runs goes on with what it began with."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.errors import LexsiError
from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.planners.keys import NoKey

FRAME = pd.DataFrame({"city": ["Brno", "Praha"], "amount": [10, 20]})


@pytest.fixture
def session() -> lx.Session:
    return lx.Session({"sales": FRAME}, namespace={}, replay="off")


def test_both_change(session: lx.Session, model_server: Any) -> None:
    session.use(planner=model_server.choice("anthropic", "big"), model=model_server.choice("openai", "small"))
    assert session.planner().name == "anthropic:big"
    assert session.side_model(session.planner()).name == "openai:small"
    session.use(model="same")
    assert session.side_model(session.planner()).name == "anthropic:big"


@pytest.mark.parametrize("wrong", ["planner", "model"])
def test_neither_changes_where_one_cannot_work(
    session: lx.Session, model_server: Any, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    session.use(planner=model_server.choice("anthropic", "big"), model=model_server.choice("openai", "small"))
    given = {"planner": model_server.choice("ollama", "new"), "model": model_server.choice("openai", "new")}
    with pytest.raises(NoKey):
        session.use(**{**given, wrong: "openai:gpt-x"}, dataset={"other": FRAME})
    assert session.planner().name == "anthropic:big"
    assert session.side_model(session.planner()).name == "openai:small"
    assert session.ask("How many sales?").dataset == lx.Session({"sales": FRAME}).binding.start().title


def test_a_switch_in_mid_run_holds_from_the_next_question(session: lx.Session, model_server: Any) -> None:
    session.use(planner=model_server.choice("anthropic", "first"))
    model_server.brain = lambda asked: (
        model_server.Reply("Done.") if asked.results else model_server.Reply(calls=[("inspect_data", {})])
    )

    def switch(event: Any) -> None:
        if event.kind == "tool_started":
            session.use(planner=model_server.choice("anthropic", "second"))

    run = session.ask("How many sales?", on_event=switch)
    assert run.ok
    assert run.planner == "anthropic:first"
    assert [r.body["model"] for r in model_server.requests] == ["first", "first"]
    assert session.ask("And now?").planner == "anthropic:second"


def test_the_magic_switches_both_and_goes_back(ip: Any, model_server: Any, capsys: Any) -> None:
    session, magics = getattr(ip, ATTRIBUTE).session, getattr(ip, ATTRIBUTE)
    big, small = model_server.choice("anthropic", "big"), model_server.choice("openai", "small")
    ip.run_line_magic("lexsi", f"model {big} --helper {small}")
    assert "Side queries go to openai:small" in capsys.readouterr().out
    assert (session.planner().name, session.side_model(session.planner()).name) == ("anthropic:big", "openai:small")
    with pytest.raises(LexsiError, match="Nearest"):
        magics.lexsi(f"model {big} --helper opnai:small")
    assert session.side_model(session.planner()).name == "openai:small"
    with pytest.raises(LexsiError, match="names no model"):
        magics.lexsi(f"model {big} --helper")
    ip.run_line_magic("lexsi", "model off")
    assert session.planner().name == "grounded"
    assert session.side_model(session.planner()) is None


def test_a_model_is_told_that_another_one_decided_until_now(session: lx.Session, model_server: Any) -> None:
    said = []
    for name in ("first", "first", "second"):
        session.use(planner=model_server.choice("anthropic", name))
        assert session.ask("How many sales?").ok
        said.append([m.text for m in session.history.messages if m.role == "system"])
    assert said == [[], [], ["From here on anthropic:second decides; anthropic:first did until now."]]
    assert said[-1][0] in str(model_server.requests[-1].body)
