"""The stand-in of the Lexsi platform, frames, and sessions on it.

With LEXSI_NB_REAL=1 and a token in SDK_ACCESS_TOKEN the tests that neither need a fault nor look at the requests run
against the real service instead: they create projects in the workspace lexsi-nb-tests, which costs compute, and delete
them afterwards.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.modeling.backend import TrainSpec
from lexsi_nb.modeling.lexsi import account, wire
from tests.lexsi_server.platform import SDK_TOKEN
from tests.lexsi_server.server import LexsiServer, running

REAL = os.environ.get("LEXSI_NB_REAL", "0") not in ("", "0")
SPEC = TrainSpec(target="bad", entity="loan_id", frame_name="known")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LexsiServer]:
    """A stand-in of its own for a test, with short waits."""
    if REAL:
        pytest.skip("needs the switches of the stand-in")
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.02)
    with running() as found:
        monkeypatch.setenv("XAI_API_URL", found.url)
        monkeypatch.setenv("SDK_ACCESS_TOKEN", SDK_TOKEN)
        yield found


@pytest.fixture
def platform(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The options of a backend on the stand-in, or on the real service where that was asked for."""
    if REAL:
        monkeypatch.setenv("LEXSI_NB_OFFLINE", "0")
        return "lexsi --workspace lexsi-nb-tests"
    request.getfixturevalue("server")
    return "lexsi"


@pytest.fixture
def frames() -> dict[str, pd.DataFrame]:
    """Labelled rows and rows to score, with numbers, words, gaps, and a column that gives the target away."""
    draw = np.random.default_rng(0)
    n = 160
    x, words = draw.normal(size=n), draw.choice(["a", "b", "c"], n)
    bad = ((x + (words == "a") + draw.normal(size=n)) > 0.8).astype(int)
    known = pd.DataFrame(
        {"loan_id": np.arange(n) * 3 + 5, "x": x, "z": draw.normal(size=n), "word": words, "bad": bad}
    ).assign(Prediction=bad)
    known.loc[3, "z"] = np.nan
    new = known.drop(columns=["bad", "Prediction"]).sample(30, random_state=1)
    return {"known": known, "new": new.assign(loan_id=new["loan_id"] + 10_000).reset_index(drop=True)}


@pytest.fixture
def session_on() -> Iterator[Callable[..., Session]]:
    """Return `session_on(options, **more)`: sessions that are closed afterwards, their projects deleted."""
    made: list[Session] = []

    def make(backend: Any, **more: Any) -> Session:
        made.append(Session(backend=backend, **{"namespace": {}, **more}))
        return made[-1]

    yield make
    for session in made:
        held: account.Account | None = getattr(session.backend(), "account", None)
        if REAL and held is not None:
            held.calls.run(lambda held=held: held.clean([]), "deleting", tick=lambda *_: None, cancelled=lambda: False)
        session.close()


@pytest.fixture
def project() -> str:
    """The name of a project of a run; at the real service one of this test alone, which an earlier run has not left."""
    return f"agentclass{uuid.uuid4().hex[:8]}" if REAL else "agentclass0123abcd"


@pytest.fixture
def backend(platform: str, project: str, session_on: Callable[..., Session]) -> Any:
    """The Lexsi backend of a session, in a project of its own."""
    return session_on(platform if REAL else f"{platform} --timeout 5").backend().in_project(project)
