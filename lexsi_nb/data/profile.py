"""What the columns hold: ranges, shares of missing values, and the values of columns that have few."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lexsi_nb.data.dataset import quoted
from lexsi_nb.data.engine import ColumnInfo, Engine
from lexsi_nb.errors import UnknownColumn

MAX_VALUES = 200  # distinct values kept of a column
MAX_TOTAL = 20_000  # distinct values kept of a dataset
MAX_TEXT = 120  # longer texts are prose, not values
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT")
_ORDERED = (*_WHOLE, "FLOAT", "DOUBLE", "REAL", "DECIMAL", "DATE", "TIMESTAMP", "TIME", "BOOLEAN", "VARCHAR", "ENUM")


@dataclass(frozen=True)
class ColumnProfile:
    """What one column holds.

    `distinct` is approximate above 200 and None where it was not counted. `values` are value and count, most
    frequent first; empty where the column has more than 200 different ones or is not text, boolean or whole.
    """

    table: str
    column: str
    type: str
    rows: int
    nulls: int
    distinct: int | None
    minimum: Any
    maximum: Any
    values: tuple[tuple[Any, int], ...] = ()

    @property
    def null_share(self) -> float:
        """Share of rows without a value, in [0, 1]."""
        return self.nulls / self.rows if self.rows else 0.0

    @property
    def constant(self) -> bool:
        """Whether there is at most one different value."""
        return self.rows > 0 and (self.nulls == self.rows or self.minimum == self.maximum is not None)


@dataclass(frozen=True)
class ValueHit:
    """A value of the data that a word stands for."""

    table: str
    column: str
    value: Any
    count: int


class Profile:
    """Profiles of an engine's tables, computed on first use: two queries a table."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tables: dict[str, dict[str, ColumnProfile]] = {}
        self._index: dict[str, list[ValueHit]] | None = None
        self._kept = 0
        self._lock = threading.RLock()

    def table(self, name: str) -> dict[str, ColumnProfile]:
        """Return the profile of each column of a table.

        Raises:
            UnknownTable: lists the nearest names.
        """
        info = self._engine.table(name)
        with self._lock:
            if info.name not in self._tables:
                self._tables[info.name] = self._read(info.name, info.columns)
            return self._tables[info.name]

    def column(self, table: str, column: str) -> ColumnProfile:
        """Return the profile of one column.

        Raises:
            UnknownTable, UnknownColumn: lists the nearest names.
        """
        profiles = self.table(table)
        for name, profile in profiles.items():
            if name.casefold() == column.casefold():
                return profile
        raise UnknownColumn.among(column, profiles, where=table)

    def find(self, value: str) -> list[ValueHit]:
        """Return where a value stands among the kept ones, case and accents of the table's text ignored."""
        return list(self.index().get(folded(value), ()))

    def index(self) -> dict[str, list[ValueHit]]:
        """Return every kept text value, folded, with the columns that hold it."""
        with self._lock:
            if self._index is None:
                found: dict[str, list[ValueHit]] = {}
                graph = self._engine.dataset.knowledge
                for name in self._engine.dataset.table_names():
                    for p in self.table(name).values():
                        if graph and graph.column(name, p.column).get("alias_of"):
                            continue  # the readable name stands for it
                        for value, count in p.values:
                            if isinstance(value, str):
                                found.setdefault(folded(value), []).append(ValueHit(name, p.column, value, count))
                self._index = found
            return self._index

    def forget(self, tables: Iterable[str] | None = None) -> None:
        """Drop what is known of some tables, or of all: their content has changed."""
        with self._lock:
            for name in list(self._tables) if tables is None else tables:
                self._tables.pop(name, None)
            self._index = None

    def _read(self, table: str, columns: tuple[ColumnInfo, ...]) -> dict[str, ColumnProfile]:
        cells = ["count(*)"]
        for c in columns:
            name = quoted(c.name)
            cells.append(f"count({name})")
            cast = "::VARCHAR" if "TIME ZONE" in c.type else ""  # fetching one as an object would need pytz
            cells += [f"min({name}){cast}", f"max({name}){cast}"] if _ordered(c.type) else ["NULL", "NULL"]
            cells.append(f"approx_count_distinct({name})" if _countable(c.type) else "NULL")
        row = self._fetch(f"SELECT {', '.join(cells)} FROM {quoted(table)}")[0]
        rows = int(row[0])
        measured = {c.name: row[1 + 4 * i : 5 + 4 * i] for i, c in enumerate(columns)}
        few = [
            c.name for c in columns
            if _countable(c.type) and 0 < (measured[c.name][3] or 0) <= _limit(c.type) * 1.1
        ]  # fmt: skip
        values = self._values(table, few)
        out = {}
        for c in columns:
            present, low, high, distinct = measured[c.name]
            held = values.get(c.name, ())
            if len(held) > _limit(c.type) or any(isinstance(v, str) and len(v) > MAX_TEXT for v, _ in held):
                held = ()
            exact = len(held) if held else (int(distinct) if distinct is not None else None)
            out[c.name] = ColumnProfile(table, c.name, c.type, rows, rows - int(present), exact, low, high, held)
        return out

    def _values(self, table: str, columns: list[str]) -> dict[str, tuple[tuple[Any, int], ...]]:
        """Return the values of the columns by falling count, in one query."""
        if not columns or self._kept >= MAX_TOTAL:
            return {}
        parts = [
            f"(SELECT {i} AS i, {quoted(c)}::VARCHAR AS v, any_value({quoted(c)}) IS NULL AS gone, count(*) AS n "
            f"FROM {quoted(table)} GROUP BY ALL LIMIT {MAX_VALUES + 2})"
            for i, c in enumerate(columns)
        ]
        rows = self._fetch(f"SELECT i, v, n FROM ({' UNION ALL '.join(parts)}) WHERE NOT gone ORDER BY i, n DESC, v")
        kinds = {c.name: c.type for c in self._engine.table(table).columns}
        out: dict[str, list[tuple[Any, int]]] = {}
        for i, value, n in rows:
            kind = kinds[columns[i]]
            cast: Any = value == "true" if kind == "BOOLEAN" else int(value) if kind in _WHOLE else value
            out.setdefault(columns[i], []).append((cast, int(n)))
        self._kept += len(rows)
        return {c: tuple(v) for c, v in out.items()}

    def _fetch(self, sql: str) -> list[tuple[Any, ...]]:
        return self._engine.run(sql, "fetchall", max_rows=None, timeout=self._engine.timeout)


def folded(text: str) -> str:
    """Return a text for comparing: lower case, single spaces, no accents."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(ch for ch in plain if not unicodedata.combining(ch)).split())


def _limit(type_: str) -> int:
    return 30 if type_ in _WHOLE else MAX_VALUES


def _ordered(type_: str) -> bool:
    return type_.split("(")[0].startswith(_ORDERED) and not type_.endswith("[]")


def _countable(type_: str) -> bool:
    return type_ in _WHOLE or type_ in ("VARCHAR", "BOOLEAN") or type_.startswith("ENUM")
