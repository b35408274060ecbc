"""The north-star run on the synthetic bank, made once."""

from __future__ import annotations

from typing import Any

import pytest

from lexsi_nb.__main__ import QUESTION


@pytest.fixture(scope="module")
def bank_run(bank) -> Any:
    """The north star on the synthetic bank."""
    from lexsi_nb.app.session import Session

    session = Session(bank, namespace={})
    yield session.ask(QUESTION)
    session.close()
