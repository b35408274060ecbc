"""What the user did between questions to variables that the conversation is about, as the planner is told of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.observation import Observation, Segment, only_names
from lexsi_nb.kernel.bound import MISSING, Anchor
from lexsi_nb.kernel.fingerprint import fingerprint
from lexsi_nb.kernel.frames import describe, frame_library
from lexsi_nb.planners.replay import named, texts

if TYPE_CHECKING:
    from lexsi_nb.agent.history import History
    from lexsi_nb.app.run import Run
    from lexsi_nb.kernel.variables import Variables

MOST_NAMES = 12  # columns named of one change


@dataclass(frozen=True)
class Known:
    """A variable as the conversation knows it. `mark` is its content then."""

    anchor: Anchor
    mark: str
    shape: str
    columns: tuple[str, ...]


class Noticed:
    """Compares the variables of a conversation with what they were when it last saw them."""

    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self._known: dict[str, Known] = {}

    def remember(self, run: Run) -> None:
        """Take note of the variables that a run made, and of the frames that it read."""
        marks = {v.name: v.fingerprint for v in run.variables}
        for name in (p for v in run.variables for p in v.marks if p in self.variables.namespace):
            marks.setdefault(name, next(v.marks[name] for v in run.variables if name in v.marks))
        said = " ".join(t for s in run.steps for t in texts(s.args))
        for name, frame in self.variables.frames().items():
            if name not in marks and name not in self._known and named(name, said):
                marks[name] = fingerprint(frame)
        for name, mark in marks.items():
            value = self.variables.namespace.get(name, MISSING)
            if value is not MISSING and mark:
                self._known[name] = Known(Anchor(value), mark, describe(value), _columns(value))

    def tell(self, history: History, dataset: str, *, keep: bool = True) -> None:
        """Add to the conversation what has happened to its variables since; with `keep`, it is told once."""
        for name, known in list(self._known.items()):
            now = self.variables.namespace.get(name, MISSING)
            said = self._change(name, known, now)
            if not said:
                continue
            names = _columns(now)
            history.note_event(Observation((Segment(said, foreign=not only_names([name, *names])),), dataset))
            if not keep:
                continue
            if now is MISSING:
                del self._known[name]
            else:
                self._known[name] = Known(Anchor(now), fingerprint(now), describe(now), names)

    def forget(self) -> None:
        """Know no variable any more."""
        self._known.clear()

    def _change(self, name: str, known: Known, now: Any) -> str:
        """Return what happened to a variable in words: names and shape, no value; "" where nothing did."""
        if now is MISSING:
            return f"The user deleted {name}. Results computed from it stand on what it was."
        shape = describe(now)
        if known.shape == shape and known.columns == _columns(now) and fingerprint(now) == known.mark:
            return ""
        what = "changed" if known.anchor.holds(now) else "made"
        again = " again" if what == "made" else ""
        size = f"it is {shape}" if shape == known.shape else f"it was {known.shape} and is {shape}"
        gone = [c for c in known.columns if c not in _columns(now)]
        new = [c for c in _columns(now) if c not in known.columns]
        parts = [f"The user {what} {name}{again}: {size}"]
        parts += [f"columns gone: {_few(gone)}"] * bool(gone) + [f"new columns: {_few(new)}"] * bool(new)
        return f"{'; '.join(parts)}. What was read of it before no longer holds."


def _columns(value: Any) -> tuple[str, ...]:
    if value is MISSING or frame_library(value) is None:
        return ()
    names = getattr(value, "column_names", None)
    return tuple(map(str, names if isinstance(names, list) else value.columns))


def _few(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
