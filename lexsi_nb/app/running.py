"""One run under way: builds its context, drives the loop, stops it, and puts the result together."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import traceback
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.budget import Budget
from lexsi_nb.agent.events import Event
from lexsi_nb.agent.history import History
from lexsi_nb.agent.loop import Ending, Loop, Parked, Step
from lexsi_nb.agent.planner import Message, ToolCall, Turn
from lexsi_nb.agent.tokens import estimate
from lexsi_nb.agent.usage import Usage
from lexsi_nb.app import parking
from lexsi_nb.app.circumstances import free_connection_name
from lexsi_nb.app.collecting import collected
from lexsi_nb.app.controls import asked_again
from lexsi_nb.app.permission import Permission, named_tools, who
from lexsi_nb.app.run import Run, question_key
from lexsi_nb.app.tape import Tape
from lexsi_nb.app.threads import posted
from lexsi_nb.app.watching import Watch
from lexsi_nb.app.wiring import wired
from lexsi_nb.egress.policy import Policy
from lexsi_nb.errors import BadData, LexsiError
from lexsi_nb.store.folder import StoreFailed
from lexsi_nb.toolkit.redaction import mask
from lexsi_nb.toolkit.spec import Outcome

if TYPE_CHECKING:
    from lexsi_nb.app.session import Session

CHANGED = "From here on {now} decides; {before} did until now."


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
        # A rehearsal is no part of the conversation.
        self.history = History(session.history.messages) if dry_run else session.history
        self.parked: Parked | None = None
        self.result: Run | None = None  # what the caller holds; a resumed run goes on in the same object
        self.usage = Usage()
        self.budget = Budget.of(session.budget if budget is None else budget)
        self.earlier: list[Step] = []  # finished before the run was parked
        self._revived: dict[str, Any] | None = None  # the stored fields, where this kernel did not hold the run
        self._mark = 0
        with session.gate.shut() if dry_run else nullcontext():  # to be looked at, a request needs no key
            self.planner, self.model = self.tape.planner(), self.tape.model()
        self.context: Any = None
        self.loop: Loop | None = None
        self.ending: Ending | None = None
        self.sent_before = len(session.sent.entries)
        self.run_id = ""
        self._task: asyncio.Task[Any] | None = None
        self.aio: asyncio.AbstractEventLoop | None = None
        self.post: Callable[[Callable[[], None]], Any] | None = None
        self._stopped = False
        self._permission: Permission | None = None
        self._scratch: dict[str, Any] = {}

    def on_cell_thread(self, post: Callable[[Callable[[], None]], Any]) -> None:
        """Say how a function gets onto the thread of the cell that asked."""
        self.post = post

    async def drive(self, tell: Callable[[Event], Any]) -> None:
        """Run the question to its end; every event goes to `tell`."""
        self._task, self.aio = asyncio.current_task(), asyncio.get_running_loop()
        if self._stopped:
            return
        try:
            with self.session.gate.shut() if self.dry_run else nullcontext():
                await self._drive(tell)
        except asyncio.CancelledError:
            self.ending = Ending("interrupted", "Interrupted; what was made so far is kept.")
        except LexsiError as error:
            self.ending = Ending("failed", str(error))
        except Exception as error:  # noqa: BLE001  (whatever it is, the run ends with it as a line)
            said = mask(f"{type(error).__name__}: {error}")
            self.ending = Ending("failed", said, traceback=mask(traceback.format_exc()))

    async def _drive(self, tell: Callable[[Event], Any]) -> None:
        loop = await asyncio.get_running_loop().run_in_executor(None, self._prepare)
        with self.watch.following(self.history):
            async for event in loop.stream(self.question, self.history, self.run_id, parked=self.parked):
                self.watch.on(event)
                tell(event)
        self.ending, self.parked = loop.ending, loop.parked

    def stop(self) -> None:
        """Stop the run: no step can write any more, running steps are told to end."""
        self._stopped = True
        self.ending = self.ending or Ending("interrupted", "Interrupted; what was made so far is kept.")
        if self.context is not None:
            self.context.stop.set()
            self.context.handle.revoke()
            self.context.engine.interrupt()
        self.session.threads.stop()
        if self._task is not None and self.aio is not None:
            self.aio.call_soon_threadsafe(self._task.cancel)

    def _prepare(self) -> Loop:
        """Build what the loop needs. Heavy imports happen here, after the first event could be shown."""
        if self.context is None:
            self._start_context()
        else:
            self._continue_context()
        if self._stopped:
            self.stop()
            raise asyncio.CancelledError
        return wired(self)

    def _start_context(self) -> None:
        from lexsi_nb.tools.context import RunContext

        session = self.session
        dataset = session.binding.start(self.dataset, question=self.question)
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
            con=free_connection_name(session.variables, dataset),
            origins=session.origins,
        )
        if stored is None:
            session.noticed.tell(self.history, dataset.id, keep=not self.dry_run)
            before = session.conversation[-1] if session.conversation else None
            changed = before is not None and not before.replayed and before.planner != self.planner.name
            if before is not None and changed and not self.planner.local:
                self.history.note_event(CHANGED.format(now=self.planner.name, before=before.planner))
        if stored is not None:
            self.context.cells.extend(parking.cells_from(stored))
            self.context.notes = parking.notes_from(stored)

    def _continue_context(self) -> None:
        """Make the run's own context the session's again: others may have asked since it was parked."""
        session, context = self.session, self.context
        context.dataset = session.binding.start(context.dataset)
        context.engine = session.binding.engine
        session.cache.begin(context.handle, self.question, self._scratch)

    def note(self, call: ToolCall, number: int, outcome: Outcome) -> None:
        """Keep how a call left the gates: for a recording as the tool said it, then whole where it was cut."""
        self.tape.recorder.note(call, number, outcome, self.policy())
        if self.session.kept is not None:
            self.session.kept.note(call, number, outcome)

    def may_ask(self, turn: Turn) -> None:
        if not self.planner.local:
            self.budget.check(self.usage, self.planner.name, estimate(turn))

    def policy(self) -> Policy:
        """Return what may leave now: the session's policy, narrowed by what its datasets say of themselves."""
        return self.session.policy_over(self.context.datasets)

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
        running.earlier = parking.steps_from(stored)
        return running

    def steps_before(self, parked: Parked) -> list[Step]:
        """Return the steps that are done; the one that waits is made anew when it goes on."""
        steps = self.loop.steps if self.loop is not None else self.earlier
        open_calls = {c.id for _, c in parked.rest}
        return [s for s in steps if s.call_id not in open_calls or s.number <= parked.base]

    def go_on(self) -> None:
        """Make ready to be driven again from where it was parked."""
        assert self.parked is not None
        self.earlier = self.steps_before(self.parked)
        self.history = History(self.parked.messages)
        self.ending = self.loop = None

    def _join_history(self) -> None:
        """Bring what a resumed run said into the session's conversation, which may have gone on meanwhile."""
        shared = self.session.history
        if self.dry_run:
            return
        if self.history is shared:
            self._mark = len(shared.messages)
            return
        if len(shared.messages) == self._mark:
            shared.messages[:] = self.history.messages
            self._mark = len(shared.messages)
        elif self.ending is not None:
            shared.note_event(f"The parked run about {self.question!r} went on and is {self.ending.status}.")
            shared.add(Message("assistant", self.ending.answer))

    async def cell_thread(self, act: Callable[[], Any]) -> Any:
        assert self.post is not None
        return await posted(self.post, act)

    def finish(self) -> Run:
        """Return the run as it ended, in the object the caller holds where it was resumed. A parked run is kept."""
        run = collected(self)
        self.tape.keep(self, run)
        run.on_again = asked_again(self, run)
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
