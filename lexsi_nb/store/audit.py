"""Who decided what, when: a log whose entries are chained by hashes, so that a change of the past shows."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lexsi_nb.errors import BadData, LexsiError
from lexsi_nb.store.folder import private, state_folder

FILE = "audit.jsonl"
START = "0" * 64
_LOCK = threading.Lock()


class BrokenLog(LexsiError):
    """The log was changed after it was written; says at which entry."""


@dataclass(frozen=True)
class Verified:
    """A log that is whole: how many entries, and the hash of the last one, which stands for all of them."""

    entries: int
    head: str


class AuditLog:
    """The decisions made on this machine, oldest first, one JSON object a line.

    Each entry holds the hash of the one before it. A changed, removed or reordered entry breaks the chain; a log
    that was cut at its end, or written anew as a whole, shows when its head is compared with one noted earlier.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    @property
    def path(self) -> Path:
        """The file of the log."""
        return self._path or state_folder() / FILE

    def add(self, event: str, **fields: Any) -> dict[str, Any]:
        """Return the entry after writing it. `fields`: who, tool, digest, run, and what else tells about it."""
        with _LOCK, _held(private(self.path)) as file:
            last = _last(file)
            entry: dict[str, Any] = {
                "n": last["n"] + 1 if last else 1,
                "at": datetime.now(UTC).isoformat(timespec="seconds"),
                "event": event,
                **{k: _whole(v) for k, v in fields.items()},
                "before": last["hash"] if last else START,
            }
            entry["hash"] = _hash(entry)
            file.seek(0, os.SEEK_END)
            file.write((json.dumps(entry, ensure_ascii=False) + "\n").encode())
            file.flush()
            os.fsync(file.fileno())
        return entry

    def entries(self) -> list[dict[str, Any]]:
        """Return the entries, oldest first.

        Raises:
            BrokenLog: a line is no entry.
        """
        if not self.path.exists():
            return []
        return list(_parsed(self.path.read_text(encoding="utf-8").splitlines()))

    def verify(self, head: str | None = None) -> Verified:
        """Return that the log is whole. `head`, noted earlier, must still be one of its hashes.

        Raises:
            BrokenLog: an entry was changed, removed or added out of order, or `head` is not there any more.
        """
        return verify(self.entries(), head)

    def export(self, path: str | Path) -> Path:
        """Return the path after writing the log there, as it is, for `python -m lexsi_nb audit FILE`.

        Raises:
            BadData: there is no such folder.
        """
        target = Path(path)
        if not target.parent.is_dir():
            raise BadData(f"There is no folder {target.parent}.", "", "Make it first, or name another.")
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.writelines(json.dumps(e, ensure_ascii=False) + "\n" for e in self.entries())
        return target


def verify(entries: Iterable[Mapping[str, Any]], head: str | None = None) -> Verified:
    """Return that a chain of entries is whole.

    Raises:
        BrokenLog: says at which entry it is not.
    """
    before, count, seen = START, 0, {START}
    for count, entry in enumerate(entries, 1):
        if entry.get("before") != before or entry.get("n") != count:
            raise BrokenLog(f"The log is broken before entry {count}.", "An entry was removed, added or moved.")
        if _hash(entry) != entry.get("hash"):
            raise BrokenLog(f"The log is broken at entry {count}.", "It was changed after it was written.")
        before = str(entry["hash"])
        seen.add(before)
    if head and not any(h.startswith(head) for h in seen):
        raise BrokenLog(f"The log no longer holds {head[:12]}.", "Entries were cut off, or the log was written anew.")
    return Verified(count, before)


def _whole(value: Any) -> Any:
    """Return a value with half characters, which no file holds, as question marks."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _hash(entry: Mapping[str, Any]) -> str:
    rest = {k: v for k, v in entry.items() if k != "hash"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _parsed(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise BrokenLog(f"Line {number} of the log is no entry.", "It was changed or cut.") from error
        if not isinstance(entry, dict):
            raise BrokenLog(f"Line {number} of the log is no entry.", "It was changed or cut.")
        yield entry


def _last(file: Any) -> dict[str, Any] | None:
    """Return the last entry, read from the end: a long log costs no more than a short one."""
    end = file.seek(0, os.SEEK_END)
    size = 4096
    while end:
        start = max(0, end - size)
        file.seek(start)
        lines = file.read(end - start).decode("utf-8", "replace").rstrip("\n").split("\n")
        if len(lines) > 1 or start == 0:
            return next(_parsed(lines[-1:]), None) if lines[-1] else None
        size *= 2
    return None


@contextmanager
def _held(path: Path) -> Iterator[Any]:
    """Return the open file, held against other kernels where the system can."""
    with path.open("r+b") as file:
        try:
            import fcntl
        except ImportError:  # Windows: one kernel at a time is held by the lock of this process
            yield file
            return
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield file
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
