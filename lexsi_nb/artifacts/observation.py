"""What a planner reads of a tool's result: text in classified segments, so that a policy can cut it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# schema: names, types, counts. stats: ranges, frequent values. rows: cells of the data. secret: never sent anywhere.
SegmentClass = Literal["schema", "stats", "rows", "secret"]
CLASSES: tuple[SegmentClass, ...] = ("schema", "stats", "rows", "secret")


@dataclass(frozen=True)
class Segment:
    """A piece of observation text and what it tells about the data."""

    text: str
    kind: SegmentClass = "schema"
    columns: tuple[str, ...] = ()  # "table.column" the text shows values of; lets a policy cut private ones


@dataclass(frozen=True)
class Observation:
    """The short text a planner sees of a finished call."""

    segments: tuple[Segment, ...] = ()

    @classmethod
    def of(cls, *parts: str | Segment) -> Observation:
        """Return an observation of the parts; plain strings count as `schema`."""
        return cls(tuple(p if isinstance(p, Segment) else Segment(p) for p in parts))

    def cut(self, allowed: frozenset[str]) -> str:
        """Return the text of the segments whose class is in `allowed`; what was withheld is said."""
        out: list[str] = []
        held = 0
        for s in self.segments:
            if s.kind in allowed:
                out.append(s.text)
            else:
                held += 1
        if held:
            out.append(f"[{held} part(s) withheld by the data policy]")
        return "\n".join(out)

    @property
    def text(self) -> str:
        """The whole text, for planners that run on this machine."""
        return "\n".join(s.text for s in self.segments if s.kind != "secret")
