"""`text_to_sql`: the SQL of a question, grounded in the schema, the values and the knowledge graph."""

from __future__ import annotations

import json
from typing import Any, Literal

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.grounding.forms.series import incomplete
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.options import offered, options
from lexsi_nb.grounding.predictions.predictive import PredictivePlan
from lexsi_nb.grounding.reading import Choice, Column, Declined, Reading
from lexsi_nb.grounding.rendering.charting import heading, picture, units_of
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.model_sql import written_by_model
from lexsi_nb.tools.telling import sql_segment, values_in

LABELS = ("context_df", "predict_df", "already_df")
NAMES = ("context_sql", "predict_sql", "already_sql")
LEFT_OUT = 4  # reasons that a planner elsewhere reads; the answer has them all


@tool(
    scopes=("data:read",),
    thread_safe=True,
    capabilities=("sql", "joins", "question", "predictive"),
    returns="JSON: sql and how it was read; for a prediction context_sql, predict_sql, already_sql and task.",
)
def text_to_sql(question: str, mode: Literal["analytic", "predictive", "auto"] = "auto", *, ctx: Context) -> ToolResult:
    """Write the DuckDB SQL that answers a question over the active dataset; it runs nothing.

    Use it for any SQL with joins, conditional aggregates or filters on text, and for every prediction. Run what it
    wrote by name: run_sql(sql="answer_sql"); for a prediction context_sql as label context_df, predict_sql as
    predict_df, already_sql (where there is one) as already_df. What the data lack is named, two readings are both
    listed.

    Args:
        question: The question in words, one thing at a time.
        mode: analytic for figures and rows, predictive for what is not yet known, auto to decide by the words.
    """
    # Also when nothing is written now: run_sql must not take the SQL of an earlier question for this one's.
    ctx.cache["written_sql"] = {}
    grounder: Grounder = ctx.run.grounder()
    ahead = grounder.is_predictive(question) if mode == "auto" else mode == "predictive"
    found = grounder.predictive(question) if ahead else grounder.read(question)
    if isinstance(found, Declined) and ctx.run.reply is not None and not ahead:
        return _by_model(question, found.text, grounder, ctx)
    if isinstance(found, Declined):
        return _declined(found)
    if isinstance(found, Choice):
        ways = (options if ahead else offered)(found, question, grounder.read, ctx.engine)
        if isinstance(ways, Declined):
            return _declined(ways)
        ctx.note(lambda: ctx.notes.readings.extend((w.text, w.question) for w in ways if w.question))
        listed = [{"reading": w.text, "question": w.question} for w in ways]
        said: dict[str, Any] = {"open": found.prompt, "readings": listed}
        return ToolResult(False, Observation.of(_open(said, "open")), error=found.text)
    if isinstance(found, PredictivePlan):
        return _predictive(found, question, grounder, ctx)
    return _analytic(found, question, grounder, ctx)


def _declined(found: Declined) -> ToolResult:
    said: dict[str, Any] = {"declined": found.reason, "lacks": found.lacks, "nearest": found.nearest}
    return ToolResult(False, Observation.of(_open(said, "declined")), error=found.text)


def _analytic(r: Reading, question: str, grounder: Grounder, ctx: Context) -> ToolResult:
    if not r.sql:
        return ToolResult(
            False, Observation.of(f"This asks for {r.text}: call inspect_data."), error="no SQL is needed"
        )
    read_as = r.text + (f" ({'; '.join(r.notes)})" if r.notes else "")

    def unit(column: Column) -> str:
        return grounder.index.facts.column(column.table, column.name).unit

    title = heading(r, [n for n in incomplete(r, grounder.index) if n in r.notes])

    def note() -> None:
        ctx.notes.read_as, ctx.notes.apart = read_as, list(r.apart)
        ctx.notes.chart_title = title
        ctx.notes.result_units = units_of(r, unit)

    ctx.note(note)
    ctx.put("written_sql", {"answer_sql": r.sql})
    said: dict[str, Any] = {"kind": "analytic", "read_as": read_as, "sql": r.sql}
    if r.apart:
        said["set_apart"] = list(r.apart)
    if r.chart and (spec := picture(r, unit)) is not None:
        said["chart"] = {"title": title, **spec}
    found = values_in(r.sql, f"{question} {ctx.question}", grounder.knowledge, ctx)
    return ToolResult(True, Observation.of(sql_segment(said, found, ctx)), payload=r)


