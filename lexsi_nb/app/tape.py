"""The recording side of one run: what it plays, what it notes, what it writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from lexsi_nb.app.recorder import NotRecordable, Recorder
from lexsi_nb.app.recordings import Asked, Source, notebook_name, values_of
from lexsi_nb.app.surroundings import surroundings
from lexsi_nb.planners.rebinding import bound, rebound
from lexsi_nb.planners.replay import ANEW, ReplayModel, ReplayPlanner, ReplayStopped
from lexsi_nb.store.folder import StoreFailed
from lexsi_nb.store.recording import digest
from lexsi_nb.store.recording_files import text_of

if TYPE_CHECKING:
    from lexsi_nb.agent.planner import Model, Planner
    from lexsi_nb.app.run import Run
    from lexsi_nb.app.running import Running
    from lexsi_nb.app.session import Session


class Tape:
    """Says whether a question is replayed, and keeps what a run decided."""

    def __init__(self, session: Session, asked: Asked, source: Source) -> None:
        self.session, self.asked, self.source = session, asked, source
        self.parameters = asked.parameters
        self.question = bound(asked.template, asked.parameters)
        self.recorder = Recorder(session.policy)

    @classmethod
    def of(
        cls,
        session: Session,
        question: str,
        *,
        recording: str = "",
        replay: str | None = None,
        anew: bool = False,
        params: Iterable[str] | Mapping[str, Any] | None = None,
        cell: str = "",
        dry_run: bool = False,
    ) -> Tape:
        """Return the tape of a question that is asked now.

        Args:
            session: Whose recordings and variables.
            question: As written.
            recording: Name of the recording; "" for one by notebook and cell, or by question.
            replay: auto, only or off; None for the session's setting.
            anew: Ask again, and write the recording anew.
            params: Variables whose values stand for `{name}` in the question. None: with a named recording all that
                are single values, else none. A mapping gives the values itself.
            cell: Id of the calling cell, where the frontend tells.
            dry_run: Neither replayed nor recorded.

        Raises:
            ReplayStopped: the recording does not fit the question, or there is none and no model may be asked.
        """
        names = tuple(params) if params is not None else None
        known = params if isinstance(params, Mapping) else session.namespace
        values = values_of(question, known, names, braces=bool(recording))
        mode: Any = replay or session.replay
        asked = Asked(question, values, recording, mode, anew, cell)
        return cls(session, asked, Source() if dry_run else session.recordings.source(asked))

    @classmethod
    def revived(cls, session: Session, fields: dict[str, Any]) -> Tape:
        """Return the tape of a run that another kernel parked.

        Raises:
            ReplayStopped: the recording it came from is gone or was changed.
        """
        files, name = session.recordings.files, fields["name"]
        asked = Asked(fields["template"], fields["parameters"], fields["recording"], cell=fields.get("cell", ""))
        shown = files.shown(files.path(name)) if name else ""
        recording = None
        if fields["replays"]:
            recording = files.read(name)
            if recording is None or digest(text_of(recording)) != fields["replays"]:
                raise ReplayStopped(f"Recording {shown} changed since the run was parked.", "", f"{ANEW}.")
            recording = rebound(recording, asked.parameters)
        tape = cls(session, asked, Source(recording, name, shown, fields["ordinal"], fields["always"]))
        tape.recorder.restore(fields["notes"])
        return tape

    def fields(self) -> dict[str, Any]:
        """Return the tape as JSON fields, for a run that is parked."""
        source, files = self.source, self.session.recordings.files
        replays = files.read(source.name) if source.recording is not None else None
        return {
            "template": self.asked.template, "parameters": dict(self.parameters), "recording": self.asked.name,
            "name": source.name, "ordinal": source.ordinal, "always": source.always,
            "replays": digest(text_of(replays)) if replays is not None else "", "cell": self.asked.cell,
            "notes": self.recorder.fields(),
        }  # fmt: skip

    def planner(self) -> Planner:
        """Return the recording as planner where it fits, else the session's."""
        recording = self.source.recording
        return self.session.planner() if recording is None else ReplayPlanner(recording, self.source.shown)

    def model(self) -> Model | None:
        """Return what answers side queries: the recording where it has replies, else the session's model."""
        recording = self.source.recording
        if recording is None:
            return self.session.side_model(self.planner())
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
            made = self.recorder.recording(running, run, answer=said, asked=source.ordinal, notebook=notebook_name())
            recordings.files.write(source.name, made)
            run.recording = source.shown
        except (NotRecordable, StoreFailed, OSError) as error:
            run.facts.setdefault("warnings", []).append(f"This run was not recorded. {error}")
