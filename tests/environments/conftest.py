"""Kernels that are spoken to as each frontend does: its messages, its kernel, nothing of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

SECONDS = 120


@dataclass
class Reply:
    """What came of one cell: its outputs as MIME bundles and texts, the reply, the comms that the kernel opened."""

    status: str
    payload: list[dict[str, Any]]
    outputs: list[dict[str, Any]] = field(default_factory=list)
    metadata: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    error: str = ""
    comms: dict[str, dict[str, Any]] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)  # of every message

    @property
    def said(self) -> str:
        """All texts of the cell."""
        return "\n".join([self.text, *(str(o.get("text/plain", "")) for o in self.outputs)])

    @property
    def next_input(self) -> list[str]:
        """What the reply asks the frontend to put into a new cell."""
        return [p["text"] for p in self.payload if p.get("source") == "set_next_input"]


class Kernel:
    """A running kernel and how one frontend talks to it."""

    def __init__(self, manager: Any, client: Any, *, cells: bool, closes_comms: bool) -> None:
        self.manager, self.client, self.cells, self.closes_comms = manager, client, cells, closes_comms
        self.count = 0
        self.models: dict[str, dict[str, Any]] = {}  # the state of each widget as the page has it
        self.loaded: Reply | None = None  # what came of %load_ext

    def run(self, code: str, cell: str | None = None, *, interrupt_at: str = "") -> Reply:
        """Run a cell as the frontend does and collect all that comes; interrupt it once an output has those words."""
        self.count += 1
        metadata = {"cellId": cell or f"cell-{self.count}"} if self.cells else {}
        content = {
            "code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False,
            "stop_on_error": True,
        }  # fmt: skip
        message = self.client.session.msg("execute_request", content, metadata=metadata)
        self.client.shell_channel.send(message)
        return self._collect(message["header"]["msg_id"], interrupt_at)

    def click(self, model: str, request: str, **content: Any) -> dict[str, Any]:
        """Send what a widget's view sends when a person clicks, and return the reply."""
        self.count += 1
        id = f"view-{self.count}"
        data = {"method": "custom", "content": {"id": id, "request": request, "content": content}}
        message = self.client.session.msg("comm_msg", {"comm_id": model, "data": data})
        self.client.shell_channel.send(message)
        while True:
            got = self._next(time.monotonic() + SECONDS)
            if got["msg_type"] == "comm_msg" and got["content"]["data"].get("content", {}).get("id") == id:
                return got["content"]["data"]["content"]

    def complete(self, code: str) -> list[str]:
        """Return what Tab offers at the end of the code."""
        message = self.client.session.msg("complete_request", {"code": code, "cursor_pos": len(code)})
        self.client.shell_channel.send(message)
        while True:
            reply = self.client.get_shell_msg(timeout=SECONDS)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return reply["content"]["matches"]

    def wait_for(self, model: str, **state: Any) -> dict[str, Any]:
        """Return the state of a widget once it has these values."""
        end = time.monotonic() + SECONDS
        while any(self.models[model].get("state", {}).get(k) != v for k, v in state.items()):
            self._next(end)
        return self.models[model]["state"]

    def _next(self, end: float) -> dict[str, Any]:
        """Return the next message for all, and note what it says of a widget's state."""
        message = self.client.get_iopub_msg(timeout=max(0.1, end - time.monotonic()))
        content = message["content"]
        if message["msg_type"] == "comm_open":
            self.models[content["comm_id"]] = dict(content["data"].get("state", {}))
        elif message["msg_type"] == "comm_msg" and content["data"].get("method") == "update":
            self.models.setdefault(content["comm_id"], {}).update(content["data"]["state"])
        return message

    def _collect(self, id: str, interrupt_at: str = "") -> Reply:
        out, end, clear = Reply("", []), time.monotonic() + SECONDS, False
        while True:
            message = self._next(end)
            if interrupt_at and interrupt_at in str(message["content"].get("data", "")):
                interrupt_at = ""
                self.manager.interrupt_kernel()
            if message["parent_header"].get("msg_id") != id:
                continue
            kind, content = message["msg_type"], message["content"]
            out.kinds.add(kind)
            if kind == "clear_output":
                clear = True
                continue
            if kind in ("display_data", "execute_result", "stream", "error") and clear:
                out.outputs, out.metadata, out.text, clear = [], [], "", False
            if kind in ("display_data", "execute_result"):
                out.outputs.append(content["data"])
                out.metadata.append(content["metadata"])
            elif kind == "stream":
                out.text += content["text"]
            elif kind == "error":
                out.error = f"{content['ename']}: {content['evalue']}"
            elif kind == "comm_open":
                out.comms[content["comm_id"]] = content
                # A frontend without the target says so; while a cell runs the kernel may not look.
                if self.closes_comms and content["target_name"] != "jupyter.widget":
                    self.client.shell_channel.send(
                        self.client.session.msg("comm_close", {"comm_id": content["comm_id"], "data": {}})
                    )
            elif kind == "status" and content["execution_state"] == "idle":
                break
        while True:
            reply = self.client.get_shell_msg(timeout=max(0.1, end - time.monotonic()))
            if reply["parent_header"].get("msg_id") == id:
                out.status, out.payload = reply["content"]["status"], reply["content"].get("payload", [])
                return out


