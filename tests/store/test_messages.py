"""Messages outlive the kernel: ids go on counting, long results are read in parts, the conversation is taken up."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.session import Session
from lexsi_nb.errors import BadData
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.store.folder import StoreFailed
from lexsi_nb.store.messages import MessageStore, UnknownMessage

LONG = "".join(f"line {n:06d}\n" for n in range(10_000))


@lx.tool(reveals="schema")
def log() -> str:
    """Return the whole log."""
    return LONG


def session_of(lines, **options) -> Session:
    session = Session(planner=ScriptedPlanner(lines), namespace={"x": pd.DataFrame({"a": [1]})}, **options)
    session.add_tool(log)
    return session


def test_ids_go_on_after_a_restart():
    store = MessageStore("a")
    assert [store.put("tool_return", t) for t in ("one", "two", "three")] == ["M1", "M2", "M3"]
    code = "from lexsi_nb.store.messages import MessageStore; print(MessageStore('a').put('tool_return', 'four'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "M4"
    assert [store.page(f"M{n}").text for n in range(1, 5)] == ["one", "two", "three", "four"]
    assert MessageStore("b").put("user_prompt", "x") == "M1"


def test_an_id_never_means_something_else():
    store = MessageStore()
    store.put("tool_return", "one")
    assert store.forget() == 1
    assert store.put("tool_return", "two") == "M2"
    with pytest.raises(UnknownMessage, match="M2"):
        store.page("M1")


def test_pages_are_whole_together():
    store = MessageStore()
    text = LONG + "\U0001f600é" * 50
    id = store.put("tool_return", text)
    parts, at = [], 0
    while at is not None:
        page = store.page(id, at, 7_001)
        parts.append(page.text)
        at = page.next
    assert "".join(parts) == text
    for wrong in ((id, -1, 5), (id, 0, 0), (id, len(text) + 1, 5)):
        with pytest.raises(BadData):
            store.page(*wrong)
    for unknown in ("M99", "x", "", "M-1", "M" + "9" * 30, "1; DROP TABLE messages"):
        with pytest.raises(UnknownMessage):
            store.page(unknown)


def test_two_kernels_get_different_ids():
    ids: list[str] = []

    def fill() -> None:
        for _ in range(10):
            ids.append(MessageStore("both").put("tool_return", "x"))

    threads = [threading.Thread(target=fill) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(ids, key=lambda i: int(i[1:])) == [f"M{n}" for n in range(1, 31)]


def test_a_scope_says_where_a_message_came_from():
    store = MessageStore()
    asyncio.run(store.scoped("subagent:1").add(kind="tool_return", content="x", tool_name="look"))
    (row,) = store.listing()
    assert (row["id"], row["kind"], row["tool_name"]) == ("M1", "tool_return", "look")
    assert (row["agent_id"], row["length"]) == ("subagent:1", 1)


def test_a_store_that_cannot_be_used_gives_no_id(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEXSI_NB_STATE", str(tmp_path / "file"))
    assert asyncio.run(MessageStore().add(kind="tool_return", content="x")) is None
    with pytest.raises(StoreFailed):
        MessageStore().put("tool_return", "x")


def test_a_planner_reads_on_where_a_result_was_cut():
    session = session_of([call("log"), call("read_message", message_id="M1", offset=20_000), say("read")])
    session.keep("work")
    run = session.ask("read the log")
    first, second = (s.summary for s in run.steps)
    assert 'message_id=M1: 120,000 characters; read_message(message_id="M1"' in first
    assert second.startswith(LONG[20_000:27_000])
    assert "offset=28000" in second


def test_without_keeping_nothing_is_stored_and_there_is_no_tool():
    session = session_of([call("log"), say("x")])
    run = session.ask("read the log")
    assert "message_id" not in run.steps[0].summary
    assert "read_message" not in session.registry
    assert MessageStore("work").listing() == []


def test_the_conversation_goes_on_in_another_kernel():
    first = session_of([call("log"), say("The log has 10,000 lines.")])
    first.keep("work")
    first.ask("how long is the log?")
    again = session_of([say("As I said.")])
    assert again.keep("work") == 4
    again.ask("how long again?")
    turn = again.planner().turns[-1]
    assert [m.role for m in turn.messages] == ["user", "assistant", "tool", "assistant", "system", "user"]
    assert turn.messages[3].text == "The log has 10,000 lines."
    assert "started anew" in turn.messages[4].text
    again.reset()
    assert session_of([]).keep("work") == 0


def test_secrets_are_not_kept(monkeypatch):
    monkeypatch.setenv("SOME_TOKEN", "correct-horse")
    session = session_of([say("It is correct-horse.")])
    session.keep("work")
    session.ask("what is correct-horse?")
    assert "correct-horse" not in str(MessageStore("work").conversation())


def test_the_commands(ip, capsys):
    ip.user_ns["x"] = pd.DataFrame({"a": [1]})
    ip.run_line_magic("lexsi", "keep work")
    MessageStore("work").put("tool_return", "y" * 20_000, tool_name="log")
    ip.run_line_magic("lexsi", "messages")
    ip.run_line_magic("lexsi", "messages M1 16000")
    ip.run_line_magic("lexsi", "keep work forget")
    out = capsys.readouterr().out
    assert "The conversation is kept as work, on this machine." in out
    assert "M1  tool_return  log  20,000 characters" in out
    assert "y" * 4_000 in out
    assert "1 messages and the conversation of work are deleted." in out
