"""Which session a call means that names none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lexsi_nb.errors import LexsiError

if TYPE_CHECKING:
    from lexsi_nb.app.session import Session


def session_meant(fits: Callable[[Session], bool], *, called: str, did: str, without: LexsiError) -> Session:
    """Return the notebook's own session where it fits, else the one open session of the process that does.

    Raises: as `the_one`; `without` where the extension is loaded and nothing was asked: a question is missing then.
    """
    from lexsi_nb.app.open_sessions import any_open, the_one
    from lexsi_nb.kernel.frontends import shell_now
    from lexsi_nb.magics import ATTRIBUTE

    magics = getattr(shell_now(), ATTRIBUTE, None)
    if magics is not None and magics.asked and fits(magics.session):
        return magics.session
    if magics is not None and not any_open():
        raise without
    return the_one(fits, called=called, did=did, without=without)
