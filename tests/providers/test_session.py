"""A session with a model: chosen explicitly, stopped at once, failing in a line, usable afterwards."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.run import RunStopped
from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.errors import LexsiError, MissingExtra
from lexsi_nb.planners import clients
from lexsi_nb.planners.choice import UnknownProvider
from lexsi_nb.planners.keys import NoKey

FRAME = pd.DataFrame({"city": ["Brno", "Praha", "Brno"], "amount": [10, 20, 30]})


def session_with(model_server: Any, *, provider: str = "anthropic", **options: Any) -> lx.Session:
    return lx.Session({"sales": FRAME}, planner=model_server.choice(provider), namespace={}, replay="off", **options)


def test_a_key_in_the_environment_is_not_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(name, "a-perfectly-good-key")
    session = lx.Session({"sales": FRAME}, namespace={})
    assert session.planner().name == "grounded"
    run = session.ask("How many sales?")
    assert run.ok
    assert run.sent == []


def test_a_model_is_chosen_by_name_or_object(model_server: Any) -> None:
    line = model_server.choice("openai")
    for chosen in (line, lx.model(line)):
        session = lx.Session({"sales": FRAME}, planner=chosen, namespace={}, replay="off")
        assert session.ask("How many sales?").answer == "A plain answer."


@pytest.mark.parametrize(
    ("planner", "kind", "says"),
    [("antropic:x", UnknownProvider, "Nearest: anthropic"), ("openai:gpt-5.2", NoKey, "OPENAI_API_KEY")],
)
def test_a_choice_that_cannot_work_fails_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch, planner: str, kind: type[LexsiError], says: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(kind, match=says):
        lx.Session({"sales": FRAME}, namespace={}).use(planner=planner)


def test_partial_work_is_kept_when_the_model_fails(model_server: Any) -> None:
    calls = [("run_sql", {"sql": "SELECT sum(amount) AS total FROM sales", "label": "totals"})]
    model_server.brain = lambda asked: model_server.Reply(calls=calls)
    model_server.faults = ["", "401"]
    session = session_with(model_server)
    run = session.ask("What is the total?")
    assert run.status == "failed"
    assert session.namespace["totals"]["total"].tolist() == [60]
    with pytest.raises(RunStopped, match=r"refused the key.*Kept: totals"):
        run.raise_if_stopped()
    assert "\n" not in str(run.answer)
    model_server.brain = lambda asked: model_server.Reply("Sixty, as said.")
    assert session.ask("And now?").ok  # every call has its result, so the provider takes the history
    assert len(model_server.requests) == 3


@pytest.mark.parametrize("fault", ["stall", "hang"])
def test_stop_during_a_model_stream_takes_less_than_a_second(model_server: Any, fault: str) -> None:
    model_server.faults = [fault]
    session = session_with(model_server)
    stopped_at: list[float] = []

    def press() -> None:
        model_server.stalled.wait(20)
        stopped_at.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    run = session.ask("How many sales?")
    took = time.monotonic() - stopped_at[0]
    assert run.status == "interrupted"
    assert took < 1
    assert session.ask("How many sales?").answer == "A plain answer."


def test_ten_interrupts_leave_nothing_behind(model_server: Any) -> None:
    session = session_with(model_server)
    session.ask("Warm up")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(10):
        model_server.stalled.clear()
        model_server.faults = ["stall"]

        def press() -> None:
            model_server.stalled.wait(20)
            os.kill(os.getpid(), signal.SIGINT)

        presser = threading.Thread(target=press, daemon=True)
        presser.start()
        assert session.ask("How many sales?").status == "interrupted"
        presser.join()
    model_server.released.set()
    assert session.ask("Still there?").ok
    assert len(os.listdir("/proc/self/fd")) <= before + 12  # the server's own ends of the broken streams


def test_pictures_reach_a_model_only_where_the_policy_lets_rows_out(model_server: Any) -> None:
    png = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + b"\x00\x00\x00\x02" * 2 + b"0" * 20

    def snapshot() -> BinaryContent:
        """Return a picture of the rows."""
        return BinaryContent(png, "image/png")

    for policy, visible in (("schema", False), ("rows", True)):
        session = session_with(model_server, policy=policy)
        session.add_tool(snapshot)
        seen = len(model_server.requests)
        model_server.brain = lambda asked: (
            model_server.Reply("Seen.") if asked.results else model_server.Reply(calls=[("snapshot", {})])
        )
        run = session.ask("Show it.")
        assert run.ok, run.answer
        assert run.of(BinaryContent), run.steps
        assert any("iVBORw0KGgo" in str(r.body) for r in model_server.requests[seen:]) is visible


def test_side_queries_use_the_planners_own_model_and_are_counted(model_server: Any) -> None:
    def poem(agent: lx.AgentRef) -> str:
        """Write a line about the data."""
        return agent.oneshot(prompt="You write one line.", query="About sales.")

    session = session_with(model_server, policy="rows")
    session.add_tool(poem)

    def brain(asked: Any) -> Any:
        if asked.system.startswith("You write"):
            return model_server.Reply("Sales rise like bread.")
        return model_server.Reply("Done.") if asked.results else model_server.Reply(calls=[("poem", {})])

    model_server.brain = brain
    run = session.ask("A poem, please.")
    assert run.steps[0].summary == "<data>\nSales rise like bread.\n</data>"  # whatever a tool returns is data
    assert run.usage.requests == len(run.sent) == 3


def test_events_tell_thought_and_text_as_they_come(model_server: Any) -> None:
    model_server.brain = lambda asked: model_server.Reply(
        "It is a plain answer, in several pieces.", thought="Let me see."
    )
    events: list[Any] = []
    run = session_with(model_server).ask("How many sales?", on_event=events.append)
    pieces = [e.content for e in events if e.kind == "answer_delta"]
    assert "".join(e.content for e in events if e.kind == "thinking_delta") == "Let me see."
    assert len(pieces) > 1
    assert "".join(pieces) == run.answer
    assert not {"narration_delta", "answer_withdrawn"} & {e.kind for e in events}


def pieces_at_the_end(events: list[Any]) -> str:
    """The pieces of the answer since it was last withdrawn."""
    kinds = [e.kind for e in events]
    since = len(kinds) - kinds[::-1].index("answer_withdrawn") if "answer_withdrawn" in kinds else 0
    return "".join(e.content for e in events[since:] if e.kind == "answer_delta")


@pytest.mark.parametrize("last", ["It is 60, as totals say.", "It is 777.", "  Sixty. \n"])
def test_text_before_calls_is_taken_back_as_narration_and_the_pieces_are_the_answer(
    model_server: Any, last: str
) -> None:
    calls = [("run_sql", {"sql": "SELECT sum(amount) AS total FROM sales", "label": "totals"})]
    model_server.brain = lambda asked: (
        model_server.Reply(last) if asked.results else model_server.Reply("I will add them up.", calls=calls)
    )
    events: list[Any] = []
    run = session_with(model_server).ask("What is the total?", on_event=events.append)
    assert [e.content for e in events if e.kind == "narration_delta"] == ["I will add them up."]
    assert pieces_at_the_end(events) == run.answer == events[-1].answer
    assert sum(e.kind == "answer_withdrawn" for e in events) == (2 if "777" in last else 1)


def test_an_answer_that_breaks_off_is_taken_back(model_server: Any) -> None:
    model_server.faults = ["half"]
    model_server.brain = lambda asked: model_server.Reply("A long answer, " * 20)
    events: list[Any] = []
    run = session_with(model_server).ask("How many sales?", on_event=events.append)
    assert run.status == "failed"
    assert pieces_at_the_end(events) == run.answer
    assert "broke off" in run.answer


def test_an_answer_is_shown_while_it_is_written() -> None:
    from lexsi_nb.agent.events import AnswerDelta, AnswerWithdrawn
    from lexsi_nb.magics.progress import TAIL, Progress

    progress = Progress()
    progress(AnswerDelta("One piece."))
    assert progress.writing == ""  # it came whole and is shown in a moment
    progress(AnswerDelta(" " + "x" * TAIL))
    assert progress.writing == f"...{'x' * TAIL}"
    progress(AnswerWithdrawn())
    assert progress.writing == ""


def test_several_sessions_at_once(model_server: Any) -> None:
    answers: list[str] = []

    def ask(number: int) -> None:
        session = session_with(model_server)
        answers.append(session.ask(f"Question {number}?").answer)
        session.close()

    model_server.brain = lambda asked: model_server.Reply(f"Answer to: {asked.question}")
    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(answers) == [f"Answer to: Question {i}?" for i in range(4)]


class TestMagic:
    """`%lexsi model`, `--planner` and `%config` in a shell."""

    @pytest.fixture
    def shell(self, ip: Any) -> Any:
        ip.user_ns["sales"] = FRAME
        ip.run_line_magic("config", "LexsiMagics.frontend = 'script'")
        ip.run_line_magic("config", "LexsiMagics.replay = 'off'")
        return ip

    def test_show_set_off(self, shell: Any, model_server: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "never-show-this-key")
        shell.run_line_magic("lexsi", "model")
        shown = capsys.readouterr().out
        assert "planner: embedded" in shown
        assert "anthropic  installed, key in ANTHROPIC_API_KEY" in shown
        assert "never-show" not in shown
        shell.run_line_magic("lexsi", f"model {model_server.choice('openai')}")
        shown = capsys.readouterr().out
        assert "openai:test-model decides from now on" in shown
        assert "by policy schema, names, types and counts of the data" in shown
        shell.run_cell_magic("lexsi", "", "How many sales?\n")
        assert "A plain answer." in capsys.readouterr().out
        shell.run_line_magic("lexsi", "model off")
        shell.run_cell_magic("lexsi", "", "How many sales?\n")
        shown = capsys.readouterr().out
        assert re.search(r"sent off this machine\s+nothing", shown)
        assert len(model_server.requests) == 1

    def test_status_when_the_key_of_the_chosen_model_is_gone(
        self, shell: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "a-key-that-goes-away")
        shell.run_line_magic("lexsi", "model openai:gpt-x")
        monkeypatch.delenv("OPENAI_API_KEY")
        capsys.readouterr()
        shell.run_line_magic("lexsi", "status")
        shown = capsys.readouterr().out
        assert "planner openai:gpt-x (cannot be used now), models embedded" in shown
        assert "openai:gpt-x needs a key." in shown
        assert "Traceback" not in shown

    def test_planner_of_one_question(self, shell: Any, model_server: Any, capsys: Any) -> None:
        line = model_server.choice("anthropic")
        shell.run_cell_magic("lexsi", f"--planner '{line}'", "How many sales?\n")
        assert "A plain answer." in capsys.readouterr().out
        shell.run_cell_magic("lexsi", "", "How many sales?\n")
        assert len(model_server.requests) == 1

    def test_config(self, shell: Any, model_server: Any, capsys: Any) -> None:
        shell.run_line_magic("config", f"LexsiMagics.planner = {model_server.choice('ollama')!r}")
        shell.run_cell_magic("lexsi", "", "How many sales?\n")
        shown = capsys.readouterr().out
        assert "A plain answer." in shown
        assert f"1 request with {len(str(model_server.requests[0].body)):,}"[:14] in shown

    def test_a_mistake_keeps_what_was_chosen(self, shell: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(UnknownProvider, match="Nearest: openai"):
            shell.run_line_magic("lexsi", "model opnai:gpt-5.2")
        monkeypatch.setattr(clients, "is_there", lambda module: module != "google.genai")
        with pytest.raises(MissingExtra, match=r'%pip install "lexsi-nb\[google\]"'):
            shell.run_line_magic("lexsi", "model google:gemini-x")
        shell.run_line_magic("lexsi", "model")
        assert "planner: embedded" in capsys.readouterr().out

    def test_a_failure_is_one_line_in_the_cell(self, shell: Any, model_server: Any, capsys: Any) -> None:
        shell.run_line_magic("lexsi", f"model {model_server.choice('anthropic')}")
        model_server.faults = ["401"]
        capsys.readouterr()
        done = shell.run_cell("%%lexsi\nHow many sales?\n")
        assert not done.success
        printed = capsys.readouterr().out
        assert "anthropic:test-model refused the key." in printed
        assert "Traceback" not in printed
        assert shell.run_cell("%%lexsi\nHow many sales?\n").success
