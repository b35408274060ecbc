"""`Session`: the parts put together, for scripts and for the magic."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, MutableMapping
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.budget import Budget
from lexsi_nb.agent.compaction import Room
from lexsi_nb.agent.events import Event
from lexsi_nb.agent.history import History
from lexsi_nb.agent.planner import Model, Planner
from lexsi_nb.agent.tokens import Measure
from lexsi_nb.app.added_tools import AddedTools
from lexsi_nb.app.asked import must_be_asked, must_be_set
from lexsi_nb.app.binding import Binding
from lexsi_nb.app.deciding import Deciders
from lexsi_nb.app.desk import Answer, Desk
from lexsi_nb.app.equipment import Equipment
from lexsi_nb.app.explaining import Explainer, LateExplainer, nothing_to_explain
from lexsi_nb.app.noticing import Noticed
from lexsi_nb.app.open_sessions import closed, opened
from lexsi_nb.app.recordings import Recordings
from lexsi_nb.app.run import Run, question_key
from lexsi_nb.app.running import Running
from lexsi_nb.app.threads import StoppableThreads
from lexsi_nb.app.tracing import tracing_of
from lexsi_nb.app.turns import Turns, Watcher
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Attribution
from lexsi_nb.data.limits import MEMORY, ROWS, SECONDS, Limits
from lexsi_nb.egress.gate import Gate
from lexsi_nb.egress.limits import RateLimits
from lexsi_nb.egress.policy import Policy, SentLog
from lexsi_nb.errors import BadData, RunFailed
from lexsi_nb.kernel.cache import RunCache
from lexsi_nb.kernel.variables import Variables
from lexsi_nb.planners.choice import ModelChoice
from lexsi_nb.store.recording_files import RecordingFiles
from lexsi_nb.toolkit.redaction import mask

# What a run may do unless the user says otherwise. Connecting other data asks first.
DEFAULT_SCOPES = frozenset({"data:read", "data:connect", "model:train", "model:use"})
__all__ = ["DEFAULT_SCOPES", "Session", "question_key"]


if TYPE_CHECKING:
    from lexsi_nb.app.controls import Controls
    from lexsi_nb.app.keeping import Kept
    from lexsi_nb.app.shap_views import ShapViews
    from lexsi_nb.app.what_if import WhatIf


class Session(Equipment):
    """A conversation with one dataset and one namespace.

    Args:
        dataset: A Dataset, a path, a frame or a dict of frames. None: the DataFrames of the namespace.
        planner: "auto" (embedded unless the user chose another), "embedded", a model as "anthropic:NAME" with its
            options, what `lx.model(...)` returns, or a planner object. A key in the environment chooses nothing.
        backend: "auto" or "embedded" (on this machine), "lexsi" with its options (on the Lexsi platform), or an object.
        policy: What a planner that is not on this machine may read: schema, stats or rows; or a mapping with level, k,
            private and datasets.
        scopes: What the run may do; None for `DEFAULT_SCOPES`.
        approve: "ask", or the names of tools that may act without asking. For what cannot be undone this ends once
            text from data was read; `ask(..., approve=(...))` names tools for one run and holds all through it.
        max_steps: Tool decisions a run may take before it has to answer.
        namespace: Where labels become variables. None: the notebook's own, else a dict of this session.
        seed: Of everything random. Same seed, same model.
        model_type: Of the embedded backend: LightGBM, or XGBoost where it is installed.
        model: Answers side queries (`AgentRef.oneshot`, text_to_sql, summarize_result): named as a planner is, or an
            object. None: the planner's own model, where it is one.
        variables: What earlier runs made in that namespace, where another part keeps track of it.
        sql_seconds, sql_memory, sql_rows: What one query may take; None for no limit of seconds or rows.
        budget: The most that one run may spend on models: tokens, or a text such as "20k, 0.50usd". None: no limit.
        replay: "auto" runs a question from its recording where there is one, "only" asks no model, "off" always asks.
        recordings: Folder of the recordings; None: `.lexsi/` in the folder the kernel works in.
        record: "models" records each finished run of a planner elsewhere, "all" those of planners on this machine too.
        limits: Of requests to models: "4 in flight, 60 a minute, 90k tokens a minute", or a part of it. What several
            sessions of the process send one provider keeps within the limits of all of them.
        context_tokens: A longer conversation is shortened to a quarter of it, oldest first, before a model elsewhere
            is asked; less where the model's window is known to be smaller.
        tracer: OpenTelemetry tracer, provider or exporter for spans of this session; `lx.trace()` has all sessions.
    """

    def __init__(
        self,
        dataset: Any = None,
        planner: str | ModelChoice | Planner = "auto",
        backend: Any = "auto",
        policy: str | Mapping[str, Any] | Policy = "schema",
        scopes: frozenset[str] | set[str] | None = None,
        approve: str | tuple[str, ...] | list[str] = "ask",
        max_steps: int = 12,
        namespace: MutableMapping[str, Any] | None = None,
        *,
        seed: int = 0,
        model_type: str = "LightGBM",
        model: str | ModelChoice | Model | None = None,
        variables: Variables | None = None,
        sql_seconds: float | None = SECONDS,
        sql_memory: str = MEMORY,
        sql_rows: int | None = ROWS,
        replay: str = "auto",
        budget: str | int | Budget | None = None,
        recordings: str | Path | None = None,
        record: str = "models",
        tracer: Any = None,
        limits: str | RateLimits | dict[str, int | None] | None = None,
        context_tokens: int = 100_000,
    ) -> None:
        if max_steps < 1:
            raise BadData(f"max_steps is {max_steps}.", "A run needs at least one step.", "Pass a number from 1.")
        must_be_set(seed, model_type)
        if variables is None:
            variables = Variables(_namespace() if namespace is None else namespace)
        self.variables = variables
        self.namespace = variables.namespace
        self.explainer: Explainer | LateExplainer | None = None
        self.cache = RunCache(self.variables)
        self.binding = Binding(self.variables, dataset, Limits(sql_seconds, sql_memory, sql_rows))
        self.policy = Policy.of(policy)
        self.origins: dict[str, Any] = {}  # variable -> column -> the columns of the data that it tells of
        self._limits: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.scopes = frozenset(DEFAULT_SCOPES if scopes is None else scopes)
        self.approve = approve
        self.max_steps = max_steps
        self.budget = Budget.of(budget)
        self.seed = seed
        self.model_type = model_type
        self.history = History()
        self.sent = SentLog()
        self.gate = Gate(self.sent, limits=RateLimits.of(limits))
        self.runs: list[Run] = []
        self.replay = replay
        self.record = record
        self.tracing = tracing_of(tracer) if tracer is not None else None
        self.kept: Kept | None = None
        self.recordings = Recordings(self, RecordingFiles(recordings))
        self._deciders = Deciders(planner, model, backend, self.gate, self.binding)
        self._registry = None
        self.threads = StoppableThreads()
        self._turns = Turns()
        self._desk: Desk | None = None
        self._added = AddedTools(self.variables)
        self.noticed = Noticed(self.variables)
        self.room = Room.of(context_tokens)
        self.measures: dict[str, Measure] = {}  # by planner
        self._forgotten = 0  # runs before the last reset
        opened(self)

    @property
    def desk(self) -> Desk:
        """The runs that wait for a person, and the log of who decided what."""
        if self._desk is None:
            self._desk = Desk(self)
        return self._desk

    @property
    def synthetic(self) -> bool:
        """Whether any run of this session was about synthetic data."""
        return any(run.synthetic for run in self.runs)

    # -- conversation

    def reset(self) -> None:
        """Forget the conversation; variables and dataset stay.

        Raises:
            RunFailed: a question is running.
        """
        self._turns.must_be_free("The conversation cannot be forgotten now.")
        self.history.clear()
        self.noticed.forget()
        self._forgotten = len(self.runs)
        if self.kept is not None:
            self.kept.save()

    @property
    def conversation(self) -> list[Run]:
        """The runs since the last reset, oldest first."""
        return self.runs[self._forgotten :]

    def keep(self, name: str) -> int:
        """Keep the conversation under `name` from now on; return how many messages of an earlier kernel it has.

        Raises:
            StoreFailed: the state folder cannot be used.
        """
        from lexsi_nb.app.keeping import keep

        self.kept, taken = keep(self, name)
        return taken

    def note_event(self, description: str) -> None:
        """Tell the planner of the next run something that happened outside ("the loans of May were added").

        What happens to variables that the conversation is about is told without this.
        """
        self.history.note_event(mask(description))

    # -- asking

    def explain(self, row: Any) -> Attribution:
        """Return what moved the score of one case of the last ranking: an id or a row.

        Raises:
            RunFailed: nothing was ranked yet.
            UnknownCase: not among the scored rows; lists the nearest ids.
            StaleResult: the data changed since the scores were made.
        """
        return self._explains().explain(row)

    def what_if(self, row: Any) -> WhatIf:
        """Return one case of the last ranking, to be scored with other values: `.tried({"amount": 50_000})`.

        Raises:
            RunFailed: nothing was ranked yet.
            UnknownCase: not among the scored rows; lists the nearest ids.
            StaleResult: the data changed since the scores were made.
            BadData: the model is on the Lexsi platform.
        """
        from lexsi_nb.app.what_if import WhatIf

        return WhatIf(self._explains(), row)

    def shap(self) -> ShapViews:
        """Return what moved the scores of the last ranking: `.view("importance")` and others, each with its cell.

        Raises: as `what_if`.
        """
        from lexsi_nb.app.shap_views import ShapViews

        return ShapViews(self._explains())

    def controls(self) -> Controls:
        """Return the parameters of the last answered question that had any: `.ask({"as_of": "1997-06-30"})`.

        Raises:
            RunFailed: no answered question has parameters yet.
        """
        from lexsi_nb.app.controls import Controls

        return Controls(self)

    def _explains(self) -> Explainer | LateExplainer:
        if self.explainer is None:
            raise nothing_to_explain()
        return self.explainer

    def ask(self, question: str, *, on_event: Watcher | None = None, **options: Any) -> Run:
        """Return the finished run of one question. Works in scripts, notebooks and inside a running event loop.

        An interrupt (Ctrl-C, the notebook's stop button) stops the run and returns it with status "interrupted".

        Raises:
            RunFailed: another question of this session is still running.
        """
        running = self._start(question, options)
        try:
            self._turns.drive(running, on_event)
            return self._finish(running)
        finally:
            self._turns.end()

    def choose(self, number: int, *, keep: bool = False, **options: Any) -> Run:
        """Return the run of reading `number` (1 is the first) of the last question that was put back.

        With `keep`, its words mean this from now on, in the file of terms beside the notebook.

        Raises:
            BadData: no question was put back, it has no such reading, or this one cannot be asked or kept.
        """
        from lexsi_nb.app.chosen import choose, last_put_back

        return choose(self, last_put_back(self.runs), number, keep=keep, **options)

    def reread(self, words: str, means: str, *, keep: bool = False, **options: Any) -> Run:
        """Return the run of the last question with some of its words read as others: `"delay"` as `"arr_delay"`.

        Raises:
            BadData: nothing was asked yet, or the question does not have these words.
        """
        from lexsi_nb.app.chosen import last_asked, reread

        return reread(self, last_asked(self.runs), words, means, keep=keep, **options)

    def resume(
        self,
        id: str,
        *,
        approve: bool = False,
        args: dict[str, Any] | None = None,
        decline: str | None = None,
        on_event: Watcher | None = None,
    ) -> Run:
        """Return the run after it went on from the approval `id`, in this kernel or after a restart.

        While a question is running, the answer queues behind it. See `Run.resume` for what can be said.

        Raises:
            UnknownApproval: nothing waits under that id; lists what does.
            AlreadySettled: somebody answered before.
            RunFailed: the kernel lacks what the run had made; says which labels.
        """
        answer = Answer(approve, args, decline)
        with self._turns.queued():
            running = self.desk.take_up(id, answer)
            running.go_on()
            self._turns.drive(running, on_event)
            if running.loop is None:  # it could not begin, so nothing ran
                self.desk.give_back(id, running)
                raise RunFailed(running.ending.answer if running.ending else "The run could not go on.")
            self.desk.parked.forget_body(id)
            return self._finish(running)

    def stop(self, thread: int) -> bool:
        """Stop the run that `ask` or `resume` drives on that thread, as an interrupt would; return whether it has one.

        A tool that runs on that very thread ends its call first.
        """
        return self._turns.stop(thread)

    async def run(self, question: str, **options: Any) -> Run:
        """Return the finished run of one question, without blocking the caller's event loop."""
        running = self._start(question, options)
        try:
            async with aclosing(self._turns.events(running)) as events:
                async for _ in events:
                    pass
            return self._finish(running)
        except asyncio.CancelledError:
            running.stop()
            self._finish(running)
            raise
        finally:
            self._turns.end()

    async def stream(self, question: str, **options: Any) -> AsyncIterator[Event]:
        """Yield the events of one question as they happen; the run is `session.runs[-1]` afterwards."""
        running = self._start(question, options)
        try:
            async with aclosing(self._turns.events(running)) as events:
                async for event in events:
                    yield event
        finally:
            try:
                self._finish(running)
            finally:
                self._turns.end()

    async def aclose(self) -> None:
        """Close the session without blocking the caller's event loop; see `close`."""
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Stop what runs, close the engine and give back the limits; variables stay, and so does the conversation."""
        closed(self)
        self._turns.close()
        self.gate.close()
        self.binding.close()

    def _start(self, question: str, options: dict[str, Any]) -> Running:
        must_be_asked(question, options)
        question = question.strip()
        if not question:
            raise BadData("There is no question.", "", "Write it on the line or in the body of the cell.")
        self._turns.begin()
        try:
            self._added.renew(self.registry)
            return Running(self, question, **options)
        except BaseException:
            self._turns.end()
            raise

    def cells_so_far(self) -> list[CodeCell]:
        """Return the code cells of the steps that the run under way has done; [] where none goes on."""
        return self._turns.cells_so_far()

    def _finish(self, running: Running) -> Run:
        run = running.finish()
        self.noticed.remember(run)
        if not any(run is earlier for earlier in self.runs):
            self.runs.append(run)
        if self.kept is not None:
            self.kept.save()
        return run


def _namespace() -> MutableMapping[str, Any]:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell.user_ns if shell is not None else {}
