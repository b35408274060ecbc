"""Where a run's code cells go: to the Lab extension, into the next cell, or nowhere."""

from __future__ import annotations

from typing import Any

MISSING = (
    "No lexsi-nb extension answered from this Jupyter server. Where no Insert button shows, %lexsi insert in a new "
    "cell puts the code there. This is said once."
)
HOSTED = (
    "Code cells come as one here: %lexsi insert in a new cell puts the code there, %lexsi show prints it. This is said "
    "once."
)
TOLD = "_lexsi_told"  # on the shell: the person knows how code comes without the extension


def place(run: Any, mode: Any, *, shell: Any, override: str | None = None) -> str:
    """Return what to say of a run's cells after they went where `mode` says."""
    from lexsi_nb.kernel.frontends import detect, hosted, insert
    from lexsi_nb.kernel.lab_channel import channel_of

    channel = channel_of(shell)
    if channel is not None:
        channel.wait()
    placed = insert(run.cells, mode, run=run.id, shell=shell, override=override)
    missing = ""
    if detect(shell, override=override) == "notebook":
        if channel is not None and channel.tell_once():
            missing = MISSING
        elif hosted(shell) and not getattr(shell, TOLD, False):
            setattr(shell, TOLD, True)
            missing = HOSTED
    return "\n".join(said for said in (placed.said, missing) if said)
