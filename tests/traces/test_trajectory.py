"""A run as Markdown and JSON, whatever was said in it."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.agent.planner import Message, ToolCall
from lexsi_nb.app.session import Session
from lexsi_nb.app.trajectory import Trajectory, plain, trajectory_of
from lexsi_nb.errors import BadData
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

LINES = [call("run_sql", sql="SELECT count(*) AS n\nFROM loans", label="n"), say("There are 2.")]


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"loans": pd.DataFrame({"loan_id": [1, 2]})}
    return Session(planner=ScriptedPlanner(LINES), namespace=names).ask("how many?")


def test_the_record_has_every_message_in_order(run):
    made = json.loads(run.trajectory("json"))
    roles = [m["role"] for m in made["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant"]
    assert made["messages"][1]["content"] == "how many?"
    assert made["messages"][2]["tool_calls"][0]["arguments"]["label"] == "n"
    assert made["messages"][3]["tool_call_id"] == made["messages"][2]["tool_calls"][0]["tool_call_id"]
    assert made["messages"][-1]["content"] == "There are 2."
    assert made["about"]["status"] == "answered"


def test_json_is_read_back(run):
    assert Trajectory.from_json(run.trajectory("json")) == trajectory_of(run)
    for text in ("", "[]", "{}", '{"id": 1, "messages": [{"role": "root"}]}', '{"id": "x", "messages": [1]}'):
        with pytest.raises(BadData):
            Trajectory.from_json(text)


def test_only_messages_of_the_run_are_in_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = Session(planner=ScriptedPlanner([say("a"), say("b")]), namespace={"x": pd.DataFrame({"a": [1]})})
    session.ask("first?")
    second = session.ask("second?")
    assert "first?" not in second.trajectory("json")


NASTY = [
    "```\ncode\n```",
    "`" * 40,
    "</a>\n# heading\n---",
    "\ud800 \x00 \u2028 \U0001f600",
    "x" * 300_000,
    "",
    "| a |",
    "~~~",
]


def headings(markdown: str) -> list[str]:
    """Return the headings that stand outside blocks, as Markdown reads them."""
    found, fence = [], ""
    for line in markdown.split("\n"):
        ticks = re.match(r"`{3,}", line)
        if fence:
            fence = "" if ticks and set(line) == {"`"} and len(line) >= len(fence) else fence
        elif ticks:
            fence = ticks[0]
        elif line.startswith("#"):
            found.append(line)
    assert not fence
    return found


@pytest.mark.parametrize("text", NASTY)
def test_no_content_ends_its_own_block(run, text):
    answer = Message("tool", text, call_id="c", name="t`\n# x")
    run.messages = (Message("user", text), Message("assistant", text), answer)
    made = run.trajectory("md")
    assert made.encode()
    assert [h[:4] for h in headings(made)] == ["# Ru", "## I", "## 1", "## 2", "## 3", "## 4"]
    assert json.loads(run.trajectory("json"))["messages"][1]["content"] == plain(text)


def test_values_that_json_lacks_are_described(run):
    picture = lx.BinaryContent(b"\x89PNG", "image/png")
    args = {"x": float("nan"), "y": float("inf"), "b": b"abc", "f": pd.DataFrame({"a": [1]}), "s": {2, 1}, 3: picture}
    deep: dict = {}
    deep["again"] = deep
    calls = tuple(ToolCall("t", a, f"c{n}") for n, a in enumerate([args, "no object", deep], 1))
    run.messages = (Message("assistant", "think", calls=calls), Message("tool", "ok", call_id="c1", media=(picture,)))
    made = json.loads(run.trajectory("json"), parse_constant=lambda c: pytest.fail(c))
    first, second, third = made["messages"][1]["tool_calls"]
    assert first["arguments"]["x"] == "nan"
    assert first["arguments"]["b"] == "<3 bytes>"
    assert first["arguments"]["f"] == "<DataFrame, shape (1, 1)>"
    assert second["arguments"] is None
    assert "nested too deep" in json.dumps(third)
    assert "<image/png, 4 bytes>" in made["messages"][2]["response"]
    assert "nan" in run.trajectory("md")


def test_secrets_are_masked(run, monkeypatch):
    monkeypatch.setenv("SOME_TOKEN", "correct-horse")
    call_ = ToolCall("t", {"password": "opensesame", "q": "correct-horse"}, "c")
    run.messages = (Message("user", "my key is correct-horse"), Message("assistant", "", calls=(call_,)))
    for form in ("md", "json"):
        assert "correct-horse" not in run.trajectory(form)
        assert "opensesame" not in run.trajectory(form)


def test_export_writes_either_form_and_leaves_other_files_alone(run, tmp_path):
    for name in ("t.md", "t.json"):
        assert run.export(name).read_text() == run.trajectory(name[2:])
        run.export(name)
    (tmp_path / "notes.md").write_text("mine")
    with pytest.raises(BadData, match="is there already"):
        run.export("notes.md")
    with pytest.raises(BadData, match=r"A trajectory ends in \.md or \.json"):
        run.export("t.txt")
    with pytest.raises(BadData, match="There is no form 'xml'"):
        run.trajectory("xml")


def test_the_command_exports_it(ip, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ip.user_ns["loans"] = pd.DataFrame({"loan_id": [1, 2]})
    ip.run_cell_magic("lexsi", "", "How many loans are there?")
    ip.run_line_magic("lexsi", "export said.md")
    assert "Wrote said.md." in capsys.readouterr().out
    assert "How many loans are there?" in (tmp_path / "said.md").read_text()


def test_it_has_what_the_planner_read_under_the_policy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"people": pd.DataFrame({"name": ["Quillfeather", "Ostrander"]})}
    lines = [call("run_sql", sql="SELECT name FROM people", label="all_names"), say("They are in all_names.")]
    for local, there in ((True, True), (False, False)):
        planner = ScriptedPlanner(lines)
        planner.local = local
        run = Session(planner=planner, namespace=dict(names), replay="off").ask("who?")
        assert ("Quillfeather" in run.trajectory("json")) is there
