"""Finished calls of the toolkit, kept in the store: a key acts once, before and after a kernel restart."""

from __future__ import annotations

import json
import threading
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.observation import Observation
from lexsi_nb.artifacts.observation_fields import fields_of, observation_from
from lexsi_nb.store.finished import Kept, Keys
from lexsi_nb.toolkit.finished import Record
from lexsi_nb.toolkit.spec import ToolResult


class StoredFinishedCalls:
    """The toolkit's `FinishedCalls` over the store.

    What a planner reads, the proposed cells and plain facts survive; payloads and other objects live as long as the
    kernel, after which the first result comes back without them.
    """

    def __init__(self, keys: Keys | None = None) -> None:
        self.keys = keys or Keys()
        self._live: dict[tuple[str, str], tuple[str, ToolResult]] = {}
        self._lock = threading.Lock()

    def claim(self, principal: str, key: str, digest: str) -> Record | None:
        """Return what the key is taken by, or None after taking it for `digest`."""
        kept = self.keys.claim(principal, key, digest)
        if kept is None:
            return None
        if kept.state != "finished":
            return Record(kept.digest, "started")
        return Record(kept.digest, "finished", self._result(principal, key, kept))

    def finish(self, principal: str, key: str, record: Record) -> None:
        """Keep the result of a claimed key."""
        if record.result is None:
            return
        with self._lock:
            self._live[principal, key] = (record.digest, record.result)
        self.keys.finish(principal, key, record.digest, result_fields(record.result))

    def release(self, principal: str, key: str) -> None:
        """Forget a claimed key."""
        self.keys.release(principal, key)

    def _result(self, principal: str, key: str, kept: Kept) -> ToolResult:
        with self._lock:
            live = self._live.get((principal, key))
        if live is not None and live[0] == kept.digest:
            return live[1]
        return result_from(kept.result or {}, at=kept.at)


def result_fields(result: ToolResult) -> dict[str, Any]:
    """Return a result as JSON fields; secret parts are left out."""
    cells = [[c.source, c.title, c.kind, c.language] for c in result.artifacts if isinstance(c, CodeCell)]
    return {
        "ok": result.ok,
        "observation": fields_of(result.observation),
        "cells": cells,
        "error": result.error,
        "meta": _plain(result.meta),
    }


def result_from(fields: dict[str, Any], *, at: float | None = None) -> ToolResult:
    """Return the result that `result_fields` wrote."""
    told = observation_from(fields.get("observation")) or Observation()
    cells = tuple(
        CodeCell(source, title=title, kind=kind, language=language)
        for source, title, kind, language in fields.get("cells", ())
    )
    meta = dict(fields.get("meta") or {})
    if at is not None:
        meta["first_at"] = at
    return ToolResult(bool(fields.get("ok", True)), told, artifacts=cells, error=fields.get("error"), meta=meta)


def _plain(meta: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in meta.items():
        try:
            json.dumps(value)
        except (TypeError, ValueError):
            continue  # an object of this kernel; the text of the result says what it was
        out[key] = value
    return out
