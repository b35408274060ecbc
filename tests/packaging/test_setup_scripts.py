"""What the make targets do on a bare machine: they install what is missing as root, else print the line to run."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

MISSING = "OSError: libgomp.so.1: cannot open shared object file: No such file or directory"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder of programs that stand for the machine's own; only these and the shell's basics are found."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "cat", "dirname", "env", "touch"):
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    return programs


def _program(folder: Path, name: str, body: str) -> Path:
    file = folder / name
    file.write_text(f"#!/usr/bin/env bash\n{body}\n")
    file.chmod(0o755)
    return file


def _python_without_openmp(machine: Path) -> Path:
    # It imports LightGBM only once the library was "installed".
    return _program(machine, "python", f'[ -e "{machine}/libgomp" ] && exit 0; echo "{MISSING}" >&2; exit 1')


def _apt(machine: Path) -> None:
    _program(machine, "apt-get", f'echo "$@" >> "{machine}/apt.log"; [ "$1" = update ] || touch "{machine}/libgomp"')


def _run(project_root: Path, machine: Path, script: str, *args: str) -> subprocess.CompletedProcess[str]:
    command = [str(project_root / ".ci" / script), *args]
    env = {**os.environ, "PATH": str(machine)}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=30)


def test_root_on_debian_gets_openmp_installed(project_root: Path, machine: Path) -> None:
    python = _python_without_openmp(machine)
    _apt(machine)
    _program(machine, "id", "echo 0")
    done = _run(project_root, machine, "openmp", str(python))
    assert done.returncode == 0, done.stderr
    assert "installing libgomp1" in done.stdout
    assert (machine / "apt.log").read_text().splitlines()[-1].endswith("libgomp1")


def test_anyone_else_is_told_the_line_to_run(project_root: Path, machine: Path) -> None:
    python = _python_without_openmp(machine)
    _apt(machine)
    _program(machine, "id", "echo 1000")
    done = _run(project_root, machine, "openmp", str(python))
    assert done.returncode == 1
    assert "Run: sudo apt-get update && sudo apt-get install -y libgomp1" in done.stderr
    assert not (machine / "apt.log").exists()


def test_another_system_is_told_what_is_missing(project_root: Path, machine: Path) -> None:
    python = _python_without_openmp(machine)
    _program(machine, "id", "echo 0")
    done = _run(project_root, machine, "openmp", str(python))
    assert done.returncode == 1
    assert "LightGBM needs libgomp.so.1" in done.stderr


def test_another_fault_of_lightgbm_is_shown_as_it_is(project_root: Path, machine: Path) -> None:
    python = _program(machine, "python", "echo 'ImportError: something else' >&2; exit 1")
    _apt(machine)
    done = _run(project_root, machine, "openmp", str(python))
    assert done.returncode == 1
    assert done.stderr.strip() == "ImportError: something else"
    assert not (machine / "apt.log").exists()


def test_an_old_python_is_refused_with_the_remedy(project_root: Path, machine: Path, tmp_path: Path) -> None:
    python = _program(machine, "python3", "exit 1")
    done = _run(project_root, machine, "venv", str(python), str(tmp_path / "venv"))
    assert done.returncode == 1
    assert "make PYTHON=" in done.stderr
    assert not (tmp_path / "venv").exists()
