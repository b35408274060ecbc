"""A parked run as JSON fields and back: the conversation, the calls, what was made, what waits."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.loop import Parked, Step
from lexsi_nb.agent.planner import Message, ToolCall
from lexsi_nb.app.collecting import cells_of
from lexsi_nb.app.permission import steady
from lexsi_nb.artifacts import data_uri
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.observation_fields import fields_of as seen_fields
from lexsi_nb.artifacts.observation_fields import observation_from
from lexsi_nb.artifacts.results import Approval
from lexsi_nb.artifacts.secrets import MASK
from lexsi_nb.errors import RunFailed
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.redaction import masked

if TYPE_CHECKING:
    from lexsi_nb.app.running import Running

VERSION = 1


def approval_of(running: Running, parked: Parked, attempt: int = 0) -> Approval:
    """Return what a person is shown of the call that waits. Its id stands for all of that, and for this one wait.

    `attempt` counts on where the id belongs to another notebook's wait, or to one that is settled.
    """
    registry, call = running.session.registry, parked.waiting
    effect = parked.approval.get("effect") or Effect()
    spec = registry.spec(call.name) if call.name in registry else None
    shown = [running.run_id, call.name, steady(call.args), effect.bound, *([attempt] if attempt else [])]
    mark = json.dumps(shown, ensure_ascii=False)
    return Approval(
        id=hashlib.sha256(mark.encode()).hexdigest()[:8],
        tool=call.name,
        args=masked(call.args),
        effect=effect.lines,
        what=spec.description.strip().splitlines()[0] if spec else "",
        why=running.permission.why(parked.approval),
        question=running.question,
    )


def fields_of(running: Running, parked: Parked, approval: Approval) -> dict[str, Any]:
    """Return a parked run as JSON fields. Values of arguments named like secrets stay in this kernel."""
    context = running.context
    return {
        "version": VERSION,
        "run_id": running.run_id,
        "question": running.question,
        "planner": running.planner.name,
        "dataset": {
            "id": context.dataset.id, "title": context.dataset.title, "mark": context.dataset.fingerprint(),
            "frames": list(context.dataset.variables) if context.dataset.kind == "frames" else [],
        },
        "max_steps": running.max_steps,
        "named": sorted(running.permission.named),
        "declined": running.permission.declined,
        "edited": sorted(running.permission.edited),
        "read_data": running.permission.read_data,
        "nonce": running.nonce,
        "parked": {
            "step": parked.step, "base": parked.base, "errors": parked.errors, "thought": parked.thought,
            "calls": [_call(c) for c in parked.calls], "waiting": _call(parked.waiting),
            "messages": [_message(m) for m in parked.messages],
            "digest": parked.approval.get("digest", ""),
        },
        "approval": dataclasses.asdict(approval),
        "steps": [{**dataclasses.asdict(s), "args": masked(s.args)} for s in running.steps_before(parked)],
        "cells": [dataclasses.asdict(c) for c in cells_of(running)],
        "variables": [b.name for b in {b.name: b for b in context.bound}.values()],
        "notes": dataclasses.asdict(context.notes),
        "scratch": running.session.cache.portable(),
        "usage": dataclasses.asdict(running.usage),
        "tape": running.tape.fields(),
    }  # fmt: skip


def parked_from(fields: dict[str, Any]) -> Parked:
    """Return where a stored run stopped.

    Raises:
        RunFailed: an argument was a secret and was not stored.
    """
    p = fields["parked"]
    waiting = ToolCall(**p["waiting"])
    return Parked(
        p["step"], p["base"], p["errors"], p["thought"], tuple(ToolCall(**c) for c in p["calls"]), waiting,
        tuple(_message_from(m) for m in p["messages"]), {"digest": p["digest"]},
    )  # fmt: skip


def check_secrets(parked: Parked) -> None:
    """Stop where an argument was a secret: it stayed in the kernel that is gone.

    Raises:
        RunFailed: says which call, and how to give the arguments anew.
    """
    if any(MASK in steady(call.args) for _, call in parked.rest):
        raise RunFailed(
            f"{parked.waiting.name} has an argument that is a secret.",
            "Secrets are not stored, and the kernel that knew it is gone.",
            "Give the arguments anew: session.resume(ID, approve=True, args={...}), or ask again.",
        )


def steps_from(fields: dict[str, Any]) -> list[Step]:
    """Return the finished steps of a stored run."""
    return [Step(**s) for s in fields["steps"]]


def cells_from(fields: dict[str, Any]) -> list[CodeCell]:
    """Return the code cells of a stored run."""
    lists = ("requires", "produces")
    return [CodeCell(**{**c, **{k: tuple(c[k]) for k in lists}}) for c in fields["cells"]]


def notes_from(fields: dict[str, Any]) -> Any:
    """Return what the answer of a stored run has to say beside the numbers."""
    from lexsi_nb.tools.context import Notes

    notes = dict(fields.get("notes") or {})
    for pairs in ("readings", "left_out"):
        notes[pairs] = [tuple(p) for p in notes.get(pairs, ())]
    return Notes(**notes)


def approval_from(fields: dict[str, Any]) -> Approval:
    """Return what a person was shown of a stored run."""
    a = fields["approval"]
    return Approval(**{**a, "effect": tuple((h, w) for h, w in a["effect"])})


def _call(call: ToolCall) -> dict[str, Any]:
    return {"name": call.name, "args": masked(call.args), "id": call.id}


def _message(message: Message) -> dict[str, Any]:
    fields = {k: getattr(message, k) for k in ("role", "text", "call_id", "name", "status", "over")}
    fields["calls"] = [_call(c) for c in message.calls]
    fields["media"] = [{"uri": data_uri.written(m), "title": m.title} for m in message.media]
    fields["here"], fields["seen"] = message.here, seen_fields(message.seen)
    try:
        json.dumps(message.parts)
        fields["parts"] = message.parts
    except TypeError:
        fields["parts"] = None  # objects of a provider's client live as long as the kernel
    return fields


def _message_from(fields: dict[str, Any]) -> Message:
    media = tuple(replace(data_uri.read(m["uri"]), title=m["title"]) for m in fields.get("media", ()))
    seen = observation_from(fields.get("seen"))
    calls = tuple(ToolCall(**c) for c in fields["calls"])
    return Message(**{**fields, "seen": seen, "calls": calls, "media": media})


def messages_fields(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return messages as JSON fields; values of arguments named like secrets are left out."""
    return [_message(m) for m in messages]


def messages_from(fields: Iterable[dict[str, Any]]) -> list[Message]:
    """Return the messages that were stored."""
    return [_message_from(m) for m in fields]
