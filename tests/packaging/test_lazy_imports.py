"""Importing the package and loading the extension cost nothing: no heavy library, no output, no socket."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "duckdb pandas numpy pyarrow polars pydantic altair lightgbm xgboost sklearn scipy shap ipywidgets anywidget "
    "sqlglot yaml vl_convert anthropic openai google.genai boto3 pydantic_ai lexsi_sdk httpx requests aiohttp"
).split()

# Runs in a process of its own. An audit hook sees every socket, whichever library opens it.
PROBE = """
import json, sys
opened = []
def hook(event, args):
    if event in ("socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo"):
        opened.append(event)
{before}
sys.addaudithook(hook)
{act}
heavy = [m for m in {heavy!r} if m in sys.modules and m not in before]
sys.stderr.write("PROBE" + json.dumps({{"heavy": heavy, "sockets": opened}}))
"""

SHELL = """
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config
config = Config()
config.HistoryManager.enabled = False
shell = InteractiveShell.instance(config=config)
before = set(sys.modules)
"""


def _probe(tmp_path: Path, act: str, *, before: str = "before = set()") -> tuple[dict[str, list[str]], str]:
    """Return what a fresh interpreter loaded and opened while it ran `act`, and what that printed."""
    source = PROBE.format(before=before, act=act, heavy=HEAVY)
    env = {"PATH": "", "HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path / "ipython"), "PYTHONPATH": _project()}
    run = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, env=env, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr
    noise, _, report = run.stderr.rpartition("PROBE")
    return json.loads(report), run.stdout + noise


def _project() -> str:
    return str(Path(__file__).parents[2])


def test_import_loads_nothing_heavy(tmp_path: Path) -> None:
    report, printed = _probe(tmp_path, "import lexsi_nb")
    assert report == {"heavy": [], "sockets": []}
    assert printed == ""


def test_load_ext_loads_nothing_heavy(tmp_path: Path) -> None:
    report, printed = _probe(tmp_path, "shell.run_line_magic('load_ext', 'lexsi_nb')", before=SHELL)
    assert report == {"heavy": [], "sockets": []}
    assert printed == ""


def test_load_ext_registers_the_magics(tmp_path: Path) -> None:
    act = (
        "shell.run_line_magic('load_ext', 'lexsi_nb')\n"
        "assert shell.find_cell_magic('lexsi') is not None\n"
        "assert shell.find_line_magic('lexsi') is not None"
    )
    report, _ = _probe(tmp_path, act, before=SHELL)
    assert report["heavy"] == []


def _modules() -> list[str]:
    package = Path(_project()) / "lexsi_nb"
    found = pkgutil.walk_packages([str(package)], prefix="lexsi_nb.", onerror=lambda name: None)
    return sorted(m.name for m in found if not m.name.endswith("__main__"))


def test_no_module_loads_anything_heavy_when_imported(tmp_path: Path) -> None:
    act = "import importlib\nfirst = {}\n"
    act += f"for name in {_modules()!r}:\n    importlib.import_module(name)\n"
    act += f"    for h in {HEAVY!r}:\n        if h in sys.modules: first.setdefault(h, name)\n"
    act += "assert not first, first"
    report, printed = _probe(tmp_path, act)
    assert report == {"heavy": [], "sockets": []}
    assert printed == ""


@pytest.mark.parametrize("library", ["json", "pandas"])
def test_the_probe_sees_what_was_loaded(tmp_path: Path, library: str) -> None:
    report, _ = _probe(tmp_path, f"import {library}")
    assert ("pandas" in report["heavy"]) == (library == "pandas")


def test_the_probe_sees_sockets_and_output(tmp_path: Path) -> None:
    report, printed = _probe(tmp_path, "import socket\ns = socket.socket()\ns.close()\nprint('noise')")
    assert report["sockets"]
    assert printed == "noise\n"
