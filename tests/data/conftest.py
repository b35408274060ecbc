"""Engines for the tests of the data part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from lexsi_nb.data.dataset import Dataset
    from lexsi_nb.data.engine import Engine


@pytest.fixture(scope="session")
def bank_engine(bank: Dataset) -> Iterator[Engine]:
    """One engine over the bundled bank, for tests that only read."""
    from lexsi_nb.data.engine import Engine

    engine = Engine(bank)
    yield engine
    engine.close()


@pytest.fixture
def engine(bank: Dataset) -> Iterator[Engine]:
    """An engine of the test's own."""
    from lexsi_nb.data.engine import Engine

    engine = Engine(bank)
    yield engine
    engine.close()
