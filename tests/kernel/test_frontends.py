"""Where code cells go, frontend by frontend."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from lexsi_nb.artifacts import CodeCell
from lexsi_nb.errors import LexsiError
from lexsi_nb.kernel import frontends

CELLS = [CodeCell("a = 1\n"), CodeCell("\nb = a + 1\n"), CodeCell("select 1", language="sql")]


class Shell:
    """What a frontend leaves on a shell: the parent message and the next input."""

    def __init__(self, parent: dict[str, Any] | None = None) -> None:
        self.parent, self.user_ns, self.inputs = parent or {}, {}, []

    def get_parent(self) -> dict[str, Any]:
        return self.parent

    def set_next_input(self, text: str, *, replace: bool = False) -> None:
        self.inputs.append((text, replace))


class ZMQInteractiveShell(Shell):
    pass


class TerminalInteractiveShell(Shell):
    pass


def message(kind: str = "execute_request", **metadata: Any) -> dict[str, Any]:
    return {"header": {"msg_type": kind}, "metadata": metadata}


def test_each_environment_is_told_by_its_messages() -> None:
    assert frontends.detect(TerminalInteractiveShell()) == "terminal"
    assert frontends.detect(ZMQInteractiveShell(message(cellId="c1"))) == "notebook"
    assert frontends.detect(ZMQInteractiveShell(message())) == "headless"
    assert frontends.detect(ZMQInteractiveShell(message(cellId=None))) == "headless"
    assert frontends.detect(Shell()) == "script"
    vscode = ZMQInteractiveShell(message())
    vscode.user_ns["__vsc_ipynb_file__"] = "a.ipynb"
    assert frontends.detect(vscode) == "notebook"
    lab = ZMQInteractiveShell(message(cellId="c1"))
    frontends.announce(lab, lambda *_: None)
    assert frontends.detect(lab) == "lab-extension"
    lab.parent = message()  # the same kernel driven by a program
    assert frontends.detect(lab) == "headless"


def test_the_users_setting_wins_and_a_wrong_one_is_refused() -> None:
    assert frontends.detect(ZMQInteractiveShell(message()), override="notebook") == "notebook"
    assert frontends.detect(ZMQInteractiveShell(message()), override="auto") == "headless"
    with pytest.raises(LexsiError, match="lab-extension"):
        frontends.detect(Shell(), override="emacs")


def test_nothing_is_inserted_unasked() -> None:
    shell = ZMQInteractiveShell(message(cellId="c1"))
    assert frontends.insert(CELLS, shell=shell).where == "shown"
    assert frontends.insert([], "insert", shell=shell).where == "shown"
    assert shell.inputs == []


@pytest.mark.parametrize(("mode", "replace"), [("insert", False), ("replace", True)])
def test_without_the_extension_the_cells_go_as_one(mode: Any, replace: bool) -> None:
    for shell in (ZMQInteractiveShell(message(cellId="c1")), TerminalInteractiveShell()):
        placed = frontends.insert(CELLS, mode, shell=shell)
        assert (placed.where, placed.count) == ("next input", 3)
        assert shell.inputs == [("a = 1\n\nb = a + 1", replace)]


def test_run_all_does_not_put_the_same_cell_in_again() -> None:
    shell = ZMQInteractiveShell(message(cellId="c1"))
    assert frontends.insert(CELLS, "insert", shell=shell).where == "next input"
    assert "before" in frontends.insert(CELLS, "insert", shell=shell).said
    assert len(shell.inputs) == 1
    shell.parent = message(cellId="c2")  # another cell that comes to the same code
    assert frontends.insert(CELLS, "insert", shell=shell).where == "next input"
    shell.parent = message(cellId="c1")
    assert frontends.insert(CELLS[:1], "insert", shell=shell).where == "next input"


def test_the_extension_gets_the_cells_and_their_anchor() -> None:
    sent: list[Any] = []
    shell = ZMQInteractiveShell(message(cellId="c1"))
    frontends.announce(shell, lambda *args: sent.append(args))
    placed = frontends.insert(CELLS, "insert", run="r1", shell=shell)
    assert (placed.where, placed.said) == ("extension", ""), "the extension itself says how the cells stand"
    assert frontends.insert(CELLS, "show", run="r2", shell=shell).where == "shown"
    assert sent == [("c1", CELLS, "insert", "r1"), ("c1", CELLS, "show", "r2")]
    assert shell.inputs == []


def test_a_headless_run_inserts_nothing_and_says_why() -> None:
    shell = ZMQInteractiveShell(message())
    placed = frontends.insert(CELLS, "insert", shell=shell)
    assert placed.where == "shown"
    assert "nobody sits" in placed.said
    assert shell.inputs == []


def test_a_click_outside_a_cell_inserts_nothing_at_a_wrong_place() -> None:
    shell = ZMQInteractiveShell(message("comm_msg", cellId="c1"))
    assert "Copy them" in frontends.insert(CELLS, "insert", shell=shell).said
    shell.parent = message(cellId="c1")  # a cell is running, and the click came on another thread
    placed: list[frontends.Placement] = []
    thread = threading.Thread(target=lambda: placed.append(frontends.insert(CELLS, "insert", shell=shell)))
    thread.start()
    thread.join()
    assert placed[0].where == "shown"
    assert shell.inputs == []


def test_a_plain_script_has_no_shell() -> None:
    assert frontends.insert(CELLS, "insert", override="script").where == "shown"


def test_code_that_came_as_one_cell_before_the_extension_answered_is_not_proposed_beside_it() -> None:
    shell = ZMQInteractiveShell(message(cellId="c1"))
    assert frontends.insert(CELLS, "insert", shell=shell).where == "next input"
    sent: list[str] = []
    frontends.announce(shell, lambda anchor, cells, mode, run: sent.append(mode))
    again = frontends.insert(CELLS, "insert", shell=shell)
    assert (again.where, sent) == ("shown", ["show"])
    assert again.said.startswith("Not inserted again")
    assert len(shell.inputs) == 1
    assert frontends.insert(CELLS[:1], "insert", shell=shell).where == "extension"  # other code
    assert sent == ["show", "insert"]
