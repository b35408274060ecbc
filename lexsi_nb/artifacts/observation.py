"""What a planner reads of a tool's result: text in classified segments, so that a policy can cut it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexsi_nb.artifacts.media import BinaryContent

# schema: names, types, counts. stats: ranges, frequent values. rows: cells of the data. secret: never sent anywhere.
SegmentClass = Literal["schema", "stats", "rows", "secret"]
CLASSES: tuple[SegmentClass, ...] = ("schema", "stats", "rows", "secret")


@dataclass(frozen=True)
class Segment:
    """A piece of observation text and what it tells about the data.

    `brief`: the same for a planner that is not on this machine, where the whole text would only cost tokens.
    """

    text: str
    kind: SegmentClass = "schema"
    columns: tuple[str, ...] = ()  # "table.column" the text shows values of; lets a policy cut private ones
    # A picture or a PDF that a model is shown where `kind` may be seen; the text of another segment names it.
    media: BinaryContent | None = None
    # Somebody else's words, whatever their class: a comment, a document, an error message with a value in it.
    foreign: bool = False
    brief: str = ""


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
                out += [s.brief or s.text] if s.media is None else []
            else:
                held += 1
        if held:
            out.append(f"[{held} part(s) withheld by the data policy]")
        return "\n".join(out)

    @property
    def text(self) -> str:
        """The whole text, for planners that run on this machine."""
        return "\n".join(s.text for s in self.segments if s.kind != "secret" and s.media is None)

    def media(self, allowed: frozenset[str] = frozenset(CLASSES) - {"secret"}) -> tuple[BinaryContent, ...]:
        """Return the pictures and PDFs whose class is in `allowed`, in order."""
        return tuple(s.media for s in self.segments if s.media is not None and s.kind in allowed)

    @property
    def untrusted(self) -> bool:
        """Whether it tells values of the data or somebody else's words, which may ask a planner for things.

        >>> Observation.of("3 rows", Segment("1-3", "stats")).untrusted, Observation.of("3 rows").untrusted
        (True, False)
        """
        told = (s for s in self.segments if s.text.strip() or s.media is not None)
        return any(s.foreign or s.kind in ("stats", "rows") for s in told)
