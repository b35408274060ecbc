"""A 10-million-row pandas frame queried in place through a run_sql step, beside raw DuckDB. Prints ratio and memory.

The step's time includes the guard, the registration, the row cap and change detection (fingerprints of the frame as
a parent and of the result). Wanted: at most 1.3 times raw DuckDB, and no copy of the frame.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

SQL = "SELECT g, sum(x) AS x, avg(y) AS y FROM big GROUP BY g ORDER BY g"
ROUNDS = 9


def main(rows: int = 10_000_000) -> None:
    """Print both medians, the ratio, and how much memory a query took beside the frame's own."""
    import duckdb
    import numpy as np
    import pandas as pd
    import psutil

    from lexsi_nb.app.session import Session
    from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"g": rng.integers(0, 1000, rows), "x": rng.normal(size=rows), "y": rng.normal(size=rows)})
    size = frame.memory_usage().sum() / 2**20
    names: dict[str, Any] = {"big": frame}
    session = Session(namespace=names, planner=ScriptedPlanner([say("warm")]))
    session.ask("warm")
    process = psutil.Process()
    con = duckdb.connect()

    def raw() -> float:
        began = time.perf_counter()
        con.register("big", frame)
        con.sql(SQL).df()
        return time.perf_counter() - began

    def ours() -> float:
        planner = ScriptedPlanner([call("run_sql", sql=SQL, label="by_g"), say("done")])
        session.use(planner=planner)
        run = session.ask("sum by g")
        assert run.status == "answered", run.answer
        return run.steps[0].seconds

    raw(), ours()
    before = process.memory_info().rss / 2**20
    theirs, mine = [], []
    for _ in range(ROUNDS):  # in turn, so that a slow moment of the machine meets both
        theirs.append(raw())
        mine.append(ours())
    grown = process.memory_info().rss / 2**20 - before
    a, b = statistics.median(mine), statistics.median(theirs)
    print(f"frame        {rows:,} rows, {size:,.0f} MiB")
    print(f"raw duckdb   {1000 * b:.0f} ms\nrun_sql step {1000 * a:.0f} ms (guard, cap, fingerprints included)")
    print(f"ratio        {a / b:.2f} (wanted at most 1.3)")
    print(f"memory       {grown:+.0f} MiB after {2 * ROUNDS} queries (a copy would be {size:,.0f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
