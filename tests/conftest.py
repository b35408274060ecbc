"""Fixtures that every part's tests share: folders, a fresh shell, and no way out to the network."""

from __future__ import annotations

import atexit
import itertools
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from lexsi_nb.data.dataset import Dataset

ROOT = Path(__file__).resolve().parents[1]

# The bundled data are made once for all test runs, never in the user's own cache. Set before anything reads it.
# Processes that run tests side by side (pytest -n) share those data, and have a state and a profile each.
(ROOT / "build").mkdir(exist_ok=True)  # a fresh clone has none, and IPython wants its folder's parent
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
os.environ["LEXSI_NB_CACHE"] = str(ROOT / "build" / "test-cache")
os.environ["LEXSI_NB_STATE"] = str(ROOT / "build" / f"test-state{WORKER}")
os.environ["IPYTHONDIR"] = str(ROOT / "build" / f"test-ipython{WORKER}")
os.environ.setdefault("OMP_NUM_THREADS", "2")
# The one switch that bans real calls, for this process and the kernels that tests start. Loopback stays open.
os.environ["LEXSI_NB_OFFLINE"] = "1"


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def berka_folder() -> Path:
    """The folder with the real PKDD'99 files; the test is skipped where they are not to be had."""
    folder = Path(os.environ.get("LEXSI_NB_BERKA") or ROOT.parent / "shared" / "data" / "berka")
    if not (folder / "loan.asc").is_file():
        pytest.skip(f"no PKDD'99 files in {folder}; set LEXSI_NB_BERKA to the folder that has loan.asc")
    return folder


@pytest.fixture(scope="session")
def bank_cache() -> Path:
    """The cache folder of the tests, where the bundled bank data are made once."""
    folder = Path(os.environ["LEXSI_NB_CACHE"])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def bank(bank_cache: Path) -> Dataset:
    """The bundled synthetic bank data, made on first use."""
    from lexsi_nb import datasets

    return datasets.bank()


@pytest.fixture
def ip(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """A fresh IPython shell with the extension loaded; its namespace is its own."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    InteractiveShell.clear_instance()
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    shell = InteractiveShell.instance(config=config)
    shell.run_line_magic("load_ext", "lexsi_nb")
    try:
        yield shell
    finally:
        shell.run_line_magic("unload_ext", "lexsi_nb")
        shell.atexit_operations()
        atexit.unregister(shell.atexit_operations)
        InteractiveShell.clear_instance()


_STATES = itertools.count(1)


@pytest.fixture(autouse=True)
def state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder of this test alone: keys, parked runs and the audit log never reach the user's own."""
    folder = tmp_path_factory.getbasetemp() / f"state-{next(_STATES)}"
    monkeypatch.setenv("LEXSI_NB_STATE", str(folder))
    return folder


@pytest.fixture(autouse=True)
def no_recording_in_the_checkout(monkeypatch: pytest.MonkeyPatch, state_folder: Path) -> None:
    """Recordings of a test that did not change its folder are of this test alone: none is replayed in the next."""
    from lexsi_nb.store.recording_files import FOLDER, RecordingFiles

    def folder(self: RecordingFiles) -> Path:
        if self._folder is not None:
            return Path(self._folder)
        here = Path.cwd()
        return (state_folder if here == ROOT else here) / FOLDER

    monkeypatch.setattr(RecordingFiles, "folder", property(folder))


@pytest.fixture(scope="session")
def s3_address() -> Iterator[str]:
    """The address of an S3 service on this machine."""
    import logging

    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # it prints a line a request
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3(s3_address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[tuple[str, Any]]:
    """The address of an empty S3 service and a filesystem that may write to it; the cache is the test's own."""
    from urllib.request import Request, urlopen

    from pyarrow import fs

    for name in [n for n in os.environ if n.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "aws" / "credentials"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "aws" / "config"))
    monkeypatch.setenv("LEXSI_NB_CACHE", str(tmp_path / "cache"))
    urlopen(Request(f"{s3_address}/moto-api/reset", method="POST")).close()
    host = s3_address.partition("://")[2]
    yield (
        s3_address,
        fs.S3FileSystem(
            access_key="writer", secret_key="writer", endpoint_override=host, scheme="http", allow_bucket_creation=True
        ),
    )
    urlopen(Request(f"{s3_address}/moto-api/reset", method="POST")).close()


@pytest.fixture
def model_server() -> Iterator[Any]:
    """A model provider on this machine; see tests/model_server.py."""
    from tests import model_server as module

    server = module.ModelServer()
    server.Reply = module.Reply
    yield server
    server.close()


LOOPBACK = ("127.", "::1", "localhost")


class NetworkBanned(AssertionError):
    """A test reached for an address outside this machine."""


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections and name look-ups outside this machine raise, in every test."""
    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
    real_lookup = socket.getaddrinfo

    def lookup(host, *args, **kwargs):  # type: ignore[no-untyped-def]
        _check(host)
        return real_lookup(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)


def _guarded(real):  # type: ignore[no-untyped-def]
    def call(self: socket.socket, address):  # type: ignore[no-untyped-def]
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _check(address[0])
        return real(self, address)

    return call


def _check(host: object) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name is not None and not (isinstance(name, str) and name.startswith(LOOPBACK)):
        raise NetworkBanned(f"a test reached for {name!r}; only loopback addresses are allowed in tests")
