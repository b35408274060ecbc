"""The SQLite file behind keys and parked runs: one connection a transaction, whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lexsi_nb.store.folder import StoreFailed, private, state_folder

# How long a transaction waits for another kernel that holds the file.
PATIENCE = 10.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS finished (
    principal TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, state TEXT NOT NULL, result TEXT,
    at REAL NOT NULL, PRIMARY KEY (principal, key));
CREATE INDEX IF NOT EXISTS finished_at ON finished (at);
CREATE TABLE IF NOT EXISTS parked (
    id TEXT PRIMARY KEY, state TEXT NOT NULL, body TEXT NOT NULL, at REAL NOT NULL, settled REAL);
"""


@contextmanager
def transaction(name: str = "state.sqlite") -> Iterator[sqlite3.Connection]:
    """Return a connection in a write transaction: committed when the block ends well, rolled back when it raises.

    Raises:
        StoreFailed: the file is damaged or cannot be written; says which file.
    """
    path = state_folder() / name
    try:
        connection = _open(path)
    except (sqlite3.Error, OSError) as error:
        raise _failed(path, error) from error
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise _failed(path, error) from error
    finally:
        # Closing rolls back what was not committed.
        connection.close()


def _open(path: Path) -> sqlite3.Connection:
    new = not path.exists()
    connection = sqlite3.connect(private(path), timeout=PATIENCE, isolation_level=None)
    if new or not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'parked'").fetchone():
        connection.executescript(SCHEMA)
    return connection


def _failed(path: Path, error: BaseException) -> StoreFailed:
    return StoreFailed(f"{path} cannot be used.", f"{error}.", "Move it away, or set LEXSI_NB_STATE to another folder.")
