"""Where a run's code cells go: to the Lab extension, into the next cell, or nowhere."""

from __future__ import annotations

from typing import Any

MISSING = (
    "This Jupyter server has no lexsi-nb extension, so there is no Insert button: %lexsi insert in a new cell puts the "
    "code there. This is said once."
)


def place(run: Any, mode: Any, *, shell: Any, override: str | None = None) -> str:
    """Return what to say of a run's cells after they went where `mode` says."""
    from lexsi_nb.kernel.frontends import detect, insert
    from lexsi_nb.kernel.lab_channel import channel_of

    channel = channel_of(shell)
    if channel is not None:
        channel.wait()
    placed = insert(run.cells, mode, run=run.id, shell=shell, override=override)
    missing = channel is not None and detect(shell, override=override) == "notebook" and channel.tell_once()
    return "\n".join(said for said in (placed.said, MISSING if missing else "") if said)
