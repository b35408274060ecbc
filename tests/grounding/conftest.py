"""Grounders for the tests: the bundled bank, the real files, and odd kernel frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lexsi_nb.data.dataset import Dataset
    from lexsi_nb.grounding.grounder import Grounder


def opened(dataset: Dataset, namespace: dict[str, Any] | None = None) -> Grounder:
    """Return a grounder over a dataset, with an engine of its own."""
    from lexsi_nb.data.engine import Engine
    from lexsi_nb.grounding.grounder import Grounder

    return Grounder(Engine(dataset, namespace=namespace), dataset.knowledge)


@pytest.fixture(scope="session")
def bank_grounder(bank: Dataset) -> Iterator[Grounder]:
    """The grounding of the bundled bank."""
    grounder = opened(bank)
    yield grounder
    grounder.engine.close()


@pytest.fixture(scope="session")
def berka_grounder(berka_folder: Path) -> Iterator[Grounder]:
    """The grounding of the real files; skipped where they are not to be had."""
    from lexsi_nb import datasets

    grounder = opened(datasets.berka(berka_folder))
    yield grounder
    grounder.engine.close()


@pytest.fixture(scope="session")
def shop() -> dict[str, Any]:
    """Frames as users have them: spaces, quotes, unicode, reserved words, an empty one, no knowledge graph."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(7)
    customers = pd.DataFrame(
        {
            "customer_id": range(1, 51),
            "Full Name": [f"Person {i}" for i in range(50)],
            "City": (["Zürich", "New York", "São Paulo", "Oslo"] * 13)[:50],
            "Signup Date": pd.date_range("2020-01-01", periods=50, freq="20D"),
            "churned": [1, 0, 0, None, 1] * 10,
            'score "x"': rng.normal(size=50),
        }
    )
    orders = pd.DataFrame(
        {
            "order_id": range(1, 201),
            "customer_id": rng.integers(1, 46, 200),
            "Total Sales (EUR)": rng.uniform(5, 500, 200).round(2),
            "unitPrice": rng.uniform(1, 20, 200).round(2),
            "Status": rng.choice(["shipped", "returned", "on hold"], 200),
            "ordered_at": pd.date_range("2021-01-01", periods=200, freq="2D"),
            "count": rng.integers(1, 9, 200),
        }
    )
    df = pd.DataFrame({"a": [1, 2, 3, 4], "b": ["x", "y", "x", "x"], "select": [1.5, 2.5, None, 4.0]})
    empty = pd.DataFrame({"thing_name": pd.Series([], dtype=str), "weight": pd.Series([], dtype=float)})
    return {"customers": customers, "orders": orders, "df": df, "empty": empty}


@pytest.fixture(scope="session")
def shop_grounder(shop: dict[str, Any]) -> Iterator[Grounder]:
    """The grounding of the odd frames."""
    from lexsi_nb.data.sources import frames

    grounder = opened(frames(shop), shop)
    yield grounder
    grounder.engine.close()


@pytest.fixture(scope="session")
def frames_grounder() -> Callable[..., Grounder]:
    """Return a function that grounds frames given by name."""
    from lexsi_nb.data.sources import frames

    return lambda **named: opened(frames(named), named)


def answered(grounder: Grounder, question: str) -> Any:
    """Return the frame that a question's reading gives; the test fails where it has none."""
    from lexsi_nb.grounding.reading import Reading

    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql)


def rows(frame: Any, *, ordered: bool = False) -> list[tuple[Any, ...]]:
    """Return the rows of a frame as tuples, floats rounded, sorted unless the order counts."""
    out = [tuple(_plain(v) for v in row) for row in frame.itertuples(index=False, name=None)]
    return out if ordered else sorted(out, key=repr)


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    if value is None or str(value) == "<NA>" or value != value:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return round(float(value), 6)
    return str(value)
