"""What runs leave in a notebook: saved as a frontend saves it, exported, sanitised."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

Bundle = dict[str, Any]


@pytest.fixture(scope="session")
def saved() -> Callable[[list[Bundle]], str]:
    """A function that returns one cell with these outputs as a notebook file has it."""

    def write(bundles: list[Bundle]) -> str:
        import nbformat.v4 as v4
        from nbformat import writes

        outputs = [v4.new_output("display_data", data=b) for b in bundles]
        return writes(v4.new_notebook(cells=[v4.new_code_cell("%%lexsi", outputs=outputs)]))

    return write


@pytest.fixture(scope="session")
def north_star(bank: Any) -> Run:
    """The north star on the bundled data."""
    from lexsi_nb.__main__ import QUESTION
    from lexsi_nb.app.session import Session

    session = Session(bank, namespace={})
    run = session.ask(QUESTION)
    session.close()
    return run
