"""Both versions of the SDK that are supported, and what is said about others."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from lexsi_nb.app.hosted import backend_for
from lexsi_nb.egress.gate import Gate
from lexsi_nb.errors import MissingExtra
from lexsi_nb.modeling.lexsi import sdk
from lexsi_nb.modeling.lexsi.failures import NotSupported
from tests.lexsi_server.platform import SDK_TOKEN
from tests.lexsi_server.server import running

OTHER = {"0.1.64": "ok 0.1.64 pod False False", "0.1.65": "ok 0.1.65 compute_type True True"}


Folders = tuple[dict[str, Path], str]


@pytest.fixture(scope="session")
def folders(project_root: Path) -> Folders:
    """Folders of the SDK by version, and why one is not to be had: pip puts 0.1.64 beside the tests once."""
    found = {distribution("lexsi-sdk").version: Path(str(distribution("lexsi-sdk").locate_file("")))}
    named = os.environ.get("LEXSI_NB_SDK_0_1_64")
    folder, said = Path(named or project_root / "build" / "lexsi-sdk-0.1.64"), f"{named} has none"
    if not (folder / "lexsi_sdk").is_dir() and not named:
        options = ["-q", "--disable-pip-version-check", "--timeout", "15", "--retries", "1", "--no-deps"]
        pip = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), "lexsi-sdk==0.1.64"]
        done = subprocess.run(pip, capture_output=True, text=True, timeout=120, check=False)
        said = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
    return found | ({"0.1.64": folder} if (folder / "lexsi_sdk").is_dir() else {}), said


# All other tests run on the version that is installed, so its turn here is for `make test-all`.
INSTALLED = "0.1.65"
VERSIONS = [pytest.param(v, marks=[pytest.mark.slow] if v == INSTALLED else []) for v in OTHER]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_same_calls_work_with_each_version(version: str, folders: Folders, project_root: Path) -> None:
    in_its_process(version, folders, project_root)


@pytest.mark.slow
def test_the_north_star_with_the_other_version(folders: Folders, project_root: Path) -> None:
    in_its_process("0.1.64", folders, project_root, "north-star")


@pytest.mark.slow
@pytest.mark.parametrize(
    "what", [["tests/lexsi", "--deselect", "tests/lexsi/test_versions.py"], ["--nbval", "notebooks/06_on_lexsi.ipynb"]]
)
def test_all_that_runs_on_the_platform_with_the_other_version(
    what: list[str], folders: Folders, project_root: Path
) -> None:
    """The tests beside this file, and the notebook."""
    there, why = folders
    if "0.1.64" not in there:
        pytest.skip(f"lexsi-sdk 0.1.64 cannot be installed beside the tests: {why}")
    paths = f"{there['0.1.64']}{os.pathsep}{project_root}"
    asked = "import importlib.metadata as m; print(m.version('lexsi-sdk'))"
    env = {**os.environ, "PYTHONPATH": paths}
    version = subprocess.run([sys.executable, "-c", asked], env=env, capture_output=True, text=True, check=True)
    assert version.stdout.strip() == "0.1.64"
    assert nested(what, project_root, PYTHONPATH=paths) == 0


@pytest.mark.slow
def test_the_switch_runs_tests_at_another_address_and_deletes_what_they_made(project_root: Path) -> None:
    """A stand-in takes the place of the real service."""
    with running() as there:
        env = {"LEXSI_NB_REAL": "1", "XAI_API_URL": there.url, "SDK_ACCESS_TOKEN": SDK_TOKEN}
        assert nested(["tests/lexsi/test_contract.py"], project_root, PYTHONPATH=str(project_root), **env) == 0
        assert len(there.to("v2/project/upload_data_with_check")) >= 4
        assert there.platform.workspaces.keys() >= {"lexsi-nb-tests"}
        assert there.platform.projects == {}


def nested(what: list[str], root: Path, **env: str) -> int:
    """Return the exit code of a run of pytest in a process of its own; prints what it said."""
    notebooks = ["--nbval-current-env", "--nbval-sanitize-with", "notebooks/sanitize.cfg"] if "--nbval" in what else []
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *what, *notebooks]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=1800, env={**os.environ, **env}, cwd=root, check=False
    )
    print(done.stdout[-3000:], done.stderr[-1000:])
    return done.returncode


def in_its_process(version: str, folders: Folders, root: Path, *more: str) -> None:
    there, why = folders
    if version not in there:
        pytest.skip(f"lexsi-sdk {version} cannot be installed beside the tests, so it was not tested: {why}")
    command = [sys.executable, str(root / "tests" / "lexsi" / "old_sdk.py"), str(there[version]), version, *more]
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, env=env, cwd=root, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip() == OTHER[version]


def test_a_version_without_a_call_is_refused_with_its_name() -> None:
    class Project:
        """Of 0.1.47: other names."""

        def upload_data(self, data: object, tag: str, config: object = None, compute_type: str = "") -> None: ...
        def train_model(self, model_type: str, compute_type: str, data_config: object = None) -> None: ...
        def model_inference(self, tag: str, file_name: str, model_name: str, pod: str) -> None: ...
        def case_predict(self, unique_identifier: str, tag: str, model_name: str, xai: list[str]) -> None: ...
        def models(self) -> None: ...
        def tags(self) -> None: ...
        def config(self) -> None: ...
        def events(self, event_id: str) -> None: ...
        def delete_project(self) -> None: ...

    with pytest.raises(NotSupported, match=r"0\.1\.47 cannot be used.*train_model\(training_strategy=\).*%pip install"):
        sdk.described("0.1.47", Project, object, object)


def test_an_unchecked_version_says_so() -> None:
    assert "0.1.99 was not checked" in sdk.Sdk("0.1.99", object, object, "compute_type", False, True).note


def test_without_the_sdk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sdk, "installed", lambda: False)
    with pytest.raises(MissingExtra, match=r'%pip install "lexsi-nb\[lexsi\]"'):
        backend_for("lexsi", Gate())
