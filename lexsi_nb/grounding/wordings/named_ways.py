"""The way to a place that a question names itself: `cards by region of the client`, `flights by origin airport`.

Such words add no condition. Where several ways lead to what is asked, they say by which of them it is reached.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention, mentions
from lexsi_nb.grounding.reading import Link, Reading
from lexsi_nb.grounding.rendering.clauses import condition
from lexsi_nb.grounding.schema.facts import Way
from lexsi_nb.grounding.schema.joins import Join, JoinGraph, Path, Step
from lexsi_nb.grounding.wordings.ways import goes_by

if TYPE_CHECKING:
    from lexsi_nb.grounding.schema.index import SchemaIndex


@dataclass(frozen=True)
class NamedWay:
    """A question without the words that name a way, and the index that goes by it."""

    question: str
    index: SchemaIndex
    words: str
    way: Way


class _By(JoinGraph):
    """The joins of a dataset, of which one table is reached by one join alone."""

    def __init__(self, graph: JoinGraph, join: Join) -> None:
        self.__dict__.update(graph.__dict__)
        self._whole, self._join = graph, join

    def up(self, base: str, target: str) -> list[Path]:
        """Return the many-to-one chains; to the end of the way those that go by it."""
        return self._by(base, target, self._whole.up)

    def any(self, base: str, target: str) -> list[Path]:
        """Return the routes in either direction; to the end of the way those that go by it."""
        return self._by(base, target, self._whole.any)

    def _by(self, base: str, target: str, routes: object) -> list[Path]:
        if target != self._join.parent or base == target:
            return routes(base, target)  # type: ignore[operator]
        before: list[Path] = routes(base, self._join.child) if base != self._join.child else [()]  # type: ignore[operator]
        return [(*path, Step(self._join, True)) for path in before if all(s.end[0] != target for s in path)]


def named_ways(question: str, index: SchemaIndex) -> Iterator[NamedWay]:
    """Return the ways that two words beside each other name, each with the question without them."""
    items = mentions(question, index).items
    for before, m in pairwise(items):
        for at, of, between in ((before, m, m.gap), (m, before, ())):
            if (at is m) == bool(m.gap) or (at is before and not set(between) & grammar.OF):
                continue
            said, left = _without(question, at, of, between)
            for join in _joins(at, of, index) if left else ():
                yield NamedWay(left, _going_by(join, index), said, Way((), join.child, join.child_column, join.parent))


def by_named_way(reading: Reading, named: NamedWay) -> Reading | None:
    """Return the reading with the way in its text; None where its SQL does not go by it."""
    if reading.kind in ("schema", "tables") or not goes_by(reading.sql, named.way):
        return None
    beside = [k for k in reading.links if not _in_join(k, reading.sql)]
    if beside and not _one_each(reading.table, named.way.start, named.index):
        return None  # which of several: `clients with a loan by region of the account`
    return replace(reading, text=f"{reading.text} ({named.words}: by {named.way.start}.{named.way.column})")


def _one_each(table: str, other: str, index: SchemaIndex) -> bool:
    """Whether a row of a table has at most one of another."""
    steps = next(iter(index.joins.any(table, other)), ()) if table != other else ()
    return all(s.up or index.unique(*s.end) for s in steps)


def _in_join(link: Link, sql: str) -> bool:
    """Whether the joins of a statement are narrowed as a link is: `accounts by region of the client, as owner`."""
    held = [re.escape(condition(f, "")) for f in link.filters if f.home == link.table and f.op != "any"]
    said = rf'\bJOIN "?{re.escape(link.table)}"? AS (\w+) ON [^\n]*'
    whole = len(held) == len(link.filters) > 0 and not (link.negated or link.op)
    return whole and all(re.search(rf"{said} AND \1\.{h}", sql) for h in held)


def _joins(at: Mention, of: Mention, index: SchemaIndex) -> list[Join]:
    """Return the joins by which a word can reach what another one names: of a table, or of the column that points."""
    ends = {e.table for e in at.of("table", "column")}
    starts = {e.table for e in of.of("table")}
    if starts & ends or any(e.kind == "condition" for e in (*at.entries, *of.entries)):
        return []
    points = {(e.column.table, e.column.name) for e in of.of("column") if e.column is not None and not e.column.sql}
    found = [j for t in sorted(starts) for j in index.joins.touching(t) if j.child == t and j.parent in ends]
    found = [j for j in found if sum(k.child == j.child and k.parent == j.parent for k in found) == 1]
    return found + [j for t, c in sorted(points) for j in index.joins.leaving(t, c) if j.parent in ends]


def _without(question: str, at: Mention, of: Mention, between: tuple[str, ...]) -> tuple[str, str]:
    """Return the words that name a place and the way to it, and the question with the place alone."""
    order = [at.words, *between, of.words] if between else [of.words, at.words]
    place = re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, order)) + r"(?!\w)", re.IGNORECASE)
    found = place.findall(question)
    return (found[0], place.sub(lambda _: at.words, question)) if len(found) == 1 else ("", "")


def _going_by(join: Join, index: SchemaIndex) -> SchemaIndex:
    narrowed = copy.copy(index)
    _ = index.joins.joins  # verified once, for both
    narrowed.joins = _By(index.joins, join)
    narrowed.facts = replace(index.facts, ways=tuple(w for w in index.facts.ways if w.end != join.parent))
    return narrowed
