"""Secrets in what a tool gives back or prints: in no output, no message, no store. The object itself stays whole."""

from __future__ import annotations

import asyncio
import sys
import threading
from dataclasses import dataclass

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.observation import Grid, Observation, Segment
from lexsi_nb.planners.scripted import ScriptedPlanner, call, calls, say
from lexsi_nb.toolkit.registry import Registry
from lexsi_nb.toolkit.spec import ToolResult

KEY = "sk-abcdefghijklmnop1234567890"


@dataclass
class Login:
    user: str
    password: str


RETURNED = {
    "text": f"the key is {KEY}",
    "pair": "password=hunter22",
    "mapping": {"user": "ann", "api_key": "hunter22"},
    "list": [KEY],
    "dataclass": Login("ann", "hunter22"),
    "frame": pd.DataFrame({"key": [KEY]}),
    "result": ToolResult(True, f"it is {KEY}", meta={"address": f"https://h/?k={KEY}"}),
    "failed result": ToolResult(False, f"it is {KEY}", error=f"it is {KEY}"),
    "environment": "a-quite-ordinary-word",
}


def giving(value, *, asynchronous=False, thread_safe=False):
    if asynchronous:

        @lx.tool(name="give")
        async def later():
            """Give."""
            return value

        return later

    @lx.tool(name="give", thread_safe=thread_safe)
    def give():
        """Give."""
        return value

    return give


def session_of(tool, *lines) -> Session:
    session = Session(planner=ScriptedPlanner(list(lines)), namespace={"t": pd.DataFrame({"a": [1]})})
    session.add_tool(tool)
    return session


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("kind", RETURNED)
def test_what_a_tool_returns_is_read_and_kept_without_secrets(kind, asynchronous, monkeypatch, state_folder):
    monkeypatch.setenv("SHOP_AUTH", "a-quite-ordinary-word")
    session = session_of(giving(RETURNED[kind], asynchronous=asynchronous), call("give"), say("done"))
    run = session.ask("q")
    for told in (run.steps[0].summary, str(session.history.messages), run.trajectory()):
        assert not any(secret in told for secret in (KEY, "hunter22", "ordinary"))
    assert "[secret]" in run.steps[0].summary
    kept = b"".join(p.read_bytes() for p in state_folder.rglob("*") if p.is_file())
    assert not any(secret in kept for secret in (KEY.encode(), b"hunter22", b"ordinary"))


def test_the_object_that_a_tool_returned_stays_whole():
    frame = RETURNED["frame"]
    outcome = asyncio.run(Registry([giving(frame)]).call("give"))
    assert outcome.result.payload["key"].tolist() == [KEY]
    assert RETURNED["result"].observation.text == f"it is {KEY}"


def test_a_result_that_is_the_answer_has_no_secret():
    @lx.tool
    def give(loop: lx.LoopControllerRef) -> str:
        """Give."""
        loop.set_state(loop.STOP_SUCCESS)
        return f"the key is {KEY}"

    assert session_of(give, call("give")).ask("q").answer == "the key is [secret]"


def test_a_proposed_cell_hides_keys_and_leaves_code_alone():
    source = f'client = connect("{KEY}")\ntoken = client.token\nboth = a.api_key == b.api_key'
    run = session_of(giving(lx.CodeCell(source)), call("give"), say("x")).ask("q")
    assert run.cells[0].source == source.replace(KEY, "[secret]")


def test_a_cell_that_a_step_hands_out_is_shown_without_a_key_and_run_with_it(tmp_path):
    ran = []

    @lx.tool
    def make(ctx: lx.ContextRef) -> str:
        """Make."""
        ran.append(ctx.emit(lx.CodeCell(f'key = "{KEY}"', title=f"with {KEY}")).source)
        return "made"

    run = session_of(make, call("make"), say("x")).ask("q")
    assert ran == [f'key = "{KEY}"']
    assert [(c.source, c.title) for c in run.cells] == [('key = "[secret]"', "with [secret]")]
    assert KEY not in run.export(tmp_path / "q.ipynb").read_text()


@pytest.mark.parametrize("sql", ["SELECT 1 AS n FROM t JOIN t AS b ON t.a = b.a WHERE 'api_key=x.api_key' <> ''"])
def test_sql_that_compares_columns_named_like_secrets_is_read_as_it_is(sql):
    outcome = asyncio.run(Registry([giving(ToolResult(True, sql))]).call("give"))
    assert outcome.result.observation.text == sql


@pytest.mark.parametrize("thread_safe", [False, True], ids=["cell thread", "worker"])
def test_what_a_tool_prints_is_printed_without_secrets(thread_safe, capsys):
    @lx.tool(thread_safe=thread_safe)
    def chatty() -> str:
        """Print."""
        print("login", KEY, "password=hunter22", end="!\n")
        print(KEY, file=sys.stderr)
        return "done"

    before = sys.stdout, sys.stderr
    session_of(chatty, call("chatty"), say("x")).ask("q")
    assert (sys.stdout, sys.stderr) == before
    out, err = capsys.readouterr()
    assert out.startswith("login [secret] password=[secret]!")
    assert err.startswith("[secret]")


