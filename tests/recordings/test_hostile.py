"""A recording is somebody else's file: whatever stands in it, nothing runs but decisions, through the gates."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

import lexsi_nb as lx
from lexsi_nb.planners.scripted import call, say
from lexsi_nb.store.recording import BadRecording, key_of
from lexsi_nb.store.recording_files import MOST_BYTES, RecordingFiles

HEAD = f"format: 1\nkey: {key_of('q')}\nquestion: q\nplanner: remote:model\ndata:\n  id: frames\n"
LOADED: list[str] = []


def touched() -> None:
    LOADED.append("ran")


def written(folder: Path, steps: list, **more) -> None:
    """Write a recording of question q by hand."""
    fields = {"format": 1, "key": key_of("q"), "question": "q", "planner": "remote:model", "data": {"id": "frames"}}
    fields |= {"steps": steps, "status": "answered", "answer": "done", **more}
    (folder / ".lexsi").mkdir(exist_ok=True)
    (folder / ".lexsi" / "q1.yaml").write_text(json.dumps(fields, indent=1))  # JSON is YAML


def one(tool: str, **args) -> list:
    return [{"calls": [{"tool": tool, "args": args, "outcome": "ok"}]}]


@pytest.fixture
def world(loans, folder):
    """A namespace with data, a tool that writes and one that cannot be undone, and what they did."""
    did: list[tuple] = []

    def send(to: str) -> str:
        """Send the report.

        Args:
            to: Where.
        """
        did.append(("send", to))
        return "sent"

    def wipe(table: str) -> str:
        """Delete a table.

        Args:
            table: Which.
        """
        did.append(("wipe", table))
        return "gone"

    def peek(text: str, *, agent: lx.AgentRef) -> str:
        """Look at something.

        Args:
            text: What.
        """
        did.append(("peek", text))
        return text

    tools = [
        lx.tool(send, side_effect="write", needs_approval=lambda args: True),
        lx.tool(wipe, side_effect="irreversible"),
        lx.tool(peek),
    ]
    return {"loans": loans}, tools, did


def run_of(replayed, world):
    names, tools, _ = world
    session = replayed(names)
    for tool in tools:
        session.add_tool(tool)
    before = set(names)
    run = session.ask("q", recording="q1")
    return run, set(names) - before


@pytest.mark.parametrize(
    ("steps", "status", "said"),
    [
        pytest.param(one("run_sql", sql="DROP TABLE loans", label="x"), "failed", "is failed now", id="drop"),
        pytest.param(one("run_sql", sql="COPY loans TO 'out.csv'", label="x"), "failed", "is failed now", id="copy"),
        pytest.param(one("run_sql", sql="SELECT * FROM '/etc/passwd'", label="x"), "failed", "failed now", id="file"),
        pytest.param(one("run_sql", sql="INSTALL httpfs", label="x"), "failed", "is failed now", id="install"),
        pytest.param(one("run_sql", sql="ATTACH 'x.duckdb'", label="x"), "failed", "is failed now", id="attach"),
        pytest.param(one("run_python", code="touched()"), "failed", "the tool `run_python` is gone", id="unknown tool"),
        pytest.param(one("__import__('os').system"), "failed", "is gone", id="tool name is code"),
        pytest.param(one("peek", text="x", agent={"messages": []}), "failed", "is invalid now", id="ref supplied"),
        pytest.param(one("peek", text={"$ref": "loans"}), "failed", "is invalid now", id="wrong type"),
        pytest.param(one("peek"), "failed", "is invalid now", id="argument missing"),
        pytest.param(one("send", to="evil"), "awaiting_approval", "", id="write"),
        pytest.param(one("wipe", table="loans"), "awaiting_approval", "", id="irreversible"),
        pytest.param(one("connect_datalake", path="/etc"), "failed", "", id="connect"),
        pytest.param(one("peek", text="[secret]"), "failed", "was a secret, which is not recorded", id="masked"),
    ],
)
def test_a_hostile_decision_does_nothing(folder, replayed, world, steps, status, said):
    written(folder, steps)
    run, made = run_of(replayed, world)
    assert run.status in (status, "awaiting_approval")
    assert said in run.answer
    assert made == set()
    assert world[2] == []
    assert sorted(p.name for p in folder.iterdir()) == [".lexsi"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"approved": True}, "'approved', which is unknown"),
        ({"cells": ["import os"]}, "'cells', which is unknown"),
        ({"approve": ["send"]}, "'approve', which is unknown"),
        ({"local": "yes"}, "'local' of the recording is str, not bool"),
        ({"status": "awaiting_approval"}, "Only finished runs are recorded"),
        ({"tools": {"send": 1}}, "tools is no mapping of names to text"),
        ({"parameters": {"a b": 1}}, "'parameters' is no mapping of variable names"),
        ({"parameters": {"a": [1]}}, "'parameters' is no mapping of variable names"),
        ({"steps": "rm -rf"}, "'steps' of the recording is str, not list"),
        ({"steps": [{"calls": []}]}, "Step 1 has 0 calls"),
        ({"steps": [{"calls": [{"tool": "peek"}] * 51}]}, "Step 1 has 51 calls"),
        ({"steps": [{"calls": [{"tool": "peek"}]}] * 101}, "It has 101 steps"),
        ({"steps": [{"calls": [{"tool": "peek", "approved": True}]}]}, "'approved', which is unknown"),
        ({"steps": [{"calls": [{"tool": "peek", "digest": "x"}]}]}, "'digest', which is unknown"),
        ({"steps": [{"calls": [{"tool": ["peek"]}]}]}, "'tool' of a call of step 1 is list, not str"),
        ({"replies": [{"step": 1, "asked": "x", "reply": "y", "tool": "z"}]}, "'tool', which is unknown"),
        ({"answer": 42}, "'answer' of the recording is int, not str"),
        ({"format": 2}, "Its format is 2"),
        ({"question": None}, "'question' of the recording is NoneType"),
    ],
)
def test_a_file_of_another_shape_is_refused(folder, replayed, world, fields, said):
    written(folder, fields.pop("steps", one("peek", text="x")), **fields)
    with pytest.raises(BadRecording, match="cannot be replayed") as error:
        run_of(replayed, world)
    assert said in str(error.value)
    assert world[2] == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("steps: !!python/object/apply:test_hostile.touched []\n", id="python tag"),
        pytest.param("steps: !!python/name:os.system\n", id="python name"),
        pytest.param("answer: !!binary aGVsbG8=\n", id="binary tag"),
        pytest.param("answer: ! done\n", id="bare tag"),
        pytest.param("steps: &a [*a]\n", id="anchor that holds itself"),
        pytest.param("a: &a [1,1]\nb: &b [*a,*a]\nc: &c [*b,*b]\n", id="bomb of anchors"),
        pytest.param("<<: {planner: x}\n", id="merge"),
        pytest.param("planner: other\n", id="name twice"),
        pytest.param("steps: " + "[" * 5000 + "]" * 5000 + "\n", id="depth"),
        pytest.param("asked: " + "9" * 5000 + "\n", id="long number"),
        pytest.param("? [a]\n: b\n", id="key that is a list"),
        pytest.param("answer: \x00\n", id="null byte"),
        pytest.param("\tanswer: x\n", id="tab"),
        pytest.param("--- \nanswer: x\n", id="two documents"),
        pytest.param("answer: 2024-01-01\nstatus: 1\n", id="a date is text, a number no status"),
    ],
)
def test_yaml_tricks_are_refused(folder, replayed, world, body):
    (folder / ".lexsi").mkdir()
    (folder / ".lexsi" / "q1.yaml").write_text(HEAD + body)
    started = time.perf_counter()
    with pytest.raises(BadRecording, match="cannot be replayed"):
        run_of(replayed, world)
    assert time.perf_counter() - started < 5
    assert LOADED == []
    assert world[2] == []


def test_pickles_and_other_bytes_are_refused(folder, replayed, world):
    import pickle

    (folder / ".lexsi").mkdir()
    file = folder / ".lexsi" / "q1.yaml"
    for held in (pickle.dumps(touched, protocol=2), b"\xff\xfe\x00", os.urandom(200)):
        file.write_bytes(held)
        with pytest.raises(BadRecording):
            run_of(replayed, world)
    assert LOADED == []


def test_a_huge_file_is_not_read(folder, replayed, world):
    (folder / ".lexsi").mkdir()
    with (folder / ".lexsi" / "q1.yaml").open("wb") as file:
        file.truncate(MOST_BYTES * 3000)
    with pytest.raises(BadRecording, match="more than 1,000,000 bytes"):
        run_of(replayed, world)


NAMES = ["../q1", "/etc/passwd", "a/b", "a\\b", "..", ".hidden", "q1\n", "con", "NUL.txt", "a..b", "q" * 200, "~", "-r"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_cannot_leave_the_folder(folder, name):
    with pytest.raises(BadRecording, match="No recording can be called"):
        RecordingFiles().path(name)


def test_links_are_neither_read_nor_written_through(folder, remote, replayed, world, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "target"
    outside.write_text("mine")
    (folder / ".lexsi").mkdir()
    (folder / ".lexsi" / "q1.yaml").symlink_to(outside)
    with pytest.raises(BadRecording, match="It is no plain file"):
        run_of(replayed, world)
    remote([say("x")], world[0]).ask("q", recording="q1", anew=True)
    assert outside.read_text() == "mine"
    assert not (folder / ".lexsi" / "q1.yaml").is_symlink()


def test_a_linked_folder_is_not_written_to(folder, remote, world, tmp_path_factory):
    outside = tmp_path_factory.mktemp("elsewhere")
    (folder / ".lexsi").symlink_to(outside)
    run = remote([say("x")], world[0]).ask("q")
    assert any("is a link" in w for w in run.facts["warnings"])
    assert list(outside.iterdir()) == []


def test_an_answer_with_html_is_shown_as_text(folder, replayed, world):
    from lexsi_nb.widgets.answer_html import head_html

    written(folder, [], answer="<script>alert(1)</script>", planner="<b>x")
    run, _ = run_of(replayed, world)
    assert "<script>" not in head_html(run)


def test_a_damaged_neighbour_does_not_stop_other_questions(folder, remote, replayed, world):
    remote([call("run_sql", sql="SELECT 1 AS x", label="x"), say("one")], dict(world[0])).ask("q")
    (folder / ".lexsi" / "zz.yaml").write_text("nonsense: [")
    assert replayed(world[0]).ask("q").answer == "one"
