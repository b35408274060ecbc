"""What a query that joins frames of the kernel does to their rows, said beside its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData, FanOut, QueryFailed, RefusedSQL, UnknownColumn, UnknownTable

if TYPE_CHECKING:
    from lexsi_nb.data.grain import Suspect
    from lexsi_nb.data.joined import JoinKeys
    from lexsi_nb.data.joining import Measure
    from lexsi_nb.tools.context import StepContext

MOST_ROWS = 5_000_000  # of larger tables the joins are not measured
SECONDS = 10.0
LOW = 0.95  # below this share of matching rows the keys are looked at


def look_at_joins(sql: str, frames: dict[str, Any], ctx: StepContext) -> list[str]:
    """Return a line a join of frames: match rates, multiplicity, rows before and after, what to mind.

    A join that multiplies rows becomes a warning of the answer; keys that match better once cleaned become a cell.
    """
    from lexsi_nb.data.joined import joins_of
    from lexsi_nb.data.joining import measure

    engine = ctx.engine

    lines: list[str] = []
    for joined in joins_of(sql, lambda table: _columns(table, ctx)):
        measures: list[Measure] = []
        for one in (k for k in joined if _of_frames(k, frames, ctx)):
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
        for warning in _multiplied(measures):
            lines.append(f"Mind: {warning}")
            ctx.note(lambda warning=warning: ctx.notes.warn(warning))
    return list(dict.fromkeys(lines))


def refuse_fan_outs(sql: str, frames: dict[str, Any], ctx: StepContext) -> list[str]:
    """Return a line a figure whose rows could not be counted in time; the others take each row once.

    Raises:
        FanOut: a sum, mean or count takes rows of a table more than once; says which join repeats them.
    """
    from lexsi_nb.data.grain import suspects

    engine = ctx.engine
    for name, frame in frames.items():
        engine.register(name, frame)
    unchecked: list[str] = []
    for one in suspects(sql, lambda table: _columns(table, ctx)):
        try:
            times = min(_number(engine, counting) for counting in one.counting)
            if times > 1 and not any(_number(engine, s) for s in one.stated):
                raise _fan_out(one, times)
        except QueryFailed as error:
            if error.why.startswith("The limit is"):
                unchecked.append(f"Whether {one.figure} takes a row more than once was not checked: {error.what}")
                ctx.note(lambda text=unchecked[-1]: ctx.notes.warn(text))
        except (UnknownTable, UnknownColumn, BadData, RefusedSQL):
            continue  # the query itself says what is wrong with it
    return unchecked


def _number(engine: Any, sql: str) -> int:
    return int(engine.run(sql, "fetchall", max_rows=None, timeout=SECONDS)[0][0] or 0)


def _fan_out(one: Suspect, times: int) -> FanOut:
    """Return the refusal of a figure on the wrong grain, with the ways to say which one is meant."""
    names = list(dict.fromkeys(one.others)) or [one.table]
    others = ", ".join(names)
    many = names[0] if len(names) == 1 else f"the one of {others} that has several rows for one of {one.table}"
    if len(one.counting) > 1:
        return FanOut(
            f"Refused: {one.figure} counts combinations of rows of {one.table}, {others}, not rows of any of them.",
            f"Each is repeated by the others, up to {times:,} times or more.",
            "Join fewer tables, use count(DISTINCT key), or aggregate a table to one row a key before joining it. "
            "If the combinations are meant, say so: "
            f"FROM (SELECT {one.table}.<its key>, {names[0]}.<its key> FROM ...).",
        )
    return FanOut(
        f"Refused: {one.figure} would take a row of {one.table} up to {times:,} times.",
        f"The join with {others} repeats it, once for each matching row.",
        f"Aggregate {many} to one row a key in a subquery before joining it, or filter by EXISTS instead of the join. "
        f"If a value of {one.table} is meant once a row of {names[0]}, say so: "
        f"FROM (SELECT {names[0]}.<its key>, {one.table}.<column> FROM ...).",
    )


def _columns(table: str, ctx: StepContext) -> list[str]:
    """Return a table's columns; none of a CTE, and of a frame that the query does not read."""
    try:
        return ctx.engine.table(table).column_names()
    except (UnknownTable, BadData):
        return []


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


def _multiplied(measures: list[Measure]) -> list[str]:
    """Return what joins on keys that repeat on both sides do to the rows."""
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