def _by_model(question: str, hint: str, grounder: Grounder, ctx: Context) -> ToolResult:
    """Have the model of the session write what the grounding alone could not read."""
    written = written_by_model(question, hint, grounder, ctx)
    if not written.sql:
        why = written.reason or "; ".join(p.whole for p in written.problems)
        said = {"declined": why, "grounding": hint}
        held = [Segment(_json({"problems": [p.whole for p in written.problems]}), "rows")] if written.problems else []
        first = _open({**said, "declined": written.reason or hint}, "declined")
        return ToolResult(False, Observation.of(first, *held), error=why)
    read_as = (
        f"{written.read_as or question} (SQL by {getattr(ctx.run.model, 'name', 'a model')}, held against the data)"
    )

    def note() -> None:
        ctx.notes.read_as, ctx.notes.apart = read_as, []
        ctx.notes.chart_title = ""

    ctx.note(note)
    ctx.put("written_sql", {"answer_sql": written.sql})
    said = {"kind": "analytic", "read_as": read_as, "sql": written.sql}
    found = values_in(written.sql, f"{question} {ctx.question}", grounder.knowledge, ctx)
    return ToolResult(True, Observation.of(sql_segment(said, found, ctx)), payload=written)


def _predictive(p: PredictivePlan, question: str, grounder: Grounder, ctx: Context) -> ToolResult:
    def note() -> None:
        notes = ctx.notes
        notes.read_as = p.read_as
        notes.readings.extend(p.readings)
        for what, why in p.left_out:
            notes.leave_out(what, why)
        for warning in p.warnings:
            notes.warn(warning)
        task = {**p.task, "already_label": LABELS[2] if p.already_sql else None}
        task["units"] = {**p.units, **p.task.get("units", {})}
        notes.tasks.update({label: dict(task) for label in LABELS})

    ctx.note(note)
    written = {n: s for n, s in zip(NAMES, (p.context_sql, p.predict_sql, p.already_sql), strict=True) if s}
    ctx.put("written_sql", written)
    said = {
        "kind": "predictive",
        "read_as": p.read_as,
        "task": p.task,
        "context_sql": p.context_sql,
        "predict_sql": p.predict_sql,
        "already_sql": p.already_sql,
        "left_out": [f"{what}: {why}" for what, why in p.left_out],
        "top_k": p.top_k,
        "explain": p.explain,
    }
    sql = ";\n".join([p.context_sql, p.predict_sql, p.already_sql])
    found = values_in(sql, f"{question} {ctx.question}", grounder.knowledge, ctx)
    return ToolResult(True, Observation.of(sql_segment(said, found, ctx, brief=_brief(p, written))), payload=p)


def _brief(p: PredictivePlan, written: dict[str, str]) -> str:
    """Return what a planner needs to go on; the statements are run by their names and stand in the code cells."""
    task = {k: p.task[k] for k in ("task_type", "target_column", "entity_column") if p.task.get(k)}
    runs = [f'run_sql(sql="{n}", label="{label}")' for n, label in zip(NAMES, LABELS, strict=True) if n in written]
    left_out = [f"{what}: {why}" for what, why in p.left_out]
    more = [f"and {len(left_out) - LEFT_OUT} more"] if len(left_out) > LEFT_OUT else []
    return _json({
        "kind": "predictive", "read_as": p.read_as, "task": task, "run": runs,
        "left_out": [*left_out[:LEFT_OUT], *more], "top_k": p.top_k,
    })  # fmt: skip


def _json(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False, default=str)


def _open(said: dict[str, Any], key: str) -> Segment:
    """Return why there is no SQL. Names and readings may quote values of the data."""
    less = {key: "The question cannot be read in one way.", "lacks": said.get("lacks", ())}
    if key == "declined":
        less[key] = "The question could not be grounded in the data."
    return Segment(_json(said), "rows", instead=_json({k: v for k, v in less.items() if v}))
