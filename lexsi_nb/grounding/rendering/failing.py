"""What is said of a reading whose SQL the engine refuses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexsi_nb.grounding.reading import Declined

if TYPE_CHECKING:
    from lexsi_nb.errors import QueryFailed

_AS_NUMBER = re.compile(r"Could not convert string '([^']*)'")  # said by the engine


def does_not_run(end: QueryFailed) -> Declined:
    """Return that a reading whose SQL does not run is none."""
    if (text := _AS_NUMBER.search(end.why)) is not None:
        told = f"I would hold a number against a column of text, which has values such as '{text[1]}'"
        return Declined(f"{told}, so I don't answer. Say which column the number is of.")
    return Declined(f"I can't read this question: what I made of it does not run. {end.why}".strip())
