"""Runs by script for the tests of single tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, say


@pytest.fixture
def play() -> Iterator[Callable[..., Any]]:
    """Return a function that plays calls in one run over a namespace or a dataset, and returns the finished run."""
    open_sessions: list[Session] = []

    def run(*lines: Any, namespace: dict[str, Any] | None = None, **options: Any) -> Any:
        planner = ScriptedPlanner([*lines, say("done")])
        session = Session(planner=planner, namespace={} if namespace is None else namespace, **options)
        open_sessions.append(session)
        found = session.ask("q")
        found.session, found.planner_used = session, planner
        return found

    yield run
    for session in open_sessions:
        session.close()
