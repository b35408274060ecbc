"""`run_sql`: one read over the active dataset, bound to a variable where it has a label."""

from __future__ import annotations

from typing import Any

from lexsi_nb.artifacts.cells import CodeCell, quiet
from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.results import Table
from lexsi_nb.errors import QueryFailed, UnknownName, UnknownTable
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.model_sql import asked_about, minded, not_borne_out
from lexsi_nb.tools.telling import (
    LAST,
    filled,
    grid_segment,
    is_count,
    masked_names,
    origins_of,
    remember,
)


class UnknownStatement(UnknownName):
    """No statement was written under that name in this run."""

    kind = "statement"


PREVIEW_ROWS = 20
PREVIEW_CHARS = 4_000
MOST_TYPES = 60
_PLAIN = {
    "context_df": "Rows to learn from",
    "predict_df": "Rows to score",
    "already_df": "Rows where it has happened already",
}


@tool(
    scopes=("data:read",),
    side_effect="kernel",
    thread_safe=True,
    capabilities=("sql", "query", "rows"),
    produces=("sql_result:*", "last_sql_result", "last_sql"),
    returns="Row and column counts, column types, and a preview of at most 20 rows.",
    check=lambda args, ctx: _problems(args),
)
def run_sql(sql: str, label: str | None = None, *, ctx: Context) -> ToolResult:
    """Run one DuckDB SELECT over the active dataset and return the result.

    Use it to carry out SQL from text_to_sql, or a plain query of one table. With a label the result becomes a
    variable and a view of that name, which later SQL and tools can read. A sum, mean or count over rows that a join
    repeats is refused: aggregate the many side first. It reads the data only, no files or settings; it may write to
    the schema workspace alone: CREATE TABLE workspace.x AS SELECT.

    Args:
        sql: One SELECT statement, or the name of one that text_to_sql wrote in this run, such as answer_sql.
        label: Name for the result, such as context_df.
    """
    from lexsi_nb.data.references import tables_of, workspace_tables_of
    from lexsi_nb.data.workspace import is_write
    from lexsi_nb.tools.joins import look_at_joins, refuse_fan_outs

    statement = _written(sql, ctx)
    looked_at = statement != sql or sql in (ctx.get("written_sql") or {}).values()  # by text_to_sql
    problems = [] if looked_at else not_borne_out(statement, ctx)
    sql = filled(statement, ctx)
    tables = tables_of(sql)
    used = ctx.labels_in(tables)
    _bring_workspace(workspace_tables_of(sql), ctx)
    ctx.tick(0, None, f"querying {', '.join(tables[:4])}")
    unchecked = refuse_fan_outs(sql, used, ctx)
    if (back := asked_about(statement, problems, ctx)) is not None:
        return ToolResult(False, back, error=next(p.text for p in problems if p.sure))
    if is_write(sql):
        return _write(sql, used, ctx)
    name = ctx.name_for(label) if label else "result"
    cell = ctx.emit(_cell(sql, name, {table: ctx.name_of(table) for table in used}, ctx.run.con, label))
    try:
        frame = _run(cell, sql, used, ctx)[name]
    except QueryFailed as error:
        # A join of unlike keys often fails in conversion: say which keys would match.
        joins = look_at_joins(sql, used, ctx) if "onver" in error.why else []
        again = QueryFailed(error.what, error.why, " ".join([*joins, error.next]))
        again.outline = error.outline
        raise again from None
    if label:
        parents = (*(ctx.name_of(t) for t in used), *ctx.sources(tables))
        ctx.write(label, frame, parents=parents, cell=cell)
    ctx.put("last_sql_result", frame)
    ctx.put("last_sql", sql)
    ctx.show(Table(frame, title=label or "", name=name if label else ""), parents=tuple(used))
    joins = [*look_at_joins(sql, used, ctx), *unchecked]
    return ToolResult(True, _observation(frame, sql, label, name, joins, minded(problems, ctx), ctx), payload=frame)


def _written(sql: str, ctx: Context) -> str:
    """Return the statement that text_to_sql wrote under a name; other text as it is.

    Raises:
        UnknownStatement: nothing was written under that name; lists the names there are.
    """
    name = sql.strip().rstrip(";")
    if not name.endswith("_sql") or not name.isidentifier():
        return sql
    written: dict[str, str] = ctx.get("written_sql") or {}
    if name not in written:
        raise UnknownStatement.among(name, written, next="Call text_to_sql first, or write the statement out.")
    return written[name]


def _problems(args: Any) -> list[str]:
    from lexsi_nb.data.workspace import is_write

    sql, label = (args.get("sql", ""), args.get("label")) if isinstance(args, dict) else (args.sql, args.label)
    if label is not None and not label.strip():
        return ["$.label: empty; leave it out, or name the result."]
    if label and is_write(sql):
        return ["$.label: a write to the workspace has no rows to label; leave it out, then label a SELECT."]
    return []


