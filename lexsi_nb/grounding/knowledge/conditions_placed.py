"""A question with some of its words told as a condition: `young members` as `members with age < 40`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lexsi_nb.grounding.knowledge.definitions import Definition
from lexsi_nb.grounding.language import retold
from lexsi_nb.grounding.reading import Filter, Link, Reading
from lexsi_nb.grounding.rendering.clauses import condition

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

MOST_WORDS = 3  # between what describes some rows and their noun


def holds(question: str, told: Definition, grounder: Grounder) -> bool:
    """Return whether a question is read with a condition, and with nothing else in its place."""
    reading = grounder.read(question)
    return isinstance(reading, Reading) and told.sql in {condition(f, "") for f in _filters(reading)}


def placed(question: str, words: str, means: str, told: Definition, grounder: Grounder) -> str:
    """Return the question with the condition said behind the rows its words describe; empty where none holds it."""
    found = re.search(rf"(?<!\w){re.escape(words)}(?!\w)\s*", question, re.IGNORECASE)
    if found is None:
        return ""
    lead, rest = question[: found.start()], question[found.end() :].rstrip(" ?.!")
    after = [m.end() for m in re.finditer(r"\S+", rest)][:MOST_WORDS]
    ways = (f"{lead}{retold.WITH.format(rest[:end], means)}{rest[end:]}" for end in after)
    return next((way for way in ways if holds(way, told, grounder)), "")


def _filters(reading: Reading) -> Iterator[Filter]:
    yield from reading.filters
    yield from _of_links(reading.links)
    for measure in reading.measures:
        yield from measure.where
        yield from _of_links(measure.links)


def _of_links(links: Iterable[Link]) -> Iterator[Filter]:
    for link in links:
        yield from link.filters
