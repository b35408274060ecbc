"""One run under way: builds its context, drives the loop, stops it, and puts the result together."""

from __future__ import annotations

import asyncio
import hashlib
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.events import Event
from lexsi_nb.agent.loop import Ending, Loop
from lexsi_nb.agent.prompts import PLANNER_SYSTEM
from lexsi_nb.agent.usage import Usage
from lexsi_nb.app.agent_handle import AgentHandle
from lexsi_nb.app.explaining import Explainer
from lexsi_nb.app.run import Run, Variable
from lexsi_nb.errors import LexsiError

if TYPE_CHECKING:
    from lexsi_nb.app.session import Session

LIBRARIES = ("lexsi-nb", "duckdb", "pandas", "lightgbm")


class Running:
    """A question on its way. `drive` runs it on the private loop; `stop` ends it from any thread."""

    def __init__(
        self,
        session: Session,
        question: str,
        *,
        max_steps: int | None = None,
        dry_run: bool = False,
        approve: tuple[str, ...] | None = None,
        dataset: Any = None,
    ) -> None:
        self.session = session
        self.question = question
        self.max_steps = max_steps or session.max_steps
        self.dry_run = dry_run
        self.dataset = dataset
        self.approve = session.approve if approve is None else approve
        self.planner = session.planner()
        self.context: Any = None
        self.loop: Loop | None = None
        self.ending: Ending | None = None
        self.sent_before = len(session.sent.entries)
        self.run_id = ""
        self._task: asyncio.Task[Any] | None = None
        self._aio: asyncio.AbstractEventLoop | None = None
        self._post: Callable[[Callable[[], None]], None] | None = None
        self._stopped = False

    def on_cell_thread(self, post: Callable[[Callable[[], None]], None]) -> None:
        """Say how a function gets onto the thread of the cell that asked."""
        self._post = post

    async def drive(self, tell: Callable[[Event], None]) -> None:
        """Run the question to its end; every event goes to `tell`."""
        self._task, self._aio = asyncio.current_task(), asyncio.get_running_loop()
        if self._stopped:
            return
        try:
            loop = await asyncio.get_running_loop().run_in_executor(None, self._prepare)
            async for event in loop.stream(self.question, self.session.history, self.run_id):
                tell(event)
            self.ending = loop.ending
        except asyncio.CancelledError:
            self.ending = Ending("interrupted", "Interrupted; what was made so far is kept.")
        except LexsiError as error:
            self.ending = Ending("failed", str(error))
        except Exception as error:
            self.ending = Ending("failed", f"{type(error).__name__}: {error}", traceback=traceback.format_exc())

    def stop(self) -> None:
        """Stop the run: no step can write any more, running steps are told to end."""
        self._stopped = True
        self.ending = self.ending or Ending("interrupted", "Interrupted; what was made so far is kept.")
        if self.context is not None:
            self.context.stop.set()
            self.context.handle.revoke()
            self.context.engine.interrupt()
        self.session.threads.stop()
        if self._task is not None and self._aio is not None:
            self._aio.call_soon_threadsafe(self._task.cancel)

    def _prepare(self) -> Loop:
        """Build what the loop needs. Heavy imports happen here, after the first event could be shown."""
        from lexsi_nb.app.caller import RegistryCaller
        from lexsi_nb.app.session import question_key
        from lexsi_nb.tools.context import RunContext

        session = self.session
        dataset = session.binding.start(self.dataset)
        key = question_key(self.question)
        mark = "|".join([key, dataset.fingerprint(), self.planner.name, str(session.seed)])
        self.run_id = hashlib.sha256(mark.encode()).hexdigest()[:8]
        handle = session.variables.handle(self.run_id, question_key=key)
        session.cache.begin(handle, self.question)
        self.context = RunContext(
            question=self.question,
            question_key=key,
            run_id=self.run_id,
            dataset=dataset,
            engine=session.binding.engine,
            variables=session.variables,
            cache=session.cache,
            backend=session.backend(),
            grounder=session.binding.grounder,
            bind=session.binding.rebind,
            handle=handle,
            seed=session.seed,
            con=_free_connection_name(session.variables),
        )
        if self._stopped:
            self.stop()
            raise asyncio.CancelledError
        approved = () if isinstance(self.approve, str) else tuple(self.approve)
        caller = RegistryCaller(
            session.registry,
            self.context,
            session.scopes,
            cell_thread=self._on_cell_thread if self._post is not None else None,
            approver=lambda request: True if request.name in approved else None,
            dry_run=self.dry_run,
        )
        policy, local = session.policy, self.planner.local
        usage = Usage()
        caller.injected = {
            "agent": AgentHandle(
                self.planner.name, dataset.title, session.registry.names, session.history, usage, self._side_query()
            )
        }
        self.loop = Loop(
            self.planner,
            caller,
            definitions=lambda: tuple(session.registry.definitions("anthropic")) if not local else (),
            system=PLANNER_SYSTEM,
            dataset_summary=lambda: _summary(dataset),
            observe=lambda outcome: policy.observe(outcome.result.observation, local=local),
            max_steps=self.max_steps,
            usage=usage,
        )
        return self.loop

    def _side_query(self) -> Callable[[str, str], str] | None:
        """Return how a tool on a worker thread asks the session's model, None where there is none."""
        model, aio = self.session.model, self._aio
        if model is None or aio is None:
            return None
        return lambda prompt, query: asyncio.run_coroutine_threadsafe(model.complete(query, system=prompt), aio).result()

    async def _on_cell_thread(self, act: Callable[[], Any]) -> Any:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()

        def body() -> None:
            try:
                value = act()
            except KeyboardInterrupt:
                # The stop button, while a tool ran here: it goes on to whoever pumps this thread.
                loop.call_soon_threadsafe(done.cancel)
                raise
            except Exception as error:
                loop.call_soon_threadsafe(_unless_done, done, None, error)
            else:
                loop.call_soon_threadsafe(_unless_done, done, value, None)

        assert self._post is not None
        self._post(body)
        return await done

    def finish(self) -> Run:
        """Return the run as it ended."""
        ending = self.ending or Ending("failed", "The run ended without an answer.")
        context, session = self.context, self.session
        run = Run(
            id=self.run_id,
            question=self.question,
            planner=self.planner.name,
            backend=context.backend.name if context else "",
            dataset=context.dataset.title if context else "",
            seed=session.seed,
            status=ending.status,
            answer=ending.answer,
            choice=ending.choice,
            traceback=ending.traceback,
            sent=session.sent.since(self.sent_before),
            versions=_versions(),
        )
        if self.loop is not None:
            run.steps, run.usage = list(self.loop.steps), self.loop.usage
        if context is None:
            return run
        run.synthetic = context.dataset.synthetic
        run.artifacts = list(context.artifacts)
        run.facts = _facts(context.notes)
        run.readings = list(context.notes.readings)
        latest = {b.name: b for b in context.bound}
        run.variables = [
            Variable(b.name, b.description, b.step or 0, b.producer, tuple(b.parents)) for b in latest.values()
        ]
        run.cells = list(context.cells)
        if any(context.con in c.requires for c in run.cells):
            setup = context.dataset.setup_cell(context.con)
            session.variables.register_cells([setup], run_id=self.run_id, question_key=context.question_key)
            run.cells.insert(0, setup)
        predicted = context.cache.get("last_predicted")
        if predicted is not None:
            run.frame = predicted.frame.head(int(context.cache.get("last_top_k", 10)))
            session.explainer = Explainer(
                context.backend,
                context.cache[f"model:{predicted.model_id}"],
                predicted,
                predicted.frame_name,
                session.variables,
            )
        else:
            run.frame = context.cache.get("last_sql_result")
        return run


