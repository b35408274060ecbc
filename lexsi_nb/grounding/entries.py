"""What a phrase can mean in a dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from lexsi_nb.grounding.reading import Column

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
