"""One run under way: builds its context, drives the loop, stops it, and puts the result together."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import traceback
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.budget import Budget, estimate
from lexsi_nb.agent.events import Event
from lexsi_nb.agent.history import History
from lexsi_nb.agent.loop import Ending, Loop, Parked, Step
from lexsi_nb.agent.planner import Message, ToolCall, Turn
from lexsi_nb.agent.prompts import FENCING, PLANNER_SYSTEM
from lexsi_nb.agent.usage import Usage
from lexsi_nb.app import parking
from lexsi_nb.app.agent_handle import AgentHandle
from lexsi_nb.app.checking import checker
from lexsi_nb.app.circumstances import facts_of, free_connection_name, summary, versions
from lexsi_nb.app.closing import Summary, chosen
from lexsi_nb.app.explaining import Explainer, LateExplainer
from lexsi_nb.app.offering import offered
from lexsi_nb.app.permission import Permission, named_tools, who
from lexsi_nb.app.run import Run, Variable, question_key
from lexsi_nb.app.tape import Tape
from lexsi_nb.app.threads import posted
from lexsi_nb.app.view import View
from lexsi_nb.app.watching import Watch
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.observation import Observation
from lexsi_nb.egress.policy import LEVELS, Policy
from lexsi_nb.errors import BadData, LexsiError
from lexsi_nb.store.folder import StoreFailed
from lexsi_nb.toolkit.redaction import mask
from lexsi_nb.toolkit.spec import Outcome

if TYPE_CHECKING:
    from lexsi_nb.app.session import Session


class Running:
    """A question on its way. `drive` runs it on the private loop; `stop` ends it from any thread."""

    def __init__(
        self,
        session: Session,
        question: str,
        *,
        max_steps: int | None = None,
        dry_run: bool = False,
        approve: str | Iterable[str] | None = None,
        dataset: Any = None,
        again: bool = False,
        budget: Any = None,
        tape: Tape | None = None,
        **taping: Any,
    ) -> None:
        self.session = session
        self.tape = tape or Tape.of(session, question, dry_run=dry_run, **taping)
        self.question = self.tape.question
        self.watch = Watch(session.tracing)
        self.max_steps = max_steps or session.max_steps
        self.dry_run = dry_run
        self.dataset = dataset
        self.nonce = secrets.token_hex(8) if again else ""  # part of the keys, so that it acts anew
        self.named = named_tools(approve)
        for name in self.named:
            session.registry.spec(name)  # a misspelt name would approve nothing, without a word
        self.history = session.history
        self.parked: Parked | None = None
        self.result: Run | None = None  # what the caller holds; a resumed run goes on in the same object
        self.usage = Usage()
        self.budget = Budget.of(session.budget if budget is None else budget)
        self._steps: list[Step] = []  # finished before the run was parked
        self._revived: dict[str, Any] | None = None  # the stored fields, where this kernel did not hold the run
        self._mark = 0
        self.planner, self.model = self.tape.planner(), self.tape.model()
        self.context: Any = None
        self.loop: Loop | None = None
        self.ending: Ending | None = None
        self.sent_before = len(session.sent.entries)
        self.run_id = ""
        self._task: asyncio.Task[Any] | None = None
        self._aio: asyncio.AbstractEventLoop | None = None
        self._post: Callable[[Callable[[], None]], Any] | None = None
        self._stopped = False
        self._permission: Permission | None = None
        self._scratch: dict[str, Any] = {}

    def on_cell_thread(self, post: Callable[[Callable[[], None]], Any]) -> None:
        """Say how a function gets onto the thread of the cell that asked."""
        self._post = post

    async def drive(self, tell: Callable[[Event], Any]) -> None:
        """Run the question to its end; every event goes to `tell`."""
        self._task, self._aio = asyncio.current_task(), asyncio.get_running_loop()
        if self._stopped:
            return
        try:
            loop = await asyncio.get_running_loop().run_in_executor(None, self._prepare)
            with self.watch.following(self.history):
                async for event in loop.stream(self.question, self.history, self.run_id, parked=self.parked):
                    self.watch.on(event)
                    tell(event)
            self.ending, self.parked = loop.ending, loop.parked
        except asyncio.CancelledError:
            self.ending = Ending("interrupted", "Interrupted; what was made so far is kept.")
        except LexsiError as error:
            self.ending = Ending("failed", str(error))
        except Exception as error:  # noqa: BLE001  (whatever it is, the run ends with it as a line)
            said = mask(f"{type(error).__name__}: {error}")
            self.ending = Ending("failed", said, traceback=mask(traceback.format_exc()))

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
        if self.context is None:
            self._start_context()
        else:
            self._continue_context()
        if self._stopped:
            self.stop()
            raise asyncio.CancelledError
        return self._build_loop()

    def _start_context(self) -> None:
        from lexsi_nb.tools.context import RunContext

        session = self.session
        dataset = session.binding.start(self.dataset)
        stored = self._revived
        if stored is not None and dataset.fingerprint() != stored["dataset"]["mark"]:
            raise BadData(
                f"The run asked about {stored['dataset']['title']}.",
                f"This session has {dataset.title}, or the data changed since.",
                "Bind those data and approve, or ask again.",
            )
        key = question_key(self.question)
        mark = "|".join([key, dataset.fingerprint(), self.planner.name, str(session.seed)])
        self.run_id = hashlib.sha256(mark.encode()).hexdigest()[:8]
        if stored is not None:
            self.run_id = stored["run_id"]
        handle = session.variables.handle(self.run_id, question_key=key)
        scratch = session.cache.revive(stored["scratch"]) if stored is not None else None
        session.cache.begin(handle, self.question, scratch)
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
            sent=session.sent.record,
            private=lambda column: self.policy().is_private(column),
            model_type=session.model_type,
            con=free_connection_name(session.variables),
            origins=session.origins,
        )
        if stored is not None:
            self.context.cells.extend(parking.cells_from(stored))
            self.context.notes = parking.notes_from(stored)

    def _continue_context(self) -> None:
        """Make the run's own context the session's again: others may have asked since it was parked."""
        session, context = self.session, self.context
        context.dataset = session.binding.start(context.dataset)
        context.engine = session.binding.engine
        session.cache.begin(context.handle, self.question, self._scratch)

    def _build_loop(self) -> Loop:
        from lexsi_nb.app.caller import RegistryCaller

        session, dataset = self.session, self.context.dataset
        local, writes = self.planner.local, getattr(self.planner, "writes", False)
        framing = self._framing()
        fencing = "" if local else FENCING

        def observe(observation: Observation) -> str:
            return self.policy().observe(observation, local=local)

        # What an earlier question read is still in the conversation.
        told = (framing, summary(dataset), *(m.seen for m in self.history.messages if m.seen is not None))
        self.permission.read_data |= any(one.untrusted for one in told)
        planner, model = self.tape.threaded(self)
        for warning in self.permission.unknown(session.registry.names):
            self.context.notes.warn(warning)
        agent = AgentHandle(
            self.planner.name, local, dataset.id, session.registry.names, self.history, self.usage, self.policy,
            model, self._aio,
        )  # fmt: skip
        if model is not None:
            self.context.model, self.context.reply = model, agent.reply
        if writes:
            self.context.narrate = model is not None and (model.local or "rows" in LEVELS[self.policy().level])
            self.context.check = checker(self.context, lambda: self.history.messages)
        caller = RegistryCaller(
            session.registry,
            self.context,
            session.scopes,
            self.permission,
            agent,
            cell_thread=self._on_cell_thread if self._post is not None else None,
            dry_run=self.dry_run,
            noted=self._note,
        )
        shown = offered(session.registry, self.question, dataset.table_names())
        self.loop = Loop(
            planner,
            caller,
            definitions=lambda: (
                tuple(session.registry.definitions("anthropic", only=shown)) if writes or not local else ()
            ),
            system="\n".join(t for t in (PLANNER_SYSTEM, fencing, observe(framing)) if t),
            dataset_summary=lambda: observe(summary(self.context.dataset)),
            observe=lambda outcome: observe(outcome.result.observation),
            attach=lambda outcome: self.policy().attach(outcome.result.observation, local=local),
            shown=View(self.policy, local),
            max_steps=self.max_steps,
            usage=self.usage,
            before=self._may_ask,
            steps=list(self._steps),
            closing=Summary(self.context, self.context.check),
        )
        agent.before = lambda model, tokens: self.budget.check(self.usage, model, tokens)
        agent.count, agent.tell = self.loop.count, self.loop.told.append
        return self.loop

    def _note(self, call: ToolCall, number: int, outcome: Outcome) -> None:
        """Keep how a call left the gates: for a recording as the tool said it, then whole where it was cut."""
        self.tape.recorder.note(call, number, outcome)
        if self.session.kept is not None:
            self.session.kept.note(call, number, outcome)

    def _may_ask(self, turn: Turn) -> None:
        if not self.planner.local:
            self.budget.check(self.usage, self.planner.name, estimate(turn))

    def policy(self) -> Policy:
        """Return what may leave now: the session's policy, narrowed by what its datasets say of themselves."""
        return self.session.policy_over(self.context.datasets)

    def _framing(self) -> Observation:
        """Return what the toolsets add to the system framing. Asked on the run's loop, once a run."""
        assert self._aio is not None
        return asyncio.run_coroutine_threadsafe(self.session.registry.framing(), self._aio).result()

    # -- parking

    @property
    def permission(self) -> Permission:
        """What the run may do without asking."""
        if self._permission is None:
            session = self.session
            self._permission = Permission(
                session.variables,
                who(),
                self.run_id,
                lambda: session.desk.audit,
                named=self.named,
                standing=named_tools(session.approve),
                key_base=f"{question_key(self.question)}{self.nonce}",
            )
        self._permission.run_id = self.run_id
        return self._permission

    @classmethod
    def revived(cls, session: Session, stored: dict[str, Any]) -> Running:
        """Return a run that another kernel parked, ready to go on in this one."""
        running = cls(
            session,
            stored["question"],
            max_steps=stored["max_steps"],
            approve=tuple(stored["named"]),
            tape=Tape.revived(session, stored["tape"]),
        )
        running._revived, running.run_id, running.nonce = stored, stored["run_id"], stored["nonce"]
        if stored["dataset"]["frames"]:
            from lexsi_nb.data import sources

            # Exactly the frames it asked about: what the user has made since is not part of the question.
            running.dataset = sources.frames({n: session.namespace[n] for n in stored["dataset"]["frames"]})
        running.parked = parking.parked_from(stored)
        running.watch.begin(running.parked.messages)
        running.permission.declined.update(stored["declined"])
        running.permission.edited.update(stored.get("edited", ()))
        running.permission.read_data = stored["read_data"]
        running.usage = Usage(**stored["usage"])
        running._steps = parking.steps_from(stored)
        return running

    def steps_before(self, parked: Parked) -> list[Step]:
        """Return the steps that are done; the one that waits is made anew when it goes on."""
        steps = self.loop.steps if self.loop is not None else self._steps
        open_calls = {c.id for _, c in parked.rest}
        return [s for s in steps if s.call_id not in open_calls or s.number <= parked.base]

    def cells(self) -> list[CodeCell]:
        """Return the code cells of the run so far, the one that opens the data first."""
        context = self.context
        cells = list(context.cells)
        # Cells that open data bound in mid-run stand where that happened.
        opened = next((i for i, c in enumerate(cells) if context.con in c.produces), len(cells))
        if any(context.con in c.requires for c in cells[:opened]):
            cells.insert(0, context.datasets[0].setup_cell(context.con))
        return cells

    def go_on(self) -> None:
        """Make ready to be driven again from where it was parked."""
        assert self.parked is not None
        self._steps = self.steps_before(self.parked)
        self.history = History(self.parked.messages)
        self.ending = self.loop = None

    def _join_history(self) -> None:
        """Bring what a resumed run said into the session's conversation, which may have gone on meanwhile."""
        shared = self.session.history
        if self.history is shared:
            self._mark = len(shared.messages)
            return
        if len(shared.messages) == self._mark:
            shared.messages[:] = self.history.messages
            self._mark = len(shared.messages)
        elif self.ending is not None:
            shared.note_event(f"The parked run about {self.question!r} went on and is {self.ending.status}.")
            shared.add(Message("assistant", self.ending.answer))

    async def _on_cell_thread(self, act: Callable[[], Any]) -> Any:
        assert self._post is not None
        return await posted(self._post, act)

    def finish(self) -> Run:
        """Return the run as it ended, in the object the caller holds where it was resumed. A parked run is kept."""
        run = self._collect()
        self.tape.keep(self, run)
        if self.loop is not None:
            self.watch.kept(run, self.loop)
        self.watch.finish(run)
        self._join_history()
        if run.status == "awaiting_approval" and self.parked is not None:
            self._scratch = self.session.cache.held()
            try:
                run.approval = self.session.desk.park(self)
                run.on_resume = self.session.resume
            except (StoreFailed, OSError) as error:
                run.status = "failed"
                run.answer = f"{self.parked.waiting.name} needs a person, and the run cannot be kept for one. {error}"
        if self.result is None:
            self.result = run
        else:
            vars(self.result).update(vars(run))
        return self.result

    def _collect(self) -> Run:
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
            versions=versions(),
        )
        if self.loop is not None:
            run.steps, run.usage = list(self.loop.steps), self.loop.usage
        if context is None:
            return run
        run.synthetic = context.synthetic
        run.artifacts = list(context.artifacts)
        run.shown, run.known = chosen(context), session.variables
        run.facts = facts_of(context.notes)
        if context.dataset.note and not context.dataset.synthetic:  # of synthetic data the banner says it
            run.facts["data"] = [context.dataset.note]
        run.readings = list(context.notes.readings)
        latest = {b.name: b for b in context.bound}
        run.variables = [
            Variable(b.name, b.description, b.step or 0, b.producer, tuple(b.parents), b.fingerprint, b.parents)
            for b in latest.values()
        ]
        run.cells = self.cells()
        if len(run.cells) > len(context.cells):
            session.variables.register_cells(run.cells[:1], run_id=self.run_id, question_key=context.question_key)
        predicted = context.cache.get("last_predicted")
        if predicted is not None:
            run.frame = predicted.frame.head(int(context.cache.get("last_top_k", 10)))
            session.explainer = Explainer(
                context.backend,
                context.cache[f"model:{predicted.model_id}"],
                predicted,
                predicted.frame_name,
                session.variables,
                run.synthetic,
            )
        elif context.cache.get("predicted_from") is not None and "last_predictions" in context.cache:
            run.frame = context.cache["last_predictions"].head(int(context.cache.get("last_top_k", 10)))
            session.explainer = LateExplainer(context, session.variables, run.synthetic)
        else:
            run.frame = context.cache.get("last_sql_result")
        return run
