"""What the distribution promises: callable entry points, a reason for each dependency, one version."""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def project(project_root: Path) -> dict[str, Any]:
    return tomllib.loads((project_root / "pyproject.toml").read_text())["project"]


def _name(requirement: str) -> str:
    return re.split(r"[<>=!~;\[ ]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def test_every_dependency_has_a_reason(project: dict[str, Any], project_root: Path) -> None:
    wanted = {_name(r) for r in project["dependencies"]}
    for requirements in project["optional-dependencies"].values():
        wanted |= {_name(r) for r in requirements}
    text = (project_root / "docs" / "dependencies.md").read_text()
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    reasons = {name.lower(): cells[-2] for cells in rows for name in re.findall(r"`([^`]+)`", cells[1])}
    assert set(reasons) == wanted - {"lexsi-nb"}
    assert all(reason.strip() for reason in reasons.values())


# The module a distribution is imported as, where the names differ.
MODULES = {
    "ipython": "IPython",
    "opentelemetry-sdk": "opentelemetry",
    "pillow": "PIL",
    "pydantic-ai-slim": "pydantic_ai",
    "pyyaml": "yaml",
    "scikit-learn": "sklearn",
    "types-pyyaml": "",
    "vl-convert-python": "vl_convert",
}
# Read where a user's own frames are of that library; never needed otherwise.
# `comm` comes with ipykernel and is imported only inside a kernel; `botocore` is the part of boto3 that sends.
FOUND_WHERE_INSTALLED = {"polars", "comm", "botocore"}


def _imported(folder: Path) -> dict[str, str]:
    """Return the third-party modules that the files import, each with a place."""
    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            else:
                continue
            for top in {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"lexsi_nb"}:
                found.setdefault(top, f"{file.relative_to(folder.parent)}:{node.lineno}")
    return found


def _modules(requirements: Iterable[str]) -> set[str]:
    return {MODULES.get(name, name.replace("-", "_")) for name in map(_name, requirements)}


def test_every_imported_library_is_declared(project: dict[str, Any], project_root: Path) -> None:
    extras = project["optional-dependencies"]
    core = _modules(project["dependencies"])
    users = core.union(*(_modules(r) for name, r in extras.items() if name != "dev"), FOUND_WHERE_INSTALLED)
    undeclared = {m: at for m, at in _imported(project_root / "lexsi_nb").items() if m not in users}
    for folder in ("tests", "labextension/ui-tests", "bench"):
        known = users | _modules(extras["dev"]) | _own_modules(project_root)
        undeclared |= {m: at for m, at in _imported(project_root / folder).items() if m not in known}
    assert undeclared == {}


def test_every_core_dependency_is_imported(project: dict[str, Any], project_root: Path) -> None:
    assert _modules(project["dependencies"]) - set(_imported(project_root / "lexsi_nb")) == set()


def _own_modules(root: Path) -> set[str]:
    """Return the modules that stand in the folders of tests and benchmarks, which import each other by name."""
    folders = [d for top in ("tests", "bench") for d in (root / top).rglob("*") if d.is_dir()]
    files = [f for top in ("tests", "bench") for f in (root / top).rglob("*.py")]
    return {"tests", "bench"} | {f.stem for f in files} | {d.name for d in folders}


def test_no_dependency_brings_cuda_into_core(project: dict[str, Any]) -> None:
    core = {_name(r) for r in project["dependencies"]}
    assert not core & {"xgboost", "torch", "jax", "tensorflow"}


def test_one_version_everywhere(project: dict[str, Any], project_root: Path) -> None:
    import lexsi_nb

    extension = json.loads((project_root / "labextension" / "package.json").read_text())
    assert project["version"] == lexsi_nb.__version__ == extension["version"]


def test_entry_points_can_be_called(project: dict[str, Any]) -> None:
    for target in project["scripts"].values():
        module, _, name = target.partition(":")
        assert callable(getattr(importlib.import_module(module), name))


def test_public_names_load() -> None:
    import lexsi_nb

    assert {name for name in lexsi_nb.__all__ if getattr(lexsi_nb, name) is None} == set()


def test_the_lock_file_names_no_registry(project_root: Path) -> None:
    lock = json.loads((project_root / "package-lock.json").read_text())
    outside = {p["resolved"] for p in lock["packages"].values() if "resolved" in p and not p.get("link")}
    assert outside == set()


def test_the_extension_and_the_widgets_have_no_any(project_root: Path) -> None:
    found = []
    folder = project_root / "labextension"
    for file in sorted([*folder.glob("src/*.ts*"), *folder.glob("live/src/*.ts*")]):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if re.search(r"(:|<|\bas) *any\b|@ts-(ignore|nocheck|expect-error)", line):
                found.append(f"{file.name}:{number}: {line.strip()}")
    assert found == []
