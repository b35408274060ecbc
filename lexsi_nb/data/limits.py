"""What one query may take: time, memory, rows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexsi_nb.errors import BadData

ROWS = 1_000_000
SECONDS = 120.0
MEMORY = "75%"  # of the machine's, or of what its container may use
_MEMORY = re.compile(r"\s*\d+(\.\d+)?\s*(%|[KMGT]i?B)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Limits:
    """The limits of each query: seconds (None: none), memory as DuckDB spells it, rows of a result (None: all).

    Raises:
        BadData: a limit that is none; says what one looks like.
    """

    seconds: float | None = SECONDS
    memory: str = MEMORY
    rows: int | None = ROWS

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise BadData(f"sql_seconds is {self.seconds!r}.", "", "Give seconds above 0, or None for no limit.")
        if not _MEMORY.fullmatch(self.memory):
            raise BadData(f"sql_memory is {self.memory!r}.", "", "Write it like 4GB or 75%.")
        if self.rows is not None and self.rows < 1:
            raise BadData(f"sql_rows is {self.rows!r}.", "", "Give a number from 1, or None for no limit.")


def raised(name: str, example: str) -> str:
    """Return how a person raises a limit."""
    return f"A person can raise it: Session({name}={example}) or %config LexsiMagics.{name} = {example}"
