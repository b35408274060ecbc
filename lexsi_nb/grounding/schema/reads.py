"""Reads of the data that an index rests on, remembered while the tables they read stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from lexsi_nb.errors import LexsiError

T = TypeVar("T")
Row = tuple[Any, ...]


class Reads:
    """Runs reads that the grounding itself composed and keeps what they gave until a table of theirs changes."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._kept: dict[str, tuple[frozenset[str], Any]] = {}

    def rows(self, sql: str, *tables: str) -> list[Row]:
        """Return the rows of a read over `tables`; the same read over unchanged tables is not run again."""
        return self.made(sql, tables, lambda: self._engine.rows(sql))

    def passing(self, sql: str) -> list[Row]:
        """Return the rows of a read without keeping them."""
        return self._engine.rows(sql)

    def one(self, sql: str, *tables: str) -> Row:
        """Return the first row of a read over `tables`."""
        return self.rows(sql, *tables)[0]

    def holds(self, key: str) -> bool:
        """Whether something made is still remembered."""
        return key in self._kept

    def made(self, key: str, tables: Iterable[str], make: Callable[[], T]) -> T:
        """Return what `make` makes out of `tables`, made again when one of them has changed."""
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = (frozenset(tables), make())
        return kept[1]

    def forget(self, tables: Collection[str]) -> None:
        """Forget what was read of tables that have changed."""
        changed = frozenset(tables)
        self._kept = {sql: kept for sql, kept in self._kept.items() if not kept[0] & changed}


def known_zone(zone: str, engine: Any) -> bool:
    """Return whether DuckDB knows a time zone."""
    try:
        engine.query(f"SELECT TIMESTAMP '2000-01-01' AT TIME ZONE '{zone.replace(chr(39), chr(39) * 2)}' AS t")
    except LexsiError:
        return False
    return True