@pytest.fixture(scope="session")
def ipykernel_6(project_root: Path) -> Path:
    """A folder with ipykernel 6, as VS Code and Colab have it, that goes before the installed one."""
    folder = project_root / "build" / "ipykernel6"
    if not (folder / "ipykernel").is_dir():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        done = subprocess.run([*command, "--target", str(folder), "ipykernel<7"], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"ipykernel 6 is not to be had: {done.stderr[-200:]}")
    return folder


Start = Callable[..., Kernel]


@contextmanager
def kernels(folder: Path, project_root: Path) -> Iterator[Start]:
    """A function that starts a kernel for a frontend, with a frame called orders and the magics loaded."""
    from jupyter_client.manager import KernelManager

    running: list[tuple[Any, Any]] = []

    def begin(
        *, before: Path | None = None, cells: bool = True, closes_comms: bool = True, setup: str = "", options: Any = ()
    ) -> Kernel:
        manager = KernelManager()
        paths = [str(p) for p in (before, folder, project_root) if p is not None]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "LEXSI_NB_STATE": str(folder / "state")}
        manager.kernel_spec.argv = [
            sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", *options,
        ]  # fmt: skip
        manager.start_kernel(env=env, cwd=str(folder))
        client = manager.client()
        client.start_channels()
        running.append((manager, client))
        client.wait_for_ready(timeout=SECONDS)
        kernel = Kernel(manager, client, cells=cells, closes_comms=closes_comms)
        made = kernel.run(f"{setup}\n{FRAME}")
        kernel.loaded = kernel.run("%load_ext lexsi_nb")
        assert (made.status, kernel.loaded.status) == ("ok", "ok"), made.error or kernel.loaded.error
        return kernel

    try:
        yield begin
    finally:
        for manager, client in running:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


@pytest.fixture
def start(project_root: Path, tmp_path: Path) -> Iterator[Start]:
    """A function that starts a kernel for a frontend, for one test."""
    with kernels(tmp_path, project_root) as begin:
        yield begin


def colab(start: Start, folder: Path, before: Path | None = None) -> Kernel:
    """Return a kernel as Colab has it: its own shell class, no cell ids."""
    package = folder / "google" / "colab"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "_shell.py").write_text(COLAB_SHELL)
    (package / "_kernel.py").write_text(COLAB_KERNEL)
    kernel_class = "--IPKernelApp.kernel_class=google.colab._kernel.ColabKernel"
    return start(before=before, cells=False, options=[kernel_class])


def vs_code(start: Start, before: Path | None = None) -> Kernel:
    """Return a kernel as VS Code has it: the notebook's path in the namespace."""
    return start(before=before, setup="__vsc_ipynb_file__ = '/home/me/a.ipynb'")


# Colab's own shell, as far as it matters here: a subclass of ipykernel's in google.colab._shell.
COLAB_SHELL = "from ipykernel.zmqshell import ZMQInteractiveShell\n\n\nclass Shell(ZMQInteractiveShell):\n    pass\n"
COLAB_KERNEL = """from ipykernel.ipkernel import IPythonKernel
from traitlets import Type

from google.colab._shell import Shell


class ColabKernel(IPythonKernel):
    shell_class = Type(Shell)
"""
FRAME = """import pandas as pd
orders = pd.DataFrame({'order_id': range(9), 'region': list('NNNNNSSSE'), 'amount': [float(i) for i in range(9)]})"""
