"""Datasets of kernel frames, and of files and databases by path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lexsi_nb.data.berka import COLUMNS, berka
from lexsi_nb.data.dataset import Dataset, py_string, quoted
from lexsi_nb.data.frames import frames_in, is_frame
from lexsi_nb.errors import BadData, nearest

_READERS = {
    ".parquet": "read_parquet", ".pq": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv", ".txt": "read_csv",
    ".json": "read_json", ".jsonl": "read_json", ".ndjson": "read_json",
}  # fmt: skip
_DATABASES = {".duckdb", ".db", ".sqlite", ".sqlite3"}


def frames(source: Mapping[str, Any]) -> Dataset:
    """Return the dataset of the DataFrames in a namespace or mapping, a table a variable.

    Names that start with `_` are left out. Values are looked up when they are queried, so edits are seen.

    Raises:
        BadData: there is no frame.
    """
    found = frames_in(source)
    if not found:
        raise BadData("There is no DataFrame.", "Neither pandas, polars nor Arrow.", "Load one, or name a dataset.")
    return _of_frames(source, tuple(found))


def _of_frames(source: Mapping[str, Any], names: tuple[str, ...]) -> Dataset:
    body = "\n".join(f"con.register({py_string(n)}, {n})" for n in names if n.isidentifier())
    others = [n for n in names if not n.isidentifier()]
    body += "\n" * bool(body and others)
    body += "\n".join(f"con.register({py_string(n)}, frames[{py_string(n)}])" for n in others)
    plural = "frame" if len(names) == 1 else "frames"
    return Dataset(
        id="frames",
        kind="frames",
        title=f"{len(names)} kernel {plural}",
        tables=names,
        body=body + "\n",
        frames=source,
        variables=names,
        requires=tuple(n for n in names if n.isidentifier()) + (("frames",) if others else ()),
    )


def open(source: Any) -> Dataset:
    """Return the dataset of a path, a folder, a glob, several files, a `file://` address, or frames.

    Raises:
        BadData: no such path (lists the nearest names), or nothing in it that can be read.
    """
    if isinstance(source, Dataset):
        return source
    if is_frame(source):
        return frames({"data": source})
    if isinstance(source, Mapping):
        return frames(source)
    if isinstance(source, list | tuple) and source and all(isinstance(p, str | Path) for p in source):
        return _several([_existing(Path(p).expanduser()) for p in source])
    if not isinstance(source, str | Path):
        raise BadData(f"Cannot open {type(source).__name__}.", "Expected a path, a DataFrame or a dict of them.", "")
    if "://" in str(source):
        source = _local(str(source))
    path = Path(source).expanduser()
    if not path.exists() and any(c in path.name for c in "*?["):
        return _several(sorted(p.resolve() for p in path.parent.glob(path.name) if p.suffix.lower() in _READERS))
    path = _existing(path)
    return _folder(path) if path.is_dir() else _file(path)


def _existing(path: Path) -> Path:
    if not path.exists():
        raise _missing(path)
    return path.resolve()


def _missing(path: Path) -> BadData:
    folder = path.parent if path.parent.is_dir() else Path(".")
    there = sorted(p.name for p in folder.iterdir() if not p.name.startswith("."))
    near = nearest(path.name, there)
    why = f"Nearest in {folder}: {', '.join(near)}." if near else f"{folder} has nothing like it."
    return BadData(f"No file or folder {str(path)!r}.", why, "Check the path.")


def _local(url: str) -> str:
    """Return the path of a `file://` address; another address would send a request."""
    from urllib.parse import unquote, urlparse

    parts = urlparse(url)
    if parts.scheme == "file" and parts.netloc in ("", "localhost"):
        return unquote(parts.path)
    raise BadData(
        f"{url} is not on this machine.",
        "The engine reads local files only: reading an address would send a request without asking.",
        "Download the file first, then open its path.",
    )


def _folder(root: Path) -> Dataset:
    inside = sorted(p for p in root.iterdir() if p.is_file() and not p.name.startswith("."))
    if any(p.suffix.lower() == ".asc" and p.stem.lower() in COLUMNS for p in inside):
        return berka(root)
    files = [p for p in inside if p.suffix.lower() in _READERS]
    if not files:
        raise BadData(
            f"No file in {str(root)!r} can be read.",
            f"Looked for {', '.join(sorted(_READERS))}.",
            "Name another folder or a file.",
        )
    return _several(files)


def _several(files: list[Path]) -> Dataset:
    """Return the dataset of files below one folder, a table a file, named after its stem."""
    if not files:
        raise BadData("No file matches.", f"Looked for {', '.join(sorted(_READERS))}.", "Check the pattern.")
    tables: dict[str, Path] = {}
    for file in files:
        if file.suffix.lower() not in _READERS:
            raise _unreadable(file)
        if file.stem in tables:
            raise BadData(f"{tables[file.stem].name} and {file.name} would be one table.", "", "Rename one of them.")
        tables[file.stem] = file
    root = Path(os.path.commonpath([f.parent for f in files]))
    body = "\n".join(
        _view(t, f.suffix.lower(), f"DATA / {py_string(f.relative_to(root).as_posix())}") for t, f in tables.items()
    )
    title = f"folder {root.name}" if len(files) > 1 else files[0].name
    return Dataset(root.name, "files", title, tuple(tables), body=body + "\n", root=root, files=tuple(files))


def _unreadable(file: Path) -> BadData:
    known = ", ".join(sorted({*_READERS, *_DATABASES}))
    return BadData(f"{file.name} is not a file that can be read.", f"Known endings: {known}.", "Convert it first.")


def _file(file: Path) -> Dataset:
    ending = file.suffix.lower()
    if ending in _DATABASES:
        return _database(file)
    if ending not in _READERS:
        raise _unreadable(file)
    body = _view(file.stem, ending, "DATA")
    return Dataset(file.name, "files", file.name, (file.stem,), body=body + "\n", root=file, files=(file,))


def _view(table: str, ending: str, path: str) -> str:
    return f"con.{_READERS[ending]}(str({path})).create_view({py_string(table)})"


def _database(file: Path) -> Dataset:
    """Return the dataset of a DuckDB or SQLite file; its tables are copied, so that the file is free again."""
    with file.open("rb") as f:
        head = f.read(16)
    sqlite = head.startswith(b"SQLite format 3")
    try:
        tables = _sqlite_tables(file) if sqlite else _duckdb_tables(file)
    except Exception as e:
        raise BadData(f"{file.name} cannot be opened.", str(e).splitlines()[0][:200], "Is it open elsewhere?") from e
    if not tables:
        raise BadData(f"{file.name} has no tables.", "", "Name another file.")
    body = _sqlite_body(tables) if sqlite else _duckdb_body(tables)
    imports = ("import sqlite3", "import pandas as pd") if sqlite else ()
    return Dataset(
        file.name, "database", file.name, tuple(tables), body=body, imports=imports, root=file, files=(file,)
    )


def _sqlite_tables(file: Path) -> list[str]:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db:
        rows = db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name").fetchall()
    return [r[0] for r in rows if not r[0].startswith("sqlite_")]


def _duckdb_tables(file: Path) -> list[str]:
    import duckdb

    con = duckdb.connect(str(file), read_only=True)
    try:
        rows = con.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY table_name"
        ).fetchall()
    finally:
        con.close()
    return [r[0] for r in rows]


def _duckdb_body(tables: list[str]) -> str:
    lines = [
        """database = str(DATA).replace("'", "''")""",
        "con.execute(f\"ATTACH '{database}' AS source (READ_ONLY)\")",
    ]
    lines += [f"con.execute({py_string(f'CREATE TABLE {quoted(t)} AS FROM source.{quoted(t)}')})" for t in tables]
    lines.append('con.execute("DETACH source")')
    return "\n".join(lines) + "\n"


def _sqlite_body(tables: list[str]) -> str:
    lines = ['source = sqlite3.connect(f"{DATA.as_uri()}?mode=ro", uri=True)']
    for t in tables:
        select = py_string("SELECT * FROM " + '"' + t.replace('"', '""') + '"')
        lines.append(f"frame = pd.read_sql({select}, source)")
        lines.append('con.register("frame", frame)')
        lines.append(f"con.execute({py_string(f'CREATE TABLE {quoted(t)} AS FROM frame')})")
        lines.append('con.unregister("frame")')
    lines.append("source.close()")
    return "\n".join(lines) + "\n"
