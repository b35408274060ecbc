"""A dataset: which tables there are and the plain DuckDB code that makes them queryable."""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell, quiet
from lexsi_nb.data.declared import Declared
from lexsi_nb.errors import UnknownTable

if TYPE_CHECKING:
    from lexsi_nb.data.knowledge import KnowledgeGraph


@dataclass(frozen=True)
class Dataset:
    """The tables of one source. Immutable; making one opens no table.

    `body` is Python source that makes every table on a connection named `con`, reading files below `DATA`.
    Engine and emitted cell run the same text.
    """

    id: str
    kind: str  # bank | berka | files | database | frames
    title: str
    tables: tuple[str, ...]
    body: str = ""
    imports: tuple[str, ...] = ()
    fetch: str = ""  # source that copies the files to DATA where they are not there; the engine needs none of it
    root: Path | None = None  # DATA: a folder, or the one file
    files: tuple[Path, ...] = ()  # all the engine may read once it is locked
    frames: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    variables: tuple[str, ...] = ()  # kernel variable of each table, in the order of `tables`
    requires: tuple[str, ...] = ()  # names the setup cell reads
    synthetic: bool = False
    note: str = ""
    version: str = ""  # of the generator or decoder
    portable: bool = False  # the content follows from `version` alone
    knowledge_file: Path | None = None
    policy: str = ""  # the most that a planner elsewhere may read, whatever the session allows; "" for no limit
    private: tuple[str, ...] = ()  # "table.column" whose values never leave this machine
    declared: Declared = field(default_factory=Declared, repr=False, compare=False)  # what its database says of it

    def table_names(self) -> list[str]:
        """Return the names of the tables, in a fixed order."""
        return list(self.tables)

    @property
    def knowledge(self) -> KnowledgeGraph | None:
        """The knowledge graph of the dataset, without what rests on a missing table; or None.

        Entries of the file beside the notebook are laid over it.
        """
        from lexsi_nb.data.knowledge import load
        from lexsi_nb.data.notebook_terms import overlaid

        shipped = load(self.knowledge_file, self.tables) if self.knowledge_file is not None else None
        return overlaid(shipped, self.id, self.tables)

    @property
    def knows_itself(self) -> bool:
        """Whether all its knowledge is ours: comments, and the file beside the notebook, may come from anybody."""
        from lexsi_nb.data.notebook_terms import read_terms

        return not self.declared.comments and not read_terms().get(self.id)

    @property
    def limits(self) -> tuple[str, tuple[str, ...]]:
        """What the dataset says of its own confidentiality: the level it allows, and its private columns."""
        graph = self.knowledge
        if graph is None:
            return self.policy, self.private
        return self.policy or graph.policy, (*self.private, *graph.private)

    def variable(self, table: str) -> str:
        """Return the kernel variable behind a frame table.

        Raises:
            UnknownTable: no such frame in the dataset; lists the nearest names.
        """
        if table in self.tables and self.variables:
            return self.variables[self.tables.index(table)]
        raise UnknownTable.among(table, self.tables, where=self.title)

    def setup_cell(self, con: str = "con") -> CodeCell:
        """Return the cell that makes `con`, a DuckDB connection with every table of the dataset.

        The cell opens the dataset as the engine does and needs no library of ours.
        """
        imports = ["import duckdb", *self.imports]
        if self.fetch:
            imports += ["from pyarrow import fs", *(["import os"] if "os.environ" in self.fetch else [])]
            imports += ["from urllib.request import getproxies"] if "getproxies()" in self.fetch else []
        if self.root is not None:
            imports.append("from pathlib import Path")
        body = self.body if con == "con" else _renamed(self.body, con)
        parts = [_sorted_imports(imports)]
        lines = [f"# {self.note}"] if self.synthetic else []
        if self.root is not None:
            lines.append(f"DATA = {path_source(self.root)}")
        if self.fetch:
            lines.append(self.fetch.rstrip("\n"))
        lines.append(f"{con} = duckdb.connect()")
        parts.append("\n".join(lines) + ("\n" + body.strip("\n") if body else ""))
        return CodeCell(
            source=quiet("\n\n".join(parts) + "\n"),
            title=f"Open {self.title}",
            kind="data",
            requires=self.requires,
            produces=(con,),
        )

    def prepare(self, con: Any) -> None:
        """Make the tables on `con` by running the same source that the emitted cell has."""
        if not self.body or self.kind == "frames":
            return
        source = "\n".join([*self.imports, self.body])
        CodeCell(source=source, title=f"open {self.id}", kind="data").run({"con": con, "DATA": self.root})

    def diagnose(self) -> None:
        """Raise the error that names file and line, where the dataset's files can be checked line by line.

        Raises:
            BadData: a file that cannot be decoded.
        """
        if self.kind == "berka":
            from lexsi_nb.data.berka import diagnose

            diagnose(self.files)

    def fingerprint(self, content: str = "") -> str:
        """Return 16 hex digits that change when the data change.

        `content` is the hash of the frames' values, which only their owner can compute.
        """
        parts = [self.kind, self.version, *self.tables, content]
        if not self.portable:
            for file in self.files:
                stat = file.stat() if file.exists() else None
                parts.append(f"{file}:{stat.st_size}:{stat.st_mtime_ns}" if stat else f"{file}:gone")
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def py_string(text: str) -> str:
    """Return the Python literal of a text, in double quotes where that needs no escapes."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return repr(text)


def path_source(path: Path) -> str:
    """Return the Python expression of a path, written from `~` where it lies under the home folder."""
    home = Path.home()
    if path != home and path.is_relative_to(home):
        return f"Path({py_string('~/' + path.relative_to(home).as_posix())}).expanduser()"
    return f"Path({py_string(str(path))})"


def quoted(name: str) -> str:
    """Return `name` as a SQL identifier, in double quotes only where it needs them."""
    plain = name.isidentifier() and name.isascii() and name == name.lower() and name not in _RESERVED
    return name if plain else '"' + name.replace('"', '""') + '"'


# Words that DuckDB does not take as a bare table or column name.
_RESERVED = frozenset(
    """all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create
    default deferrable desc describe distinct do else end except false fetch for foreign from group having in initially
    intersect into lambda lateral leading limit not null offset on only or order pivot pivot_longer pivot_wider placing
    primary qualify references returning select show some summarize symmetric table then to trailing true union unique
    unpivot using variadic when where window with anti asof at authorization binary by cross full generated glob ilike
    inner is isnull join left like map natural notnull outer overlaps positional right row semi similar struct
    tablesample try_cast values interval
    exists extract overlay position substring trim treat xmlattributes nullif coalesce
    """.split()
)


def _renamed(body: str, con: str) -> str:
    import re

    return re.sub(r"\bcon\b(?=\.)", con, body)


def _sorted_imports(lines: list[str]) -> str:
    standard = {"from pathlib import Path", "import os", "import sqlite3"}
    first = sorted({x for x in lines if x in standard}, key=lambda x: (x.startswith("from"), x))
    rest = sorted({x for x in lines if x not in standard})
    return "\n\n".join("\n".join(group) for group in (first, rest) if group)


def parquet_body(tables: tuple[str, ...]) -> str:
    """Return the source that makes a view per Parquet file of the folder `DATA`."""
    names = textwrap.fill(", ".join(f'"{t}"' for t in tables), width=100, initial_indent="", subsequent_indent="    ")
    listed = f"[{names}]" if "\n" not in names else f"[\n    {names},\n]"
    return f'for table in {listed}:\n    con.read_parquet(str(DATA / f"{{table}}.parquet")).create_view(table)\n'
