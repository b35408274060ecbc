"""The comm to the Lab extension: who greets, who closes, who does not answer."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from lexsi_nb.artifacts import CodeCell
from lexsi_nb.kernel import frontends, lab_channel
from lexsi_nb.kernel.lab_channel import LabChannel


class Comm:
    """A comm whose frontend the test plays."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.closed = False

    def on_close(self, closed: Any) -> None:
        self.frontend_closes = closed

    def send(self, data: dict[str, Any]) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.closed = True


def opened(shell: Any) -> tuple[LabChannel, Comm]:
    channel, comm = LabChannel(shell), Comm()
    channel.open(comm)
    return channel, comm


class Manager:
    """The comm manager of a kernel, as far as targets go."""

    def __init__(self, targets: dict[str, Any]) -> None:
        self.targets = targets

    def register_target(self, name: str, act: Any) -> None:
        self.targets[name] = act

    def unregister_target(self, name: str, _: Any) -> None:
        del self.targets[name]


class Kernel:
    _supports_kernel_subshells = True


class ZMQInteractiveShell:
    def __init__(self) -> None:
        self.kernel, self.user_ns = Kernel(), {}

    def get_parent(self) -> dict[str, Any]:
        return {"header": {"msg_type": "execute_request"}, "metadata": {"cellId": "c1"}}


@pytest.fixture
def shell() -> ZMQInteractiveShell:
    return ZMQInteractiveShell()


def test_a_greeting_makes_it_the_lab_extension_and_cells_go_there(shell: Any) -> None:
    channel, comm = opened(shell)
    assert frontends.detect(shell) == "notebook"
    answer = Comm()
    threading.Thread(target=channel.greeted, args=(answer, {})).start()
    assert channel.wait(10) == "there"
    assert frontends.detect(shell) == "lab-extension"
    frontends.insert([CodeCell("a = 1", title="make a")], "insert", run="r1", shell=shell)
    assert comm.sent == [
        {
            "type": "run", "version": 1, "run": "r1", "anchor": "c1", "mode": "insert",
            "cells": [{"title": "make a", "source": "a = 1", "kind": "code", "step": 0}],
        }
    ]  # fmt: skip
    assert not channel.tell_once()
    assert answer.closed, "it would be greeted again by a page that is loaded again"
    assert not comm.closed


def test_what_holds_now_is_told_on_request_and_only_then(shell: Any) -> None:
    channel, comm = opened(shell)
    channel.on_state = lambda: {"variables": [], "problem": ""}
    channel.greeted(Comm(), {"content": {"data": {"version": 1}}})
    assert comm.sent == []
    asking = Comm()
    channel.greeted(asking, {"content": {"data": {"version": 1, "ask": "state"}}})
    assert comm.sent == [{"type": "state", "version": 1, "variables": [], "problem": ""}]
    assert asking.closed


def test_a_frontend_without_the_extension_is_told_of_once(shell: Any) -> None:
    channel, comm = opened(shell)
    comm.frontend_closes({})
    assert channel.wait(10) == "missing"
    assert [channel.tell_once() for _ in range(3)] == [True, False, False]
    assert frontends.detect(shell) == "notebook"


def test_a_greeting_after_the_wait_still_counts(shell: Any) -> None:
    channel, _ = opened(shell)
    assert channel.wait(0.01) == "missing"
    channel.greeted(Comm(), {})
    assert channel.wait() == "there"
    assert frontends.detect(shell) == "lab-extension"


def test_without_subshells_nothing_is_waited_for_and_nothing_claimed(shell: Any) -> None:
    shell.kernel._supports_kernel_subshells = False
    channel, _ = opened(shell)
    assert channel.wait(3600) == "unknown"
    assert not channel.tell_once()


def test_where_cells_have_no_id_no_comm_is_opened(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "get_parent", dict, raising=False)
    assert lab_channel.channel_of(shell) is None


def test_the_channel_is_opened_once_and_ends_with_the_magics(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Comm] = []
    targets: dict[str, Any] = {}
    monkeypatch.setattr("comm.create_comm", lambda **_: made.append(Comm()) or made[-1])
    monkeypatch.setattr("comm.get_comm_manager", lambda: Manager(targets))
    assert lab_channel.channel_of(shell) is lab_channel.channel_of(shell)
    targets[lab_channel.TARGET](Comm(), {})
    assert frontends.detect(shell) == "lab-extension"
    lab_channel.close(shell)
    assert made[0].closed
    assert len(made) == 1
    assert targets == {}
    assert frontends.detect(shell) == "notebook"


def test_clicks_come_beside_a_cell_only_where_the_greeting_did(shell: Any) -> None:
    channel = lab_channel.channel_of(shell)
    assert channel is not None
    channel.greeted(Comm(), {"header": {"subshell_id": None}})
    assert not lab_channel.hears_beside(shell), "a page that knows no subshells, as JupyterLab 4.2"
    channel.greeted(Comm(), {"header": {"subshell_id": "s1"}})
    assert lab_channel.hears_beside(shell)
    shell.kernel._supports_kernel_subshells = False
    assert not lab_channel.hears_beside(shell)
