"""Fingerprint of a 10-million-row frame against a DuckDB group-by over it, in one run. Prints ratios.

Run: python bench/fingerprint.py [rows]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any


def best(work: Callable[[], Any], *, times: int = 5) -> float:
    """Return the shortest of `times` runs, in seconds."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main(rows: int = 10_000_000) -> None:
    """Print a line a frame: milliseconds and the ratio to the group-by."""
    import duckdb
    import numpy as np
    import pandas as pd
    import polars as pl

    from lexsi_nb.kernel.fingerprint import fingerprint

    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"g": rng.integers(0, 1000, rows), "x": rng.normal(size=rows), "y": rng.normal(size=rows)})
    con = duckdb.connect()
    con.register("t", frame)
    group_by = best(lambda: con.execute("select g, sum(x) as x, avg(y) as y from t group by g").fetchall())
    print(f"group-by over {rows:,} rows of 3 numeric columns: {group_by * 1e3:.1f} ms")
    words = pd.array(["alpha", "beta", "gamma delta", "a longer piece of text"])[rng.integers(0, 4, rows)]
    few = rows // 20
    others: dict[str, Any] = {
        "pandas, 3 numeric columns": frame,
        "pandas, 3 columns of an array, as pandas copies it": pd.DataFrame(rng.normal(size=(rows, 3))),
        "pandas, 3 columns of one row-major array": pd.DataFrame(rng.normal(size=(rows, 3)), copy=False),
        "pandas, every other row (strided)": pd.DataFrame(
            {c: pd.Series(np.repeat(frame[c].to_numpy(), 2)[::2], copy=False) for c in frame}, copy=False
        ),
        "polars, 3 numeric columns": pl.DataFrame({c: frame[c].to_numpy() for c in frame}),
        "pandas, Int64 with nulls": pd.DataFrame({"i": pd.array(frame["g"].where(frame["g"] > 0), dtype="Int64")}),  # pyright: ignore
        "pandas, one column of Arrow text": pd.DataFrame({"s": words}),
        "pandas, one categorical": pd.DataFrame({"c": pd.Categorical(words)}),
        f"pandas, object text, {few:,} rows": pd.DataFrame({"o": pd.Series(list(words[:few]), dtype=object)}),
    }
    for name, value in others.items():
        seconds = best(lambda value=value: fingerprint(value))
        print(f"{name}: {seconds * 1e3:.1f} ms, ratio {seconds / group_by:.2f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:2]))
