"""The recording side of one run: what it plays, what it notes, what it writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lexsi_nb.app.recorder import NotRecordable, Recorder
from lexsi_nb.app.recordings import Asked, Source, notebook_name, values_of
from lexsi_nb.app.surroundings import surroundings
from lexsi_nb.planners.rebinding import bound
from lexsi_nb.planners.replay import ReplayModel, ReplayPlanner
from lexsi_nb.store.folder import StoreFailed

if TYPE_CHECKING:
    from lexsi_nb.agent.planner import Model, Planner
    from lexsi_nb.app.run import Run
    from lexsi_nb.app.running import Running
    from lexsi_nb.app.session import Session


class Tape:
    """Says whether a question is replayed, and keeps what a run decided.

    Args:
        recording: Name of the recording; "" for one by notebook and cell, or by question.
        replay: auto, only or off; None for the session's setting.
        anew: Ask again, and write the recording anew.
        params: Variables whose values stand for `{name}` in the question. None: with a named recording all that are
            single values, else none.
        cell: Id of the calling cell, where the frontend tells.
    """

    def __init__(
        self,
        session: Session,
        question: str,
        *,
        recording: str = "",
        replay: str | None = None,
        anew: bool = False,
        params: Iterable[str] | None = None,
        cell: str = "",
        dry_run: bool = False,
    ) -> None:
        self.session = session
        names = tuple(params) if params is not None else None
        self.parameters = values_of(question, session.namespace, names, braces=bool(recording))
        self.question = bound(question, self.parameters)
        mode: Any = replay or session.replay
        self.asked = Asked(question, self.parameters, recording, mode, anew, cell)
        self.source = Source() if dry_run else session.recordings.source(self.asked)
        self.recorder = Recorder(session.policy.level)

    def planner(self) -> Planner:
        """Return the recording as planner where it fits, else the session's."""
        recording = self.source.recording
        return self.session.planner() if recording is None else ReplayPlanner(recording, self.source.shown)

    def model(self) -> Model | None:
        """Return what answers side queries: the recording where it has replies, else the session's model."""
        recording = self.source.recording
        if recording is None:
            return self.session.model
        return ReplayModel(recording, self.parameters, self.source.shown) if recording.model else None

    def threaded(self, running: Running) -> tuple[Planner, Model | None]:
        """Return planner and model of the loop: a replay that is told what is there, else both with a recorder."""
        planner, model = running.planner, running.model
        if isinstance(planner, ReplayPlanner):
            planner.around = surroundings(running)
            return planner, model
        if model is not None:
            model = self.recorder.watched_model(model, self.asked.template, self.parameters)
        return self.recorder.watched(planner), model

    def keep(self, running: Running, run: Run) -> None:
        """Write the recording of a run that came to an answer, where one is wanted; say so where it cannot be."""
        source, recordings = self.source, self.session.recordings
        run.replayed = source.recording is not None
        run.recording = source.shown if run.replayed else ""
        if not run.ok or running.dry_run or running.loop is None:
            return
        recordings.count(self.asked)
        if run.replayed or not source.name or (running.planner.local and not source.always):
            return
        ending = running.loop.ending
        said = run.answer if ending.said is None else ending.said
        try:
            made = self.recorder.recording(
                running, answer=said, status=run.status, asked=source.ordinal, notebook=notebook_name()
            )
            recordings.files.write(source.name, made)
            run.recording = source.shown
        except (NotRecordable, StoreFailed, OSError) as error:
            run.facts.setdefault("warnings", []).append(f"This run was not recorded. {error}")

    def fields(self) -> dict[str, Any]:
        """Return the tape as JSON fields, for a run that is parked."""
        a = self.asked
        return {
            "recording": a.name or (self.source.name if self.source.recording is not None else ""),
            "template": a.template, "parameters": dict(self.parameters), "replayed": self.source.recording is not None,
            "name": self.source.name, "ordinal": self.source.ordinal, "notes": self.recorder.fields(),
        }  # fmt: skip
