"""A real JupyterLab in a real Chromium, without a way to any other machine."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


class Lab:
    """A running JupyterLab: its address, the folder it serves and the one it keeps settings in."""

    def __init__(self, base: Path, port: int) -> None:
        self.folder = base / "files"
        self.settings = base / "settings"
        self.url = f"http://127.0.0.1:{port}"

    def answers(self) -> bool:
        """Return whether the server is up."""
        try:
            with urllib.request.urlopen(f"{self.url}/api/status", timeout=5) as reply:
                return reply.status == 200
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False


@pytest.fixture(scope="session")
def extension(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Lab extensions that holds ours, as a wheel would install it."""
    built = project_root / "lexsi_nb" / "labextension_dist"
    if not (built / "package.json").is_file():
        pytest.skip("the Lab extension is not built; run: make labextension")
    folder = tmp_path_factory.mktemp("labextensions")
    shutil.copytree(built, folder / "lexsi-nb-labextension")
    return folder


@pytest.fixture(scope="session")
def lab(project_root: Path, extension: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A JupyterLab that serves an empty folder; settings and data are its own."""
    options = ["--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    options += ["--LabApp.expose_app_in_browser=True"]
    with serving("jupyterlab", options, project_root, extension, tmp_path_factory.mktemp("lab")) as running:
        yield running


@contextmanager
def serving(module: str, options: list[str], project_root: Path, extension: Path, base: Path) -> Iterator[Lab]:
    """A running server of JupyterLab or Notebook; it ends with the block."""
    for name in ("files", "config", "settings", "workspaces", "runtime", "ipython"):
        (base / name).mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(base / "config"),
        "JUPYTER_RUNTIME_DIR": str(base / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(base / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(base / "workspaces"),
        "IPYTHONDIR": str(base / "ipython"),
        "LEXSI_NB_STATE": str(base / "state"),
        "PYTHONPATH": str(project_root),
    }
    command = [sys.executable, "-m", module, "--no-browser", "--allow-root", f"--port={port}", *options]
    command += ["--ServerApp.ip=127.0.0.1", "--IdentityProvider.token=", "--ServerApp.password="]
    command += [f"--ServerApp.root_dir={base / 'files'}", f"--LabServerApp.extra_labextensions_path={extension}"]
    running = Lab(base, port)
    with (base / "lab.log").open("w") as log:
        server = subprocess.Popen(command, env=env, cwd=base, stdout=log, stderr=subprocess.STDOUT)
        try:
            while not running.answers():
                assert server.poll() is None, (base / "lab.log").read_text()
            yield running
        finally:
            server.terminate()
            try:
                server.wait(60)  # it ends its kernels first
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, headless; every host but loopback is unknown to it."""
    if CHROMIUM is None:
        pytest.skip("no Chromium; run: apt-get install chromium")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # a condition that holds is seen at once; a busy machine takes longer
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Keep what the page looked like when its test failed."""
    report = yield
    page = getattr(item, "funcargs", {}).get("page")
    if report.when == "call" and report.failed and page is not None:
        folder = item.config.rootpath / "build" / "screenshots" / "failed"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{item.name}.png")
    return report


@pytest.fixture
def page(chromium: Browser, lab: Lab) -> Iterator[Page]:
    """A browser page; at its end the test fails if the page asked any other machine for anything."""
    page = chromium.new_page(viewport={"width": 1280, "height": 960})
    page.set_default_timeout(60_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    outside = [url for url in asked if not url.startswith((lab.url, "data:", "blob:"))]
    assert outside == []


@pytest.fixture
def open_notebook(lab: Lab, page: Page, request: pytest.FixtureRequest) -> Callable[..., str]:
    """A function that writes cells into a notebook and opens it; returns the notebook's name."""

    def write_and_open(
        cells: list[dict[str, object]], *, kernel: bool = True, theme: str = "JupyterLab Light", name: str = ""
    ) -> str:
        name = name or f"{request.node.name}.ipynb"
        spec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}} if kernel else {}
        document = {"cells": cells, "metadata": spec, "nbformat": 4, "nbformat_minor": 5}
        (lab.folder / name).write_text(json.dumps(document))
        set_theme(lab, theme)
        page.goto(f"{lab.url}/lab/tree/{name}?reset")
        page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
        if kernel:  # a cell that is run before the kernel is there opens the dialog that asks for one
            page.get_by_title("Change kernel for").get_by_text("Idle").wait_for()
        else:
            page.locator(".jp-Dialog").get_by_role("button", name="No Kernel", exact=True).click()
        return name

    return write_and_open


def set_theme(lab: Lab, theme: str) -> None:
    """Store the theme that the next page of this Lab shows."""
    folder = lab.settings / "@jupyterlab" / "apputils-extension"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "themes.jupyterlab-settings").write_text(json.dumps({"theme": theme}))
    # Lab asks on each start whether it may fetch news; the question would cover part of the page.
    (folder / "notification.jupyterlab-settings").write_text(json.dumps({"fetchNews": "false"}))


@pytest.fixture(scope="session")
def shots(project_root: Path) -> Path:
    """The folder that screenshots go to."""
    folder = project_root / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
