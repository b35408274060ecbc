"""How a cell ends whose question a person stopped: it says so calmly, and *Run All* ends there all the same."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from lexsi_nb.app.run import RunInterrupted

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics

LOOK = "border-left:3px solid #8886;padding:1px 0 1px 8px;margin:.3em 0;max-width:62em"


class SaidAlready(RunInterrupted):
    """Ends the cell, so that cells queued behind it do not run; what there is to say stands in its output."""


def calm(magics: LexsiMagics, error: RunInterrupted) -> RunInterrupted:
    """Return what ends the cell of a run that was stopped: in a notebook, without the red box of an error.

    Elsewhere the error is one line of text, and a run without a person was not stopped by one.
    """
    from lexsi_nb.kernel.frontends import detect

    if detect(magics.shell, override=magics.frontend) not in ("notebook", "lab-extension"):
        return error
    from IPython.display import display

    from lexsi_nb.widgets.record import KEY, record_of

    said = f"{error}".replace("Stopped", "Stopped by you", 1)
    bundle = {"text/html": f'<div style="{LOOK}">{escape(said)}</div>', "text/plain": said}
    display(bundle, raw=True, metadata={KEY: record_of(error.run)} if error.run is not None else {})
    _quieten(magics.shell)
    return SaidAlready(error.what, error.why, error.next, run=error.run)


def _quieten(shell: Any) -> None:
    """Have the shell show no traceback of `SaidAlready`; the reply to the cell is an error's all the same."""
    if SaidAlready in shell.custom_exceptions:
        return
    others, handle = shell.custom_exceptions, shell.CustomTB

    def shown(shell: Any, kind: type, value: BaseException, tb: Any, tb_offset: int | None = None) -> list[str] | None:
        if isinstance(value, SaidAlready):
            return None
        return handle(kind, value, tb, tb_offset=tb_offset)  # of another extension, or of the user

    shell.set_custom_exc((*others, SaidAlready), shown)
