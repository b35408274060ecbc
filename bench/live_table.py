"""Live table over 10 million rows: the first page, sorted and filtered pages, Explain to bars; against pandas.

Beside each stands the obvious way: the same rows by `sort_values` and boolean masks of pandas, then `head`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

ROWS = 10_000_000
PAGE_MS, EXPLAIN_MS = 500, 300


def predictions(n: int) -> Any:
    """Return n scored rows, highest first, as `predict` leaves them."""
    import numpy as np
    import pandas as pd

    draw = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "loan_id": np.arange(n),
            "amount": draw.normal(150_000, 40_000, n).round(),
            "district": pd.Series(draw.choice(["Prague", "Brno", "Ostrava", "Zlín", "Ústí"], n), dtype="str"),
            "probability": np.sort(draw.random(n))[::-1],
            "rank": np.arange(1, n + 1),
        }
    )


def timed(act: Callable[[], Any], *, repeats: int) -> float:
    """Return the fastest of some runs, in milliseconds."""
    best = float("inf")
    for _ in range(repeats):
        begun = time.perf_counter()
        act()
        best = min(best, 1000 * (time.perf_counter() - begun))
    return best


def pages(frame: Any, repeats: int) -> list[tuple[str, float, float]]:
    """Return (what, milliseconds of a new table and that page, milliseconds of pandas)."""
    from lexsi_nb.widgets.live.table import LiveTable

    asked: list[tuple[str, dict[str, Any], Callable[[], Any]]] = [
        ("first page", {}, lambda: frame.head(20)),
        (
            "highest amount",
            {"sort": {"column": 1, "descending": True}},
            lambda: frame.sort_values("amount", ascending=False, kind="stable").head(20),
        ),
        (
            "lowest, by Last",
            {"sort": {"column": 1, "descending": True}, "offset": len(frame) - 20},
            lambda: frame.sort_values("amount", ascending=False, kind="stable").tail(20),
        ),
        (
            "by district",
            {"sort": {"column": 2, "descending": False}},
            lambda: frame.sort_values("district", kind="stable").head(20),
        ),
        (
            "amount from 200,000",
            {"filters": [{"column": 1, "low": "200000"}]},
            lambda: frame[frame["amount"] >= 200_000].head(20),
        ),
        (
            "district contains zl",
            {"filters": [{"column": 2, "contains": "zl"}]},
            lambda: frame[frame["district"].str.contains("zl", case=False, regex=False)].head(20),
        ),
    ]
    out = []
    for what, query, plain in asked:
        times = []
        for _ in range(repeats):
            message = {"id": "1", "request": "page", "content": query}
            begun = time.perf_counter()
            table = LiveTable(frame)
            reply = table.receive(message)
            json.dumps(table.state)
            times.append(1000 * (time.perf_counter() - begun))
            assert "error" not in reply, reply
        out.append((what, min(times), timed(plain, repeats=repeats)))
    return out


def explained(repeats: int) -> tuple[float, float]:
    """Return milliseconds from a row's Explain to its HTML, and of the model's contributions alone."""
    import lexsi_nb as lx
    from lexsi_nb.widgets.live.predictions import predictions_table

    session = lx.Session(dataset=lx.datasets.bank())
    session.ask("For loans currently being repaid, which are likely to default? Show me the top 10 and tell me why.")
    assert session.explainer is not None
    made = session.explainer.made()
    table = predictions_table(made)
    places = iter(range(repeats + 1))

    def click() -> None:
        reply = table.receive({"id": "1", "request": "explain", "content": {"places": [next(places)]}})
        assert "how sure" in reply["reply"]["html"], reply

    click()
    frame = session.namespace[made.frame_name]
    case = made.predicted.frame["loan_id"].iloc[0]
    alone = timed(
        lambda: made.backend.explain(made.trained, frame, [case], frame_name=made.frame_name), repeats=repeats
    )
    return timed(click, repeats=repeats), alone


def main() -> int:
    """Print the table; 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    frame = predictions(options.rows)
    print(f"{options.rows:,} rows, the best of {options.repeats}")
    print(f"{'':24}{'live table':>12}{'pandas':>12}")
    rows = pages(frame, options.repeats)
    for what, ours, plain in rows:
        print(f"{what:24}{ours:>9,.0f} ms{plain:>9,.0f} ms")
    click, alone = explained(options.repeats)
    print(f"{'Explain to HTML':24}{click:>9,.0f} ms{alone:>9,.0f} ms (the contributions alone)")
    first = rows[0][1]
    print(f"limits: first page {PAGE_MS} ms, Explain {EXPLAIN_MS} ms")
    return int(first > PAGE_MS or click > EXPLAIN_MS)


if __name__ == "__main__":
    sys.exit(main())
