"""IPython's cell events, so that running one of our code cells keeps its variables ours."""

from __future__ import annotations

from typing import Any

from lexsi_nb.kernel.bound import MISSING, Anchor
from lexsi_nb.kernel.frames import SHELL_NAMES
from lexsi_nb.kernel.variables import Variables

ATTRIBUTE = "_lexsi_cell_events"  # on the shell, so that a reloaded module finds the hooks of the one before


class CellEvents:
    """What a cell bound, told to `variables` after it ran. Cells nest (a magic may run one): the outermost counts."""

    def __init__(self, shell: Any, variables: Variables) -> None:
        self.shell, self.variables = shell, variables
        self._before: list[dict[str, Anchor]] = []

    def pre_run_cell(self, info: Any) -> None:
        """Remember what each name holds, by identity."""
        self._before.append({name: Anchor(v) for name, v in self._names().items()})

    def post_run_cell(self, result: Any) -> None:
        """Tell which names the cell bound; a cell that failed half-way counts as far as it came."""
        if not self._before:
            return  # registered from inside a cell: its start was not seen
        before = self._before.pop()
        source = getattr(getattr(result, "info", None), "raw_cell", None)
        if not isinstance(source, str):
            return
        changed = [n for n, v in self._names().items() if n not in before or not before[n].holds(v)]
        if changed:
            self.variables.note_cell_run(source, changed)

    def _names(self) -> dict[str, Any]:
        return {
            name: value
            for name, value in list(self.shell.user_ns.items())
            if not name.startswith("_") and name not in SHELL_NAMES and value is not MISSING
        }


def register(shell: Any, variables: Variables) -> CellEvents:
    """Return the hooks, registered once: those of an earlier load are removed first."""
    unregister(shell)
    events = CellEvents(shell, variables)
    shell.events.register("pre_run_cell", events.pre_run_cell)
    shell.events.register("post_run_cell", events.post_run_cell)
    setattr(shell, ATTRIBUTE, events)
    return events


def unregister(shell: Any) -> bool:
    """Return whether there were hooks; they are gone now."""
    events = getattr(shell, ATTRIBUTE, None)
    if events is None:
        return False
    for name in ("pre_run_cell", "post_run_cell"):
        hook = getattr(events, name)
        if hook in shell.events.callbacks[name]:
            shell.events.unregister(name, hook)
    delattr(shell, ATTRIBUTE)
    return True
