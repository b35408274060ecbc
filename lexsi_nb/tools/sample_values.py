"""`sample_values`: the distinct values of a column."""

from __future__ import annotations

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.data.engine import TableInfo
from lexsi_nb.errors import UnknownColumn
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.telling import told_by

MOST = 100
_MISSING = ("NaTType", "NAType")


@tool(
    scopes=("data:read",),
    thread_safe=True,
    parallel_safe=True,
    capabilities=("values", "codes", "spelling"),
    returns="Distinct values with their counts, most frequent first.",
    check=lambda args, ctx: _problems(args),
)
def sample_values(table: str, column: str, k: int = 20, order_by_freq: bool = True, *, ctx: Context) -> ToolResult:
    """Return up to k distinct values of a column with how often each occurs.

    Use it before filtering a text column on a value whose spelling you have not seen. Not for counting or
    aggregating: use text_to_sql for that.

    Args:
        table: A table of the active dataset.
        column: A column of that table.
        k: How many values, 1 to 100.
        order_by_freq: Most frequent first; otherwise in the values' own order.
    """
    ctx.register_labels([table])
    info = ctx.engine.table(table)
    name = _column(column, info)
    # Read as text where pandas has no like: an instant with a zone, and dates before 1677 or after 2262.
    value = f"{_quoted(name)}::VARCHAR" if _as_text(info, name) else _quoted(name)
    order = "n DESC, value NULLS LAST" if order_by_freq else "value NULLS LAST"
    frame = ctx.engine.query(
        f"SELECT {value} AS value, count(*) AS n\nFROM {ctx.engine.reference(info.name)}\n"
        f"GROUP BY ALL\nORDER BY {order}\nLIMIT {k + 1}",
        timeout=ctx.engine.timeout,
    )
    more = len(frame) > k
    frame = frame.head(k)
    rows = [f"{_shown(v)}: {n}" for v, n in zip(frame["value"].tolist(), frame["n"].tolist(), strict=True)]
    rest = ", there are more" if more else ", that is all"
    head = f"{info.name}.{name}: {len(rows)} distinct value{'' if len(rows) == 1 else 's'} shown{rest}."
    return ToolResult(
        True,
        Observation.of(head, *_segments(rows, frame["n"].tolist(), told_by(info.name, [name], ctx)[0])),
        payload=frame,
    )


def _segments(rows: list[str], counts: list[int], told: tuple[str, ...]) -> list[Segment]:
    """Return a segment a value: a policy lets through those that enough rows share."""
    if not rows:
        return [Segment("(no rows)", "stats", told)]
    return [Segment(row, "stats", told, shared=int(n)) for row, n in zip(rows, counts, strict=True)]


def _column(column: str, info: TableInfo) -> str:
    """Return the column as it is spelt in the table; case may differ where that leaves one.

    Raises:
        UnknownColumn: lists the nearest names.
    """
    names = info.column_names()
    if column in names:
        return column
    alike = [n for n in names if n.casefold() == column.casefold()]
    if len(alike) == 1:
        return alike[0]
    raise UnknownColumn.among(column, names, where=info.name)


def _as_text(info: TableInfo, column: str) -> bool:
    return next(c.type for c in info.columns if c.name == column).startswith(("TIMESTAMP", "DATE", "TIME", "INTERVAL"))


def _problems(args: object) -> list[str]:
    k = getattr(args, "k", 20) if not isinstance(args, dict) else args.get("k", 20)
    return [] if 1 <= k <= MOST else [f"$.k: must be between 1 and {MOST}, got {k}"]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _shown(value: object) -> str:
    missing = value is None or (isinstance(value, float) and value != value) or type(value).__name__ in _MISSING
    text = "NULL" if missing else str(value)
    return text if len(text) <= 80 else text[:77] + "..."
