"""Tables and columns as the engine sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.data.dataset import quoted
from lexsi_nb.data.zones import zone_of

if TYPE_CHECKING:
    from lexsi_nb.data.dataset import Dataset


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


def table_infos(con: Any, dataset: Dataset) -> dict[str, TableInfo]:
    """Return name -> table of a dataset of files, as DuckDB has them, with the comments of its knowledge graph."""
    graph = dataset.knowledge
    out: dict[str, TableInfo] = {}
    for name in dataset.table_names():
        described = con.execute(f"DESCRIBE {quoted(name)}").fetchall()
        found = con.execute(f"SELECT count(*) FROM {quoted(name)}").fetchall()
        comment = graph.table_comment(name) if graph else ""
        columns = tuple(
            ColumnInfo(
                str(r[0]),
                str(r[1]),
                graph.column_comment(name, str(r[0])) if graph else "",
                r[2] == "YES",
                zone_of(str(r[1])),
            )
            for r in described
        )
        out[name] = TableInfo(name, columns, int(found[0][0]), comment)
    return out
