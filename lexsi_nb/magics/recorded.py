"""The recordings of this notebook, for the Lab extension's run view: also in a kernel that has asked nothing yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexsi_nb.store.recording_files import RecordingFiles

    Told = tuple[str, dict[str, Any]]  # the notebook of a recording, and its record

MOST = 60  # recordings that are told
_read: dict[Path, tuple[tuple[int, int], Told | None]] = {}  # by file: its time and size, and what it told


def recorded_here(files: RecordingFiles | None = None) -> list[dict[str, Any]]:
    """Return the recordings of this notebook as records of runs, by file name; those of other notebooks are not told.

    `files` None: those beside the notebook. What is no recording is left out here: `%lexsi recordings` says why.
    """
    from lexsi_nb.app.recordings import notebook_name
    from lexsi_nb.store.recording_files import ENDING, RecordingFiles

    files = RecordingFiles() if files is None else files
    here, found = notebook_name(), []
    paths = sorted(files.folder.glob(f"*{ENDING}")) if files.folder.is_dir() else []
    for path in paths:
        held = _record(files, path)
        if held is not None and (not here or not held[0] or held[0] == here):
            found.append(held[1])
    return found[:MOST]


def _record(files: RecordingFiles, path: Path) -> Told | None:
    """Return the notebook of a recording and its record; a file that did not change is read once."""
    from lexsi_nb.store.recording import BadRecording
    from lexsi_nb.widgets.record import recorded_fields

    try:
        state = path.lstat()
    except OSError:  # taken away meanwhile
        return None
    where, mark = path.absolute(), (state.st_mtime_ns, state.st_size)
    known = _read.get(where)
    if known is None or known[0] != mark:
        try:
            made = files.read(path.name)
            told = None if made is None else (made.notebook, recorded_fields(made, files.shown(path)))
        except (BadRecording, OSError):
            told = None
        known = _read[where] = (mark, told)
    return known[1]


class Recorded:
    """The recordings of this notebook, for a page that looks into a kernel in which nothing was loaded yet."""

    def _repr_json_(self) -> dict[str, Any]:
        return {"type": "recorded", "version": 1, "recorded": recorded_here()}

    def __repr__(self) -> str:
        return "recordings of this notebook"
