"""The notebook that runs from recordings has them beside it, and says who answered when they were made."""

from __future__ import annotations

import re

import nbformat

from lexsi_nb.store.recording_files import RecordingFiles


def test_every_recorded_cell_has_its_file(project_root):
    folder = project_root / "notebooks"
    notebook = nbformat.read(folder / "05_with_a_model.ipynb", as_version=4)
    source = "\n".join(cell.source for cell in notebook.cells)
    files = RecordingFiles(folder / ".lexsi")
    names = set(re.findall(r"--recording (\S+)", source))
    assert names
    for name in names:
        recording = files.read(name)
        assert recording is not None
        assert recording.question in source
    assert {p.stem for p in files.folder.iterdir()} == names
    assert "script on this machine" in source
