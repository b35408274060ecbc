"""What a database says of its own tables: comments, keys, and which columns refer to which. Copies lose it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Reference = tuple[str, str, str, str]  # table, column, the table it refers to, its column

_COMMENTS = """
SELECT table_name, '', comment FROM duckdb_tables() WHERE schema_name = 'main' AND comment IS NOT NULL
UNION ALL SELECT view_name, '', comment FROM duckdb_views() WHERE schema_name = 'main' AND comment IS NOT NULL
UNION ALL SELECT table_name, column_name, comment FROM duckdb_columns()
 WHERE schema_name = 'main' AND comment IS NOT NULL
ORDER BY ALL"""
_CONSTRAINTS = """
SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
 FROM duckdb_constraints() WHERE schema_name = 'main' AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
ORDER BY constraint_index"""


@dataclass(frozen=True)
class Declared:
    """Comments by (table, column), the column "" for the table itself; keys and references of one column each."""

    comments: Mapping[tuple[str, str], str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    references: tuple[Reference, ...] = ()

    def comment(self, table: str, column: str = "") -> str:
        """Return what is said of a table or a column, in one line; an empty text where nothing is."""
        return self.comments.get((table, column), "")


def merged(parts: Iterable[Declared]) -> Declared:
    """Return what several files say together."""
    comments: dict[tuple[str, str], str] = {}
    keys: dict[str, str] = {}
    references: list[Reference] = []
    for part in parts:
        comments |= part.comments
        keys |= part.keys
        references += part.references
    return Declared(comments, keys, tuple(references))


def of_duckdb(con: Any) -> Declared:
    """Return what a DuckDB file says, by a connection to it."""
    comments = {(str(t), str(c)): _line(said) for t, c, said in con.execute(_COMMENTS).fetchall()}
    keys, references = {}, []
    for table, kind, columns, parent, theirs in con.execute(_CONSTRAINTS).fetchall():
        if kind == "PRIMARY KEY" and len(columns) == 1:
            keys[str(table)] = str(columns[0])
        elif kind == "FOREIGN KEY" and len(columns) == len(theirs or ()) == 1:
            references.append((str(table), str(columns[0]), str(parent), str(theirs[0])))
    return Declared(comments, keys, tuple(references))


def of_sqlite(db: Any, tables: Iterable[str]) -> Declared:
    """Return what an SQLite file says, by a connection to it; it knows no comments."""
    keys: dict[str, str] = {}
    references: list[Reference] = []
    for table in tables:
        name = '"' + table.replace('"', '""') + '"'
        own = [str(row[1]) for row in db.execute(f"PRAGMA table_info({name})") if row[5]]
        if len(own) == 1:
            keys[table] = own[0]
        rows = list(db.execute(f"PRAGMA foreign_key_list({name})"))
        parts = [row[0] for row in rows]
        for id_, _, parent, column, theirs, *_ in rows:
            if parts.count(id_) == 1:
                references.append((table, str(column), str(parent), str(theirs or "")))
    spelt = {t.casefold(): t for t in tables}
    placed = ((t, c, spelt.get(p.casefold(), p), k) for t, c, p, k in references)
    return Declared({}, keys, tuple((t, c, p, k or keys.get(p) or "") for t, c, p, k in placed))


def of_frames(frames: Mapping[str, Any]) -> Declared:
    """Return what frames say: `attrs` of pandas ("comment", "comments" by column), the metadata of Arrow fields."""
    comments: dict[tuple[str, str], str] = {}
    for table, frame in frames.items():
        attrs = getattr(frame, "attrs", None)
        if isinstance(attrs, Mapping):
            said = {"": attrs.get("comment") or attrs.get("description")}
            by_column = attrs.get("comments") or attrs.get("descriptions")
            said |= by_column if isinstance(by_column, Mapping) else {}
        else:
            schema = getattr(frame, "schema", None)
            fields = [f for f in schema or () if getattr(f, "metadata", None)] if hasattr(frame, "num_rows") else []
            said = {f.name: f.metadata.get(b"comment") or f.metadata.get(b"description") for f in fields}
        for column, text in said.items():
            text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
            if isinstance(text, str) and text.strip():
                comments[table, str(column)] = _line(text)
    return Declared(comments)


def _line(text: Any) -> str:
    return " ".join(str(text).split())
