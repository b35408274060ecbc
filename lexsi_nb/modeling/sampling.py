"""The cell that draws rows of a large frame to explain."""

from __future__ import annotations

from typing import Any

from lexsi_nb.artifacts.cells import CodeCell


def rows_to_explain(name: str, frame: Any, most: int, drawn: str, *, seed: int) -> CodeCell:
    """Return the cell that binds `drawn` to `most` rows of the frame in `name`, drawn at random by the seed."""
    rows = name if hasattr(frame, "iloc") else f"{name}.to_pandas()"
    return CodeCell(
        f"# {most:,} of the {len(frame):,} rows, drawn at random.\n"
        f"{drawn} = {rows}.sample({most}, random_state={seed})\n",
        title=f"Rows of {name} to explain", kind="explanation", requires=(name,), produces=(drawn,),
    )  # fmt: skip
