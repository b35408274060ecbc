"""`inspect_data`: the schema of the active dataset as Markdown."""

from __future__ import annotations

from lexsi_nb.artifacts.observation import Observation, Segment, only_names
from lexsi_nb.data.tables import ColumnInfo, TableInfo
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context

SCHEMA_BUDGET_CHARS = 10_000
MOST_NAMED = 60
MOST_COLUMN_CHARS = 300
ALIAS = "same as "  # how the knowledge graph comments a column that repeats another


@tool(
    scopes=("data:read",),
    cost_class="free",
    thread_safe=True,
    parallel_safe=True,
    capabilities=("schema", "tables", "columns"),
    returns="Markdown: each table with its columns, types, comments and row count.",
)
def inspect_data(table_filter: list[str] | None = None, *, ctx: Context) -> ToolResult:
    """Return the schema of the active dataset: tables, columns, types, comments, row counts.

    Use it first on an unfamiliar dataset. It reads no values: for those use sample_values, for what words mean
    query_kg.

    Args:
        table_filter: Names of the tables wanted. Omit for all tables.
    """
    engine = ctx.engine
    unread = {} if table_filter else engine.unreadable()
    names = table_filter or [*engine.dataset.table_names(), *engine.workspace()]
    ctx.register_labels(names)
    # Raises UnknownTable with the nearest names.
    tables = [engine.table(name) for name in dict.fromkeys(names) if name not in unread]
    parts: list[str] = []
    used = 0
    for at, table in enumerate(tables):
        text = _table(table)
        if used + len(text) + 1 > SCHEMA_BUDGET_CHARS - _reserve(tables[at:]) and parts:
            parts.append(_cut(tables[at:]))
            break
        parts.append(text)
        used += len(text) + 1
    if ctx.dataset.knowledge is not None:
        parts.append("A knowledge graph is attached: call query_kg with the user's question to settle ambiguous words.")
    parts += [_shortened(f"## {name}: {why}") for name, why in unread.items()]
    if not tables and not unread:
        parts.append("It has no tables.")
    head = f"Dataset {ctx.dataset.id}: {ctx.dataset.title}." + (f" {ctx.dataset.note}" if ctx.dataset.note else "")
    return ToolResult(
        True,
        Observation.of(*_segments("\n".join([head, *parts]), tables, foreign=_foreign(tables, ctx) or bool(unread))),
        payload={"tables": tables},
    )


def _segments(text: str, tables: list[TableInfo], *, foreign: bool) -> list[Segment]:
    """Return the text with each column's comment apart: the comment of a private one may tell its values."""
    commented: dict[str, tuple[str, str]] = {}
    heads = {_head(t): t for t in tables}
    out: list[Segment] = []
    plain: list[str] = []
    for row in text.split("\n"):
        if row in heads:
            table = heads[row]
            commented = {
                _line(c): (f"{table.name}.{c.name}", f"- {c.name}: {c.type}") for c in table.columns if c.comment
            }
        if row in commented:
            out += [Segment("\n".join(plain), foreign=foreign)] if plain else []
            column, bare = commented[row]
            out.append(Segment(row, columns=(column,), foreign=foreign, instead=Segment(bare, foreign=foreign)))
            plain = []
        else:
            plain.append(row)
    return [*out, Segment("\n".join(plain), foreign=foreign)] if plain else out


def _foreign(tables: list[TableInfo], ctx: Context) -> bool:
    """Whether names or comments are more than names: then they are somebody else's words."""
    names = [n for t in tables for n in (t.name, *t.column_names(), *(c.type for c in t.columns if "(" in c.type))]
    own = ctx.dataset.knows_itself
    comments = any(t.comment or any(c.comment for c in t.columns) for t in tables)
    return not only_names([*names, ctx.dataset.title, ctx.dataset.id]) or (comments and not own)


def _reserve(rest: list[TableInfo]) -> int:
    """Return the characters that the line about tables left out would take, where there could be one."""
    return len(_cut(rest)) + 1 if len(rest) > 1 else 0


def _cut(rest: list[TableInfo]) -> str:
    named = ", ".join(t.name for t in rest[:MOST_NAMED]) + (
        f" and {len(rest) - MOST_NAMED} more" * (len(rest) > MOST_NAMED)
    )
    return f"[cut at {SCHEMA_BUDGET_CHARS} characters; call with table_filter for: {named}]"


def _table(table: TableInfo) -> str:
    lines = [_head(table)]
    again = [c for c in table.columns if c.comment.startswith(ALIAS)]
    for c in table.columns:
        if c in again:
            continue
        lines.append(_line(c))
    if again:
        names = ", ".join(f"{c.name} = {c.comment.removeprefix(ALIAS).partition(':')[0]}" for c in again)
        lines.append(_shortened(f"- other names: {names}"))
    text = "\n".join(lines)
    if len(text) <= SCHEMA_BUDGET_CHARS:
        return text
    # One table wider than the budget: whole columns only, and what is missing is counted.
    kept, size = [lines[0]], len(lines[0])
    for line in lines[1:]:
        if size + len(line) + 1 > SCHEMA_BUDGET_CHARS - 80:
            break
        kept.append(line)
        size += len(line) + 1
    return "\n".join([*kept, f"- ... {len(lines) - len(kept)} more columns"])


def _head(table: TableInfo) -> str:
    return f"## {table.name} ({table.rows:,} rows)" + (f": {table.comment}" if table.comment else "")


def _line(c: ColumnInfo) -> str:
    # A nested type or a list of codes may be longer than all the rest.
    return _shortened(f"- {c.name}: {c.type}" + (f" -- {c.comment}" if c.comment else ""))


def _shortened(line: str) -> str:
    return line if len(line) <= MOST_COLUMN_CHARS else f"{line[: MOST_COLUMN_CHARS - 3]}..."
