"""The loop of a run, connected: who decides, what may be called, what is read and shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from lexsi_nb.agent.events import RequestWaiting
from lexsi_nb.agent.loop import Loop
from lexsi_nb.agent.prompts import FENCING, PLANNER_SYSTEM
from lexsi_nb.agent.tokens import Measure
from lexsi_nb.agent.usage import window
from lexsi_nb.app.agent_handle import AgentHandle
from lexsi_nb.app.caller import RegistryCaller
from lexsi_nb.app.checking import checker
from lexsi_nb.app.circumstances import summary
from lexsi_nb.app.closing import Summary
from lexsi_nb.app.offering import offered
from lexsi_nb.app.rehearsal import Rehearsal
from lexsi_nb.app.view import View
from lexsi_nb.artifacts.observation import Observation
from lexsi_nb.egress.policy import LEVELS

if TYPE_CHECKING:
    from lexsi_nb.app.running import Running


def wired(running: Running) -> Loop:
    """Return the loop of a run whose context stands, with planner, tools and conversation connected to it."""
    session, dataset = running.session, running.context.dataset
    local, writes = running.planner.local, getattr(running.planner, "writes", False)
    framing = _framing(running)
    fencing = "" if local else FENCING

    def observe(observation: Observation) -> str:
        return running.policy().observe(observation, local=local)

    # What an earlier question read is still in the conversation.
    told = (framing, summary(dataset), *(m.seen for m in running.history.messages if m.seen is not None))
    running.permission.read_data |= any(one.untrusted for one in told)
    planner, model = running.tape.threaded(running)
    if running.dry_run and not local:
        planner, writes = Rehearsal(planner, running.policy().words), False
    for warning in running.permission.unknown(session.registry.names):
        running.context.notes.warn(warning)
    agent = AgentHandle(
        running.planner.name, local, dataset.id, session.registry.names, running.history, running.usage, running.policy,
        model, running.aio,
    )  # fmt: skip
    running.context.meant |= getattr(running.planner, "ran", frozenset())
    if model is not None:
        running.context.model, running.context.reply = model, agent.reply
    if writes:
        running.context.narrate = model is not None and (model.local or "rows" in LEVELS[running.policy().level])
        running.context.check = checker(running.context, lambda: running.history.messages)
    caller = RegistryCaller(
        session.registry,
        running.context,
        session.scopes,
        running.permission,
        agent,
        cell_thread=running.cell_thread if running.post is not None else None,
        dry_run=running.dry_run,
        noted=running.note,
    )
    shown = offered(session.registry, running.question, dataset.table_names())
    running.loop = Loop(
        planner,
        caller,
        definitions=lambda: tuple(session.registry.definitions("anthropic", only=shown)) if writes or not local else (),
        system="\n".join(t for t in (PLANNER_SYSTEM, fencing, observe(framing)) if t),
        dataset_summary=lambda: observe(summary(running.context.dataset)),
        over=running.context.dataset.id,
        observe=lambda outcome: observe(outcome.result.observation),
        attach=lambda outcome: running.policy().attach(outcome.result.observation, local=local),
        shown=View(running.policy, local),
        max_steps=running.max_steps,
        usage=running.usage,
        before=running.may_ask,
        steps=list(running.earlier),
        closing=Summary(running.context, running.context.check),
        room=session.room.within(window(running.planner.name)),
        measure=session.measures.setdefault(running.planner.name, Measure()),
    )
    session.gate.told = _waits(running.loop, running.aio)
    agent.before = lambda model, tokens: running.budget.check(running.usage, model, tokens)
    agent.count, agent.tell = running.loop.count, running.loop.told.append
    return running.loop


def _waits(loop: Loop, aio: asyncio.AbstractEventLoop | None) -> Callable[[str, float | None], None]:
    """Return what says among the events of the run that a request waits, from whichever event loop it waits on."""

    def told(why: str, seconds: float | None) -> None:
        if aio is not None and aio.is_running():
            aio.call_soon_threadsafe(loop.tell, RequestWaiting(why, seconds))

    return told


def _framing(running: Running) -> Observation:
    """Return what the toolsets add to the system framing. Asked on the run's loop, once a run."""
    assert running.aio is not None
    return asyncio.run_coroutine_threadsafe(running.session.registry.framing(), running.aio).result()
