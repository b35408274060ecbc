"""What a phrase can mean in a dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.words import singular

EntryKind = Literal["table", "column", "value", "condition", "metric", "outcome", "term", "unit"]


@dataclass(frozen=True)
class Entry:
    """One thing a phrase can mean. `weak`: only the last word of a longer name matched."""

    kind: EntryKind
    table: str = ""
    column: Column | None = None
    value: Any = None
    sql: str = ""
    text: str = ""
    weak: bool = False
    own: bool = False  # words that say something else of other tables: "active" of a loan says nothing of a client


def as_written(said: str, found: list[Entry]) -> list[Entry]:
    """Return the entries without the columns that are called so in the other number: engine beside engines."""
    names = {e: e.column.name.casefold() for e in found if e.kind == "column" and e.column is not None}
    exact = {e.table for e, name in names.items() if name == said}
    other = {e for e, n in names.items() if n != said and e.table in exact and singular(n) == singular(said)}
    return [e for e in found if e not in other]


def of_other_rows(before: list[Entry], entries: list[Entry]) -> bool:
    """Whether the word before is of other rows than each entry: `grants to clubs`, not the club_to of fares."""
    said = {e.table for e in before if e.table}
    return bool(said) and not said & {e.table for e in entries}
