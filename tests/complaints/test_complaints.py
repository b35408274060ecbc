"""Complaints that no other part's tests hold, and the list of all."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.widgets.chart import VEGALITE

LISTS = ("docs/environments.md", "tests/complaints/complaints.md")
TEST = re.compile(r"`((?:tests|labextension/ui-tests)/[\w/]+\.py)::(\w+)`")


@pytest.mark.parametrize("file", LISTS)
def test_every_test_that_is_named_exists(file: str, project_root: Path) -> None:
    named = TEST.findall((project_root / file).read_text(encoding="utf-8"))
    assert len(named) > 20
    missing = []
    for path, name in named:
        source = project_root / path
        if not source.is_file() or not re.search(rf"^ *def {name}\(", source.read_text(encoding="utf-8"), re.MULTILINE):
            missing.append(f"{path}::{name}")
    assert missing == []


def test_every_complaint_has_tests_or_a_reason(project_root: Path) -> None:
    rows = [r for r in (project_root / LISTS[1]).read_text(encoding="utf-8").splitlines() if r.startswith("| ")][1:]
    assert len(rows) >= 40
    for row in rows:
        *_, held = (cell.strip() for cell in row.strip("| ").split("|"))
        assert TEST.search(held) or len(held.split()) > 3, row


def test_every_cell_of_the_environments_has_a_test_or_says_not_run(project_root: Path) -> None:
    text = (project_root / LISTS[0]).read_text(encoding="utf-8")
    listed = set(re.findall(r"^(\d+)\. `(?:tests|labextension)/", text, re.MULTILINE))
    table = [line.strip("|").split("|") for line in text.split("\n## ")[0].splitlines() if line.startswith("|")]
    head, _, *rows = table
    assert len(rows) >= 8
    for row in rows:
        assert len(row) == len(head), row[0]
        for cell in row[1:]:
            number = re.search(r"\[(\d+)\]$", cell.strip())
            assert cell.strip() == "not run" or (number and number[1] in listed), (row[0], cell)
    assert listed == set(re.findall(r"\[(\d+)\]", text)), "every listed test is pointed to"


def test_nothing_brings_collaboration_or_git(project_root: Path) -> None:
    project = tomllib.loads((project_root / "pyproject.toml").read_text())["project"]
    required = [r for rs in project["optional-dependencies"].values() for r in rs] + project["dependencies"]
    names = {re.split(r"[<>=!~;\[ ]", r, maxsplit=1)[0].lower() for r in required}
    assert not [n for n in names if re.search(r"collaboration|ydoc|jupyterlab-git|jupyter-ai", n)]


def test_a_greeting_takes_no_step() -> None:
    session = Session(namespace={"orders": pd.DataFrame({"region": ["N", "S"], "amount": [1.0, 2.0]})})
    run = session.ask("hi")
    session.close()
    assert run.status in ("declined", "answered", "needs_choice")
    assert len(run.steps) <= 1
    assert run.answer


def test_a_run_shows_few_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand steps of progress come as the few lines that a person can read."""
    from lexsi_nb.agent.events import ToolProgress, ToolStarted
    from lexsi_nb.magics import progress as module

    clock = iter(i / 1000 for i in range(100_000))  # a millisecond an event
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    drawn: list[int] = []

    class Counted(module.Progress):
        def draw(self) -> None:
            drawn.append(len(self.lines))

    shown = Counted()
    shown(started(ToolStarted))
    for i in range(1000):
        shown(progressed(ToolProgress, i))
    assert 1 <= len(drawn) <= 12


def started(kind: Any) -> Any:
    return kind(**{**defaults(kind), "name": "train", "step": 1})


def progressed(kind: Any, completed: int) -> Any:
    return kind(**{**defaults(kind), "stage": "fold", "completed": float(completed), "total": 1000.0})


def defaults(kind: Any) -> dict[str, Any]:
    """Return a value for each field of an event that has no default."""
    import dataclasses

    plain: dict[str, Any] = {"str": "x", "int": 1, "float": 0.0}
    return {
        f.name: plain.get(str(f.type), {} if "dict" in str(f.type) or "Mapping" in str(f.type) else "x")
        for f in dataclasses.fields(kind)
        if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    }


def test_lab_draws_the_version_of_our_charts() -> None:
    """The newest version of Vega-Lite that the installed JupyterLab has a renderer for."""
    import jupyterlab

    static = Path(jupyterlab.__file__).parents[4] / "share" / "jupyter" / "lab" / "static"
    if not static.is_dir():
        pytest.skip(f"JupyterLab's files are not in {static}")
    found: set[str] = set()
    for file in static.glob("*.js"):
        found |= set(re.findall(r"application/vnd\.vegalite\.v\d+\+json", file.read_text(encoding="utf-8")))
    assert max(found) == VEGALITE
