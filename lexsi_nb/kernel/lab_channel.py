"""The comm to the Lab extension: whether one listens, and how a run's cells get to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Literal

from lexsi_nb.artifacts import CodeCell
from lexsi_nb.kernel.frontends import announce, cell_id, hosted

TARGET = "lexsi_nb"
VERSION = 1
ATTRIBUTE = "_lexsi_channel"
# A browser answers in milliseconds once it has the message; a busy one may need longer.
SECONDS = 1.0

State = Literal["unknown", "there", "missing"]


class LabChannel:
    """A comm that the kernel opens. The extension answers by one of its own; where there is none, it is closed.

    ipykernel 7.4 hands messages on the kernel's comm to the shell that sent on it, which is busy with the cell; one
    that the frontend opens is handled beside it: https://github.com/ipython/ipykernel (comm/comm.py)
    """

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.state: State = "unknown"
        self.told = False
        self.beside = False  # whether the page speaks to the kernel beside a running cell
        self.on_state: Callable[[], dict[str, Any]] | None = None  # what holds in the kernel now, on request
        self._comm: Any = None
        self._settled = threading.Event()

    def open(self, comm: Any) -> None:
        """Take the comm that runs are told on."""
        self._comm = comm
        comm.on_close(self._closed)

    def greeted(self, comm: Any, message: dict[str, Any]) -> None:
        """Take the greeting: the extension opened a comm, which has done all it is for.

        A greeting with `"ask": "state"` is answered, on the kernel's comm, by what holds now.
        """
        self.state = "there"
        self.beside = bool((message.get("header") or {}).get("subshell_id"))
        announce(self.shell, self.send)
        self._settled.set()
        comm.close()
        if _asked(message) == "state" and self.on_state is not None:
            self._comm.send({"type": "state", "version": VERSION, **self.on_state()})

    def wait(self, seconds: float = SECONDS) -> State:
        """Return whether an extension listens. The first call may wait for its greeting, later ones do not.

        The greeting comes on a subshell, beside the running cell. Without subshells (ipykernel 6) it cannot come
        before the cell ends, so the answer stays "unknown" and nothing is waited for.
        """
        if self.state == "unknown" and has_subshells(self.shell) and not self._settled.wait(seconds):
            self.state = "missing"  # a greeting that comes later still counts
            self._settled.set()
        return self.state

    def send(self, anchor: str, cells: Sequence[CodeCell], mode: str, run: str) -> None:
        """Tell the extension of a run's cells: shown, or to be put below or in place of the cell `anchor`."""
        content = [{"title": c.title, "source": c.source, "kind": c.kind, "step": c.step or 0} for c in cells]
        self._comm.send(
            {"type": "run", "version": VERSION, "run": run, "anchor": anchor, "mode": mode, "cells": content}
        )

    def tell_once(self) -> bool:
        """Return True once for the life of the kernel where no extension listens."""
        first = self.state == "missing" and not self.told
        self.told = self.told or first
        return first

    def end(self) -> None:
        """Close the comm: the extension hears nothing any more."""
        self._comm.close()

    def _closed(self, _: dict[str, Any]) -> None:
        self.state = "missing"
        announce(self.shell, None)
        self._settled.set()


def channel_of(shell: Any) -> LabChannel | None:
    """Return the channel of this kernel, opened on the first call from a cell; None where no extension can listen.

    That is where no frontend has cells, and in VS Code and Colab, which take no extension of JupyterLab.
    """
    known = getattr(shell, ATTRIBUTE, None)
    if known is not None or cell_id(shell) is None or getattr(shell, "kernel", None) is None or hosted(shell):
        return known
    from comm import create_comm, get_comm_manager

    made = LabChannel(shell)
    get_comm_manager().register_target(TARGET, made.greeted)
    made.open(create_comm(target_name=TARGET, data={"version": VERSION}))
    setattr(shell, ATTRIBUTE, made)
    return made


def close(shell: Any) -> None:
    """End the channel, as where the magics are taken away."""
    known = getattr(shell, ATTRIBUTE, None)
    if known is not None:
        from comm import get_comm_manager

        get_comm_manager().unregister_target(TARGET, known.greeted)
        known.end()
        setattr(shell, ATTRIBUTE, None)
        announce(shell, None)


def _asked(message: dict[str, Any]) -> Any:
    return ((message.get("content") or {}).get("data") or {}).get("ask")


def hears_beside(shell: Any) -> bool:
    """Return whether a click in the page reaches the kernel beside a running cell, as the page's greeting did."""
    channel = getattr(shell, ATTRIBUTE, None)
    return has_subshells(shell) and (channel is None or channel.beside)


def has_subshells(shell: Any) -> bool:
    """Return whether the kernel can handle messages of the page beside a running cell."""
    return bool(getattr(getattr(shell, "kernel", None), "_supports_kernel_subshells", False))
