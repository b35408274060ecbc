"""Which values of a namespace are frames, and how a value is described in a line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

# (library, classes) that count as frames; a library that nobody imported cannot have made one.
FRAME_CLASSES = (("pandas", ("DataFrame",)), ("polars", ("DataFrame",)), ("pyarrow", ("Table", "RecordBatch")))
SHELL_NAMES = frozenset({"In", "Out", "exit", "quit", "get_ipython", "open"})


def frame_library(value: Any) -> str | None:
    """Return "pandas", "polars" or "pyarrow" when `value` is a frame of it, else None; imports none of them."""
    for library, classes in FRAME_CLASSES:
        module = sys.modules.get(library)
        if module is None:
            continue
        known = tuple(c for c in (getattr(module, name, None) for name in classes) if isinstance(c, type))
        if known and isinstance(value, known):
            return library
    return None


def frames_of(namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return the frames that a user would call theirs: name -> frame, in the order they were made.

    Names with a leading underscore (`_`, `_12`, private ones) and IPython's own are left out.
    """
    # list() first: another thread may bind a name meanwhile.
    return {
        name: value
        for name, value in list(namespace.items())
        if not name.startswith("_") and name not in SHELL_NAMES and frame_library(value)
    }


def shape_of(value: Any) -> tuple[int, ...] | None:
    """Return (rows, columns) of a frame or the shape of an array, else None."""
    if frame_library(value) == "pyarrow":
        return (int(value.num_rows), int(value.num_columns))
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and all(isinstance(n, int) for n in shape):
        return shape
    return None


def describe(value: Any) -> str:
    """Return type and size in a few words: "DataFrame, 234 rows x 9 columns", "Booster"."""
    kind = type(value).__name__
    shape = shape_of(value)
    if shape is None:
        return kind
    if len(shape) == 2 and frame_library(value):
        return f"{kind}, {shape[0]:,} rows x {shape[1]:,} columns"
    return f"{kind}, {' x '.join(f'{n:,}' for n in shape)}"
