"""What a cell shows of a live widget: always its static form, and beside it the live one where that can be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexsi_nb.widgets.live.base import LiveWidget

# Drawn by our Lab extension: the live widget where the kernel has its model, else the static form beside it.
LIVE = "application/vnd.lexsi.live+json"
# Drawn by ipywidgets. Reopened without the kernel, JupyterLab shows an error in place of it.
VIEW = "application/vnd.jupyter.widget-view+json"


def can_live(environment: str) -> bool:
    """Return whether somebody may use a widget there: a notebook with a person, and the libraries."""
    from lexsi_nb.widgets.live.wire import installed

    return environment in ("notebook", "lab-extension") and installed()


def offered(live: LiveWidget, *, environment: str | None = None, message: str = "") -> dict[str, Any]:
    """Return the MIME bundle of a live widget for the frontend that asks.

    `message`: the id of the one that runs its cell, where later outputs of the widget come to that cell.

    JupyterLab and Notebook get the widget by our extension, and without it the static form. VS Code and Colab, which
    take no extension of Lab, get it by ipywidgets. A terminal, a program and a run without a person get no widget.
    """
    from lexsi_nb.kernel.frontends import detect, hosted, shell_now
    from lexsi_nb.widgets.live.wire import connected

    static = dict(live.static())
    shell = shell_now()
    environment = detect(shell) if environment is None else environment
    if not can_live(environment):
        return static
    model = {"version": 1, "model_id": connected(live).model_id, **({"message": message} if message else {})}
    if hosted(shell):
        return {VIEW: {"version_major": 2, "version_minor": 0, "model_id": model["model_id"]}, **static}
    return {LIVE: model, **static}
