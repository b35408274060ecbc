"""The workflow of continuous integration: it runs what `.ci` has, pinned, and keeps the screenshots."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def workflow(project_root: Path) -> dict[str, Any]:
    import yaml

    return yaml.safe_load((project_root / ".github" / "workflows" / "ci.yml").read_text())


def _steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_it_runs_on_every_push(workflow: dict[str, Any]) -> None:
    assert {"push", "pull_request"} <= set(workflow[True])  # YAML 1.1 reads the word `on` as a truth value
    assert workflow["permissions"] == {"contents": "read"}


def test_every_action_is_pinned_by_its_whole_version(workflow: dict[str, Any]) -> None:
    used = [step["uses"] for step in _steps(workflow) if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@v\d+\.\d+\.\d+", name)] == []


def test_every_command_is_there(workflow: dict[str, Any], project_root: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (project_root / "Makefile").read_text(), re.MULTILINE))
    commands = [line.strip() for step in _steps(workflow) for line in step.get("run", "").splitlines() if line.strip()]
    assert {".ci/run", ".ci/browser"} <= set(commands)
    for command in commands:
        program, *words = command.split()
        if program.startswith(".ci/"):
            assert os.access(project_root / program, os.X_OK), command
        elif program == "make":
            assert set(words) <= targets, command
        else:
            assert program == "apt-get", command


def test_the_screenshots_are_kept_also_of_a_failure(workflow: dict[str, Any], project_root: Path) -> None:
    steps = workflow["jobs"]["browser"]["steps"]
    [kept] = [step for step in steps if step.get("uses", "").startswith("actions/upload-artifact@")]
    assert kept["if"] == "always()"
    assert kept["with"]["path"] == "build/screenshots"
    fixtures = (project_root / "tests" / "browser" / "fixtures.py").read_text()
    assert '"build" / "screenshots"' in fixtures
