"""What `from lexsi_sdk import lexsi` means inside a cell that a tool runs: the account of this session.

So that the very source that is handed out is executed, while each request goes through the session's gate and nothing
that was computed on the platform is computed twice.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from lexsi_nb.modeling.lexsi.account import Account
from lexsi_nb.modeling.lexsi.ticket import Ticket, working


class Kept:
    """Answers of the platform that stand: inferences and cases by model and tag, units by model."""

    def __init__(self) -> None:
        self.inferences: dict[tuple[str, ...], Any] = {}
        self.cases: dict[tuple[str, ...], Any] = {}
        self.units: dict[tuple[str, str], str] = {}  # what SHAP values of a model add up to


class StandingProject:
    """A project whose inferences and cases are asked for once, for the call of ours that opened it."""

    def __init__(self, account: Account, name: str, kept: Kept, done: Callable[[], None] = lambda: None) -> None:
        self._project, self._name, self._kept, self._done = account.project(name), name, kept, done
        self._ticket = account.wire.ticket

    def model_inference(self, compute: str, *, tag: str, model_name: str) -> Any:
        """Return the scored rows of a tag."""
        key = (self._name, model_name, tag)
        if key not in self._kept.inferences:
            # By position: the argument is called compute_type or, before 0.1.65, pod; None would be sent as it is.
            self._kept.inferences[key] = self._project.model_inference(compute, tag=tag, model_name=model_name)
        return self._kept.inferences[key]

    def case_predict(self, case: str, *, tag: str, model_name: str, xai: list[str]) -> Any:
        """Return one case with what was asked about it."""
        key = (self._name, model_name, tag, str(case), *xai)
        if key not in self._kept.cases:
            with working(self._ticket):  # a cell asks on threads of its own
                self._kept.cases[key] = self._project.case_predict(str(case), tag=tag, model_name=model_name, xai=xai)
            self._done()
        return self._kept.cases[key]


def names_for(account: Account, kept: Kept, done: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Return what a cell is run with, so that its `lexsi` is this session's account."""

    def project(name: str) -> StandingProject:
        return StandingProject(account, name, kept, done)

    workspace = SimpleNamespace(project=project)
    organization = SimpleNamespace(workspace=lambda name: workspace)
    lexsi = SimpleNamespace(login=lambda: None, organization=lambda name: organization)
    module = SimpleNamespace(lexsi=lexsi)

    def importing(name: str, *more: Any, **options: Any) -> Any:
        return module if name == "lexsi_sdk" else builtins.__import__(name, *more, **options)

    return {"__builtins__": {**vars(builtins), "__import__": importing}}


def counted(ticket: Ticket, total: int) -> Callable[[], None]:
    """Return a function that says how many of `total` are done, and stops where the call was given up."""
    seen: list[int] = []

    def done() -> None:
        seen.append(1)
        ticket.tell(f"{len(seen)} of {total} cases", 100 * len(seen) / max(1, total))
        ticket.check()

    return done
