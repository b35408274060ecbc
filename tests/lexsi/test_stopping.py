"""A call that was stopped sends nothing more, says nothing more, and is left within a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.errors import Cancelled
from lexsi_nb.modeling.lexsi.explaining import each
from lexsi_nb.modeling.lexsi.standing import names_for
from tests.lexsi.conftest import SPEC

Frames = dict[str, pd.DataFrame]


class Gate:
    """Lets the thread of a call wait at a point, as between two requests of the SDK."""

    def __init__(self) -> None:
        self.there, self.go_on, self.ended = threading.Event(), threading.Event(), threading.Event()

    def wait(self) -> None:
        """Say that the point is reached, and wait."""
        self.there.set()
        self.go_on.wait(20)

    def stops(self, run: Callable[..., Any]) -> None:
        """Run a call that is stopped when its thread waits; then let the thread go on to its end."""
        with pytest.raises(Cancelled):
            run(cancelled=self.there.is_set)
        self.go_on.set()
        assert self.ended.wait(20)


@pytest.fixture
def gate() -> Gate:
    return Gate()


def quiet(backend: Any, act: Callable[[], Any], cancelled: Callable[[], bool] = lambda: False) -> Any:
    return backend.account.calls.run(act, "a test", tick=lambda *_: None, cancelled=cancelled)


def printed(text: str) -> None:
    """Print as the SDK does."""
    vars(sys.modules["lexsi_sdk.core.lexsi"])["print"](text)


def test_a_call_stopped_between_two_requests_sends_nothing_later(backend: Any, server: Any, gate: Gate) -> None:
    workspace = quiet(backend, backend.account.workspace)
    sent = len(server.seen)

    def act() -> None:
        try:
            gate.wait()
            workspace.projects()
        finally:
            gate.ended.set()

    gate.stops(lambda cancelled: quiet(backend, act, cancelled))
    assert len(server.seen) == sent
    assert len(quiet(backend, workspace.projects).columns) > 0  # the account goes on


@pytest.mark.parametrize("how", ["of a cell", "of ours"])
def test_cases_that_are_asked_for_at_once_stop_with_their_call(
    backend: Any, server: Any, frames: Frames, gate: Gate, how: str
) -> None:
    trained = backend.train(frames["known"], SPEC)
    backend.predict(trained, frames["new"], frame_name="new")
    model, ids = trained.model, [str(i) for i in frames["new"]["loan_id"]]
    tag = server.to("v2/ai-models/run_model_on_data")[-1].body["tags"]
    account, sent = backend.account, len(server.seen)

    def of_a_cell(cancelled: Callable[[], bool]) -> Any:
        def act() -> None:
            project = names_for(account, backend.kept)["__builtins__"]["__import__"]("lexsi_sdk").lexsi
            project = project.organization("personal").workspace("lexsi-nb").project(model["project"])

            def one(case: str) -> None:
                gate.wait()
                project.case_predict(case, tag=tag, model_name=model["model_name"], xai=["shap"])

            try:
                with ThreadPoolExecutor(2) as pool:
                    list(pool.map(one, ids[:6]))
            finally:
                gate.ended.set()

        return quiet(backend, act, cancelled)

    def of_ours(cancelled: Callable[[], bool]) -> Any:
        asked: list[str] = []

        def one(case: str) -> None:
            asked.append(case)
            gate.wait()
            try:
                account.project(model["project"]).case_predict(case, tag=tag, model_name=model["model_name"])
            finally:
                gate.ended.set()

        return each(account, one, ids[:6], "asking", lambda *_: None, cancelled)

    gate.stops(of_a_cell if how == "of a cell" else of_ours)
    assert len(server.seen) == sent


def test_a_call_that_was_stopped_before_it_began_sends_nothing(backend: Any, server: Any, frames: Frames) -> None:
    with pytest.raises(Cancelled):
        quiet(backend, backend.account.workspace, lambda: True)
    assert server.seen == []


def test_a_call_that_waits_for_another_can_be_stopped(backend: Any, server: Any, gate: Gate) -> None:
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(quiet, backend, gate.wait)
        assert gate.there.wait(20)
        begun = time.monotonic()
        with pytest.raises(Cancelled):
            quiet(backend, backend.account.workspace, lambda: time.monotonic() - begun > 0.1)
        assert time.monotonic() - begun < 1
        assert server.seen == []
        gate.go_on.set()
        first.result(20)


def test_an_upload_that_is_under_way_is_cut_off(backend: Any, server: Any, frames: Frames) -> None:
    project = quiet(backend, lambda: backend.account.project("agentclass0123abcd", "classification"))
    server.faults.stalled = "uploadfile_with_info"
    size = 40_000_000

    def act() -> Any:
        uri = f"v2/project/uploadfile_with_info?project_name={project.project_name}&data_type=data&tag=t1"
        return project.api_client.file(uri, {"in_file": b"x" * size})

    begun: list[float] = []

    def stopped() -> bool:
        if server.platform.stalled.is_set():
            begun.append(time.monotonic())
        return bool(begun)

    with pytest.raises(Cancelled):
        quiet(backend, act, stopped)
    assert time.monotonic() - begun[0] < 1
    server.platform.unstall.set()
    assert server.platform.came.wait(20)
    assert server.platform.bytes_came < size / 2
    assert server.to("v2/project/uploadfile_with_info") == []


def test_what_the_sdk_prints_reaches_the_call_that_it_works_for(
    backend: Any, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet(backend, backend.account.lexsi)
    other, said = type(backend.account)(backend.account.place, backend.account.http, backend.account.key), []

    def act() -> None:
        gate.wait()
        printed("first")
        said_all.wait(20)

    said_all = threading.Event()

    def heard(done: int, of: int, stage: str) -> None:
        said.append(stage)
        if "first" in stage:
            said_all.set()

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(backend.account.calls.run, act, "one", tick=heard, cancelled=lambda: False)
        assert gate.there.wait(20)
        # Another account's call ends meanwhile.
        other.calls.run(lambda: printed("second"), "two", tick=lambda *_: None, cancelled=lambda: False)
        gate.go_on.set()
        first.result(20)
    assert said == ["one", "one: first"]
    assert capsys.readouterr().out == ""
    printed("the user's own")
    assert capsys.readouterr().out == "the user's own\n"


def test_what_a_call_says_last_is_told_however_soon_it_ends(backend: Any) -> None:
    quiet(backend, backend.account.lexsi)
    said: list[str] = []
    backend.account.calls.run(
        lambda: printed("done at once"), "one", tick=lambda done, of, stage: said.append(stage), cancelled=lambda: False
    )
    assert said == ["one", "one: done at once"]


def test_a_call_that_was_stopped_prints_nothing_later(
    backend: Any, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet(backend, backend.account.lexsi)

    def act() -> None:
        gate.wait()
        printed("too late")
        gate.ended.set()

    gate.stops(lambda cancelled: quiet(backend, act, cancelled))
    assert capsys.readouterr().out == ""
