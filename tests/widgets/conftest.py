"""Loans that were scored, with names that are no Python names, words with a quote, gaps and truth values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx


def loans(n: int = 400) -> pd.DataFrame:
    """Return loans of which the last 80 are open."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "loan_id": np.arange(1, n + 1),
            "amount due": rng.integers(1_000, 90_000, n),
            "grade's": rng.choice(["a", "b", "it's"], n),
            "late": rng.random(n) < 0.4,
            "rate": np.where(rng.random(n) < 0.1, np.nan, rng.random(n)),
        }
    )
    push = frame["amount due"] / 30_000 + 2 * (frame["grade's"] == "b") + 1.5 * frame["late"] + rng.normal(0, 1, n)
    frame["defaulted"] = np.where(np.arange(n) < n - 80, (push > 3).astype(float), np.nan)
    return frame


@pytest.fixture(scope="session")
def session() -> lx.Session:
    """A session that has ranked the open loans."""
    session = lx.Session({"loans": loans()}, namespace={})
    run = session.ask("which loans are likely to be defaulted?")
    assert session.explainer is not None, run.answer
    return session
