"""1 million rows to a DataFrame through the guarded engine, beside DuckDB's own `.df()` on a connection of its own.

Four queries: numbers, mixed columns (text, dates, missing values), a filter, and a sorted result. Guard, row cap and
registration are inside the measured time. Wanted: at most 1.1 times DuckDB.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIMIT = 1.1
ROUNDS = 15
QUERIES = {
    "numbers": "SELECT id, g, x, y FROM numbers",
    "mixed": "SELECT * FROM mixed",
    "filter": "SELECT * FROM numbers WHERE x < 0.999",
    "sorted": "SELECT * FROM numbers ORDER BY x",
}


def frames(rows: int) -> dict[str, Any]:
    """Return the frames that are read: `numbers` (four columns) and `mixed` (five)."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(0)
    numbers = pd.DataFrame(
        {
            "id": np.arange(rows),
            "g": rng.integers(0, 1000, rows),
            "x": rng.uniform(size=rows),
            "y": rng.normal(size=rows),
        }
    )
    mixed = pd.DataFrame(
        {
            "id": np.arange(rows),
            "code": np.array(["A", "B", "C", "D"])[rng.integers(0, 4, rows)],
            "day": np.datetime64("1993-01-01") + rng.integers(0, 2000, rows).astype("timedelta64[D]"),
            "amount": np.where(rng.uniform(size=rows) < 0.1, np.nan, rng.normal(size=rows)),
            "name": np.char.add("name ", np.arange(rows).astype(str)),
        }
    )
    return {"numbers": numbers, "mixed": mixed}


def main(rows: int = 1_000_000) -> int:
    """Print the medians and the ratio of each query; return 1 where the ratio over all is above the limit."""
    import duckdb

    from lexsi_nb import datasets
    from lexsi_nb.data.engine import Engine

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.duckdb"
        with duckdb.connect(str(file)) as made:
            for name, frame in frames(rows).items():
                made.register("frame", frame)
                made.execute(f"CREATE TABLE {name} AS FROM frame")
        engine = Engine(datasets.open(file))  # copies the tables: nothing of the file is read below
        con = duckdb.connect()
        datasets.open(file).prepare(con)
    ours_all = theirs_all = 0.0
    for name, sql in QUERIES.items():
        theirs, ours = in_turn(lambda sql=sql: con.sql(sql).df(), lambda sql=sql: engine.query(sql))
        print(f"{name:8} {theirs * 1000:7.1f} ms duckdb  {ours * 1000:7.1f} ms engine  ratio {ours / theirs:.2f}")
        ours_all, theirs_all = ours_all + ours, theirs_all + theirs
    engine.close()
    con.close()
    ratio = ours_all / theirs_all
    print(f"all      {theirs_all * 1000:7.1f} ms duckdb  {ours_all * 1000:7.1f} ms engine  ratio {ratio:.2f}")
    print(f"wanted   at most {LIMIT}, {rows:,} rows, median of {ROUNDS}, in turn")
    return int(ratio > LIMIT)


def in_turn(*acts: Callable[[], Any]) -> list[float]:
    """Return the median seconds of each act, run in turn so that a slow moment of the machine meets all."""
    seconds: list[list[float]] = [[] for _ in acts]
    for _ in range(ROUNDS):
        for act, found in zip(acts, seconds, strict=True):
            began = time.perf_counter()
            act()
            found.append(time.perf_counter() - began)
    return [statistics.median(s) for s in seconds]


if __name__ == "__main__":
    sys.exit(main(*(int(a) for a in sys.argv[1:2])))
