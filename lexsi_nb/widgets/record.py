"""A run in a few plain fields, kept in the metadata of its output: what the Lab extension's run view lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lexsi_nb.toolkit.redaction import mask, masked
from lexsi_nb.tools.step_titles import step_title

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.store.recording import Recording

KEY = "lexsi_nb"  # in the metadata of the output
VERSION = 1
TEXT = 200  # characters of a question or a description
ARGS = 120  # characters of an argument list: the code cells have them whole
LINES = 60  # steps, variables and addressees, each


def record_of(run: Run) -> dict[str, Any]:
    """Return the run as JSON fields, the same for the same run: no times, so that a notebook run again has no diff.

    A step's `cells` are the places, from 1, of its code cells among those of the run.
    """
    record: dict[str, Any] = {
        "version": VERSION,
        "run": run.id,
        "question": _short(run.question),
        "status": run.status,
        "planner": run.planner,
        "models": run.backend,
        "steps": [
            {
                "number": s.number,
                "tool": s.tool,
                "title": step_title(s.tool, run.cells, s.number),
                "args": _args(s.args, run.question),
                "status": s.status,
                **_cells(run, s.number),
            }
            for s in run.steps[:LINES]
        ],
        "variables": [
            {"name": v.name, "what": _short(v.shape), "step": v.step, "from": list(v.parents)}
            for v in run.variables[:LINES]
        ],
        "sent": _sent(run),
        "used": run.usage.words,
        "usd": str(run.usage.cost) if run.usage.requests and run.usage.cost is not None else "",
    }
    record = {k: v for k, v in record.items() if v not in ("", [])}
    if run.recording:
        record["recording"] = run.recording
        record["replayed"] = run.replayed
    if run.approval is not None:
        record["approval"] = {"id": run.approval.id, "tool": run.approval.tool}
    if run.synthetic:
        record["synthetic"] = True
    return record


def _sent(run: Run) -> list[dict[str, Any]]:
    sizes: dict[str, list[int]] = {}
    for sent in run.sent:
        sizes.setdefault(sent.to, []).append(sent.bytes)
    return [{"to": mask(to), "requests": len(b), "bytes": sum(b)} for to, b in list(sizes.items())[:LINES]]


def recorded_fields(recording: Recording, shown: str) -> dict[str, Any]:
    """Return a recording in the fields of a run's record: what was decided, and what the asking sent and cost.

    `shown`: the file, as a person reads it. What the steps made is known by the label that they name; nothing was run.
    """
    steps, variables = [], []
    for number, call in recording.numbered()[:LINES]:
        title = step_title(call.tool)
        args = _args(call.args, recording.question)
        steps.append({"number": number, "tool": call.tool, "title": title, "args": args, "status": call.outcome})
        label = call.args.get("label")
        if isinstance(label, str) and call.outcome == "ok":
            variables.append({"name": _short(label, 60), "what": "made when the cell is run", "step": number})
    spent = recording.sent or recording.used or recording.local
    return {
        "version": VERSION,
        "run": "",
        "question": _short(recording.question),
        "status": recording.status,
        "planner": recording.planner,
        "steps": steps,
        "variables": variables,
        "sent": [{"to": mask(s.to), "requests": s.requests, "bytes": s.bytes} for s in recording.sent[:LINES]],
        "used": _short(recording.used),
        "usd": _short(recording.usd, 30),
        "recording": shown,
        **({} if spent else {"unkept": True}),
    }


def _cells(run: Run, step: int) -> dict[str, list[int]]:
    found = [at for at, c in enumerate(run.cells, 1) if c.step == step]
    return {"cells": found} if found else {}


def _args(args: Mapping[str, Any], question: str) -> str:
    """Return arguments in a line; the question, which stands above them, by that name."""
    said = {k: "the question" if v == question else v for k, v in masked(dict(args)).items()}
    return _short(", ".join(f"{k}={v if isinstance(v, str) else repr(v)}" for k, v in said.items()), ARGS)


def _short(text: str, most: int = TEXT) -> str:
    line = " ".join(mask(text).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."
