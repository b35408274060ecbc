"""How well two tables join: match rates, multiplicity, rows before and after, and keys that match once cleaned."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.data.dataset import py_string, quoted
from lexsi_nb.data.engine import Engine
from lexsi_nb.data.joined import JoinKeys
from lexsi_nb.errors import QueryFailed

# What may stand between two spellings of one key, in the order it is tried: name -> SQL around the key so far.
STEPS: dict[str, Callable[[str], str]] = {
    "as text, without .0": lambda key: f"regexp_replace({key}::VARCHAR, '\\.0+$', '')",
    "trimmed": lambda key: f"trim({key})",
    "upper case": lambda key: f"upper({key})",
    "without leading zeros": lambda key: f"coalesce(nullif(ltrim({key}, '0'), ''), left({key}, 1))",
}
WORTH = 0.02  # a cleaning is proposed where it adds this share of matching rows
_LEFT, _RIGHT = "keys on the left", "keys on the right"  # names no frame of the kernel has
_NUMBERS = ("INT", "FLOAT", "DOUBLE", "REAL", "DECIMAL", "NUMERIC")


@dataclass(frozen=True)
class Side:
    """One table of a join: `matched` of its `rows` find a partner; `most` rows share one key; `nulls` have none."""

    table: str
    rows: int
    matched: int
    most: int
    nulls: int
    distinct: int

    @property
    def rate(self) -> float:
        """Share of rows with a partner, in [0, 1]."""
        return self.matched / self.rows if self.rows else 0.0

    @property
    def words(self) -> str:
        """`97 of 100 rows of orders match (97 %)`."""
        return f"{self.matched:,} of {self.rows:,} rows of {self.table} match ({percent(self.rate)})"


@dataclass(frozen=True)
class Measure:
    """What joining two tables does; `rows` are those of the inner join."""

    keys: JoinKeys
    left: Side
    right: Side
    rows: int

    @property
    def after(self) -> int:
        """Rows after the join as it was written: inner, left, right or full."""
        lost_left, lost_right = self.left.rows - self.left.matched, self.right.rows - self.right.matched
        kept = {"left": lost_left, "right": lost_right, "full": lost_left + lost_right}
        return self.rows + kept.get(self.keys.kind, 0)

    @property
    def shape(self) -> str:
        """one-to-one, one-to-many, many-to-one or many-to-many, as seen from the left."""
        return f"{'many' if self.left.most > 1 else 'one'}-to-{'many' if self.right.most > 1 else 'one'}"

    @property
    def text(self) -> str:
        """The measure in two sentences."""
        on = " and ".join(f"{self.left.table}.{a} = {self.right.table}.{b}" for a, b in self.keys.on)
        most = f"at most {self.left.most:,} and {self.right.most:,} rows share a key"
        return (
            f"{on}: {self.left.words}, {self.right.words}. It is {self.shape} ({most}): "
            f"{self.left.rows:,} and {self.right.rows:,} rows before, {self.after:,} after the {self.keys.kind} join."
        )


@dataclass(frozen=True)
class Cleaning:
    """Steps under which the keys match better, the key of each side as SQL, and the measure with them.

    `merged`: how many different keys of either side become one of another.
    """

    steps: tuple[str, ...]
    left_key: str
    right_key: str
    measure: Measure
    merged: int


def measure(engine: Engine, keys: JoinKeys, *, timeout: float | None = None) -> Measure:
    """Return what joining on the keys does, as they are; numbers and text are compared as text.

    Raises:
        UnknownTable, UnknownColumn: lists the nearest names.
        QueryFailed: out of time.
    """
    pairs = [(quoted(a), quoted(b)) for a, b in keys.on]
    if _mixed(engine, keys):
        pairs = [(f"{a}::VARCHAR", f"{b}::VARCHAR") for a, b in pairs]
    sides = []
    for table, columns in ((keys.left, [a for a, _ in pairs]), (keys.right, [b for _, b in pairs])):
        listed = ", ".join(f"{e} AS k{i}" for i, e in enumerate(columns))
        shared = ", ".join(f"k{i}" for i in range(len(pairs)))
        sides.append(f"SELECT {shared}, count(*) AS n FROM (SELECT {listed} FROM {quoted(table)}) GROUP BY ALL")
    return _measured(engine, keys, sides, len(pairs), timeout)


def cleaned(engine: Engine, found: Measure, *, timeout: float | None = None) -> Cleaning | None:
    """Return the fewest steps under which clearly more rows match, or None. Keys of one column only.

    Out of time, the steps found so far are returned.

    Raises:
        QueryFailed: out of time before any were.
    """
    if len(found.keys.on) != 1 or (found.left.rate == 1 and found.right.rate == 1):
        return None
    column_a, column_b = found.keys.on[0]
    ends = None if timeout is None else time.monotonic() + timeout

    def left_time() -> float | None:
        return None if ends is None else max(0.05, ends - time.monotonic())

    # Each table is read once: the steps are tried on its different keys, as text.
    frames = {
        name: engine.run(
            f"SELECT {quoted(column)}::VARCHAR AS k, count(*) AS n FROM {quoted(table)} GROUP BY ALL",
            "to_arrow_table",
            max_rows=None,
            timeout=left_time(),
        )
        for name, table, column in ((_LEFT, found.left.table, column_a), (_RIGHT, found.right.table, column_b))
    }

    def after(steps: list[str]) -> Measure:
        sides = [f"SELECT {_key('k', steps)} AS k0, sum(n) AS n FROM {quoted(n)} GROUP BY ALL" for n in frames]
        return _measured(engine, found.keys, sides, 1, left_time(), frames)

    chosen = list(STEPS)
    best = after(chosen)
    if not _better(best, found, WORTH):
        return None
    for step in chosen[1:]:  # the first makes both keys text, which the others need
        fewer = [s for s in chosen if s != step]
        try:
            now = after(fewer)
        except QueryFailed:
            break
        if not _better(best, now):
            best, chosen = now, fewer
    merged = (found.left.distinct - best.left.distinct) + (found.right.distinct - best.right.distinct)
    return Cleaning(tuple(chosen), _key(column_a, chosen), _key(column_b, chosen), best, merged)


def cleaning_cell(cleaning: Cleaning, variables: dict[str, str], con: str = "con") -> CodeCell:
    """Return the cell that adds a cleaned key to copies of both tables.

    `variables` are the kernel variables of those tables that are frames; the frames themselves are not touched.
    """
    m = cleaning.measure
    (column_a, column_b) = m.keys.on[0]
    lines = [
        f"# {m.left.table}.{column_a} = {m.right.table}.{column_b} with keys {', '.join(cleaning.steps)}:",
        f"# {m.left.words}, {m.right.words}.",
    ]
    produces = []
    keys = ((m.left.table, column_a, cleaning.left_key), (m.right.table, column_b, cleaning.right_key))
    for table, column, key in keys:
        if table in variables:
            lines.append(f"{con}.register({py_string(table)}, {variables[table]})")
        made = f"{variables.get(table, table)}_keyed"
        made = made if made.isidentifier() else f"table_{len(produces) + 1}_keyed"
        produces.append(made)
        select = f"SELECT *, {key} AS {quoted(f'{column}_key')}\nFROM {quoted(table)}"
        lines.append(f'{made} = {con}.sql(r"""\n{select}\n""").df()')
    return CodeCell(
        "\n".join(lines) + "\n",
        title=f"Clean the keys of {m.left.table} and {m.right.table}",
        kind="code",
        requires=(con, *(variables[t] for t in (m.left.table, m.right.table) if t in variables)),
        produces=tuple(produces),
    )


def percent(share: float) -> str:
    """Return a share in whole percent; what is not all is not called 100 %, what is not none not 0 %."""
    whole = round(100 * share)
    if share < 1 and whole == 100:
        return "over 99 %"
    return "under 1 %" if share > 0 and whole == 0 else f"{whole} %"


def _key(column: str, steps: list[str]) -> str:
    sql = quoted(column)
    for step in steps:
        sql = STEPS[step](sql)
    return sql


def _better(a: Measure, b: Measure, by: float = 0.0) -> bool:
    gain = (a.left.rate + a.right.rate) - (b.left.rate + b.right.rate)
    return gain > by + 1e-12


def _mixed(engine: Engine, keys: JoinKeys) -> bool:
    """Whether a number is compared with something else."""
    types = [{c.name.casefold(): c.type for c in engine.table(t).columns} for t in (keys.left, keys.right)]
    pairs = [(types[0].get(a.casefold(), ""), types[1].get(b.casefold(), "")) for a, b in keys.on]
    return any(any(n in a for n in _NUMBERS) != any(n in b for n in _NUMBERS) for a, b in pairs)


def _measured(
    engine: Engine,
    keys: JoinKeys,
    sides: list[str],
    columns: int,
    timeout: float | None,
    frames: dict[str, Any] | None = None,
) -> Measure:
    """Return the measure of two sides, each a SELECT of its different keys `k0`, `k1`, ... and their rows `n`."""
    names = [f"k{i}" for i in range(columns)]
    shared = ", ".join(names)
    present = " AND ".join(f"{n} IS NOT NULL" for n in names)
    each = (
        f"SELECT sum(n) AS rows, sum(n) FILTER (WHERE {present}) AS present, max(n) FILTER (WHERE {present}) AS most, "
        f"count(*) FILTER (WHERE {present}) AS keys"
    )
    row = engine.query(
        f"""
        WITH left_keys AS ({sides[0]}),
            right_keys AS ({sides[1]}),
            met AS (
                SELECT sum(l.n) AS a, sum(r.n) AS b, sum(l.n * r.n) AS rows
                FROM left_keys l JOIN right_keys r USING ({shared})
            ),
            left_all AS ({each} FROM left_keys),
            right_all AS ({each} FROM right_keys)
        SELECT a.rows AS la, a.present AS lp, a.most AS lm, a.keys AS lk,
            b.rows AS ra, b.present AS rp, b.most AS rm, b.keys AS rk,
            met.a AS lmatched, met.b AS rmatched, met.rows AS joined
        FROM left_all a, right_all b, met
        """,
        frames=frames,
        timeout=timeout,
    ).iloc[0]
    n = {k: 0 if v is None or v != v else int(v) for k, v in row.items()}
    left = Side(keys.left, n["la"], n["lmatched"], n["lm"], n["la"] - n["lp"], n["lk"])
    right = Side(keys.right, n["ra"], n["rmatched"], n["rm"], n["ra"] - n["rp"], n["rk"])
    return Measure(keys, left, right, n["joined"])
