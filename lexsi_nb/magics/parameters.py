"""`%lexsi controls` and `lx.controls()`: the parameters of the last question as fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import LexsiError

if TYPE_CHECKING:
    from lexsi_nb.widgets.live.controls import ParameterControls


def controls(*, session: Any = None) -> ParameterControls:
    """Return the parameters of the last question that had any as fields: *Run* asks it with other values.

    A recorded question is replayed, and no model is asked; your variables of those names stay as they are.
    `.ask({"as_of": "1997-06-30"})` gives the run with other values.

    Args:
        session: The session that was asked; when omitted the notebook's own, else the one open session that has one.

    Raises:
        RunFailed: no answered question has parameters yet, no session is open, or several are meant.
    """
    from lexsi_nb.app.controls import has_parameters, no_parameters
    from lexsi_nb.magics.meant import session_meant
    from lexsi_nb.widgets.live.controls import ParameterControls

    if session is None:
        session = session_meant(
            has_parameters, called="lx.controls()", did="answered a question with parameters", without=no_parameters()
        )
    return ParameterControls(session.controls())


def show_controls(magics: Any, line: str) -> None:
    """Show the fields in the cell; with NAME=VALUE run the question with these values first."""
    from lexsi_nb.magics.showing import show_live
    from lexsi_nb.widgets.named_values import named_values

    words, values = named_values(line)
    if words:
        raise LexsiError(f"{words[0]!r} is no NAME=VALUE.", "", "Write them as in: %lexsi controls as_of=1998-12-31")
    shown = controls(session=magics.session)
    if values:
        shown.ask(values)
    show_live(shown, magics)
