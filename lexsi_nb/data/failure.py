"""DuckDB's errors as one line: what, why, next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexsi_nb.data.limits import raised
from lexsi_nb.data.references import tables_of
from lexsi_nb.errors import BadData, LexsiError, QueryFailed, UnknownColumn, UnknownTable

if TYPE_CHECKING:
    from lexsi_nb.data.engine import Engine, TableInfo

_NO_TABLE = re.compile(r"Table with name (.+?) does not exist")
_NO_COLUMN = re.compile(r'(?:Referenced column "(.+?)" not found|does not have a column named "(.+?)")')
_NO_FUNCTION = re.compile(r"(Scalar|Aggregate|Table|Macro)? ?Function with name (.+?) does not exist", re.IGNORECASE)


def failures() -> tuple[type[Exception], ...]:
    """Return what DuckDB and its conversions raise."""
    import duckdb

    return (duckdb.Error, RuntimeError, MemoryError, OSError, ValueError, TypeError, OverflowError, ImportError)


def explained(error: Exception, sql: str, engine: Engine) -> LexsiError:
    """Return the error a person or a planner can act on."""
    text = str(error)
    if isinstance(error, MemoryError) or "Out of Memory" in text or "could not allocate" in text.lower():
        do = f"Filter or aggregate before joining. {raised('sql_memory', repr('8GB'))}"
        return QueryFailed("The query ran out of memory.", first_line(error), do)
    if "Unimplemented type for cast" in text and (mixed := _mixed(sql, engine)):
        return mixed
    if found := _NO_TABLE.search(text):
        return UnknownTable.among(found.group(1).strip('"'), engine.readable(), where=engine.dataset.title)
    if found := _NO_COLUMN.search(text):
        return _no_column(found.group(1) or found.group(2), sql, engine)
    if found := _NO_FUNCTION.search(text):
        return QueryFailed(f"No SQL function {found.group(2)!r}.", _hint(text), "Use a function DuckDB has.")
    return QueryFailed("The query failed.", first_line(error), "Correct the SQL and run it again.")


def _mixed(sql: str, engine: Engine) -> BadData | None:
    """Return the error for a frame with a column whose values are of kinds that have no type in common."""
    for table in tables_of(sql):
        frame = engine.frame(table)
        for column in getattr(frame, "columns", ()) if hasattr(frame, "iloc") else ():
            if frame[column].dtype == object:
                kinds = sorted({type(v).__name__ for v in frame[column].dropna()})
                if len(kinds) > 1:
                    return BadData(
                        f"The column {str(column)!r} of {table} mixes {', '.join(kinds)}.",
                        "SQL needs one type a column.",
                        f"Convert it, for example: {table}[{column!r}] = {table}[{column!r}].astype(str)",
                    )
    return None


def _no_column(name: str, sql: str, engine: Engine) -> LexsiError:
    """Return the error for an unknown column: nearest names of the tables read, else the tables that have it."""
    read, elsewhere = [], []
    used = {t.casefold() for t in tables_of(sql)}
    for table in _tables(engine):
        for column in table.columns:
            if table.name.casefold() in used:
                read.append(column.name)
            elif column.name.casefold() == name.casefold():
                elsewhere.append(table.name)
    where = f"It is in {', '.join(elsewhere)}." if elsewhere else ""
    return UnknownColumn.among(name, dict.fromkeys(read), next=where)


def _tables(engine: Engine) -> list[TableInfo]:
    """Return every table and frame that can be described."""
    out = []
    for name in engine.readable():
        try:
            out.append(engine.table(name))
        except (BadData, UnknownTable):
            continue  # a frame that this query does not read may be gone or unusable
    return out


def _hint(text: str) -> str:
    found = re.search(r'Did you mean "(.+?)"', text)
    return f"Nearest: {found.group(1)}." if found else ""


def first_line(error: Exception) -> str:
    """Return the first line of DuckDB's message, without the type of the error and without the echo of the SQL."""
    line = re.split(r"\n|LINE \d+:", str(error), maxsplit=1)[0].strip()
    line = re.sub(r"^[A-Z][A-Za-z ]+ Error: ", "", line)
    return line[:300] if line.endswith((".", "!", "?")) else line[:300] + "."
