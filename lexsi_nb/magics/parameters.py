"""`%lexsi controls` and `lx.controls()`: the parameters of the last question as fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexsi_nb.widgets.live.controls import ParameterControls


def controls(*, session: Any = None) -> ParameterControls:
    """Return the parameters of the last question that had any as fields: *Run* asks it with other values.

    A recorded question is replayed, and no model is asked; your variables of those names stay as they are. Without a
    live notebook it shows the answer; `.controls.ask({"as_of": "1997-06-30"})` gives the run.

    Args:
        session: The session that was asked; the notebook's own when omitted.

    Raises:
        RunFailed: no answered question has parameters yet.
    """
    from lexsi_nb.app.controls import no_parameters
    from lexsi_nb.kernel.frontends import shell_now
    from lexsi_nb.magics import ATTRIBUTE
    from lexsi_nb.widgets.live.controls import ParameterControls

    if session is None:
        magics = getattr(shell_now(), ATTRIBUTE, None)
        if magics is None:
            raise no_parameters()
        session = magics.session
    return ParameterControls(session)


def show_controls(magics: Any, _: str) -> None:
    """Show the fields in the cell."""
    from IPython.display import display

    display(controls(session=magics.session))
