"""What one file holds: its tables, and the plain source that makes them queryable."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from lexsi_nb.data.dataset import py_string, quoted
from lexsi_nb.data.declared import Declared, of_duckdb, of_sqlite
from lexsi_nb.errors import BadData, LexsiError, MissingExtra

# Ending -> DuckDB's reader. DuckDB unpacks .gz and .zst of the text formats itself.
_READERS = {
    ".parquet": "read_parquet", ".pq": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv", ".txt": "read_csv",
    ".json": "read_json", ".jsonl": "read_json", ".ndjson": "read_json",
}  # fmt: skip
_PACKED = (".gz", ".zst")
_SAMPLE = 4_000_000  # bytes of a text by which its encoding is told
_DATABASES = frozenset({".duckdb", ".db", ".sqlite", ".sqlite3"})
_WORKBOOKS = frozenset({".xlsx", ".xlsm"})
# Of .txt it is not known that it is data: a folder's are left alone unless they are named.
_BY_NAME_ONLY = frozenset({".txt"})


@dataclass(frozen=True)
class Tables:
    """The tables of one file. `body(path)` is the source that makes them, with `path` a Python expression."""

    file: Path
    names: tuple[str, ...]
    body: Callable[[str], str]
    imports: tuple[str, ...] = ()
    database: bool = False
    declared: Declared = field(default_factory=Declared)


def endings() -> str:
    """Return the endings that can be read, as a list in words."""
    return ", ".join(sorted({*_READERS, *_DATABASES, *_WORKBOOKS, *(f".csv{p}" for p in _PACKED)}))


def readable(name: str, *, named: bool = True) -> bool:
    """Return whether a file of that name can be read; `named` says that the user spelt it out."""
    ending = _ending(Path(name))
    if ending in _BY_NAME_ONLY and not named:
        return False
    return ending in _READERS or ending in _DATABASES or ending in _WORKBOOKS


def tables_in(file: Path) -> Tables:
    """Return the tables of a file, named after its stem where it holds one.

    Raises:
        BadData: an ending that is not known, or a database or workbook that cannot be opened.
        MissingExtra: a workbook, without the library that reads it.
    """
    ending = _ending(file)
    if ending in _READERS:
        table = stem(file)
        if _READERS[ending] == "read_csv" and _is_latin(file):
            return Tables(file, (table,), lambda path: _latin_body(table, ending, path), ("import pandas as pd",))
        return Tables(
            file, (table,), lambda path: f"con.{_READERS[ending]}(str({path})).create_view({py_string(table)})\n"
        )
    if ending in _DATABASES:
        return _database(file)
    if ending in _WORKBOOKS:
        return _workbook(file)
    raise BadData(f"{file.name} is not a file that can be read.", f"Known endings: {endings()}.", "Convert it first.")


def _is_latin(file: Path) -> bool:
    """Whether a text is no UTF-8 and has one byte a letter, which DuckDB does not read."""
    if file.suffix.lower() in _PACKED or not file.is_file():
        return False
    with file.open("rb") as f:
        sample = f.read(_SAMPLE)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return b"\0" not in sample  # as UTF-16 has them
    return False


def _latin_body(table: str, ending: str, path: str) -> str:
    sep = '"\\t"' if ending == ".tsv" else "None"
    lines = [f'frame = pd.read_csv({path}, encoding="cp1252", encoding_errors="replace", sep={sep}, engine="python")']
    return "\n".join([*lines, *_copied(table)]) + "\n"


def stem(file: Path) -> str:
    """Return the name without its ending, and without that of a packed file: `sales` of `sales.csv.gz`."""
    bare = file.with_suffix("") if file.suffix.lower() in _PACKED else file
    return bare.stem


def _ending(file: Path) -> str:
    ending = file.suffix.lower()
    if ending in _PACKED:
        inner = file.with_suffix("").suffix.lower()
        # Parquet packs its own columns; databases are never packed.
        return inner if _READERS.get(inner, "read_parquet") != "read_parquet" else ending
    return ending


def _database(file: Path) -> Tables:
    """Return the tables of a DuckDB or SQLite file; they are copied, so that the file is free again."""
    with file.open("rb") as f:
        sqlite = f.read(16).startswith(b"SQLite format 3")
    try:
        names, declared = _sqlite_tables(file) if sqlite else _duckdb_tables(file)
    except Exception as e:
        raise BadData(f"{file.name} cannot be opened.", str(e).splitlines()[0][:200], "Is it open elsewhere?") from e
    if not names:
        raise BadData(f"{file.name} has no tables.", "", "Name another file.")
    if sqlite:
        imports = ("import sqlite3", "import pandas as pd")
        return Tables(file, names, lambda path: _sqlite_body(names, path), imports, database=True, declared=declared)
    return Tables(file, names, lambda path: _duckdb_body(names, path), database=True, declared=declared)


def _sqlite_tables(file: Path) -> tuple[tuple[str, ...], Declared]:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db:
        rows = db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name").fetchall()
        names = tuple(r[0] for r in rows if not r[0].startswith("sqlite_"))
        return names, of_sqlite(db, names)


def _duckdb_tables(file: Path) -> tuple[tuple[str, ...], Declared]:
    import duckdb

    con = duckdb.connect(str(file), read_only=True)
    try:
        rows = con.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY table_name"
        ).fetchall()
        return tuple(r[0] for r in rows), of_duckdb(con)
    finally:
        con.close()


def _duckdb_body(names: tuple[str, ...], path: str) -> str:
    lines = [
        f"""database = str({path}).replace("'", "''")""",
        "con.execute(f\"ATTACH '{database}' AS source (READ_ONLY)\")",
    ]
    lines += [f"con.execute({py_string(f'CREATE TABLE {quoted(t)} AS FROM source.{quoted(t)}')})" for t in names]
    lines.append('con.execute("DETACH source")')
    return "\n".join(lines) + "\n"


def _sqlite_body(names: tuple[str, ...], path: str) -> str:
    lines = [] if path == "DATA" else [f"database = {path}"]
    name = "DATA" if path == "DATA" else "database"
    lines.append(f'source = sqlite3.connect(f"{{{name}.as_uri()}}?mode=ro", uri=True)')
    for t in names:
        select = py_string("SELECT * FROM " + '"' + t.replace('"', '""') + '"')
        lines.append(f"frame = pd.read_sql({select}, source)")
        lines += _copied(t)
    lines.append("source.close()")
    return "\n".join(lines) + "\n"


def _workbook(file: Path) -> Tables:
    """Return the sheets of a workbook: one is named after the file, several after file and sheet."""
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtra.of("openpyxl", "excel", "It reads Excel workbooks.") from error
    try:
        book = openpyxl.load_workbook(file, read_only=True)
        sheets = [s.title for s in book.worksheets if s.sheet_state == "visible"]
        book.close()
    except LexsiError:
        raise
    except Exception as e:
        reason = str(e).splitlines()[0][:200] if str(e) else type(e).__name__
        raise BadData(f"{file.name} cannot be opened.", reason, "Is it an Excel workbook without a password?") from e
    if not sheets:
        raise BadData(f"{file.name} has no sheet with cells.", "", "Name another file.")
    names = {s: file.stem if len(sheets) == 1 else f"{file.stem}_{s}" for s in sheets}
    return Tables(file, tuple(names.values()), lambda path: _sheets_body(names, path), ("import pandas as pd",))


def _sheets_body(names: dict[str, str], path: str) -> str:
    lines = []
    for sheet, table in names.items():
        lines.append(f"frame = pd.read_excel({path}, sheet_name={py_string(sheet)})")
        lines += _copied(table)
    return "\n".join(lines) + "\n"


def _copied(table: str) -> list[str]:
    """Return the lines that make a table of the DataFrame `frame`."""
    return [
        'con.register("frame", frame)',
        f"con.execute({py_string(f'CREATE TABLE {quoted(table)} AS FROM frame')})",
        'con.unregister("frame")',
    ]
