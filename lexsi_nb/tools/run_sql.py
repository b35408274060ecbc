"""`run_sql`: one read over the active dataset, bound to a variable where it has a label."""

from __future__ import annotations

from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.results import Table
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context

PREVIEW_ROWS = 20
PREVIEW_CHARS = 4_000


@tool(
    scopes=("data:read",),
    side_effect="kernel",
    thread_safe=True,
    capabilities=("sql", "query", "rows"),
    produces=("sql_result:*", "last_sql_result", "last_sql"),
    returns="Row and column counts, column types, and a preview of at most 20 rows.",
)
def run_sql(sql: str, label: str | None = None, *, ctx: Context) -> ToolResult:
    """Run one DuckDB SELECT over the active dataset and return the result.

    Use it to carry out SQL from text_to_sql, or a plain query of one table. With a label the result becomes a
    variable and a view of that name, which later SQL and tools can read. It reads only: it cannot write, read files
    or change settings. For SQL with joins or text filters call text_to_sql first.

    Args:
        sql: One SELECT statement.
        label: Name for the result, such as context_df.
    """
    from lexsi_nb.data.references import tables_of

    used = ctx.labels_in(tables_of(sql))
    name = ctx.name_for(label) if label else "result"
    cell = ctx.emit(_cell(sql, name, {table: ctx.name_of(table) for table in used}, ctx.run.con))
    ctx.tick(0, None, f"querying {', '.join(tables_of(sql)[:4])}")
    frame = cell.run({ctx.run.con: ctx.engine.connection, **{ctx.name_of(t): f for t, f in used.items()}})[name]
    if label:
        parents = (*(ctx.name_of(t) for t in used), *ctx.sources(tables_of(sql)))
        ctx.write(label, frame, parents=parents, cell=cell)
    ctx.put("last_sql_result", frame)
    ctx.put("last_sql", sql)
    ctx.show(Table(frame, title=label or "", name=name if label else ""), parents=tuple(used))
    return ToolResult(True, _observation(frame, label, name), payload=frame)


def _cell(sql: str, name: str, frames: dict[str, str], con: str) -> CodeCell:
    """Return the cell that computes `name`; labels and frames it reads are registered first."""
    lines = [f"{con}.register({table!r}, {variable})".replace("'", '"') for table, variable in frames.items()]
    text = sql.strip().rstrip(";").strip()
    fence = '"""' if '"""' not in text and "\\" not in text else None
    body = f'{name} = {con}.sql("""\n{text}\n""").df()' if fence else f"{name} = {con}.sql({text!r}).df()"
    lines.append(body)
    return CodeCell(
        "\n".join(lines) + "\n",
        title=f"{name} by SQL",
        kind="sql",
        requires=(con, *frames.values()),
        produces=(name,),
    )


def _observation(frame: Any, label: str | None, name: str) -> Observation:
    rows, columns = frame.shape
    held = f" Held as label {label!r}" + (f", variable {name}." if name != label else ".") if label else ""
    head = f"{rows:,} rows x {columns} columns.{held}"
    if rows == 0:
        head += " The result is empty: check the literals with sample_values."
    types = ", ".join(f"{c}: {t}" for c, t in list(zip(map(str, frame.columns), map(str, frame.dtypes), strict=True))[:60])
    preview = frame.head(PREVIEW_ROWS).to_csv(index=False)[:PREVIEW_CHARS]
    return Observation.of(head, f"Columns: {types}", Segment(preview, "rows", tuple(map(str, frame.columns))))
