"""Tables and columns as the engine sees them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnInfo:
    """A column as the engine sees it."""

    name: str
    type: str
    comment: str = ""
    nullable: bool = True


@dataclass(frozen=True)
class TableInfo:
    """A table as the engine sees it; `rows` is exact."""

    name: str
    columns: tuple[ColumnInfo, ...]
    rows: int
    comment: str = ""

    def column_names(self) -> list[str]:
        """Return the names of the columns, in order."""
        return [c.name for c in self.columns]
