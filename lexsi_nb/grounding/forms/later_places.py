"""A ranking without its first places: `top 10 towns by number of visits, without the first 5` are places 6 to 10."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.forms.asking import refuse
from lexsi_nb.grounding.language import conversation
from lexsi_nb.grounding.reading import Reading


def split_off(question: str) -> tuple[str, int]:
    """Return the ranking that a question names and how many of its first places are left out; 0 for another one."""
    m = conversation.WITHOUT_FIRST.fullmatch(question.strip().rstrip(" ?."))
    return (m["ranking"], int(m["n"])) if m is not None else (question, 0)


def later_places(found: Reading, skipped: int) -> Reading:
    """Return the reading of a ranking from the place after the ones that are left out.

    Raises:
        Unread: it is no ranking of more places than that.
    """
    ending = f"\nLIMIT {found.limit}"
    if found.order is None or not found.limit or found.limit <= skipped or not found.sql.endswith(ending):
        refuse(f"I leave out the first {skipped} only of a ranking of more: say 'top {2 * skipped}'.")
    left = found.limit - skipped
    sql = f"{found.sql.removesuffix(ending)}\nLIMIT {left} OFFSET {skipped}"
    return replace(found, sql=sql, limit=left, text=f"{found.text}, places {skipped + 1} to {found.limit} of these")
