"""DuckDB's errors as one line: what, why, next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexsi_nb.errors import BadData, LexsiError, QueryFailed, UnknownColumn, UnknownTable

if TYPE_CHECKING:
    from lexsi_nb.data.engine import Engine

_NO_TABLE = re.compile(r"Table with name (.+?) does not exist")
_NO_COLUMN = re.compile(r'(?:Referenced column "(.+?)" not found|does not have a column named "(.+?)")')
_NO_FUNCTION = re.compile(r"(Scalar|Aggregate|Table|Macro)? ?Function with name (.+?) does not exist", re.IGNORECASE)


def explained(error: Exception, sql: str, engine: Engine) -> LexsiError:
    """Return the error a person or a planner can act on."""
    text = str(error)
    if isinstance(error, MemoryError) or "Out of Memory" in text or "could not allocate" in text.lower():
        return QueryFailed("The query ran out of memory.", _first(text), "Filter or aggregate before joining.")
    if found := _NO_TABLE.search(text):
        return UnknownTable.among(found.group(1).strip('"'), engine.readable(), where=engine.dataset.title)
    if found := _NO_COLUMN.search(text):
        return _no_column(found.group(1) or found.group(2), sql, engine)
    if found := _NO_FUNCTION.search(text):
        return QueryFailed(f"No SQL function {found.group(2)!r}.", _hint(text), "Use a function DuckDB has.")
    return QueryFailed("The query failed.", _first(text), "Correct the SQL and run it again.")


def _no_column(name: str, sql: str, engine: Engine) -> LexsiError:
    """Return the error for an unknown column: nearest names of the tables read, else the tables that have it."""
    read, elsewhere = [], []
    folded = sql.casefold()
    for table in _tables(engine):
        used = re.search(rf"(?<!\w){re.escape(table.name.casefold())}(?!\w)", folded) is not None
        for column in table.columns:
            if used:
                read.append(column.name)
            elif column.name.casefold() == name.casefold():
                elsewhere.append(table.name)
    for frame_name, frame in list(engine._frames.items()):
        if frame_name.casefold() in folded:
            read += [str(c) for c in getattr(frame, "columns", [])]
    where = f"It is in {', '.join(elsewhere)}." if elsewhere else ""
    return UnknownColumn.among(name, dict.fromkeys(read), next=where)


def _tables(engine: Engine) -> list:
    try:
        return engine.tables()
    except BadData:  # a frame of the kernel that cannot be read is not the fault of this query
        return []


def _hint(text: str) -> str:
    found = re.search(r'Did you mean "(.+?)"', text)
    return f"Nearest: {found.group(1)}." if found else ""


def _first(text: str) -> str:
    """Return the first line of DuckDB's message, without the type of the error and without the echo of the SQL."""
    line = re.split(r"\n|LINE \d+:", text, maxsplit=1)[0].strip()
    line = re.sub(r"^[A-Z][A-Za-z ]+ Error: ", "", line)
    return line[:300] if line.endswith((".", "!", "?")) else line[:300] + "."
