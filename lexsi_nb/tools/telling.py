"""What a result tells of the data: the origins of its columns, its rows as a grid, the values in a statement."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lexsi_nb.artifacts.observation import Grid, Segment
from lexsi_nb.data.origins import Columns, Origins, origins
from lexsi_nb.errors import BadData, LexsiError, UnknownTable
from lexsi_nb.tools.context import StepContext

LAST = "last_sql_result"  # what a result without a label is known by
SHORT = 2  # letters of a value that is hidden as a word only: a kind called "A" is in every name
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([ T].*)?$")


def columns_of(name: str, ctx: StepContext) -> Columns:
    """Return what each column of a table, label or frame tells of."""
    variable = ctx.run.variables.named(name) or name
    known = ctx.run.origins.get(variable)
    if known is not None:
        return known
    try:
        found = ctx.engine.table(name).column_names()
    except (UnknownTable, BadData):
        held = ctx.labels_in([name]).get(name)
        names = getattr(held, "column_names", None)
        found = list(map(str, names if names is not None else getattr(held, "columns", ())))
    table = name.casefold()
    return {c.casefold(): frozenset({f"{table}.{c.casefold()}"}) for c in found}


def told_by(frame: str, names: Sequence[Any], ctx: StepContext) -> tuple[tuple[str, ...], ...]:
    """Return what each of `names` tells of, as columns of a label or frame; one that is not among them of nothing."""
    known = columns_of(frame, ctx)
    return tuple(tuple(sorted(known.get(str(n).casefold(), ()))) for n in names)


def everything(frame: str, ctx: StepContext) -> tuple[str, ...]:
    """Return what the columns of a label or frame tell of together."""
    return tuple(sorted({o for told in columns_of(frame, ctx).values() for o in told}))


def origins_of(sql: str, header: Sequence[Any], ctx: StepContext) -> Origins:
    """Return what the columns of a query's result tell of."""
    from lexsi_nb.data.references import tables_of, workspace_tables_of

    read = [*tables_of(sql), *workspace_tables_of(sql)]
    tables = {t.casefold().removeprefix("workspace."): columns_of(t, ctx) for t in read}
    return origins(sql, list(map(str, header)), tables)


def remember(name: str, header: Sequence[Any], found: Origins, ctx: StepContext) -> None:
    """Keep what the columns of a result tell of, when the step succeeds."""
    kept = {str(c).casefold(): frozenset(found.of(i)) for i, c in enumerate(header)}
    ctx.note(lambda: ctx.run.origins.__setitem__(name, kept))


def grid_segment(text: str, told: tuple[tuple[str, ...], ...], *, most: int = 4_000, instead: str = "") -> Segment:
    """Return rows, written as CSV, as a segment that a policy can cut by columns."""
    lines = [tuple(row) for row in csv.reader(text.splitlines(keepends=True))]
    header, rows = (lines[0], tuple(lines[1:])) if lines else ((), ())
    width = len(header)
    grid = Grid(header, tuple((*r, *[""] * width)[:width] for r in rows), told, most)
    columns = tuple(dict.fromkeys(o for c in told for o in c))
    return Segment(grid.text(), "rows", columns, instead=instead, grid=grid)


def is_count(sql: str) -> bool:
    """Whether a statement gives one number of rows: a count without groups, which tells no value."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except (SqlglotError, RecursionError):
        return False
    if not isinstance(tree, exp.Select) or tree.args.get("group") or len(tree.expressions) != 1:
        return False
    return isinstance(tree.expressions[0].unalias(), exp.Count)


# -- values in a statement


@dataclass(frozen=True)
class Values:
    """The literals of a statement that neither the question nor the knowledge of the data has."""

    kind: Literal["schema", "stats"]
    shared: int | None
    literals: tuple[str, ...] = ()  # as they are written, quotes included


def values_in(sql: str, question: str, knowledge: Any, ctx: StepContext) -> Values:
    """Return which literals came from the data, and how many rows share the rarest of them."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    known = f"{question} {getattr(knowledge, 'data', '')}".casefold()
    found: dict[str, int | None] = {}
    for statement in filter(None, (s.strip() for s in sql.split(";\n"))):
        try:
            tree = sqlglot.parse_one(statement, read="duckdb")
        except (SqlglotError, RecursionError):
            return Values("stats", 0, tuple(re.findall(r"'(?:[^']|'')*'", sql)))
        for literal in tree.find_all(exp.Literal):
            if literal.is_string and not _is_known(literal, known):
                found[literal.sql("duckdb")] = _shared(literal, ctx)
    counts = [n for n in found.values() if n is not None]
    return Values("stats" if found else "schema", min(counts, default=None), tuple(found))


