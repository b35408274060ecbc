"""Which sessions of this process are open, for calls that name none."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakSet

from lexsi_nb.errors import LexsiError, RunFailed

if TYPE_CHECKING:
    from lexsi_nb.app.session import Session

_open: WeakSet[Session] = WeakSet()


def opened(session: Session) -> None:
    """Note that a session is open."""
    _open.add(session)


def closed(session: Session) -> None:
    """Note that a session is closed."""
    _open.discard(session)


def any_open() -> bool:
    """Return whether any session is open."""
    return bool(_open)


def the_one(fits: Callable[[Session], bool], *, called: str, did: str, without: LexsiError) -> Session:
    """Return the one open session that fits.

    Args:
        fits: Whether a session has what the call needs.
        called: The call, as in `lx.explain(row)`.
        did: What such a session has done, as in "ranked cases".
        without: The error where sessions are open and none fits.

    Raises:
        RunFailed: no session is open, or several fit.
    """
    found = [s for s in list(_open) if fits(s)]
    if len(found) > 1:
        found.clear()
        gc.collect()  # those that nobody holds any more
        found = [s for s in list(_open) if fits(s)]
    if len(found) == 1:
        return found[0]
    named = f"{called[:-1]}{'' if called.endswith('()') else ', '}session=session)"
    if found:
        raise RunFailed(
            f"{len(found)} open sessions have {did}.", f"{called} cannot tell which one is meant.",
            f"Name it: {named}, or close the others with session.close().",
        )  # fmt: skip
    if not _open:
        raise RunFailed(
            "No session is open in this process.", f"{called} is about a session that has {did}.",
            "Ask first: session = lx.Session(dataset); session.ask(question). In a notebook: %load_ext lexsi_nb.",
        )  # fmt: skip
    raise without
