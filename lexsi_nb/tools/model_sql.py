"""SQL that a model writes: asked for with the linked schema, held against the data, sent back with its problems."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.errors import LexsiError
from lexsi_nb.grounding.for_models.linking import linked_schema, rows_with
from lexsi_nb.grounding.for_models.sql_checks import Problem, check_sql
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.tools.context import StepContext

_JUDGED = r"'|[=>(]\s*\d|\b(?:join|in|exists)\b|\bfrom\b[^()]*,"  # a literal, or rows of two tables
ATTEMPTS = 3  # statements asked for before it is given up
SYSTEM = (
    "You write one DuckDB SELECT statement that answers a question over the tables below. Use only these tables, "
    "columns and joins; compare text only with values that are given or that the question says. When the question "
    "needs something the tables do not have, say so instead of guessing. "
    'Reply with JSON alone: {"sql": "SELECT ...", "read_as": "how the question was read"} or {"lacks": "what is not '
    'there"}.'
)


@dataclass(frozen=True)
class Written:
    """What a model wrote: a statement that passed the checks, or why there is none."""

    sql: str = ""
    read_as: str = ""
    reason: str = ""
    problems: tuple[Problem, ...] = ()
    attempts: int = 0


def written_by_model(question: str, hint: str, grounder: Grounder, ctx: StepContext) -> Written:
    """Return the SQL of a model for a question, checked before it runs; each problem goes back to the model.

    `hint` says why the question could not be grounded without a model.
    """
    reply = ctx.run.reply
    assert reply is not None
    said = Observation((Segment(f"Question: {question}\n"), *linked_schema(question, grounder.index).segments))
    if hint:
        said = Observation((*said.segments, Segment(f"Noticed: {hint}", "rows")))
    problems: list[Problem] = []
    for attempt in range(1, ATTEMPTS + 1):
        ctx.check()
        answer = _parsed(reply(said, system=SYSTEM))
        if lacks := answer.get("lacks"):
            return Written(reason=str(lacks), attempts=attempt)
        sql = str(answer.get("sql") or "").strip().rstrip(";").strip()
        problems = _problems(sql, grounder, ctx)
        if not problems:
            return Written(sql, str(answer.get("read_as") or ""), attempts=attempt)
        said = Observation((*said.segments, *_sent_back(sql, problems, grounder.index)))
    return Written(reason="", problems=tuple(problems), attempts=ATTEMPTS)


def _problems(sql: str, grounder: Grounder, ctx: StepContext) -> list[Problem]:
    """Return what the data do not bear out, or why the statement cannot be bound; nothing is read."""
    from lexsi_nb.data.references import tables_of

    if not sql:
        return [Problem("name", "The reply has no SQL statement.")]
    try:
        ctx.register_labels(tables_of(sql))
        ctx.engine.query(f"SELECT *\nFROM (\n{sql}\n) AS checked\nLIMIT 0")
    except LexsiError as error:
        return [Problem("name", " ".join(str(error).split()))]
    found = check_sql(sql, grounder.index)
    hidden = [p for p in found if p.kind == "literal" and p.column is not None and ctx.run.private(str(p.column))]

    def note() -> None:
        for p in hidden:
            ctx.notes.warn(p.text)

    ctx.note(note)  # a model that learns what a private column lacks has read of it: a person is told, and the SQL runs
    return [p for p in found if p not in hidden]


def not_borne_out(sql: str, ctx: StepContext) -> list[Problem]:
    """Return what the data do not bear out in a statement that a planner wrote out: literals and joins.

    What takes rows more than once is refused by `refuse_fan_outs`. Nothing is said of what a private column lacks.
    """
    from sqlglot.errors import SqlglotError

    if not re.search(_JUDGED, sql, re.IGNORECASE):
        return []
    try:
        problems = check_sql(sql, ctx.run.grounder().index)
    except (LexsiError, SqlglotError):
        return []  # what cannot be checked is not judged: running it says what is wrong
    told = [p for p in problems if p.kind in ("literal", "join")]
    return [p for p in told if p.column is None or not ctx.run.private(str(p.column))]


def asked_about(sql: str, problems: list[Problem], ctx: StepContext) -> Observation | None:
    """Return what goes back in place of running a statement; None where it is to run.

    It goes back once a run: whoever sends the same statement again means it, and what ran when it was recorded runs
    again.
    """
    sure = [p for p in problems if p.sure]
    if not sure or _plain(sql) in map(_plain, ctx.run.meant):
        return None
    ctx.run.meant.add(sql)
    index = ctx.run.grounder().index
    held: list[Segment] = []
    for p in sure:
        held += [Segment(f"- {p.kind}: {p.text}"), *_instead(p, index)]
    head = Segment("It did not run: the data do not bear it out.")
    return Observation((head, *held, Segment("Correct it, or send the same statement again if it is meant as it is.")))


def _plain(sql: str) -> str:
    return " ".join(sql.split()).rstrip("; ")


def minded(problems: list[Problem], ctx: StepContext) -> list[Segment]:
    """Return what is told of a statement beside its result."""
    told: list[Segment] = []
    for p in problems:
        told += [Segment(f"Mind: {p.text}"), *_instead(p, ctx.run.grounder().index)]
    return told


def _sent_back(sql: str, problems: list[Problem], index: SchemaIndex) -> list[Segment]:
    """Return the statement and its problems; the values that the data have instead are stats."""
    out = [Segment(f"Your statement:\n{sql}\nIts problems, each must be gone:")]
    for p in problems:
        out.append(Segment(f"- {p.kind}: {p.text}"))
        out += _instead(p, index)
    return out


def _instead(p: Problem, index: SchemaIndex) -> list[Segment]:
    """Return the values that the data have in place of a literal."""
    if not p.values:
        return []
    told = (f"{p.column.table}.{p.column.name}",) if p.column is not None else ()
    rarest = min(rows_with(index, p.column, v) for v in p.values)
    return [Segment(f"  There is: {', '.join(map(repr, p.values))}.", "stats", told, shared=rarest)]


def _parsed(text: Any) -> dict[str, Any]:
    """Return the reply as a mapping: JSON, a fenced block of SQL, or a bare SELECT."""
    raw = str(text).strip()
    start, end = raw.find("{"), raw.rfind("}")
    if 0 <= start < end:
        try:
            held = json.loads(raw[start : end + 1])
        except ValueError:
            held = None
        if isinstance(held, dict):
            return held
    fenced = re.search(r"```(?:sql)?\s*(.+?)```", raw, re.DOTALL | re.IGNORECASE)
    sql = fenced.group(1).strip() if fenced else raw
    return {"sql": sql} if re.match(r"(?is)\s*(select|with|from)\b", sql) else {}