def test_tools_that_print_at_once_leave_the_streams_as_they_were(capsys):
    gate = threading.Barrier(3, timeout=20)

    @lx.tool(thread_safe=True, parallel_safe=True)
    def chatty(n: int) -> str:
        """Print.

        Args:
            n: Which.
        """
        gate.wait()
        print(f"{n} {KEY}")
        return str(n)

    before = sys.stdout
    session_of(chatty, calls(*(call("chatty", n=n) for n in range(3))), say("x")).ask("q")
    assert sys.stdout is before
    assert sorted(capsys.readouterr().out.split()) == ["0", "1", "2", "[secret]", "[secret]", "[secret]"]


def test_the_context_of_a_toolset_and_what_a_tool_adds_have_no_secret():
    @lx.toolset
    class Shop:
        def context(self) -> str:
            return f"The key is {KEY}."

        @lx.tool
        def note(self, agent: lx.AgentRef) -> str:
            """Note."""
            agent.add_context(f"remember {KEY}")
            return "noted"

    session = session_of(Shop(), call("note"), say("x"))
    session.ask("q")
    turn = session.planner().turns[-1]
    assert "The key is [secret]." in turn.system
    assert "remember [secret]" in str(turn.messages)
    assert KEY not in str(turn)


def test_an_async_tools_result_is_cut_as_any_other():
    long = giving(ToolResult(True, "x" * 1_000_000), asynchronous=True)
    assert len(asyncio.run(Registry([long]).call("give")).result.observation.text) < 21_000


def test_rows_that_a_policy_may_cut_by_columns_have_no_secret_either():
    table = Observation.table(Grid(("id", "key"), (("1", KEY),)))
    told = ToolResult(True, Observation.of(Segment("x", "rows", instead=f"not {KEY}"), table))
    for segment in asyncio.run(Registry([giving(told)]).call("give")).result.observation.segments:
        assert KEY not in repr(segment) + (segment.grid.text() if segment.grid else "")


def login_that(kind: str):
    wrong = {"check": lambda args: f"{args['password']} is too weak"} if kind == "rejected" else {}

    @lx.tool(reveals="schema", side_effect="irreversible" if kind in ("dry run", "approval") else "none", **wrong)
    def login(password: str, tries: int = 1) -> str:
        """Log in.

        Args:
            password: The password.
            tries: How often.
        """
        if kind == "prints":
            print(f"trying {password}")
        if kind == "raises":
            raise PermissionError(f"{password} is wrong")
        return f"in with {password}"

    return login


@pytest.mark.parametrize("kind", ["returns", "prints", "raises", "rejected", "invalid", "dry run", "approval"])
def test_a_secret_argument_is_repeated_in_no_text_of_its_call(kind, state_folder, capsys):
    more = {"tries": "many"} if kind == "invalid" else {}
    session = session_of(login_that(kind), call("login", password="open sesame", **more), say("done"))
    run = session.ask("q", dry_run=kind == "dry run")
    if kind == "approval":
        run.resume(approve=True)
    told = [str(run.steps), run.answer, str(session.history.messages), *map(str, capsys.readouterr())]
    assert not any("open sesame" in text for text in told)
    assert run.steps[0].status in ("ok", "failed", "rejected", "invalid", "dry_run")
    assert not any(b"open sesame" in p.read_bytes() for p in state_folder.rglob("*") if p.is_file())


def test_a_wrong_secret_is_not_quoted_back():
    @lx.tool
    def login(pin_token: int) -> str:
        """Log in.

        Args:
            pin_token: The number.
        """
        return "in"

    outcome = asyncio.run(Registry([login]).call("login", {"pin_token": "open sesame"}))
    assert outcome.status == "invalid"
    assert "open sesame" not in outcome.result.observation.text + str(outcome.result.meta)
    assert "expected an integer" in outcome.result.observation.text


@pytest.mark.parametrize("where", ["reason", "planner"])
def test_what_ends_a_run_has_no_secret(where):
    @lx.tool
    def stop(loop: lx.LoopControllerRef) -> str:
        """Stop."""
        loop.set_state(loop.STOP_FATAL, f"refused {KEY}")
        return "x"

    def fails(turn):
        raise ConnectionError(f"refused {KEY}")

    run = session_of(stop, call("stop") if where == "reason" else fails).ask("q")
    assert run.status == "failed"
    assert "refused [secret]" in run.answer
    assert KEY not in run.traceback


def test_where_data_go_is_shown_without_the_password_in_the_address():
    @lx.tool(side_effect="irreversible", effect=lambda args: lx.Effect(to="ftp://ann:open-sesame@files.example.com"))
    def upload() -> str:
        """Upload."""
        return "up"

    run = session_of(upload, call("upload")).ask("q")
    assert ("goes to", "ftp://[secret]@files.example.com") in run.approval.effect


def test_a_secret_inside_another_leaves_nothing_of_the_longer_one(monkeypatch):
    from lexsi_nb.egress.redaction import redact
    from lexsi_nb.toolkit.redaction import mask

    monkeypatch.setenv("SHORT_KEY", KEY[3:15])
    monkeypatch.setenv("LONG_TOKEN", f"before-{KEY}-after")
    for hide in (mask, redact):
        assert hide(f"with {KEY}!") == "with [secret]!"
        assert hide(f"with before-{KEY}-after!") == "with [secret]!"
        assert hide(f"with {KEY[3:15]}!") == "with [secret]!"
