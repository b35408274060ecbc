"""The data policy: which classes of text, and which columns, may leave the machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.artifacts.observation import ANY_COLUMN, Observation, Segment, SegmentClass
from lexsi_nb.egress.fence import fenced
from lexsi_nb.egress.redaction import redact
from lexsi_nb.egress.sent import Sent, SentLog
from lexsi_nb.errors import BadData, UnknownName

__all__ = ["LEVELS", "SHARED", "Policy", "Sent", "SentLog"]

# Each level allows what the one before it allows, and one class more. `secret` is in none of them.
LEVELS: dict[str, frozenset[str]] = {
    "schema": frozenset({"schema"}),
    "stats": frozenset({"schema", "stats"}),
    "rows": frozenset({"schema", "stats", "rows"}),
}
SHARED = 10  # rows that must share a value before it is a figure rather than somebody's cell
PRIVATE = "[private columns withheld by the data policy: {names}]"


@dataclass(frozen=True)
class Policy:
    """What a planner that is not on this machine may read of the data.

    Args:
        level: schema, stats or rows.
        k: At `stats`, a value is told when at least this many rows have it.
        private: Columns whose values never leave: "column", or "table.column".
        datasets: Another level for single datasets, by id.
    """

    level: str = "schema"
    k: int = SHARED
    private: frozenset[str] = frozenset()
    datasets: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for level in (self.level, *self.datasets.values()):
            if level not in LEVELS:
                raise UnknownName.among(level, LEVELS, where="the data policies")
        if not isinstance(self.k, int) or isinstance(self.k, bool) or self.k < 1:
            raise BadData(f"k is {self.k!r}.", "It is the number of rows that must share a value.", "Pass it from 1.")
        given = (self.private,) if isinstance(self.private, str) else self.private
        object.__setattr__(self, "private", frozenset(str(c).strip().casefold() for c in given if str(c).strip()))

    @classmethod
    def of(cls, given: str | Mapping[str, object] | Policy) -> Policy:
        """Return the policy meant by a level, a mapping of this class's fields, or a policy.

        Raises:
            UnknownName: no such level or field; lists those there are.
        """
        if isinstance(given, Policy):
            return given
        if isinstance(given, str):
            return cls(given)
        known = ("level", "k", "private", "datasets")
        for name in given:
            if name not in known:
                raise UnknownName.among(str(name), known, where="the data policy")
        return cls(**given)  # type: ignore[arg-type]

    def narrowed(self, dataset: str, level: str | None, private: Iterable[str]) -> Policy:
        """Return the policy with what a dataset says of itself, which may only take away."""
        columns = self.private | {str(c).casefold() for c in private}
        levels = dict(self.datasets)
        if level in LEVELS and LEVELS[level] < LEVELS[self.level_of(dataset)]:
            levels[dataset] = level
        same = columns == self.private and levels == self.datasets
        return self if same else replace(self, private=columns, datasets=levels)

    def level_of(self, dataset: str) -> str:
        """Return the level that holds for a dataset."""
        return self.datasets.get(dataset, self.level)

    def allows(self, kind: SegmentClass, dataset: str = "") -> bool:
        """Whether text of a class may leave, private columns aside."""
        return kind in LEVELS[self.level_of(dataset)]

    def is_private(self, column: str) -> bool:
        """Whether a column, "table.column" or a bare name, is private; "*", any column, where one is."""
        if column == ANY_COLUMN:
            return bool(self.private)
        name = column.casefold()
        return name in self.private or name.rpartition(".")[2] in self.private or self._somewhere(name)

    def _somewhere(self, name: str) -> bool:
        # A bare name whose table is not known counts where any table's column of that name is private.
        return "." not in name and any(p.rpartition(".")[2] == name for p in self.private)

    def observe(self, observation: Observation, *, local: bool) -> str:
        """Return the text a planner reads: whole where it stays here, else cut, and fenced where it is of the data.

        Secrets are masked either way.
        """
        if local:
            return redact(observation.text)
        parts: list[tuple[bool, str]] = []
        held = 0
        for segment in observation.segments:
            text = self.told(segment, observation.dataset)
            if segment.media is not None:
                held += text is None
                continue
            if text is not None:
                parts.append((segment.untrusted, text))
                continue
            other = segment.instead if isinstance(segment.instead, Segment) else Segment(segment.instead)
            text = self.told(other, observation.dataset)
            if text:
                parts.append((other.untrusted, text))
            else:
                held += bool(segment.text.strip())
        out = []
        for foreign, several in groupby(parts, key=lambda part: part[0]):
            text = "\n".join(t for _, t in several)
            if text.strip():
                out.append(fenced(text) if foreign else text)
        if held:
            out.append(f"[{held} part(s) withheld by the data policy]")
        return redact("\n".join(out))

    def attach(self, observation: Observation, *, local: bool) -> tuple[BinaryContent, ...]:
        """Return the pictures and PDFs a planner is shown: all where it stays here, cut where it leaves."""
        if local:
            return observation.media
        segments = [s for s in observation.segments if s.media is not None]
        return tuple(s.media for s in segments if s.media and self.told(s, observation.dataset) is not None)

    def told(self, segment: Segment, dataset: str) -> str | None:
        """Return what leaves of a segment, None where nothing does."""
        if not self.allows(segment.kind, dataset):
            return None
        few = segment.shared is not None and segment.shared < self.k
        if few and segment.kind == "stats" and not self.allows("rows", dataset):
            return None
        if not self.private or not any(map(self.is_private, segment.columns)):
            return segment.brief or segment.text
        grid = segment.grid
        if grid is None:
            return None
        gone = [i for i, told in enumerate(grid.origins) if any(map(self.is_private, told))]
        if len(gone) == len(grid.header):
            return None
        names = PRIVATE.format(names=", ".join(grid.header[i] for i in gone))
        return f"{grid.text(without=gone)}{names}"

    @property
    def words(self) -> str:
        """The policy in a line.

        >>> Policy("stats", private=frozenset({"client.birth_number"})).words
        'stats (values that at least 10 rows share); private: client.birth_number'
        """
        parts = [self.level + (f" (values that at least {self.k} rows share)" if self.level == "stats" else "")]
        parts += [f"{name}: {level}" for name, level in sorted(self.datasets.items())]
        if self.private:
            parts.append(f"private: {', '.join(sorted(self.private))}")
        return "; ".join(parts)
