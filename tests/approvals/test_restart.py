"""A parked run outlives its kernel: another session finds it in the store and goes on, or says what it lacks."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import textwrap

import pytest

import lexsi_nb as lx
from lexsi_nb.app.session import Session
from lexsi_nb.errors import RunFailed
from lexsi_nb.planners.scripted import call, say
from lexsi_nb.store.folder import state_folder
from lexsi_nb.store.parked import AlreadySettled

REFUND = call("refund", customer="C-1", amount=900.0)


def test_another_kernel_goes_on_where_the_run_stopped(session_of, shop, orders):
    before = session_of([call("look", customer="C-1"), REFUND]).ask("refund C-1")
    session = session_of([say("Refunded.")], namespace={"orders": orders.copy()})
    run = session.resume(before.approval.id, approve=True)
    assert (run.status, run.answer, run.id) == ("answered", "Refunded.", before.id)
    assert shop.ledger == [("C-1", 900.0)]
    assert [(s.tool, s.status) for s in run.steps] == [("look", "ok"), ("refund", "ok")]
    turn = session.planner().turns[-1]
    assert [m.text for m in turn.messages if m.role == "tool"] == ["C-1 exists", "refunded 900.00 to C-1"]
    assert session.history.messages[0].role == "user"
    with pytest.raises(AlreadySettled):
        before.resume(approve=True)
    assert shop.ledger == [("C-1", 900.0)]


def test_a_missing_label_is_named_with_the_cells_that_make_it(session_of, shop, orders, ip, capsys):
    lines = [
        call("run_sql", sql="SELECT * FROM orders WHERE region = 'S'", label="south"),
        call("upload", frame="south"),
    ]
    before = session_of(lines).ask("upload the south")
    session = session_of([say("Uploaded.")], namespace={"orders": orders})
    with pytest.raises(RunFailed, match="the kernel has no south") as error:
        session.resume(before.approval.id, approve=True)
    assert f"%lexsi parked {before.approval.id}" in str(error.value)
    for cell in before.cells:
        exec(cell.source, session.namespace)
    run = session.resume(before.approval.id, approve=True)
    assert (run.status, shop.sent) == ("answered", [2])
    assert [c.source for c in run.cells] == [c.source for c in before.cells]


def test_other_data_under_the_label_ask_again(session_of, shop, orders):
    before = session_of([call("upload", frame="orders")]).ask("upload")
    session = session_of([], namespace={"orders": orders.assign(amount=0.0)})
    run = session.resume(before.approval.id, approve=True)
    assert run.status == "awaiting_approval"
    assert run.approval.id != before.approval.id
    assert shop.sent == []


def test_other_datasets_are_refused_and_the_run_waits_on(session_of, shop, orders):
    before = session_of([REFUND]).ask("refund")
    session = session_of([say("x")], namespace={"other": orders})
    with pytest.raises(RunFailed, match="the kernel has no orders"):
        session.resume(before.approval.id, approve=True)
    assert session_of([say("done")]).resume(before.approval.id, approve=True).status == "answered"
    assert len(shop.ledger) == 1


def test_a_no_holds_after_a_restart_too(session_of, shop):
    before = session_of([REFUND]).ask("refund")
    session = session_of([REFUND, say("declined")])
    run = session.resume(before.approval.id, decline="no")
    assert [s.status for s in run.steps] == ["declined", "declined"]
    assert shop.ledger == []


def test_secret_arguments_are_not_stored_and_are_asked_for_anew(session_of, state_folder):
    got: list[str] = []

    @lx.tool(needs_approval=True, reveals="schema")
    def login(user: str, password: str) -> str:
        """Log in."""
        got.append(password)
        return "in"

    def fresh(lines):
        session = session_of(lines)
        session.add_tool(login)
        return session

    before = fresh([call("login", user="ann", password="hunter22hunter22")]).ask("log in")
    stored = b"".join(p.read_bytes() for p in state_folder.rglob("*") if p.is_file())
    assert b"hunter22" not in stored
    session = fresh([say("in")])
    with pytest.raises(RunFailed, match="secret"):
        session.resume(before.approval.id, approve=True)
    session.resume(before.approval.id, approve=True, args={"user": "ann", "password": "again"})
    assert got == ["again"]


def test_this_kernel_still_knows_the_secret(session_of):
    got: list[str] = []

    @lx.tool(needs_approval=True, reveals="schema")
    def login(user: str, password: str) -> str:
        """Log in."""
        got.append(password)
        return "in"

    session = session_of([call("login", user="ann", password="hunter22hunter22"), say("in")])
    session.add_tool(login)
    assert session.ask("log in").resume(approve=True).status == "answered"
    assert got == ["hunter22hunter22"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_what_is_kept_is_closed_to_others(session_of):
    session_of([REFUND]).ask("refund")
    folder = state_folder()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = [p for p in folder.iterdir() if p.is_file()]
    assert {p.name for p in files} >= {"state.sqlite", "audit.jsonl"}
    assert {stat.S_IMODE(p.stat().st_mode) for p in files} == {0o600}


def test_a_state_folder_that_cannot_be_written_acts_nothing(session_of, shop, tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    monkeypatch.setenv("LEXSI_NB_STATE", str(blocked))
    session = session_of([call("refund", customer="C-1", amount=20.0), say("could not")])
    run = session.ask("refund")
    assert run.steps[0].status == "failed"
    assert shop.ledger == []


def test_a_kernel_that_died_while_acting_does_not_act_again(tmp_path):
    """The process is killed inside the tool, after it acted; the question is asked again in a new one."""
    script = textwrap.dedent("""
        import os, sys
        import pandas as pd
        import lexsi_nb as lx
        from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

        @lx.tool(side_effect="write", reveals="schema")
        def pay(amount: float) -> str:
            '''Pay.'''
            with open("ledger", "a") as file:
                file.write(f"{amount}\\n")
            if sys.argv[1] == "die":
                os._exit(9)
            return "paid"

        session = lx.Session(namespace={"t": pd.DataFrame({"a": [1]})},
                             planner=ScriptedPlanner([call("pay", amount=5.0), say("done")]))
        session.add_tool(pay)
        run = session.ask("pay 5")
        print(run.steps[0].status, run.steps[0].summary)
    """)
    environment = {**os.environ, "LEXSI_NB_STATE": str(tmp_path / "state")}

    def run(how: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, how]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)

    assert run("die").returncode == 9
    after = run("live")
    assert after.returncode == 0, after.stderr
    assert after.stdout.startswith("rejected")
    assert "may or may not have acted" in after.stdout
    assert (tmp_path / "ledger").read_text() == "5.0\n"


def test_a_parked_run_is_plain_json(session_of):
    before = session_of([REFUND]).ask("refund")
    body = Session(namespace={}).desk.parked.get(before.approval.id).body
    assert json.loads(json.dumps(body)) == body
    assert body["parked"]["waiting"]["args"] == {"customer": "C-1", "amount": 900.0}


def test_a_run_that_cannot_be_kept_fails_and_says_so(session_of, shop, tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    monkeypatch.setenv("LEXSI_NB_STATE", str(blocked))

    @lx.tool(needs_approval=True)
    def share() -> str:
        """Share it."""
        raise AssertionError

    session = session_of([call("share")])
    session.add_tool(share)
    run = session.ask("share it")
    assert run.status == "failed"
    assert "share needs a person, and the run cannot be kept" in run.answer
    assert "LEXSI_NB_STATE" in run.answer


def test_a_settled_run_leaves_no_conversation_behind(session_of, state_folder):
    answers = ({"approve": True}, {"decline": "no"})
    for answer in answers:
        session = session_of([REFUND, say("done")])
        run = session.ask(f"a question that nobody else asks {answer}")
        id = run.approval.id
        assert session.desk.parked.get(id).body["question"]
        run.resume(**answer)
        row = session.desk.parked.get(id)
        assert (row.body, row.state) == ({}, "approved" if "approve" in answer else "declined")


def test_acting_again_holds_over_a_restart(session_of, shop):
    session_of([REFUND, say("x")]).ask("refund").resume(approve=True)
    before = session_of([REFUND]).ask("refund", again=True)
    assert before.status == "awaiting_approval"
    run = session_of([say("done")]).resume(before.approval.id, approve=True)
    assert [s.status for s in run.steps] == ["ok"]
    assert len(shop.ledger) == 2
