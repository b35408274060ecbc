"""A live widget on the page, by anywidget. The only module that needs the `widgets` extra."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.secrets import without_own

if TYPE_CHECKING:
    from lexsi_nb.widgets.live.base import LiveWidget

STATIC = Path(__file__).parent / "static"
ATTRIBUTE = "_on_page"  # on a live widget: its anywidget, once it is shown


def installed() -> bool:
    """Return whether the libraries are there; imports none of them."""
    return find_spec("anywidget") is not None and find_spec("ipywidgets") is not None


def connected(live: LiveWidget) -> Any:
    """Return the anywidget of a live widget, made on the first call."""
    wire = getattr(live, ATTRIBUTE, None)
    if wire is None:
        # What the page has may be saved with the notebook.
        wire = _wire_class()(kind=live.kind, state=without_own(live.state), held=f"IPY_MODEL_{_held().model_id}")
        answer_beside(wire.comm)
        wire.on_msg(lambda _, content, buffers: live.respond(content, lambda reply: wire.send(without_own(reply))))
        live.on_update = lambda state: setattr(wire, "state", without_own(state))
        setattr(live, ATTRIBUTE, wire)
        _open.add(wire.model_id)
    return wire


def close(live: LiveWidget) -> None:
    """Take a live widget off the page, with all state that a notebook would save of it; nothing where it is on none."""
    wire = getattr(live, ATTRIBUTE, None)
    if wire is None:
        return
    live.on_update = None
    _open.discard(wire.model_id)
    wire.close()
    delattr(live, ATTRIBUTE)
    if not _open:  # nobody needs the bundle now
        while _holding:
            _holding.pop().close()


def load() -> None:
    """Import the libraries: a widget is made at once then."""
    _wire_class()
    _held_class()


def answer_beside(comm: Any) -> None:
    """Have messages of the page handled where the page sends them: beside a running cell, where it has a subshell.

    ipykernel 7.4 hands them to the shell that last sent on the comm. That is the main one, which made the widget, so a
    click would wait for the running cell (ipykernel/comm/comm.py, `_reply_subshell_for`).
    """
    if hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = lambda data, default: default


@cache
def _wire_class() -> type[Any]:
    import anywidget
    from traitlets import Dict, Unicode

    class Wire(anywidget.AnyWidget):
        """What is kept in step with the page: the state, and where the page finds the code that draws it."""

        _esm = (STATIC / "loader.js").read_text(encoding="utf-8")
        kind = Unicode().tag(sync=True)
        held = Unicode().tag(sync=True)
        state = Dict().tag(sync=True)
        layout = Unicode(None, allow_none=True).tag(sync=True)  # a model of its own otherwise, saved with each widget

        def __repr__(self) -> str:
            return f"<live {self.kind}>"

    return Wire


@cache
def _held_class() -> type[Any]:
    import ipywidgets
    from traitlets import Unicode

    class Held(ipywidgets.Widget):
        """The bundle that draws all live widgets: once a kernel, so that state that is saved has it once."""

        source = Unicode().tag(sync=True)

    return Held


_holding: list[Any] = []
_open: set[str] = set()  # models of the live widgets that were not closed


def _held() -> Any:
    """Return the model that has the bundle; another one where somebody closed it."""
    if not _holding or _holding[-1].comm is None:
        _holding[:] = [_held_class()(source=(STATIC / "live.js").read_text(encoding="utf-8"))]
    return _holding[-1]
