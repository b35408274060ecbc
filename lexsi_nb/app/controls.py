"""A question with parameters, asked again with other values: from its recording, or by the planner on this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from lexsi_nb.app.recordings import single
from lexsi_nb.artifacts.looks import Prints
from lexsi_nb.errors import BadData, RunFailed, UnknownName

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.app.running import Running
    from lexsi_nb.app.session import Session

Kind = Literal["number", "date", "text"]


def asked_again(running: Running, run: Run) -> Callable[[Mapping[str, Any]], Run] | None:
    """Return what asks the question of a run with other values of its parameters; None where it has none.

    What decided is not asked again where it is a model: the recording is replayed, or the asking fails. Approvals of
    the run do not hold for another one.
    """
    session, tape, dataset, most = running.session, running.tape, running.dataset, running.max_steps
    if not tape.parameters or running.dry_run:
        return None
    asked, name, local = tape.asked, tape.source.name if run.recording else "", running.planner.local

    def again(values: Mapping[str, Any]) -> Run:
        if not name and not (local and session.planner().local):
            raise RunFailed(
                "This run has no recording, so a model would have to be asked again.",
                "",
                "Run the question once with --recording NAME, then %lexsi controls.",
            )
        return session.ask(
            asked.template, params=dict(values), recording=name, replay="only" if name else "off", cell=asked.cell,
            dataset=dataset, max_steps=most,
        )  # fmt: skip

    return again


class UnknownParameter(UnknownName):
    """The question has no such parameter."""

    kind = "parameter"


class Controls(Prints):
    """The parameters of a session's last run that had any, and that run with other values of them.

    `run` is the last that came to an answer. The user's variables of those names stay as they are.
    """

    def __init__(self, session: Session) -> None:
        """Take the last run with parameters that came to an answer. Raises: RunFailed: there is none."""
        runs = _with_parameters(session)
        if not runs:
            raise no_parameters()
        self.run: Run = runs[-1]

    @property
    def values(self) -> Mapping[str, Any]:
        """Return the values of the last answer by parameter."""
        return self.run.parameters

    def kind(self, name: str) -> Kind:
        """Return how a parameter's value is given, by what it is now."""
        value = self.values[name]
        if not isinstance(value, str):
            return "number"
        return "date" if _day(value) is not None else "text"

    def value(self, name: str, typed: Any) -> Any:
        """Return what a person typed or passed as a value of a parameter.

        Raises:
            UnknownParameter: the question has no such parameter; lists the nearest.
            BadData: no value of its kind.
        """
        if name not in self.values:
            raise UnknownParameter.among(name, self.values)
        if not isinstance(typed, str):
            typed = typed.isoformat()[:10] if isinstance(typed, date) else str(typed)
        kind, text = self.kind(name), typed.strip()
        value = {"number": _number, "date": _day, "text": single}[kind](text if kind != "text" else typed)
        if value is None or not text:
            wanted = {"number": "a number, as in 12.5", "date": "a day, as in 1998-12-31", "text": "one line of text"}
            raise BadData(f"{typed!r} is no value of {name}.", "", f"Write {wanted[kind]}.")
        if kind == "number" and value == self.values[name]:
            return self.values[name]  # 250 stays what it was, whole or not
        return value

    def ask(self, typed: Mapping[str, Any]) -> Run:
        """Return the run of the question with these values, typed or as they are; those that are not given stay.

        Raises:
            UnknownParameter: the question has no such parameter; lists the nearest.
            BadData: a value is none of its kind.
            CannotRebind: the recording has no sure place for a value; says which step.
            RunStopped: the run came to no answer; says at which step.
            RunFailed: another question is running, or a model would have to be asked.
        """
        values = {**self.values, **{n: self.value(n, v) for n, v in typed.items()}}
        assert self.run.on_again is not None
        self.run = self.run.on_again(values).raise_if_stopped()
        return self.run


def has_parameters(session: Session) -> bool:
    """Return whether a session has an answered question with parameters."""
    return bool(_with_parameters(session))


def _with_parameters(session: Session) -> list[Run]:
    return [r for r in session.runs if r.ok and r.on_again is not None]


def no_parameters() -> RunFailed:
    """Return the error of controls for nothing."""
    return RunFailed(
        "No answered question has parameters yet.",
        "Controls change the values of variables that a question names in braces.",
        "Ask one first: %%lexsi --params as_of How many loans were granted before {as_of}?",
    )


def _number(text: str) -> int | float | None:
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        return None
    if number - number != 0:  # not finite
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _day(text: str) -> str | None:
    try:
        return text if len(text) == 10 and date.fromisoformat(text) else None
    except ValueError:
        return None
