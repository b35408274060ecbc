"""Imports point one way: from the notebook's face towards the errors, never back or sideways."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def _layers() -> ModuleType:
    # The test folders are no packages (importlib mode), so the module beside this one is loaded by its path.
    spec = importlib.util.spec_from_file_location("packaging_layers", Path(__file__).with_name("layers.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


layers = _layers()


def test_every_import_follows_the_layers(project_root: Path) -> None:
    found = layers.violations(project_root / "lexsi_nb")
    assert not found, "\n" + "\n".join(found)


def test_every_import_inside_the_grounding_follows_its_order(project_root: Path) -> None:
    found = layers.grounding_violations(project_root / "lexsi_nb" / "grounding")
    assert not found, "\n" + "\n".join(found)


def test_an_import_against_the_order_of_the_grounding_is_named(tmp_path: Path) -> None:
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "index.py").write_text("from lexsi_nb.grounding.forms.asking import Ask\n", encoding="utf-8")
    (tmp_path / "forms.py").write_text("from lexsi_nb.grounding import schema\n", encoding="utf-8")
    (tmp_path / "attic.py").write_text("", encoding="utf-8")
    assert layers.grounding_violations(tmp_path) == [
        "attic.py: attic has no place; give it one in GROUNDING",
        "schema/index.py:1: schema imports forms",
    ]


@pytest.mark.parametrize(
    ("file", "source", "complaint"),
    [
        ("data/engine.py", "from lexsi_nb.tools import run_sql\n", "data/engine.py:1: data imports tools, which"),
        ("data/engine.py", "from lexsi_nb import tools\n", "data/engine.py:1: data imports tools, which"),
        ("data/engine.py", "from ..tools.run_sql import x\n", "data/engine.py:1: data imports tools, which"),
        ("data/engine.py", "from .. import tools\n", "data/engine.py:1: data imports tools, which"),
        ("data/engine.py", "import lexsi_nb.tools.run_sql as r\n", "data/engine.py:1: data imports tools, which"),
        (
            "data/engine.py",
            "def f():\n    from lexsi_nb.kernel import x\n",
            "data/engine.py:2: data imports kernel; both",
        ),
        ("data/engine.py", "from lexsi_nb import Session\n", "data/engine.py:1: data imports __init__; a part"),
        (
            "data/engine.py",
            "from lexsi_nb import datasets\n",
            "data imports datasets, which stands below",
        ),
        ("utils/text.py", "import os\n", "utils: has no layer"),
        ("datasets.py", "from lexsi_nb import app\n", "datasets.py:1: datasets imports app, which it may not"),
    ],
)
def test_a_wrong_import_is_named_with_file_and_line(tmp_path: Path, file: str, source: str, complaint: str) -> None:
    package = _package(tmp_path, {file: source})
    found = layers.violations(package)
    assert len(found) == 1
    assert complaint in found[0]


def test_imports_towards_the_errors_pass(tmp_path: Path) -> None:
    package = _package(
        tmp_path,
        {
            "app/session.py": "from lexsi_nb import __version__, datasets\n",
            "tools/run_sql.py": "from ..data import Engine\nfrom lexsi_nb.errors import RefusedSQL\nfrom . import x\n",
            "datasets.py": "from lexsi_nb.data.open import open\n",
            "__init__.py": "def f():\n    from lexsi_nb.app import Session\n    from lexsi_nb import datasets\n",
        },
    )
    assert layers.violations(package) == []


def _package(folder: Path, files: dict[str, str]) -> Path:
    package = folder / "lexsi_nb"
    for part in (
        "errors.py",
        "data/__init__.py",
        "tools/__init__.py",
        "kernel/__init__.py",
        "app/__init__.py",
        "datasets.py",
    ):
        files.setdefault(part, "")
    for name, text in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    return package
