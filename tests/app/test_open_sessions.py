"""Calls that name no session mean the one that fits; where none or several do, they say so."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from weakref import WeakSet

import pytest

import lexsi_nb as lx
from lexsi_nb.app import open_sessions
from lexsi_nb.errors import RunFailed

CALLS: dict[str, Callable[[], Any]] = {
    "lx.explain(row)": lambda: lx.explain(1),
    "lx.what_if(row)": lambda: lx.what_if(1),
    "lx.shap()": lambda: lx.shap(),
    "lx.controls()": lambda: lx.controls(),
}


@pytest.fixture(autouse=True)
def none_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions of other tests are not open here."""
    monkeypatch.setattr(open_sessions, "_open", WeakSet())


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A shell without the extension."""
    shell = SimpleNamespace()
    monkeypatch.setattr("lexsi_nb.kernel.frontends.shell_now", lambda: shell)
    return shell


class Told:
    """An explainer that says whose it is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def explain(self, row: Any) -> str:
        return f"{self.name} {row}"


def ranked(name: str) -> lx.Session:
    session = lx.Session(namespace={})
    session.explainer = Told(name)  # type: ignore[assignment]
    return session


@pytest.mark.parametrize("called", CALLS)
def test_without_a_session_it_says_how_to_get_one(called: str) -> None:
    with pytest.raises(RunFailed) as caught:
        CALLS[called]()
    said = str(caught.value)
    assert said.startswith(f"No session is open in this process. {called} is about a session that has ")
    assert "lx.Session(dataset); session.ask(question)" in said


@pytest.mark.parametrize("called", CALLS)
def test_a_session_that_has_nothing_to_show_says_what_to_ask(called: str) -> None:
    session = lx.Session(namespace={})
    wanted = "No answered question has parameters yet." if "controls" in called else "There is nothing to explain yet."
    with pytest.raises(RunFailed, match=wanted):
        CALLS[called]()
    session.close()


def test_the_one_open_session_that_ranked_is_meant() -> None:
    sessions = [lx.Session(namespace={}), ranked("this one")]
    assert lx.explain(7).attribution == "this one 7"
    assert sessions[0].explainer is None


def test_of_several_one_has_to_be_named_and_closed_ones_do_not_count() -> None:
    one, two = ranked("one"), ranked("two")
    with pytest.raises(RunFailed) as caught:
        lx.explain(7)
    assert str(caught.value) == (
        "2 open sessions have ranked cases. lx.explain(row) cannot tell which one is meant. "
        "Name it: lx.explain(row, session=session), or close the others with session.close()."
    )
    assert lx.explain(7, session=two).attribution == "two 7"
    one.close()
    assert lx.explain(7).attribution == "two 7"


def test_a_session_that_nobody_holds_does_not_count() -> None:
    session = ranked("lost")
    session.itself = session  # type: ignore[attr-defined]  (only the garbage collector finds it)
    del session
    kept = ranked("kept")
    assert lx.explain(7).attribution == "kept 7"
    assert kept.explainer is not None


def test_in_a_notebook_its_own_session_is_meant(shell: SimpleNamespace) -> None:
    own, other = ranked("own"), ranked("other")
    shell._lexsi_magics = SimpleNamespace(asked=True, session=own)
    assert lx.explain(7).attribution == "own 7"
    own.explainer = None
    assert lx.explain(7).attribution == "other 7"
    assert other.explainer is not None


def test_in_a_notebook_without_a_question_it_is_the_question_that_is_missing(shell: SimpleNamespace) -> None:
    shell._lexsi_magics = SimpleNamespace(asked=False)
    with pytest.raises(RunFailed, match="There is nothing to explain yet"):
        lx.explain(7)
