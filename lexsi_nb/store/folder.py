"""Where this machine keeps what outlives a cell: a folder of the user's, closed to others."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from lexsi_nb.errors import LexsiError

VARIABLE = "LEXSI_NB_STATE"


class StoreFailed(LexsiError):
    """The state folder cannot be read or written."""


def state_folder() -> Path:
    """Return the folder, made with mode 0700 where it was not there; `LEXSI_NB_STATE` names another one."""
    named = os.environ.get(VARIABLE)
    folder = Path(named).expanduser() if named else _usual()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreFailed(
            f"{folder} cannot be used.", f"{error.strerror}.", f"Set {VARIABLE} to a folder that can be written."
        ) from error
    return folder


def _usual() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "lexsi-nb"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "lexsi-nb"


def private(path: Path) -> Path:
    """Return the path of a file that only its owner can read; made empty where it was not there."""
    os.close(os.open(path, os.O_CREAT | os.O_APPEND, 0o600))
    if sys.platform != "win32" and path.stat().st_mode & 0o077:
        path.chmod(0o600)
    return path
