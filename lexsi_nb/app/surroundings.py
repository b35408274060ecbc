"""What a recording says of its surroundings, and the same of a run under way: data, tables, tools."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexsi_nb.planners.replay import Schema, Surroundings, named, texts
from lexsi_nb.store.recording import RecordedCall, RecordedData, digest

if TYPE_CHECKING:
    from lexsi_nb.app.running import Running
    from lexsi_nb.data.dataset import Dataset
    from lexsi_nb.tools.context import RunContext

# Bigger files are known by their size and three pieces.
WHOLE = 64 << 20
PIECE = 1 << 20
_WORDS_ONLY = ("description", "title", "default", "examples")


def surroundings(running: Running) -> Surroundings:
    """Return what a replay compares its recording with."""
    context, registry = running.context, running.session.registry

    def note(text: str) -> None:
        context.notes.say("replayed", text)

    def has_result() -> bool:
        cache = context.cache
        return cache.get("last_sql_result") is not None or cache.get("last_predictions") is not None

    return Surroundings(
        data=context.datasets[0].id,
        tools=lambda recording: tool_marks(registry, [c for s in recording.steps for c in s.calls]),
        schema=lambda: schema_now(context),
        seen=lambda number: running.tape.recorder.seen.get(number),
        has_result=has_result,
        note=note,
    )


def schema_now(context: RunContext) -> Schema:
    """Return the types of all columns of the active dataset, by table."""
    return {t.name: {c.name: c.type for c in t.columns} for t in context.engine.tables()}


def tool_marks(registry: Any, calls: Iterable[RecordedCall]) -> dict[str, str]:
    """Return "args DIGITS, text DIGITS" of each tool called that there is.

    The first stands for the arguments that the calls use, so that a new optional one breaks no recording; the second
    for all the planner reads of the tool.
    """
    used: dict[str, set[str]] = {}
    for call in calls:
        used.setdefault(call.tool, set()).update(call.args)
    marks = {}
    for name, args in sorted(used.items()):
        if name not in registry:
            continue
        tool = registry.tool(name)
        schema = tool.schema.json_schema
        known = {a: schema["properties"].get(a) for a in sorted(args)}
        shape = digest(_bare([name, known, schema.get("$defs", {})]))
        marks[name] = f"args {shape}, text {digest([tool.spec.description, tool.spec.returns, schema])}"
    return marks


def data_facts(running: Running, told: list[Any]) -> RecordedData:
    """Return what a recording says of the data: those tables and columns that its arguments name."""
    context = running.context
    dataset = context.datasets[0]
    if len(context.datasets) > 1:  # bound anew in mid-run: the first is closed, the others come from a step
        return RecordedData(dataset.id, dataset.title, content=content_mark(dataset, running, dataset.tables))
    said = " ".join(texts(told))
    schema = schema_now(context)
    uses = {
        table: {c: kind for c, kind in columns.items() if named(c, said)}
        for table, columns in schema.items()
        if named(table, said)
    }
    tables = tuple(uses) or tuple(schema)
    return RecordedData(
        id=dataset.id,
        title=dataset.title,
        schema=digest({t: schema[t] for t in tables}, 16),
        content=content_mark(dataset, running, tables),
        uses=uses,
    )


def content_mark(dataset: Dataset, running: Running, tables: Iterable[str]) -> str:
    """Return 16 hex digits of what the data hold, the same on every machine.

    Of frames only `tables` count; data made by a generator are known by its version, files by their bytes.
    """
    if dataset.kind == "frames":
        variables = running.session.variables
        known = [n for n in (dataset.variable(t) for t in tables if t in dataset.tables) if n in variables.namespace]
        return digest([[n, variables.fingerprint(n)] for n in known], 16)
    if dataset.portable:
        return digest([dataset.kind, dataset.version], 16)
    mark = hashlib.sha256()
    for file in sorted(dataset.files):
        if file.is_file():
            mark.update(file.name.encode("utf-8", "replace") + b"\0")
            _add_bytes(mark, file)
    return mark.hexdigest()[:16]


def _add_bytes(mark: Any, file: Path) -> None:
    size = file.stat().st_size
    mark.update(str(size).encode())
    with file.open("rb") as held:
        if size <= WHOLE:
            while piece := held.read(PIECE):
                mark.update(piece)
            return
        for at in (0, size // 2, size - PIECE):
            held.seek(at)
            mark.update(held.read(PIECE))


def _bare(value: Any) -> Any:
    """Return a JSON schema without its words."""
    if isinstance(value, dict):
        # `properties` holds names of arguments, which may be called "title".
        return {
            k: {n: _bare(p) for n, p in v.items()} if k == "properties" and isinstance(v, dict) else _bare(v)
            for k, v in value.items()
            if k not in _WORDS_ONLY or isinstance(v, dict)
        }
    return [_bare(v) for v in value] if isinstance(value, list) else json.loads(json.dumps(value, default=str))
