"""An approval is never part of a recording: a replayed call asks again, and what acted once does not act twice."""

from __future__ import annotations

import pytest

import lexsi_nb as lx
from lexsi_nb.planners.scripted import call, say

LINES = [
    call("run_sql", sql="SELECT * FROM loans WHERE status = 'A'", label="good"),
    call("send", to="crm"),
    say("Sent to crm."),
]


@pytest.fixture
def tool():
    sent: list[str] = []

    @lx.tool(side_effect="write", needs_approval=lambda args: True, reveals="schema")
    def send(to: str) -> str:
        """Send the report.

        Args:
            to: Where.
        """
        sent.append(to)
        return f"sent to {to}"

    send.sent = sent
    return send


def with_tool(session, tool):
    session.add_tool(tool)
    return session


def test_a_run_that_waited_is_recorded_when_it_has_finished(folder, remote, tool, loans):
    session = with_tool(remote(LINES, {"loans": loans}), tool)
    run = session.ask("send it", recording="q1")
    assert run.status == "awaiting_approval"
    assert not (folder / ".lexsi").exists()
    run.resume(approve=True)
    assert run.status == "answered"
    assert run.recording == ".lexsi/q1.yaml"
    text = (folder / ".lexsi" / "q1.yaml").read_text()
    assert "approv" not in text
    assert tool.sent == ["crm"]


def test_a_replay_waits_for_a_person_again(folder, remote, replayed, tool, loans, monkeypatch):
    with_tool(remote(LINES, {"loans": loans}), tool).ask("send it", recording="q1").resume(approve=True)
    monkeypatch.setenv("LEXSI_NB_STATE", str(folder / "another machine"))
    names = {"loans": loans}
    run = with_tool(replayed(names), tool).ask("send it", recording="q1")
    assert (run.status, tool.sent) == ("awaiting_approval", ["crm"])
    assert len(names["good"]) == 2
    run.resume(approve=True)
    assert (run.status, run.answer, tool.sent) == ("answered", "Sent to crm.", ["crm", "crm"])
    assert run.replayed


def test_a_replay_on_the_machine_where_it_acted_does_not_act_again(folder, remote, replayed, tool, loans):
    with_tool(remote(LINES, {"loans": loans}), tool).ask("send it", recording="q1").resume(approve=True)
    run = with_tool(replayed({"loans": loans}), tool).ask("send it", recording="q1")
    assert [s.status for s in run.steps] == ["ok", "duplicate"]
    assert (run.status, tool.sent) == ("answered", ["crm"])


def test_a_no_stops_the_replay(folder, remote, replayed, tool, loans, monkeypatch):
    with_tool(remote(LINES, {"loans": loans}), tool).ask("send it", recording="q1").resume(approve=True)
    monkeypatch.setenv("LEXSI_NB_STATE", str(folder / "another machine"))
    run = with_tool(replayed({"loans": loans}), tool).ask("send it", recording="q1")
    run.resume(decline="not today")
    assert run.status == "failed"
    assert "step 2: send was ok when recorded and is declined now" in run.answer
    assert tool.sent == ["crm"]


def test_a_parked_replay_goes_on_in_another_kernel(folder, remote, replayed, tool, loans, monkeypatch):
    with_tool(remote(LINES, {"loans": loans}), tool).ask("send it", recording="q1").resume(approve=True)
    monkeypatch.setenv("LEXSI_NB_STATE", str(folder / "another machine"))
    names = {"loans": loans}
    waiting = with_tool(replayed(names), tool).ask("send it", recording="q1")
    run = with_tool(replayed(names), tool).resume(waiting.approval.id, approve=True)
    assert (run.status, run.answer) == ("answered", "Sent to crm.")


def test_a_run_parked_in_another_kernel_is_recorded_whole(folder, remote, replayed, tool, loans):
    names = {"loans": loans}
    waiting = with_tool(remote(LINES, names), tool).ask("send it", recording="q1")
    run = with_tool(remote(LINES[2:], names), tool).resume(waiting.approval.id, approve=True)
    assert run.recording == ".lexsi/q1.yaml"
    text = (folder / ".lexsi" / "q1.yaml").read_text()
    assert text.index("run_sql") < text.index("tool: send")
    again = with_tool(replayed({"loans": loans}), tool).ask("send it", recording="q1")
    assert (again.status, again.replayed) == ("answered", True)
