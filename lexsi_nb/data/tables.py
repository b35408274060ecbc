"""Tables and columns as the engine sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.data.dataset import quoted
from lexsi_nb.data.zones import zone_of

if TYPE_CHECKING:
    from lexsi_nb.data.dataset import Dataset
    from lexsi_nb.data.knowledge import KnowledgeGraph


@dataclass(frozen=True)
class ColumnInfo:
    """A column as the engine sees it."""

    name: str
    type: str
    comment: str = ""
    nullable: bool = True
    zone: str = ""  # the time zone its times are told in; empty for times without one


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


COUNTED_TOGETHER = 100  # tables whose rows one statement counts


def table_infos(con: Any, dataset: Dataset) -> dict[str, TableInfo]:
    """Return name -> table of a dataset of files, as DuckDB has them, with the comments of its knowledge graph."""
    graph, names = dataset.knowledge, dataset.table_names()
    described, counted = _described(con, names), _counted(con, names)
    out: dict[str, TableInfo] = {}
    for name in names:
        comment = (graph.table_comment(name) if graph else "") or dataset.declared.comment(name)
        columns = tuple(
            ColumnInfo(c, kind, _said(graph, dataset, name, c), nullable, zone_of(kind))
            for c, kind, nullable in described[name]
        )
        out[name] = TableInfo(name, columns, counted[name], comment)
    return out


def _said(graph: KnowledgeGraph | None, dataset: Dataset, table: str, column: str) -> str:
    """Return the comment of a column: the knowledge graph's, else that of the database."""
    return (graph.column_comment(table, column) if graph else "") or dataset.declared.comment(table, column)


def _described(con: Any, names: list[str]) -> dict[str, list[tuple[str, str, bool]]]:
    """Return table -> (column, type, nullable), by one look into DuckDB's catalogue where that has them all."""
    sql = (
        "SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns()"
        " WHERE schema_name = 'main' AND database_name = current_database() AND NOT internal ORDER BY column_index"
    )
    found: dict[str, list[tuple[str, str, bool]]] = {}
    for table, column, kind, nullable in con.execute(sql).fetchall() if len(names) > 1 else ():
        found.setdefault(str(table), []).append((str(column), str(kind), bool(nullable)))
    for name in names:
        if name not in found:
            rows = con.execute(f"DESCRIBE {quoted(name)}").fetchall()
            found[name] = [(str(r[0]), str(r[1]), r[2] == "YES") for r in rows]
    return found


def _counted(con: Any, names: list[str]) -> dict[str, int]:
    """Return table -> rows."""
    out: dict[str, int] = {}
    for at in range(0, len(names), COUNTED_TOGETHER):
        some = names[at : at + COUNTED_TOGETHER]
        parts = [f"SELECT {i} AS i, count(*) AS n FROM {quoted(n)}" for i, n in enumerate(some)]
        out |= {some[int(i)]: int(n) for i, n in con.execute(" UNION ALL ".join(parts)).fetchall()}
    return out
