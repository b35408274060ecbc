"""A planner that stands for a provider's model: it says it is not on this machine, and its lines are written here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner


class Remote(ScriptedPlanner):
    """A scripted planner whose text leaves the machine; `turns` counts how often it was asked."""

    name = "remote:model"
    local = False


class Banned:
    """A planner that must not be asked."""

    name = "remote:model"
    local = False

    def decide(self, turn: Any) -> Any:
        """Fail the test."""
        raise AssertionError("the model was asked")


@pytest.fixture
def loans() -> pd.DataFrame:
    return pd.DataFrame({"loan_id": [1, 2, 3, 4], "amount": [10.0, 20.0, 30.0, 40.0], "status": list("ABAB")})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the notebook; nothing tells which notebook."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    return tmp_path


@pytest.fixture
def remote() -> Any:
    """Return a session asked by a scripted model elsewhere."""

    def make(lines: list[Any], namespace: dict[str, Any], **more: Any) -> Session:
        return Session(planner=Remote(lines), namespace=namespace, **more)

    return make


@pytest.fixture
def replayed() -> Any:
    """Return a session in another kernel, whose model must not be asked."""

    def make(namespace: dict[str, Any], **more: Any) -> Session:
        return Session(planner=Banned(), namespace=namespace, **more)

    return make
