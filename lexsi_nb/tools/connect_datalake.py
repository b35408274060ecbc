"""`connect_datalake`: bind other data as the active dataset."""

from __future__ import annotations

from typing import Literal

from lexsi_nb.errors import BadData
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context


@tool(
    scopes=("data:connect",),
    side_effect="kernel",
    needs_approval=lambda args: True,
    thread_safe=True,
    capabilities=("connect", "files", "bind"),
    returns="The tables that can be queried from now on.",
)
def connect_datalake(
    path: str | None = None,
    files: list[str] | None = None,
    kind: Literal["local", "s3"] = "local",
    *,
    ctx: Context,
) -> ToolResult:
    """Bind files of a local folder as the active dataset of this run; a table a file, named after its stem.

    Use it when the user wants to ask about files that are not bound yet. Not needed for DataFrames of the kernel or
    for a dataset the session already has.

    Args:
        path: A folder or a file: CSV, TSV, Parquet, JSON.
        files: One file of the folder. All that can be read when omitted.
        kind: local; s3 is not offered yet.
    """
    from pathlib import Path

    from lexsi_nb.data import sources

    if kind == "s3":
        raise BadData("S3 is not offered yet.", "Only local files can be bound.", "Download them and pass their folder.")
    if not path:
        raise BadData("No path was given.", "", "Pass a folder or a file.")
    if files is not None and len(files) == 1:
        path = str(Path(path) / files[0])
    dataset = sources.open(path)
    names = ctx.rebind(dataset)
    return ToolResult(True, f"Bound {dataset.title}: {', '.join(names)}.", payload={"dataset": dataset})
