"""Messages that outlive a kernel: prompts and tool results under ids that go on counting, and the conversation."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, get_args

from lexsi_nb.errors import BadData, UnknownName
from lexsi_nb.store.database import transaction
from lexsi_nb.store.folder import StoreFailed

MessageKind = Literal["user_prompt", "tool_return"]
FILE = "messages.sqlite"
PAGE = 16_000
_TABLES = """
CREATE TABLE IF NOT EXISTS messages (
    store TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, tool_name TEXT, tool_call_id TEXT, agent_id TEXT,
    content TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (store, number));
CREATE TABLE IF NOT EXISTS stores (store TEXT PRIMARY KEY, last INTEGER NOT NULL, conversation TEXT);
"""


class UnknownMessage(UnknownName):
    """No message of that id in the store."""

    kind = "message"


@dataclass(frozen=True)
class Page:
    """A part of a message: `text` from `offset`, of `total` characters. `next` is where the rest begins, or None."""

    id: str
    text: str
    offset: int
    total: int

    @property
    def next(self) -> int | None:
        """Where the next page begins, None after the last."""
        end = self.offset + len(self.text)
        return end if end < self.total else None


class MessageStore:
    """The messages of one name, in a file that only its owner can read. Two kernels may write to one store."""

    def __init__(self, name: str = "default") -> None:
        if not name.strip():
            raise BadData("A message store needs a name.")
        self.name = name

    def put(
        self,
        kind: MessageKind,
        content: str,
        *,
        tool_name: str | None = None,
        tool_call_id: str | None = None,
        agent_id: str | None = None,
    ) -> str:
        """Return the id of a message after it was stored: M1, M2, ... over all kernels.

        Raises:
            StoreFailed: it could not be stored, so there is no id.
        """
        if kind not in get_args(MessageKind):
            raise BadData(f"No kind of message {kind!r}.", f"There is: {', '.join(get_args(MessageKind))}.")
        content = content.encode("utf-8", "replace").decode("utf-8")
        with self._open() as con:
            con.execute("INSERT OR IGNORE INTO stores VALUES (?, 0, NULL)", [self.name])
            con.execute("UPDATE stores SET last = last + 1 WHERE store = ?", [self.name])
            (number,) = con.execute("SELECT last FROM stores WHERE store = ?", [self.name]).fetchone()
            row = [self.name, number, kind, tool_name, tool_call_id, agent_id, content, time.time()]
            con.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return f"M{number}"

    async def add(
        self,
        *,
        kind: MessageKind,
        content: str,
        tool_name: str | None = None,
        tool_call_id: str | None = None,
        agent_id: str | None = None,
    ) -> str | None:
        """Return the id of a message after it was stored, None where the store is unavailable."""
        try:
            return self.put(kind, content, tool_name=tool_name, tool_call_id=tool_call_id, agent_id=agent_id)
        except StoreFailed:
            return None

    def scoped(self, agent_id: str) -> ScopedMessageStore:
        """Return a handle that notes `agent_id` with every message. It says where one came from, not who may read."""
        return ScopedMessageStore(self, agent_id)

    def page(self, id: str, offset: int = 0, size: int = PAGE) -> Page:
        """Return a part of a message.

        Raises:
            UnknownMessage: no such id; lists the latest.
            BadData: the offset lies outside, or the size is none.
        """
        if size < 1 or offset < 0:
            raise BadData(f"A page of {size} characters from {offset}.", "", "Offset from 0, size from 1.")
        with self._open() as con:
            row = con.execute(
                "SELECT substr(content, ?, ?), length(content) FROM messages WHERE store = ? AND number = ?",
                [offset + 1, size, self.name, _number(id)],
            ).fetchone()
            if row is None:
                latest = "SELECT number FROM messages WHERE store = ? ORDER BY number DESC LIMIT 5"
                known = [f"M{n}" for (n,) in con.execute(latest, [self.name])]
                raise UnknownMessage.among(id, known)
        if offset > row[1]:
            raise BadData(f"{id} has {row[1]:,} characters.", "", f"Read from an offset up to {row[1]:,}.")
        return Page(id, row[0], offset, row[1])

    def listing(self) -> list[dict[str, Any]]:
        """Return what is stored, oldest first, without the contents: id, kind, tool_name, agent_id, length."""
        with self._open() as con:
            rows = con.execute(
                "SELECT number, kind, tool_name, tool_call_id, agent_id, length(content) FROM messages "
                "WHERE store = ? ORDER BY number",
                [self.name],
            ).fetchall()
        names = ("kind", "tool_name", "tool_call_id", "agent_id", "length")
        return [{"id": f"M{row[0]}", **dict(zip(names, row[1:], strict=True))} for row in rows]

    def keep_conversation(self, text: str) -> None:
        """Keep a conversation, as JSON text, in place of the one before."""
        with self._open() as con:
            con.execute("INSERT OR IGNORE INTO stores VALUES (?, 0, NULL)", [self.name])
            con.execute("UPDATE stores SET conversation = ? WHERE store = ?", [text, self.name])

    def conversation(self) -> Any:
        """Return the conversation that was kept, as plain values; None where there is none.

        Raises:
            StoreFailed: it is damaged.
        """
        with self._open() as con:
            row = con.execute("SELECT conversation FROM stores WHERE store = ?", [self.name]).fetchone()
        if row is None or row[0] is None:
            return None
        try:
            return json.loads(row[0])
        except ValueError as error:
            raise StoreFailed(f"The conversation {self.name} is damaged.", f"{error}.") from error

    def forget(self) -> int:
        """Return how many messages were deleted, and the conversation. Ids go on: none is used twice."""
        with self._open() as con:
            gone = con.execute("DELETE FROM messages WHERE store = ?", [self.name]).rowcount
            con.execute("UPDATE stores SET conversation = NULL WHERE store = ?", [self.name])
        return gone

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with transaction(FILE) as con:
            for statement in filter(str.strip, _TABLES.split(";")):
                con.execute(statement)
            yield con


@dataclass(frozen=True)
class ScopedMessageStore:
    """A message store that notes one agent with every message."""

    store: MessageStore
    agent_id: str

    async def add(
        self, *, kind: MessageKind, content: str, tool_name: str | None = None, tool_call_id: str | None = None
    ) -> str | None:
        """Return the id of a message after it was stored, None where the store is unavailable."""
        return await self.store.add(
            kind=kind, content=content, tool_name=tool_name, tool_call_id=tool_call_id, agent_id=self.agent_id
        )


def _number(id: str) -> int:
    digits = id.strip().removeprefix("M")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0
