"""Which tools a planner that is not on this machine is shown, chosen once a run."""

from __future__ import annotations

import re
from typing import Any

CONNECT = "connect_datalake"
# What a question about other data than the bound ones has in it: such words, a path, or a file name.
_ELSEWHERE = re.compile(
    r"(?i)\b(?:connect|bind|import|upload|bucket|s3|datalake|data lake|folder|director(?:y|ies)|files?|csv|tsv|"
    r"json|parquet|excel|xlsx?|sqlite|duckdb|database)\b|[/\\][\w./\\*-]{2,}"
)


def offered(registry: Any, question: str, tables: list[str]) -> frozenset[str]:
    """Return the names of the tools that are shown: those that fit the question where there are many.

    Connecting other data is shown where the question has a word of it, or nothing is bound; it can be called anyway.
    """
    from lexsi_nb.toolkit.router import Router
    from lexsi_nb.tools.catalogue import ALWAYS

    bound = bool(tables) and not _ELSEWHERE.search(question)
    router = Router(spec for spec in registry.specs if not (bound and spec.name == CONNECT))
    return router.offer(question, keep=ALWAYS) if router.worthwhile else frozenset(router.specs)
