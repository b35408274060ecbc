"""How much a run adds to a notebook file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lexsi_nb.magics.showing import bundles

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

RUN = 100_000  # bytes


def test_the_north_star_adds_less_than_100_kb(north_star: Run, saved: Callable[..., str]) -> None:
    """With what our Lab extension reads, as in JupyterLab; a headless run leaves that out."""
    outputs = bundles(north_star, live=True)
    by_kind: Counter[str] = Counter()
    for output in outputs:
        for kind, data in output.items():
            by_kind[kind] += len(saved([{kind: data}]).encode())
    total = len(saved(outputs).encode())
    print(f"{total:,} bytes:", dict(by_kind))
    assert total < RUN
