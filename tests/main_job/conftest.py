"""The north-star run, made once for all tests that look at it."""

from __future__ import annotations

from typing import Any

import pytest

from lexsi_nb.__main__ import QUESTION


@pytest.fixture(scope="session")
def bank_session(bank) -> Any:
    """A session over the synthetic bank with an empty namespace of its own."""
    from lexsi_nb.app.session import Session

    session = Session(bank, namespace={})
    yield session
    session.close()


@pytest.fixture(scope="session")
def bank_run(bank_session) -> Any:
    """The north star on the synthetic bank."""
    return bank_session.ask(QUESTION)


@pytest.fixture(scope="session")
def berka_session(berka_folder) -> Any:
    """A session over the real files."""
    from lexsi_nb import datasets
    from lexsi_nb.app.session import Session

    session = Session(datasets.berka(berka_folder), namespace={})
    yield session
    session.close()


@pytest.fixture(scope="session")
def berka_run(berka_session) -> Any:
    """The north star on the real files."""
    return berka_session.ask(QUESTION)
