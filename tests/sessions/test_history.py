"""`%lexsi history` and `%lexsi reset`: each question, how it ended, what it cost, what of it is stale."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import pytest

from lexsi_nb.agent.planner import UsageReport
from lexsi_nb.agent.usage import Usage
from lexsi_nb.app.run import Run
from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.planners.scripted import ScriptedPlanner, call, decline, say
from lexsi_nb.widgets.history import history_text


def line(ip, text: str, capsys) -> str:
    ip.run_line_magic("lexsi", text)
    return capsys.readouterr().out


@pytest.fixture
def scripted(ip):
    ip.user_ns["loans"] = pd.DataFrame({"id": [1, 2], "amount": [10.0, 20.0]})
    script = [
        call("run_sql", sql="SELECT sum(amount) AS total FROM loans", label="totals"),
        say("The total is 30.\nMore words."),
        decline("The data have no weather."),
    ]
    session = getattr(ip, ATTRIBUTE).session
    session.use(planner=ScriptedPlanner(script))
    session.ask("What is the total?", replay="off")
    session.ask("Will it rain?", replay="off")
    return session


def test_history_says_question_status_first_line_and_what_is_stale(ip, scripted, capsys):
    told = line(ip, "history", capsys)
    first, second = told.strip().split("\n\n")
    assert first.startswith("1. What is the total?\n   answered (")
    assert first.endswith("The total is 30.")
    assert "declined" in second
    ip.user_ns["loans"].loc[0, "amount"] = 11.0
    assert "stale: totals (loans was edited since" in line(ip, "history", capsys)
    del ip.user_ns["totals"]
    assert "stale: totals (it is gone)" in line(ip, "history", capsys)


def test_reset_forgets_the_conversation_and_keeps_the_variables(ip, scripted, capsys):
    line(ip, "reset", capsys)
    assert "Nothing was asked yet" in line(ip, "history", capsys)
    assert scripted.history.messages == []
    assert ip.user_ns["totals"]["total"].tolist() == [30.0]


def test_a_cost_is_shown_where_there_is_one():
    used = Usage()
    used.add(UsageReport(1, 1_000_000, 0, model="openai:gpt-4o"))
    run = Run("r1", "q", "openai:gpt-4o", "", "", 0, status="answered", answer="a", usage=used)
    assert used.cost == Decimal("2.5")
    assert "answered, 2.50 USD (r1, openai:gpt-4o)" in history_text([run], {})
    run.usage = Usage()
    assert "USD" not in history_text([run], {})