def _free_connection_name(variables: Any) -> str:
    """Return the name of the DuckDB connection in emitted cells: `con`, unless the user has something of that name."""
    number, name = 1, "con"
    while name in variables.namespace and variables.bound(name) is None:
        number += 1
        name = f"con_{number}"
    return name


def _unless_done(future: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(value)


def _facts(notes: Any) -> dict[str, list[str]]:
    facts: dict[str, list[str]] = {}
    if notes.read_as:
        facts["read as"] = [notes.read_as]
    for heading in ("already", "ranked", "learned from"):
        if heading in notes.facts:
            facts[heading] = list(notes.facts[heading])
    if notes.warnings or notes.renamed:
        facts["warnings"] = [*notes.warnings, *notes.renamed]
    for heading, lines in notes.facts.items():
        facts.setdefault(heading, list(lines))
    if notes.left_out:
        facts["left out"] = [f"{what}: {why}" for what, why in notes.left_out]
    return facts


def _summary(dataset: Any) -> str:
    known = "a knowledge graph is attached" if dataset.knowledge is not None else "no knowledge graph"
    note = f" {dataset.note}" if dataset.note else ""
    return f"Dataset {dataset.id} ({dataset.kind}): tables {', '.join(dataset.table_names())}; {known}.{note}"


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            from lexsi_nb import __version__

            found[name] = __version__ if name == "lexsi-nb" else "absent"
    return found
