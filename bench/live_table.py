"""Live table over 10 million rows: the first page, sorted and filtered pages, Explain to bars; against pandas.

Beside each stands the obvious way: the same rows by `sort_values` and boolean masks of pandas, then `head`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
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
            "reference": pd.Series(np.char.add("order-", draw.permutation(n).astype(str)), dtype="str"),
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


def asked(n: int) -> list[tuple[str, dict[str, Any], Callable[[Any], Any]]]:
    """Return (what, the query of a page, the same by pandas from the frame)."""
    amount, district, reference = 1, 2, 3
    middle = n // 2

    def by(name: str, rows: slice, **order: bool) -> Callable[[Any], Any]:
        return lambda frame: frame.sort_values(name, kind="stable", **order).iloc[rows]

    def having(name: str, text: str) -> Callable[[Any], Any]:
        return lambda frame: frame[frame[name].str.contains(text, case=False, regex=False)].head(20)

    falling = {"sort": {"column": amount, "descending": True}}
    text = {"sort": {"column": reference, "descending": False}}
    return [
        ("first page", {}, lambda frame: frame.head(20)),
        ("highest amount", falling, by("amount", slice(20), ascending=False)),
        ("its middle", {**falling, "offset": middle}, by("amount", slice(middle, middle + 20), ascending=False)),
        ("its last page", {**falling, "offset": n - 20}, by("amount", slice(n - 20, n), ascending=False)),
        ("by district", {"sort": {"column": district, "descending": False}}, by("district", slice(20))),
        ("by reference, middle", {**text, "offset": middle}, by("reference", slice(middle, middle + 20))),
        (
            "amount from 200,000",
            {"filters": [{"column": amount, "low": "200000"}]},
            lambda frame: frame[frame["amount"] >= 200_000].head(20),
        ),
        ("district has zl", {"filters": [{"column": district, "contains": "zl"}]}, having("district", "zl")),
        ("reference has R-12", {"filters": [{"column": reference, "contains": "R-12"}]}, having("reference", "R-12")),
    ]  # fmt: skip


def held(name: str) -> float:
    """Return the MB that this process has (VmRSS) or had at most (VmHWM), by Linux; 0 elsewhere."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), 0.0)


def forget_most() -> None:
    """Have Linux count VmHWM from now on."""
    if (refs := Path("/proc/self/clear_refs")).exists():
        refs.write_text("5")


def pages(frame: Any, repeats: int) -> tuple[list[tuple[str, float, float]], float]:
    """Return ((what, milliseconds of a new table and that page, milliseconds of pandas), most MB beside the frame)."""
    from lexsi_nb.widgets.live.table import LiveTable

    ours, before = [], held("VmRSS")
    forget_most()
    for _, query, _ in asked(len(frame)):

        def turn(query: dict[str, Any] = query) -> None:
            table = LiveTable(frame)
            reply = table.receive({"id": "1", "request": "page", "content": query})
            json.dumps(table.state)
            assert "error" not in reply, reply

        ours.append(timed(turn, repeats=repeats))
    more = held("VmHWM") - before
    plain = [timed(lambda by=by: by(frame), repeats=1) for *_, by in asked(len(frame))]
    return [(what, ms, other) for (what, *_), ms, other in zip(asked(len(frame)), ours, plain, strict=True)], more


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
    rows, more = pages(frame, options.repeats)
    for what, ours, plain in rows:
        print(f"{what:24}{ours:>9,.0f} ms{plain:>9,.0f} ms")
    click, alone = explained(options.repeats)
    print(f"{'Explain to HTML':24}{click:>9,.0f} ms{alone:>9,.0f} ms (the contributions alone)")
    first = rows[0][1]
    print(f"the table took at most {more:,.0f} MB beside the frame")
    print(f"limits: first page {PAGE_MS} ms, Explain {EXPLAIN_MS} ms")
    return int(first > PAGE_MS or click > EXPLAIN_MS)


if __name__ == "__main__":
    sys.exit(main())
