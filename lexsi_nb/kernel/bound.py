"""What is known of a variable that a run made: by which step, from what, with what content."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["fresh", "edited", "stale", "gone", "yours now"]


class _Missing:
    def __repr__(self) -> str:
        return "<missing>"


MISSING: Any = _Missing()


class Anchor:
    """The identity of an object, without keeping a frame alive that the user deleted."""

    __slots__ = ("_ref",)

    def __init__(self, value: Any) -> None:
        try:
            self._ref: Any = weakref.ref(value)
        except TypeError:  # numbers, strings, tuples, lists: small as a rule, so hold them
            self._ref = lambda: value

    def holds(self, value: Any) -> bool:
        """Return whether `value` is the very object that was anchored."""
        return value is not MISSING and self._ref() is value


@dataclass(frozen=True)
class Bound:
    """A label bound to a variable.

    `name` is the variable; `renamed_because` says why it is not `requested`; `note` says what happened to an edit.
    `parents` maps what it was computed from to the fingerprints of that moment.
    """

    name: str
    requested: str
    renamed_because: str = ""
    note: str = ""
    fingerprint: str = ""
    run_id: str = ""
    step: int | None = None
    producer: str = ""
    question_key: str = ""
    parents: Mapping[str, str] = field(default_factory=dict)
    description: str = ""


@dataclass
class Entry:
    """A variable of ours: what was bound and the object it is bound to."""

    bound: Bound
    anchor: Anchor


@dataclass(frozen=True)
class Pending:
    """A write that was planned and is not in the namespace yet."""

    bound: Bound
    value: Any
    found: Anchor | None  # what the name held when the write was planned; None: nothing
    keep: Any = MISSING  # the edited version that `undo` brings back


@dataclass(frozen=True)
class VariableRow:
    """A line of `%lexsi vars`."""

    name: str
    what: str
    run_id: str
    step: int | None
    tool: str
    parents: tuple[str, ...]
    state: State
    reason: str = ""

    @property
    def text(self) -> str:
        """The state as shown: "fresh", "edited", "gone" or "stale: context_df was edited since step 4"."""
        return f"{self.state}: {self.reason}" if self.reason and self.state == "stale" else self.state