def _is_known(literal: Any, known: str) -> bool:
    from sqlglot import exp

    text = str(literal.this).casefold()
    if isinstance(literal.parent, exp.Func) and not isinstance(literal.parent, (exp.Cast, exp.Anonymous)):
        return True  # a unit or a format: date_trunc('month', ...)
    if _DATE.match(text):
        # Of a question's own dates only the parts stand in it: "in 1996" becomes two days.
        return text in known or text[:4] in known or str(int(text[:4]) - 1) in known
    return not text.strip("%_ ") or text.strip("%") in known


def _shared(literal: Any, ctx: StepContext) -> int | None:
    """Return how many rows have the value; None for a date, which is an end of a range; 0 where it is not known."""
    from sqlglot import exp

    if _DATE.match(str(literal.this)):
        return None
    place = literal.parent
    column = next(place.find_all(exp.Column), None) if isinstance(place, (exp.EQ, exp.In, exp.NEQ)) else None
    if column is None:
        return 0
    for table in ctx.engine.readable():
        try:
            names = {c.casefold(): c for c in ctx.engine.table(table).column_names()}
            name = names.get(column.name.casefold())
            if name is None:
                continue
            cell = '"' + name.replace('"', '""') + '"'
            sql = f"SELECT count(*) FROM {ctx.engine.reference(table)} WHERE {cell}::VARCHAR = {literal.sql('duckdb')}"
            count = int(ctx.engine.query(sql).iloc[0, 0])
        except LexsiError:
            continue
        if count:
            return count
    return 0


def sql_segment(said: Mapping[str, Any], found: Values, ctx: StepContext, *, brief: str = "") -> Segment:
    """Return a reply with SQL. Where its values may not leave, a planner reads `$v1` for them, which run_sql fills."""
    text = json.dumps(said, ensure_ascii=False, default=str)
    if found.kind == "schema":
        return Segment(text, brief=brief)
    if brief:  # the statements are run by their names
        return Segment(text, "stats", shared=found.shared, brief=brief, instead=_without(brief, found.literals))
    held = ctx.run.placeholders
    hidden: dict[str, Any] = {}
    for key, value in said.items():
        if key == "sql" or key.endswith("_sql"):
            hidden[key] = _hidden(str(value or ""), found.literals, held) if value else value
        elif not isinstance(value, str):
            hidden[key] = _without_within(json.loads(json.dumps(value, default=str)), found.literals)
        else:
            hidden[key] = _without(value, found.literals)
    note = "Values from the data stand as $v1, $v2: pass the SQL to run_sql as it is."
    instead = f"{json.dumps(hidden, ensure_ascii=False, default=str)}\n{note}"
    return Segment(text, "stats", shared=found.shared, instead=instead)


def _hidden(sql: str, literals: Sequence[str], held: dict[str, str]) -> str:
    for literal in sorted(literals, key=len, reverse=True):
        name = next((n for n, v in held.items() if v == literal), None)
        if name is None:
            name = f"$v{len(held) + 1}"
            held[name] = literal
        sql = sql.replace(literal, name)
    return sql


def _without(text: str, literals: Sequence[str]) -> str:
    """Return a text without values; a number and a letter or two are values by themselves, within a word they are not.

    >>> _without("in_month_1, north of 1", ["1", "'North'"])
    'in_month_1, (a value) of (a value)'
    """
    for literal in sorted(literals, key=len, reverse=True):
        quoted = literal[:1] == "'"
        for form in {literal, literal[1:-1].replace("''", "'") if quoted else literal} - {""}:
            apart = len(form) <= SHORT or not quoted
            pattern = rf"(?<![\w.]){re.escape(form)}(?!\w|\.\w)" if apart else re.escape(form)
            text = re.sub(pattern, "(a value)", text, flags=re.IGNORECASE)
    return text


def _without_within(value: Any, literals: Sequence[str]) -> Any:
    """Return nested plain values without those of the data in their texts; numbers are of the layout of a picture."""
    if isinstance(value, dict):
        return {k: _without_within(v, literals) for k, v in value.items()}
    if isinstance(value, list):
        return [_without_within(v, literals) for v in value]
    return _without(value, literals) if isinstance(value, str) else value


def filled(sql: str, ctx: StepContext) -> str:
    """Return a statement with the values of `$v1` put in, where they stand as values."""
    held = ctx.run.placeholders
    if not held or "$v" not in sql:
        return sql
    from sqlglot.dialects.duckdb import DuckDB
    from sqlglot.errors import SqlglotError

    try:
        tokens = DuckDB().tokenize(sql)
    except SqlglotError:
        return sql
    out, at = [], 0
    for first, second in itertools.pairwise(tokens):
        name = f"${second.text}"
        if first.text == "$" and second.start == first.end + 1 and name in held:
            out += [sql[at : first.start], held[name]]
            at = second.end + 1
    return "".join([*out, sql[at:]])


def masked_names(text: str, ctx: StepContext) -> str:
    """Return names of columns with what was put in for `$v1` taken out: DuckDB names an expression by its text."""
    for name, literal in ctx.run.placeholders.items():
        text = text.replace(literal, name)
    return text
