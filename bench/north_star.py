"""The warm north star beside its own emitted cells run in order, in one process. Wanted: at most 1.15 times.

CPU time of the process, all threads, so that other work on the machine does not disturb it. The agent's has everything:
reading the question, gates, audit, fingerprints, notes, the run's result. The cells are compiled and run as a notebook
would run them. Chart cells are left out: they import altair to draw.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

ROUNDS = 5


def main() -> None:
    """Print both medians and the ratio."""
    from lexsi_nb import Session, datasets
    from lexsi_nb.__main__ import QUESTION

    session = Session(datasets.bank(), namespace={})
    run = session.ask(QUESTION)  # warms imports, the engine and the grounding
    assert run.status == "answered", run.answer
    sources = [compile(c.source, c.title, "exec") for c in run.cells if c.kind != "chart"]

    def cells() -> float:
        names: dict[str, Any] = {}
        began = time.process_time()
        for source in sources:
            exec(source, names)
        return time.process_time() - began

    def agent() -> float:
        began = time.process_time()
        again = session.ask(QUESTION)
        assert again.status == "answered", again.answer
        return time.process_time() - began

    cells(), agent()
    theirs, mine = [], []
    for _ in range(ROUNDS):  # in turn, so that a slow moment of the machine meets both
        theirs.append(cells())
        mine.append(agent())
    a, b = statistics.median(mine), statistics.median(theirs)
    print(f"north star, warm  {a:.2f} s CPU\nits cells alone   {b:.2f} s CPU")
    print(f"ratio             {a / b:.2f} (wanted at most 1.15)")


if __name__ == "__main__":
    main()
