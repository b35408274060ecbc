"""DataFrames of the kernel: what counts as one, and which can be queried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexsi_nb.errors import BadData

_KINDS = {("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "Table"), ("pyarrow", "RecordBatch")}
_UNREAD = frozenset({"PeriodDtype", "IntervalDtype", "SparseDtype"})


def is_frame(value: Any) -> bool:
    """Return whether `value` is a pandas, polars or Arrow table; imports none of them."""
    return any((c.__module__.split(".")[0], c.__name__) in _KINDS for c in type(value).__mro__)


def frames_in(namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return the frames of a namespace by variable name; names that start with `_` are left out."""
    return {
        name: value
        for name, value in list(namespace.items())
        if isinstance(name, str) and name and not name.startswith("_") and is_frame(value)
    }


def frame_columns(frame: Any) -> list[Any]:
    """Return the column names of a frame, of any of the three libraries."""
    names = getattr(frame, "column_names", None)  # Arrow's `columns` are the data
    if names is None and hasattr(frame, "schema") and not hasattr(frame, "dtypes"):
        names = frame.schema.names
    return list(frame.columns if names is None else names)


def row_count(frame: Any) -> int:
    """Return how many rows a frame has, of any of the three libraries."""
    return int(frame.num_rows if hasattr(frame, "num_rows") else len(frame))


def unread_columns(frame: Any) -> dict[str, str]:
    """Return column -> type of what DuckDB cannot read in a pandas frame."""
    dtypes = getattr(frame, "dtypes", None)
    if dtypes is None or not hasattr(dtypes, "items"):
        return {}
    return {str(column): str(dtype) for column, dtype in dtypes.items() if _unread(dtype)}


def _unread(dtype: Any) -> bool:
    """Return whether DuckDB cannot read the type; of categories, as `pd.cut` makes them, that of their values."""
    categories = getattr(dtype, "categories", None)
    dtype = dtype if categories is None else getattr(categories, "dtype", dtype)
    return type(dtype).__name__ in _UNREAD or getattr(dtype, "kind", "") == "c"


def named_index(frame: Any) -> tuple[str, ...]:
    """Return the names of a pandas index that are no columns yet; none where a level has no name of its own.

    Columns of such names are what SQL can read of it: `frame.reset_index()`.
    """
    index = getattr(frame, "index", None)
    names = list(getattr(index, "names", None) or ()) if hasattr(frame, "reset_index") else []
    taken = {str(c).casefold() for c in frame_columns(frame)} if names else set()
    free = all(isinstance(n, str) and n and n.casefold() not in taken for n in names)
    return tuple(names) if free and len(set(names)) == len(names) else ()


def usable(name: str, frame: Any) -> Any:
    """Return the frame, fit to be registered; a named index of pandas is a column of it.

    Raises:
        BadData: not a frame, no columns, duplicate column names, or types that SQL does not have; says which.
    """
    if not is_frame(frame):
        raise BadData(f"{name!r} is not a DataFrame but {type(frame).__name__}.", "", "Pass pandas, polars or Arrow.")
    columns = frame_columns(frame)
    if not columns:
        raise BadData(f"The frame {name!r} has no columns.", "", "Give it at least one column.")
    seen: set[str] = set()
    # SQL takes names that differ in case for the same one.
    twice = [str(c) for c in columns if str(c).casefold() in seen or seen.add(str(c).casefold())]
    if twice:
        raise BadData(
            f"The frame {name!r} has duplicate column names: {', '.join(dict.fromkeys(twice))}.",
            "SQL could not tell them apart.",
            f"Rename them, for example: {name}.columns = [...]",
        )
    if strange := unread_columns(frame):
        first, listed = next(iter(strange)), ", ".join(f"{c} ({t})" for c, t in strange.items())
        raise BadData(
            f"The frame {name!r} has types that SQL cannot read: {listed}.",
            "",
            f"Convert them, for example: {name}[{first!r}] = {name}[{first!r}].astype(str)",
        )
    return frame.reset_index() if named_index(frame) else frame
