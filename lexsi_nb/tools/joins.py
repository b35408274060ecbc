"""What a query that joins frames of the kernel does to their rows, said beside its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData, QueryFailed, UnknownColumn, UnknownTable

if TYPE_CHECKING:
    from lexsi_nb.data.joined import Figure, JoinKeys
    from lexsi_nb.data.joining import Measure
    from lexsi_nb.tools.context import StepContext

MOST_ROWS = 5_000_000  # of larger tables the joins are not measured
SECONDS = 10.0
LOW = 0.95  # below this share of matching rows the keys are looked at


def look_at_joins(sql: str, frames: dict[str, Any], ctx: StepContext) -> list[str]:
    """Return a line a join of frames: match rates, multiplicity, rows before and after, what to mind.

    A fan-out under an aggregate becomes a warning of the answer; keys that match better once cleaned become a cell.
    """
    from lexsi_nb.data.joined import joins_of
    from lexsi_nb.data.joining import measure

    engine = ctx.engine

    def columns(table: str) -> list[str]:
        try:
            return engine.table(table).column_names()
        except (UnknownTable, BadData):
            return []  # a CTE, or a frame that the query does not read

    lines: list[str] = []
    for joined in joins_of(sql, columns):
        measures: list[Measure] = []
        for one in (k for k in joined.keys if _of_frames(k, frames, ctx)):
            try:
                found = measure(engine, one, timeout=SECONDS)
                measures.append(found)
                lines.append(found.text)
                ctx.note(lambda found=found: ctx.notes.say("joins", found.text))
                lines += _cleaner_keys(found, frames, ctx)
            except (UnknownTable, UnknownColumn):
                continue  # a name of a CTE that a table has as well
            except QueryFailed as error:
                lines.append(f"The keys of {one.left} and {one.right} were not looked at to the end: {error.what}")
        for warning in _fan_outs(measures, joined.figures):
            lines.append(f"Mind: {warning}")
            ctx.note(lambda warning=warning: ctx.notes.warn(warning))
    return list(dict.fromkeys(lines))


def _of_frames(keys: JoinKeys, frames: dict[str, Any], ctx: StepContext) -> bool:
    """Return whether a side is a frame of the kernel; a curated dataset's own joins need no look."""
    mine = {f.casefold() for f in frames}
    if ctx.dataset.kind == "frames":
        mine |= {t.casefold() for t in ctx.dataset.table_names()}
    sides = (keys.left, keys.right)
    if not any(s.casefold() in mine for s in sides):
        return False
    try:
        return all(ctx.engine.table(s).rows <= MOST_ROWS for s in sides)
    except (UnknownTable, BadData):
        return False


def _cleaner_keys(found: Measure, frames: dict[str, Any], ctx: StepContext) -> list[str]:
    """Return a line about keys that match better once cleaned, and emit the cell that makes them."""
    from lexsi_nb.data.joining import cleaned, cleaning_cell, percent

    if min(found.left.rate, found.right.rate) >= LOW:
        return []
    better = cleaned(ctx.engine, found, timeout=SECONDS)
    if better is None:
        return []
    keys = found.keys
    ctx.emit(cleaning_cell(better, _variables(keys, frames, ctx), ctx.run.con))
    merged = f" ({better.merged:,} keys become one with another)" if better.merged else ""
    said = (
        f"With keys {', '.join(better.steps)}, {percent(better.measure.left.rate)} of {keys.left} and "
        f"{percent(better.measure.right.rate)} of {keys.right} would match{merged}: a cell that cleans them is "
        "among the code cells."
    )
    ctx.note(lambda: ctx.notes.warn(f"{found.left.words}, {found.right.words}. {said}"))
    return [f"{said} In SQL: {better.left_key} = {better.right_key}."]


def _fan_outs(measures: list[Measure], figures: tuple[Figure, ...]) -> list[str]:
    """Return what the joins of one select repeat that must not be repeated."""
    from lexsi_nb.data.joining import repeated

    lines = []
    for figure in figures:
        times, by = repeated(figure.table, measures)
        if times > 1:
            lines.append(
                f"{figure.text} counts a row of {figure.table} up to {times:,} times, once a matching row of {by}. "
                f"Aggregate {by} by its key first, then join."
            )
    if lines:
        return lines
    return [
        f"keys repeat in {m.left.table} and in {m.right.table}, so the join multiplies rows: "
        f"{m.left.rows:,} and {m.right.rows:,} become {m.after:,}."
        for m in measures
        if m.left.most > 1 and m.right.most > 1 and m.rows
    ]


def _variables(keys: JoinKeys, frames: dict[str, Any], ctx: StepContext) -> dict[str, str]:
    """Return the kernel variable behind each side that is registered by hand in emitted cells."""
    mine = {f.casefold(): f for f in frames}
    return {side: ctx.name_of(mine[side.casefold()]) for side in (keys.left, keys.right) if side.casefold() in mine}
