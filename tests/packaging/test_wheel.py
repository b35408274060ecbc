"""The wheel that users install: the prebuilt Lab extension and every file of the package stand in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SHARE = "data/share/jupyter/labextensions/lexsi-nb-labextension"
LIST = "from jupyterlab.labextensions import main; main()"  # what the command `jupyter labextension` runs


@pytest.fixture(scope="module")
def wheel(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without isolation where the build backend is installed."""
    if not (project_root / "lexsi_nb" / "labextension_dist" / "package.json").is_file():
        pytest.skip("the Lab extension is not built; run: make labextension")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    offline = ["--no-build-isolation"] if _has("hatchling") else []
    done = subprocess.run(
        [*command, *offline, "--wheel-dir", str(folder), str(project_root)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    [made] = folder.glob("lexsi_nb-*.whl")
    return made


def _has(module: str) -> bool:
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def test_the_prebuilt_extension_stands_in_it(wheel: Path, project_root: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        names = {name.partition(".data/")[2]: name for name in held.namelist() if f"/{SHARE}/" in name}
        shared = {name.removeprefix(f"{SHARE}/") for name in names}
        built = project_root / "lexsi_nb" / "labextension_dist"
        assert {str(f.relative_to(built)) for f in built.rglob("*") if f.is_file()} | {"install.json"} == shared
        package = json.loads(held.read(next(n for n in names.values() if n.endswith("/package.json"))))
        install = json.loads(held.read(next(n for n in names.values() if n.endswith("/install.json"))))
    loaded = package["jupyterlab"]["_build"]["load"]
    assert loaded in shared
    assert install["packageName"] == "lexsi-nb"
    assert install["packageManager"] == "python"


def test_every_file_of_the_package_stands_in_it(wheel: Path, project_root: Path) -> None:
    """The bundle of the widgets, the knowledge graph, the synthetic data, all modules."""
    tracked = subprocess.run(
        ["git", "ls-files", "lexsi_nb"], cwd=project_root, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    with zipfile.ZipFile(wheel) as held:
        missing = set(tracked) - set(held.namelist())
    assert missing == set()
    assert any(name.startswith("lexsi_nb/widgets/live/static/") for name in tracked)
    assert any(name.startswith("lexsi_nb/data/kg/") for name in tracked)


def test_a_lab_without_node_lists_it(wheel: Path, tmp_path: Path) -> None:
    """Installed as users do, into an environment whose programs have no Node."""
    where = tmp_path / "env"
    # The libraries of the tests' own environment are seen through: nothing is downloaded.
    venv.create(where, with_pip=False, system_site_packages=False)
    python = where / "bin" / "python"
    site = next((where / "lib").glob("python*/site-packages"))
    (site / "libraries.pth").write_text("\n".join(p for p in sys.path if p.endswith("site-packages")) + "\n")
    install = ["install", "--quiet", "--no-deps", "--no-index", "--ignore-installed", "--disable-pip-version-check"]
    subprocess.run([python, "-m", "pip", *install, wheel], check=True, capture_output=True, timeout=300)
    programs = tmp_path / "programs"
    programs.mkdir()
    assert shutil.which("node", path=str(programs)) is None
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PYTHON"))}
    env |= {"PATH": str(programs), "HOME": str(tmp_path), "JUPYTER_NO_CONFIG": "1"}
    listed = subprocess.run(
        [python, "-c", LIST, "list"], env=env, capture_output=True, text=True, check=False,
        cwd=tmp_path, timeout=300,
    )  # fmt: skip
    said = listed.stdout + listed.stderr
    line = next((line for line in said.splitlines() if "lexsi-nb-labextension" in line), "")
    assert "enabled" in line, said
    assert "OK" in line, said
    assert str(where / "share" / "jupyter" / "labextensions") in said
