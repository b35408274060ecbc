"""The loop: ask the planner, run its calls through the registry, say what happens, stop.

It has no opinion about which tools to call. It emits events and nothing else.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from lexsi_nb.agent import events as ev
from lexsi_nb.agent.history import INTERRUPTED, History
from lexsi_nb.agent.planner import AnswerPart, Decision, Message, Planner, Thought, ToolCall, Turn, UsageReport
from lexsi_nb.agent.usage import Usage
from lexsi_nb.toolkit.refs import LoopController
from lexsi_nb.toolkit.spec import Outcome

EXHAUSTED = "No answer within {n} steps; what was made so far is kept."


@dataclass
class Step:
    """One tool call of the run, as it went."""

    number: int
    thought: str
    tool: str
    args: dict[str, Any]
    status: str
    seconds: float
    summary: str = ""
    call_id: str = ""


@dataclass
class Ending:
    """How the run ended; `status` is a run status of the public contract."""

    status: str = "failed"
    answer: str = ""
    choice: Any = None
    traceback: str = ""


class Caller(Protocol):
    """Runs one call through the gates. `parallel_safe` says whether it may overlap others."""

    def parallel_safe(self, name: str) -> bool:
        """Whether the tool may run beside others of the same turn."""
        ...

    async def __call__(self, call: ToolCall, step: int, controller: LoopController, tick: Callable[..., None]) -> Outcome:
        """Return how the call left the gates."""
        ...


@dataclass
class Loop:
    """Settings and wiring of a run; `stream` is the run."""

    planner: Planner
    caller: Caller
    definitions: Callable[[], tuple[dict[str, Any], ...]]
    system: str = ""
    dataset_summary: Callable[[], str] = lambda: ""
    observe: Callable[[Outcome], str] = lambda outcome: outcome.result.observation.text
    max_steps: int = 12
    max_errors: int = 6
    usage: Usage = field(default_factory=Usage)
    steps: list[Step] = field(default_factory=list)
    ending: Ending = field(default_factory=Ending)

    async def stream(self, question: str, history: History, run_id: str = "") -> AsyncIterator[ev.Event]:
        """Yield the events of one run. After it, `ending`, `steps` and `usage` say how it went.

        A cancellation leaves `ending.status == "interrupted"` and every call in the history with a result.
        """
        self._out: asyncio.Queue[ev.Event | None] = asyncio.Queue()
        history.add(Message("user", question))
        work = asyncio.ensure_future(self._run(question, history, run_id))
        work.add_done_callback(lambda _: self._out.put_nowait(None))
        try:
            while (event := await self._out.get()) is not None:
                yield event
            await work
        finally:
            if not work.done():
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)

    async def _run(self, question: str, history: History, run_id: str) -> None:
        emit = self._out.put_nowait
        emit(ev.RunStarted(run_id, question, self.planner.name))
        try:
            await self._steps(question, history)
        except asyncio.CancelledError:
            self.ending = Ending("interrupted", "Interrupted; what was made so far is kept.")
            history.close_open_calls(INTERRUPTED, "cancelled")
            history.note_event("The user interrupted the run.")
            raise
        except Exception as error:
            text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            self.ending = Ending("failed", text, traceback=traceback.format_exc())
            history.close_open_calls(f"The run ended with an error before this call ran: {text}", "skipped")
        history.add(Message("assistant", self.ending.answer))
        emit(ev.AnswerDelta(self.ending.answer))
        emit(ev.TurnFinished(run_id, self.ending.status, self.ending.answer, len(self.steps)))

    async def _steps(self, question: str, history: History) -> None:
        errors = 0
        for number in range(1, self.max_steps + 1):
            decision = await self._decide(question, history, number)
            if decision.answer is not None or not decision.calls:
                self._finish(decision)
                return
            done = await self._turn(decision, history, number)
            outcomes = [outcome for outcome, _ in done]
            if stopped := _stopped(done):
                self.ending = stopped
                return
            errors = errors + 1 if any(o.is_error for o in outcomes) else 0
            if errors >= self.max_errors:
                last = next(o for o in reversed(outcomes) if o.is_error)
                self.ending = Ending("failed", f"{errors} turns in a row failed. Last: {last.result.observation.text}")
                return
        decision = await self._decide(question, history, self.max_steps, force=True)
        if decision.answer is None:
            decision = Decision(answer=EXHAUSTED.format(n=self.max_steps), status="failed")
        self._finish(decision)

    def _finish(self, decision: Decision) -> None:
        self.ending = Ending(decision.status, decision.answer or "", decision.choice)

    async def _decide(self, question: str, history: History, number: int, *, force: bool = False) -> Decision:
        emit = self._out.put_nowait
        emit(ev.StepStarted(number, force))
        turn = Turn(
            question, self.system, self.dataset_summary(), self.definitions(), tuple(history.messages), number, force
        )
        decision: Decision | None = None
        async for item in self.planner.decide(turn):
            if isinstance(item, Decision):
                if decision is not None:
                    raise RuntimeError(f"planner {self.planner.name} sent two decisions in one turn")
                decision = item
            elif isinstance(item, Thought):
                emit(ev.ThinkingDelta(item.text))
            elif isinstance(item, AnswerPart):
                emit(ev.NarrationDelta(item.text))
            elif isinstance(item, UsageReport):
                self.usage.add(item.requests, item.input_tokens, item.output_tokens)
                emit(ev.UsageUpdated(self.usage.requests, self.usage.input_tokens, self.usage.output_tokens))
        if decision is None:
            raise RuntimeError(f"planner {self.planner.name} ended its turn without a decision")
        return decision

    async def _turn(
        self, decision: Decision, history: History, number: int
    ) -> list[tuple[Outcome, LoopController]]:
        """Run the calls of one decision: side by side where every one allows it, else in order."""
        base = len(self.steps)
        calls = tuple(
            ToolCall(c.name, c.args, c.id or f"call-{number}-{base + i + 1}") for i, c in enumerate(decision.calls)
        )
        history.add(Message("assistant", decision.thought, calls=calls, parts=decision.parts))
        if len(calls) > 1 and all(self.caller.parallel_safe(c.name) for c in calls):
            waits = [self._call(c, history, decision.thought, base + i + 1) for i, c in enumerate(calls)]
            return list(await asyncio.gather(*waits))
        done: list[tuple[Outcome, LoopController]] = []
        for i, call in enumerate(calls):
            if _stopped(done):
                self._skip(call, history, base + i + 1, decision.thought)
            else:
                done.append(await self._call(call, history, decision.thought, base + i + 1))
        return done

    def _skip(self, call: ToolCall, history: History, number: int, thought: str) -> None:
        text = "skipped: an earlier call of this turn ended it"
        history.add(Message("tool", text, call_id=call.id, name=call.name, status="skipped"))
        self.steps.append(Step(number, thought, call.name, dict(call.args or {}), "skipped", 0.0, text, call.id))

    async def _call(
        self, call: ToolCall, history: History, thought: str, number: int
    ) -> tuple[Outcome, LoopController]:
        emit = self._out.put_nowait
        here = asyncio.get_running_loop()
        args = dict(call.args) if isinstance(call.args, dict) else {}
        emit(ev.ToolStarted(call.id, call.name, args, number))
        await self._told()

        def tick(done: float, total: float | None = None, stage: str = "") -> None:
            # Tools run on worker threads; the queue belongs to this loop.
            here.call_soon_threadsafe(emit, ev.ToolProgress(call.id, done, total, stage))

        controller = LoopController()
        started = here.time()
        try:
            outcome = await self.caller(call, number, controller, tick)
        except asyncio.CancelledError:
            self.steps.append(
                Step(number, thought, call.name, args, "cancelled", here.time() - started, INTERRUPTED, call.id)
            )
            raise
        text = self.observe(outcome)
        history.add(Message("tool", text, call_id=call.id, name=call.name, status=outcome.status))
        self.steps.append(Step(number, thought, call.name, args, outcome.status, outcome.seconds, text, call.id))
        emit(ev.ToolFinished(call.id, call.name, outcome.status, text, outcome.seconds, number))
        return outcome, controller

    async def _told(self) -> None:
        """Let the consumer take what was emitted, before a tool may hold its thread. Not for long: it may be gone."""
        for _ in range(8):
            if self._out.empty():
                return
            await asyncio.sleep(0)


def _stopped(done: list[tuple[Outcome, LoopController]]) -> Ending | None:
    """Return how a turn's calls end the run, or None when it goes on. A fatal stop outweighs a success."""
    for outcome, controller in done:
        if controller.state is controller.STOP_FATAL:
            return Ending("failed", controller.reason or outcome.result.observation.text or "A tool stopped the run.")
    for outcome, controller in done:
        if outcome.status == "dry_run":
            return Ending("answered", outcome.result.observation.text)
        if outcome.status == "awaiting_approval":
            return Ending("awaiting_approval", outcome.result.observation.text)
        if controller.stops and not outcome.is_error:
            return Ending("answered", outcome.result.observation.text)
    return None
