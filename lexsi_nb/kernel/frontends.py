"""Where code cells go: which frontend asked, and what it can take."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from lexsi_nb.artifacts import CodeCell
from lexsi_nb.errors import LexsiError

Environment = Literal["terminal", "lab-extension", "notebook", "headless", "script"]
Mode = Literal["show", "insert", "replace"]
ATTRIBUTE = "_lexsi_extension"  # on the shell: the sender of a labextension that announced itself
INSERTED = "_lexsi_inserted"  # on the shell: cell id -> the source that it put below itself
AGAIN = "Not inserted again: this cell put the same code below it before. %lexsi show prints it."
# Kernels whose frontends send no cell id and still have a person in front.
_HOSTED = ("google.colab",)


@dataclass(frozen=True)
class Placement:
    """What became of code cells. `where`: "shown" | "next input" | "extension"; `said` is the line for the user."""

    where: Literal["shown", "next input", "extension"]
    count: int
    said: str = ""


def shell_now() -> Any:
    """Return the running IPython shell, None in a plain script; imports nothing."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None


def parent_message(shell: Any) -> dict[str, Any]:
    """Return the message that is being handled, {} where there is none."""
    get = getattr(shell, "get_parent", None)
    parent = get() if callable(get) else None
    return parent if isinstance(parent, dict) else {}


def cell_id(shell: Any) -> str | None:
    """Return the id of the calling cell, None where the frontend sends none (nbclient, papermill, nbval)."""
    found = (parent_message(shell).get("metadata") or {}).get("cellId")
    return found if isinstance(found, str) and found else None


def detect(shell: Any = None, *, override: str | None = None) -> Environment:
    """Return the environment of the call. `override` is the user's own setting and wins.

    Raises:
        LexsiError: the setting names no environment; lists them.
    """
    if override and override != "auto":
        if override not in get_args(Environment):
            known = ", ".join(("auto", *get_args(Environment)))
            raise LexsiError(f"{override!r} is no frontend.", f"There is: {known}.")
        return override  # type: ignore[return-value]
    shell = shell_now() if shell is None else shell
    if shell is None:
        return "script"
    classes = [f"{c.__module__}.{c.__name__}" for c in type(shell).__mro__]
    if any(c.endswith(".TerminalInteractiveShell") for c in classes):
        return "terminal"
    if not any(c.endswith(".ZMQInteractiveShell") for c in classes):
        return "script"  # a bare shell that a program embeds: nobody types there
    if cell_id(shell) is not None:
        return "lab-extension" if getattr(shell, ATTRIBUTE, None) is not None else "notebook"
    return "notebook" if hosted(shell) else "headless"


def hosted(shell: Any) -> bool:
    """Return whether the frontend is VS Code or Colab: it takes no extension of JupyterLab."""
    classes = (f"{c.__module__}.{c.__name__}" for c in type(shell).__mro__)
    # VS Code names the notebook in the namespace, also where it sends no cell id.
    return "__vsc_ipynb_file__" in getattr(shell, "user_ns", {}) or any(c.startswith(_HOSTED) for c in classes)


def announce(shell: Any, send: Callable[[str, Sequence[CodeCell], str, str], None] | None) -> None:
    """Note that a labextension is listening: `send(cell_id, cells, mode, run)`. None: it went away."""
    setattr(shell, ATTRIBUTE, send)


def in_cell(shell: Any) -> bool:
    """Return whether a cell is being run on this very thread.

    From a widget's click, `set_next_input` would land at whichever cell runs next.
    """
    if threading.current_thread() is not threading.main_thread():
        return False
    kind = (parent_message(shell).get("header") or {}).get("msg_type")
    return kind in (None, "execute_request")


def joined(cells: Sequence[CodeCell]) -> str:
    """Return the Python cells as one source, a blank line between them."""
    return "\n\n".join(c.source.strip("\n") for c in cells if c.language == "python")


def insert(
    cells: Sequence[CodeCell],
    mode: Mode = "show",
    *,
    run: str = "",
    shell: Any = None,
    override: str | None = None,
) -> Placement:
    """Return where the cells went. Nothing is inserted unless `mode` asks for it.

    "insert" puts them below the calling cell, "replace" in its place. The labextension takes any number of cells;
    elsewhere they are joined in one, because a cell can set only one next input. Where the same cell put the same
    source in before, nothing is put in again, so that *Run All* does not double it. The extension hears of a run
    whose cells are only shown, too: by its own setting it may propose them.
    """
    count = len(cells)
    shell = shell_now() if shell is None else shell
    if not cells or (mode == "show" and shell is None):
        return Placement("shown", count)
    environment = detect(shell, override=override)
    send = getattr(shell, ATTRIBUTE, None)
    anchor = cell_id(shell)
    if environment == "lab-extension" and send is not None and anchor is not None:
        if mode == "insert" and _stands(cells, shell, anchor):  # from before the extension was heard of
            send(anchor, list(cells), "show", run)
            return Placement("shown", count, AGAIN)
        send(anchor, list(cells), mode, run)
        # Nothing is said: the extension counts them beside *Insert*, and goes on counting as they are decided on.
        return Placement("shown" if mode == "show" else "extension", count)
    if mode == "show":
        return Placement("shown", count)
    if environment in ("script", "headless"):
        said = "Not inserted: nobody sits at this notebook. run.export(...) writes the cells."
        return Placement("shown", count, said)
    if not in_cell(shell):
        return Placement("shown", count, "Not inserted: only a running cell can do that here. Copy them instead.")
    return _as_next_input(cells, mode, shell, anchor)


def _as_next_input(cells: Sequence[CodeCell], mode: Mode, shell: Any, anchor: str | None) -> Placement:
    source, count = joined(cells), len(cells)
    if mode == "replace":
        shell.set_next_input(source, replace=True)
        return Placement("next input", count, f"{_count(count)} inserted as one, in place of this cell.")
    before: dict[str, str] = shell.__dict__.setdefault(INSERTED, {})
    if anchor is not None and _stands(cells, shell, anchor):
        return Placement("shown", count, AGAIN)
    if anchor is not None:
        before[anchor] = source
    shell.set_next_input(source, replace=False)
    return Placement("next input", count, f"{_count(count)} inserted as one, below this cell.")


def _stands(cells: Sequence[CodeCell], shell: Any, anchor: str) -> bool:
    """Return whether that cell put the same code below itself as one cell."""
    return shell.__dict__.get(INSERTED, {}).get(anchor) == joined(cells)


def _count(n: int) -> str:
    return "1 code cell" if n == 1 else f"{n} code cells"