def _run(cell: CodeCell, sql: str, used: dict[str, Any], ctx: Context) -> dict[str, Any]:
    """Return what the cell binds.

    Raises:
        UnknownTable: lists the nearest tables, labels and frames.
    """
    from lexsi_nb.data.references import tables_of

    try:
        return cell.run({ctx.run.con: ctx.engine.connection, **{ctx.name_of(t): f for t, f in used.items()}})
    except UnknownTable as error:
        missing = next((t for t in tables_of(sql) if repr(t) in error.what), None)
        if missing is None:
            raise
        known = dict.fromkeys([*ctx.engine.readable(), *ctx.run.variables.labels(), *ctx.run.variables.frames()])
        raise UnknownTable.among(missing, known, where=f"{ctx.dataset.title}, its labels and frames") from None


def _cell(sql: str, name: str, frames: dict[str, str], con: str, label: str | None = None) -> CodeCell:
    """Return the cell that computes `name`; labels and frames it reads are registered first."""
    lines = [*_registered(frames, con), f"{name} = {con}.sql({_text(sql)}).df()"]
    return CodeCell(
        "\n".join(lines) + "\n",
        title=f"{_PLAIN[label]} ({name})" if label in _PLAIN else f"{name} by SQL",
        kind="sql",
        requires=(con, *frames.values()),
        produces=(name,),
    )


def _registered(frames: dict[str, str], con: str) -> list[str]:
    from lexsi_nb.data.dataset import py_string

    return [f"{con}.register({py_string(table)}, {variable})" for table, variable in frames.items()]


def _text(sql: str) -> str:
    """Return the SQL as a Python literal, over several lines where that needs no escapes."""
    from lexsi_nb.data.guard import bare

    text = bare(sql)
    return repr(text) if '"""' in text or "\\" in text or text.endswith('"') else f'"""\n{text}\n"""'


def _write(sql: str, used: dict[str, Any], ctx: Context) -> ToolResult:
    """Write to the workspace by a cell that does the same on a plain connection."""
    from lexsi_nb.data.workspace import ENSURE, check_write

    change = check_write(sql, frozenset(n.casefold() for n in ctx.engine.readable()))
    con, frames = ctx.run.con, {table: ctx.name_of(table) for table in used}
    lines = [f'{con}.execute("{ENSURE}")', *_registered(frames, con), f"{con}.execute({_text(sql)})"]
    name = f"workspace.{change.table}"
    cell = ctx.emit(
        CodeCell(
            quiet("\n".join(lines) + "\n"), title=f"{change.verb} {name}", kind="sql", requires=(con, *frames.values())
        )
    )
    _run(cell, sql, used, ctx)
    ctx.put("last_sql", sql)
    made = ctx.engine.written_by
    if change.verb == "drop":
        made.pop(name, None)
        return ToolResult(True, f"Dropped {name}.")
    made[name] = [*(made.get(name, []) if change.verb != "create" else []), cell]
    table = ctx.engine.table(name)
    types = ", ".join(f"{c.name}: {c.type}" for c in table.columns[:MOST_TYPES])
    said = f"{name} has {table.rows:,} rows x {len(table.columns)} columns. Read it as {name}.\nColumns: {types}"
    return ToolResult(True, said, payload=table)


def _bring_workspace(tables: list[str], ctx: Context) -> None:
    """Emit the cells of earlier runs that made the workspace tables which this run reads for the first time."""
    here = {cell.source for cell in ctx.run.cells}
    for table in tables:
        for cell in ctx.engine.written_by.get(table, ()):
            if cell.source not in here:
                ctx.emit(cell)


def _observation(
    frame: Any, sql: str, label: str | None, name: str, joins: list[str], minds: list[Segment], ctx: Context
) -> Observation:
    rows, columns = frame.shape
    held = f" Held as label {label!r}" + (f", variable {name}." if name != label else ".") if label else ""
    head = f"{rows:,} rows x {columns} columns.{held}"
    if rows == 0:
        head += " The result is empty: check the literals with sample_values."
    listed = list(zip(map(str, frame.columns), map(str, frame.dtypes), strict=True))
    types = ", ".join(f"{c}: {t}" for c, t in listed[:MOST_TYPES])
    if columns > MOST_TYPES:
        types += f", and {columns - MOST_TYPES} more"
    found = origins_of(sql, frame.columns, ctx)
    remember(name if label else LAST, frame.columns, found, ctx)
    if label:
        remember(LAST, frame.columns, found, ctx)
    decided = tuple(sorted(found.rows))
    told = tuple(found.of(i) for i in range(min(columns, MOST_TYPES)))
    preview = _preview(frame)
    count = Segment(preview, columns=tuple(o for c in told for o in c)) if is_count(sql) else None
    return Observation.of(
        Segment(head, columns=decided, instead=f"It ran.{held} Private columns decide how many rows there are."),
        f"Columns: {masked_names(types, ctx)}",
        *(Segment(line, columns=decided) for line in joins),
        *minds,
        count or grid_segment(preview, told, most=PREVIEW_CHARS),
    )


def _preview(frame: Any) -> str:
    """Return at most 20 rows as CSV."""
    return frame.iloc[:PREVIEW_ROWS, :MOST_TYPES].map(_short).to_csv(index=False)


def _short(value: Any) -> Any:
    text = value if isinstance(value, str) else str(value) if isinstance(value, list | dict | bytes) else None
    if text is None:
        return value
    return text if len(text) <= 200 else f"{text[:197]}..."
