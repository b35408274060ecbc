"""The loop: ask the planner, run its calls through the registry, say what happens, stop.

It has no opinion about which tools to call. It emits events and nothing else.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from lexsi_nb.agent import events as ev
from lexsi_nb.agent.compaction import Room, shorten
from lexsi_nb.agent.history import INTERRUPTED, History
from lexsi_nb.agent.planner import AnswerPart, Decision, Message, Planner, Thought, ToolCall, Turn, UsageReport
from lexsi_nb.agent.steps import Caller, Closing, Ending, Parked, Step, args_of, noted
from lexsi_nb.agent.stopping import Done, stopped_by
from lexsi_nb.agent.telling import Telling
from lexsi_nb.agent.tokens import Measure, estimate, size
from lexsi_nb.agent.usage import COUNTS, UNKNOWN, Usage
from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.artifacts.observation import Observation
from lexsi_nb.errors import in_a_line
from lexsi_nb.toolkit.redaction import mask
from lexsi_nb.toolkit.refs import LoopController
from lexsi_nb.toolkit.spec import Outcome

__all__ = ["Ending", "Loop", "Parked", "Step"]

OWED = "The answer of a prediction carries its summary."
SUMMARISED = "Answered with the summary of the results."
EXHAUSTED = "No answer within {n} steps; what was made so far is kept."
WAITS = "Not run yet: it waits for a person's approval. Do not retry; tell the user."
BEHIND = "Not run yet: an earlier call of this turn waits for a person's approval."
ENDED = "skipped: an earlier call of this turn ended it"
TOO_MANY = "skipped: at most {n} calls in one turn. Ask for the rest in the next."
# More calls in one turn than this are a planner gone astray.
MOST_CALLS = 20


@dataclass
class Loop:
    """Settings and wiring of a run; `stream` is the run."""

    planner: Planner
    caller: Caller
    definitions: Callable[[], tuple[dict[str, Any], ...]]
    system: str = ""
    dataset_summary: Callable[[], str] = lambda: ""
    over: str = ""  # the dataset that is asked about, by its id
    observe: Callable[[Outcome], str] = lambda outcome: outcome.result.observation.text
    # The pictures and PDFs of an outcome that the planner is shown.
    attach: Callable[[Outcome], tuple[BinaryContent, ...]] = lambda outcome: outcome.result.observation.media
    max_steps: int = 12
    max_errors: int = 6
    usage: Usage = field(default_factory=Usage)
    steps: list[Step] = field(default_factory=list)
    ending: Ending = field(default_factory=Ending)
    parked: Parked | None = None
    # What tools told the planner (`AgentRef.add_context`); read after the turn, so that calls stay beside results.
    told: list[Observation] = field(default_factory=list)
    # The conversation as the planner may read it now.
    shown: Callable[[list[Message]], tuple[Message, ...]] = tuple
    closing: Closing | None = None
    room: Room | None = None  # of a request to a planner elsewhere; None: no limit
    measure: Measure = field(default_factory=Measure)
    before: Callable[[Turn], None] = lambda turn: None  # raises where the planner may not be asked once more
    _since: Usage = field(default_factory=Usage)  # used since the step before
    decided: bool = False  # the planner ended the run, no tool did
    _gave_up: bool = False  # nobody ended it: it failed

    async def stream(
        self, question: str, history: History, run_id: str = "", *, parked: Parked | None = None
    ) -> AsyncIterator[ev.Event]:
        """Yield the events of one run. After it, `ending`, `steps`, `parked` and `usage` say how it went.

        With `parked`, a run goes on where it stopped: `history` holds the conversation up to there, and calls that
        have a result are not made again. A cancellation leaves `ending.status == "interrupted"` and every call in the
        history with a result.
        """
        self._out: asyncio.Queue[ev.Event | None] = asyncio.Queue()
        self._telling = Telling(self._out.put_nowait)
        if parked is None:
            history.add(Message("user", question, over=self.over))
        work = asyncio.ensure_future(self._run(question, history, run_id, parked))
        work.add_done_callback(lambda _: self._out.put_nowait(None))
        try:
            while (event := await self._out.get()) is not None:
                yield event
            await work
        finally:
            if not work.done():
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)

    def count(self, report: UsageReport) -> None:
        """Count what a side query used, and say so."""
        self._used(report)

    def _used(self, report: UsageReport) -> None:
        self.usage.add(report, self.planner.name)
        self._since.add(report, self.planner.name)
        self._tell_usage()

    def _spent(self) -> dict[str, int]:
        """Return what was used since the step before; empty where nothing was."""
        spent, self._since = self._since, Usage()
        return {name: count for name in COUNTS if (count := getattr(spent, name))}

    def tell(self, event: ev.Event) -> None:
        """Put an event among those of the run; on the run's own event loop."""
        self._out.put_nowait(event)

    def _tell_usage(self) -> None:
        u = self.usage
        self._out.put_nowait(
            ev.UsageUpdated(
                u.requests, u.input_tokens, u.output_tokens, u.cache_read_tokens, u.cache_write_tokens,
                UNKNOWN if (cost := u.cost) is None else str(cost),
            )
        )  # fmt: skip

    async def _run(self, question: str, history: History, run_id: str, parked: Parked | None) -> None:
        emit = self._out.put_nowait
        emit(ev.RunStarted(run_id, question, self.planner.name))
        try:
            await self._steps(question, history, parked)
        except asyncio.CancelledError:
            self.ending = Ending("interrupted", "Interrupted; what was made so far is kept.")
            history.close_open_calls(INTERRUPTED, "cancelled")
            history.note_event("The user interrupted the run.")
            raise
        except Exception as error:  # noqa: BLE001  (a planner may raise anything; the run ends with it as a line)
            text, where = mask(in_a_line(error)), mask(traceback.format_exc())
            history.close_open_calls(f"The run ended with an error before this call ran: {text}", "skipped")
            self._give_up(Ending("failed", text, traceback=where))
        if self._gave_up:
            await self._add_summary(history)
        # The rest of the answer may show rows, and the history is what a planner elsewhere reads next time.
        said = self.ending.answer if self.ending.said is None else self.ending.said
        history.add(Message("assistant", said, here=self.planner.local))
        self._telling.end(self.ending.answer)
        emit(ev.TurnFinished(run_id, self.ending.status, self.ending.answer, len(self.steps)))

    async def _steps(self, question: str, history: History, parked: Parked | None) -> None:
        self.parked, errors, first = None, 0, 1
        if parked is not None:
            done = await self._run_calls(parked.rest, history, parked.thought)
            errors = self._errors(parked.errors, done)
            if self._ended(done, parked, history, errors):
                return
            first = parked.step + 1
        for number in range(first, self.max_steps + 1):
            decision = await self._decide(question, history, number)
            if not decision.calls:
                await self._finish(decision, history, number)
                return
            turn = self._open_turn(decision, history, number, errors)
            done = await self._run_calls(turn.rest, history, decision.thought)
            errors = self._errors(errors, done)
            if self._ended(done, turn, history, errors):
                return
            # An answer beside calls stands only when none of them failed.
            if decision.answer is not None and not any(o.is_error for _, o, _ in done):
                await self._finish(decision, history, number)
                return
        decision = await self._decide(question, history, self.max_steps, force=True)
        if decision.answer is None:
            self._give_up(Ending("failed", EXHAUSTED.format(n=self.max_steps)))
            return
        await self._finish(decision, history, self.max_steps)

    @staticmethod
    def _errors(before: int, done: list[Done]) -> int:
        return before + 1 if any(o.is_error for _, o, _ in done) else 0

    def _ended(self, done: list[Done], turn: Parked, history: History, errors: int) -> bool:
        """Say whether the turn ends the run, and give every call that did not run a result that says why."""
        stopped = stopped_by(done, self.observe)
        waiting = next(((c, o) for c, o, _ in done if o.status == "awaiting_approval"), None)
        if stopped is not None and stopped.status == "awaiting_approval" and waiting is not None:
            call, outcome = waiting
            about = dict(outcome.result.meta.get("approval") or {})
            self.parked = replace(turn, waiting=call, messages=tuple(history.messages), approval=about)
            self.parked = replace(self.parked, errors=errors - 1)  # waiting is no failure
            history.add(Message("tool", WAITS, call_id=call.id, name=call.name, status="awaiting_approval"))
            history.close_open_calls(BEHIND, "skipped")
        else:
            history.close_open_calls(ENDED, "skipped")
        for text in self.told:
            history.note_event(text)
        self.told.clear()
        if stopped is not None:
            self.ending = stopped
        elif errors >= self.max_errors:
            last = next(o for _, o, _ in reversed(done) if o.is_error)
            words = f"{errors} turns in a row failed. Last: "
            self._give_up(Ending("failed", words + last.result.observation.text, said=words + self.observe(last)))
        return stopped is not None or errors >= self.max_errors

    async def _finish(self, decision: Decision, history: History, number: int) -> None:
        """End the run with the planner's answer, made complete. What is added is for the person, not the planner."""
        self.decided = True
        own = decision.answer or ""
        if self.closing is None or decision.status != "answered":
            self.ending = Ending(decision.status, own, decision.choice)
            return
        call = self.closing.owed(self.steps)
        if call is not None:
            turn = self._open_turn(Decision(calls=(call,), thought=OWED), history, number, 0)
            await self._run_calls(turn.rest, history, OWED)
        self.ending = Ending(decision.status, self.closing.complete(own), decision.choice, said=own or SUMMARISED)

    def _give_up(self, ending: Ending) -> None:
        self.ending, self._gave_up = ending, True

    async def _add_summary(self, history: History) -> None:
        """Put what a failed run had predicted by then behind the line that says why it failed."""
        if self.closing is None:
            return
        why = self.ending.answer
        if (call := self.closing.owed(self.steps, failed=True)) is not None:
            turn = self._open_turn(Decision(calls=(call,), thought=OWED), history, len(self.steps) + 1, 0)
            try:
                await self._run_calls(turn.rest, history, OWED)
            except Exception as error:  # noqa: BLE001  (the run has failed already, and `why` says of what)
                history.close_open_calls(mask(in_a_line(error)), "failed")
            except asyncio.CancelledError:
                history.close_open_calls(INTERRUPTED, "cancelled")
                raise
        said = why if self.ending.said is None else self.ending.said
        self.ending = replace(self.ending, answer=self.closing.beside(why), said=said)

    async def _decide(self, question: str, history: History, number: int, *, force: bool = False) -> Decision:
        emit = self._out.put_nowait
        emit(ev.StepStarted(number, force))

        def turn_now() -> Turn:
            shown = self.shown(history.messages)
            return Turn(question, self.system, self.dataset_summary(), self.definitions(), shown, number, force)

        turn = turn_now()
        if self._shorten(turn, history):
            turn = turn_now()
        self.before(turn)
        decision: Decision | None = None
        told = False
        async for item in self.planner.decide(turn):
            if isinstance(item, Decision):
                if decision is not None:
                    raise RuntimeError(f"planner {self.planner.name} sent two decisions in one turn")
                decision = item
            elif isinstance(item, Thought):
                emit(ev.ThinkingDelta(item.text))
            elif isinstance(item, AnswerPart):
                self._telling.part(item.text)
            elif isinstance(item, UsageReport):
                self._used(item)
                if not told:  # a second request of one decision has more than the turn
                    self.measure.learn(estimate(turn), item.input_tokens)
                    told = True
        if decision is None:
            raise RuntimeError(f"planner {self.planner.name} ended its turn without a decision")
        if decision.calls:
            self._telling.was_narration()
        return decision

    def _shorten(self, turn: Turn, history: History) -> bool:
        """Say whether the conversation was too long for a request and is shorter now. Told by a pair of events."""
        tokens, measure = estimate(turn), self.measure
        if self.room is None or self.planner.local or measure.of(tokens) <= self.room.most:
            return False
        self._out.put_nowait(ev.CompactionStarted(measure.of(tokens)))
        fixed = max(0, tokens - sum(map(size, turn.messages)))
        made = shorten(
            history.messages,
            int(self.room.target / measure.times),
            sizes=lambda m: sum(map(size, self.shown([m]))),
            fixed=fixed,
        )
        history.shorten(made.messages)
        left = sum(map(size, self.shown(list(made.messages)))) + fixed
        self._out.put_nowait(ev.CompactionFinished(measure.of(left), made.results, made.questions))
        return bool(made.results or made.questions)

    def _open_turn(self, decision: Decision, history: History, number: int, errors: int) -> Parked:
        """Return the turn of one decision, its calls noted in the history under ids that are unique in it."""
        base = len(self.steps)
        calls: list[ToolCall] = []
        for i, c in enumerate(decision.calls):
            taken = not c.id or any(c.id == other.id for other in calls)
            calls.append(ToolCall(c.name, c.args, f"call-{number}-{base + i + 1}" if taken else c.id))
        kept = tuple(noted(c) for c in calls)
        history.add(Message("assistant", decision.thought, calls=kept, parts=decision.parts, here=self.planner.local))
        return Parked(number, base, errors, decision.thought, tuple(calls), calls[0], tuple(history.messages[-1:]))

    async def _run_calls(self, calls: tuple[tuple[int, ToolCall], ...], history: History, thought: str) -> list[Done]:
        """Run calls: side by side where every one allows it, else in order until one ends the turn."""
        calls, surplus = calls[:MOST_CALLS], calls[MOST_CALLS:]
        done: list[Done] = []
        if len(calls) > 1 and all(self.caller.parallel_safe(c.name) for _, c in calls):
            told, steps = len(history.messages), len(self.steps)
            done = list(await asyncio.gather(*(self._call(c, history, thought, n) for n, c in calls)))
            # In the order they were called in, whichever came back first: a run is the same each time.
            place = {c.id: at for at, (_, c) in enumerate(calls)}
            history.messages[told:] = sorted(history.messages[told:], key=lambda m: place.get(m.call_id, len(place)))
            self.steps[steps:] = sorted(self.steps[steps:], key=lambda s: place.get(s.call_id, len(place)))
        else:
            for n, call in calls:
                stopped = stopped_by(done)
                if stopped is None:
                    done.append(await self._call(call, history, thought, n))
                elif stopped.status != "awaiting_approval":
                    self._skip(call, history, n, thought, ENDED)
        if stopped_by(done) is None:
            for n, call in surplus:
                self._skip(call, history, n, thought, TOO_MANY.format(n=MOST_CALLS))
        return done

    def _skip(self, call: ToolCall, history: History, number: int, thought: str, text: str) -> None:
        history.add(Message("tool", text, call_id=call.id, name=call.name, status="skipped"))
        self.steps.append(Step(number, thought, call.name, args_of(call), "skipped", 0.0, text, call.id))

    async def _call(self, call: ToolCall, history: History, thought: str, number: int) -> Done:
        emit = self._out.put_nowait
        here = asyncio.get_running_loop()
        args = args_of(call)
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
                Step(
                    number,
                    thought,
                    call.name,
                    args,
                    "cancelled",
                    here.time() - started,
                    INTERRUPTED,
                    call.id,
                    self._spent(),
                )
            )
            raise
        text = self.observe(outcome)
        if outcome.status != "awaiting_approval":  # it has no result yet, and may get one when the run is resumed
            history.add(
                Message(
                    "tool",
                    text,
                    call_id=call.id,
                    name=call.name,
                    status=outcome.status,
                    seen=outcome.result.observation,
                    media=self.attach(outcome),
                )
            )
        self.steps.append(
            Step(number, thought, call.name, args, outcome.status, outcome.seconds, text, call.id, self._spent())
        )
        emit(ev.ToolFinished(call.id, call.name, outcome.status, text, outcome.seconds, number))
        return call, outcome, controller

    async def _told(self) -> None:
        """Let the consumer take what was emitted, before a tool may hold its thread. Not for long: it may be gone."""
        for _ in range(8):
            if self._out.empty():
                return
            await asyncio.sleep(0)
