"""`Session`: the parts put together, for scripts and for the magic."""

from __future__ import annotations

import asyncio
import hashlib
import queue
import sys
import threading
from collections.abc import AsyncIterator, Callable, MutableMapping
from typing import Any

from lexsi_nb.agent.events import Event
from lexsi_nb.agent.history import History
from lexsi_nb.agent.planner import Model, Planner
from lexsi_nb.app.binding import Binding
from lexsi_nb.app.explaining import Explainer, nothing_to_explain
from lexsi_nb.app.run import Run
from lexsi_nb.app.running import Running
from lexsi_nb.app.threads import LoopThread, StoppableThreads
from lexsi_nb.artifacts.results import Attribution
from lexsi_nb.egress.policy import Policy, SentLog
from lexsi_nb.errors import BadData, LexsiError, UnknownName
from lexsi_nb.kernel.cache import RunCache
from lexsi_nb.kernel.variables import Variables

# What a run may do unless the user says otherwise. Connecting other data asks first.
DEFAULT_SCOPES = frozenset({"data:read", "data:connect", "model:train", "model:use"})
Watcher = Callable[[Event], None]


class UnknownPlanner(UnknownName):
    """No planner of that name."""

    kind = "planner"


class Session:
    """A conversation with one dataset and one namespace.

    Args:
        dataset: A Dataset, a path, a frame or a dict of frames. None: the DataFrames of the namespace.
        planner: "auto" (embedded unless the user chose another), "embedded", or a planner object.
        backend: "auto" or "embedded" (on this machine), or a backend object.
        policy: What a planner that is not on this machine may read: schema, stats or rows.
        scopes: What the run may do; None for `DEFAULT_SCOPES`.
        approve: "ask", or the names of tools that may act without asking.
        max_steps: Tool decisions a run may take before it has to answer.
        namespace: Where labels become variables. None: the notebook's own, else a dict of this session.
        seed: Of everything random. Same seed, same model.
        model: Answers side queries of tools (`AgentRef.oneshot`); None: such tools say that they need one.
        variables: What earlier runs made in that namespace, where another part keeps track of it.
    """

    def __init__(
        self,
        dataset: Any = None,
        planner: str | Planner = "auto",
        backend: Any = "auto",
        policy: str = "schema",
        scopes: frozenset[str] | set[str] | None = None,
        approve: str | tuple[str, ...] | list[str] = "ask",
        max_steps: int = 12,
        namespace: MutableMapping[str, Any] | None = None,
        *,
        seed: int = 0,
        model: Model | None = None,
        variables: Variables | None = None,
    ) -> None:
        if max_steps < 1:
            raise BadData(f"max_steps is {max_steps}.", "A run needs at least one step.", "Pass a number from 1.")
        if variables is None:
            variables = Variables(_namespace() if namespace is None else namespace)
        self.variables = variables
        self.namespace = variables.namespace
        self.explainer: Explainer | None = None
        self.cache = RunCache(self.variables)
        self.binding = Binding(self.variables, dataset)
        self.policy = Policy(policy)
        self.scopes = frozenset(DEFAULT_SCOPES if scopes is None else scopes)
        self.approve = approve
        self.max_steps = max_steps
        self.seed = seed
        self.model = model
        self.history = History()
        self.sent = SentLog()
        self.runs: list[Run] = []
        self._planner = planner
        self._backend = backend
        self._registry: Any = None
        self.threads = StoppableThreads()
        self._loop = LoopThread()
        self._turn = threading.Lock()

    # -- what it works with

    @property
    def registry(self) -> Any:
        """The tools of this session; built on first use."""
        if self._registry is None:
            from lexsi_nb.egress.redaction import redact
            from lexsi_nb.toolkit.registry import Registry
            from lexsi_nb.tools.catalogue import built_in

            self._registry = Registry(built_in(), redact=redact, executor=self.threads)
        return self._registry

    def add_tool(self, tool: Any) -> None:
        """Let planners call `tool`; one of the same name is replaced."""
        self.registry.add(tool)

    def remove_tool(self, name: str) -> None:
        """Take a tool away. Raises UnknownTool: no such tool."""
        self.registry.remove(name)

    def planner(self) -> Planner:
        """Return the planner of the next run.

        Raises:
            UnknownPlanner: no planner of that name; lists those there are.
        """
        if not isinstance(self._planner, str):
            return self._planner
        if self._planner in ("auto", "embedded", "grounded"):
            from lexsi_nb.planners.grounded import GroundedPlanner

            return GroundedPlanner(self.binding.grounder)
        raise UnknownPlanner.among(self._planner, ["auto", "embedded"])

    def backend(self) -> Any:
        """Return the model backend of the next run."""
        if not isinstance(self._backend, str):
            return self._backend
        if self._backend in ("auto", "embedded"):
            from lexsi_nb.modeling.embedded import EmbeddedBackend

            return EmbeddedBackend()
        raise LexsiError(f"No backend {self._backend!r}.", "There is: auto, embedded.")

    def use(self, *, dataset: Any = None, planner: str | Planner | None = None) -> None:
        """Change the dataset or the planner for the runs to come."""
        if dataset is not None:
            self.binding.bind(dataset)
        if planner is not None:
            before, self._planner = self._planner, planner
            try:
                self.planner()
            except LexsiError:
                self._planner = before
                raise

    # -- conversation

    def reset(self) -> None:
        """Forget the conversation; variables and dataset stay."""
        self.history.clear()

    def note_event(self, description: str) -> None:
        """Tell the planner of the next run something that happened outside ("user changed loans")."""
        self.history.note_event(description)

    # -- asking

    def explain(self, row: Any) -> Attribution:
        """Return what moved the score of one case of the last ranking: an id or a row.

        Raises:
            RunFailed: nothing was ranked yet.
            UnknownCase: not among the scored rows; lists the nearest ids.
            StaleResult: the data changed since the scores were made.
        """
        if self.explainer is None:
            raise nothing_to_explain()
        return self.explainer.explain(row)

    def ask(self, question: str, *, on_event: Watcher | None = None, **options: Any) -> Run:
        """Return the finished run of one question. Works in scripts, notebooks and inside a running event loop.

        An interrupt (Ctrl-C, the notebook's stop button) stops the run and returns it with status "interrupted".

        Raises:
            RunFailed: another question of this session is still running.
        """
        running = self._start(question, options)
        inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        running.on_cell_thread(inbox.put)
        future = self._loop.submit(running.drive(inbox.put))
        future.add_done_callback(lambda _: inbox.put(None))
        try:
            # In a function of its own: Python 3.11 lets an interrupt that arrives at a loop's jump slip past
            # an `except` around that loop.
            _pump(inbox, on_event)
        except KeyboardInterrupt:
            running.stop()
            _settle(future)
        finally:
            self._turn.release()
        return self._finish(running)

    async def run(self, question: str, **options: Any) -> Run:
        """Return the finished run of one question, without blocking the caller's event loop."""
        running = self._start(question, options)
        here = asyncio.get_running_loop()
        running.on_cell_thread(lambda act: here.call_soon_threadsafe(act))
        try:
            await asyncio.wrap_future(self._loop.submit(running.drive(lambda event: None)))
        except asyncio.CancelledError:
            running.stop()
            self._finish(running)
            raise
        finally:
            self._turn.release()
        return self._finish(running)

    async def stream(self, question: str, **options: Any) -> AsyncIterator[Event]:
        """Yield the events of one question as they happen; the run is `session.runs[-1]` afterwards."""
        running = self._start(question, options)
        here = asyncio.get_running_loop()
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        running.on_cell_thread(lambda act: here.call_soon_threadsafe(act))
        future = self._loop.submit(running.drive(lambda e: here.call_soon_threadsafe(events.put_nowait, e)))
        future.add_done_callback(lambda _: here.call_soon_threadsafe(events.put_nowait, None))
        try:
            while (event := await events.get()) is not None:
                yield event
        finally:
            if not future.done():
                running.stop()
            self._turn.release()
            self._finish(running)

    async def aclose(self) -> None:
        """Stop the private loop and close the engine."""
        self.close()

    def close(self) -> None:
        """Stop the private loop and close the engine; variables stay."""
        self._loop.close()
        self.binding.close()

    def _start(self, question: str, options: dict[str, Any]) -> Running:
        from lexsi_nb.errors import RunFailed

        question = question.strip()
        if not question:
            raise BadData("There is no question.", "", "Write it on the line or in the body of the cell.")
        if not self._turn.acquire(blocking=False):
            raise RunFailed("Another question is still running.", "A session runs one at a time.", "Wait or interrupt it.")
        try:
            return Running(self, question, **options)
        except BaseException:
            self._turn.release()
            raise

    def _finish(self, running: Running) -> Run:
        run = running.finish()
        self.runs.append(run)
        return run


def question_key(question: str) -> str:
    """Return 12 hex digits that are equal for the same question, whatever its white space."""
    return hashlib.sha256(" ".join(question.split()).encode()).hexdigest()[:12]


def _namespace() -> MutableMapping[str, Any]:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell.user_ns if shell is not None else {}


def _pump(inbox: queue.SimpleQueue[Any], on_event: Watcher | None) -> None:
    """Handle what arrives for the cell's thread until the run is over."""
    while True:
        try:
            item = inbox.get(timeout=0.2)
        except queue.Empty:
            continue
        if item is None:
            return
        if not isinstance(item, Event):
            item()  # a user's tool that belongs on this thread
        elif on_event is not None:
            on_event(item)


def _settle(future: Any) -> None:
    """Wait a moment for the run to write its ending; it may still sit inside one long C call."""
    import concurrent.futures

    try:
        future.result(0.8)
    except (concurrent.futures.TimeoutError, concurrent.futures.CancelledError, KeyboardInterrupt, LexsiError):
        return
