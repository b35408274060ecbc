"""Pieces of Python source that the emitted cells share: literals and the feature matrix."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

CHUNK = 20_000  # rows a C call: a stop is honoured between two of them


@dataclass(frozen=True)
class Shape:
    """The feature names of a model: in the order it reads them, which of them are words, and its matrix variable."""

    features: tuple[Any, ...]
    words: tuple[Any, ...]
    taken: frozenset[str] = frozenset()  # variable names the cells must not shadow

    @property
    def matrix(self) -> str:
        """The variable that holds the feature matrix."""
        return free("X", self.taken)

    @property
    def numbers(self) -> tuple[Any, ...]:
        """Features that enter as float64."""
        return tuple(c for c in self.features if c not in self.words)

    @property
    def plain(self) -> bool:
        """Whether LightGBM takes the names as they are: it refuses some characters and merges blanks into `_`."""
        return all(re.fullmatch(r"\w+", str(c)) for c in self.features)


def free(name: str, taken: Iterable[str]) -> str:
    """Return `name`, or the first of `name_2`, `name_3`... that is not taken."""
    taken = set(map(str, taken))
    n, candidate = 2, name
    while candidate in taken:
        candidate, n = f"{name}_{n}", n + 1
    return candidate


def is_literal(value: Any) -> bool:
    """Return whether `literal(value)` reads back as an equal value."""
    value = plain_value(value)
    return isinstance(value, (bool, int, str)) or (isinstance(value, float) and value - value == 0)


def plain_value(value: Any) -> Any:
    """Return a numpy scalar as the Python value it holds, anything else as it is."""
    return value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value


def literal(value: Any) -> str:
    """Return the source of a value, in double quotes where it is text."""
    value = plain_value(value)
    if isinstance(value, str):
        quoted = repr(value)
        return quoted if '"' in value or quoted[0] == '"' else f'"{quoted[1:-1]}"'.replace("\\'", "'")
    return repr(value)


def literals(values: Iterable[Any], *, open: str = "[", close: str = "]") -> str:
    """Return the source of a list, wrapped at 100 columns."""
    items = [literal(v) for v in values]
    line = f"{open}{', '.join(items)}{close}"
    if len(line) <= 80:
        return line
    # Protect blanks inside the items from the wrapping.
    packed = textwrap.wrap(", ".join(i.replace(" ", "\0") for i in items) + ",", 96, break_long_words=False,
                           break_on_hyphens=False)  # fmt: skip
    return f"{open}\n" + "\n".join(f"    {p}".replace("\0", " ") for p in packed) + f"\n{close}"


def dict_source(values: dict[str, Any]) -> str:
    """Return the source of a dict, a line a pair."""
    return "{\n" + "".join(f"    {literal(k)}: {literal(v)},\n" for k, v in values.items()) + "}"


def frame_source(name: str, frame: Any) -> str:
    """Return the expression that is a pandas frame: polars and Arrow are converted."""
    import pandas as pd

    return name if isinstance(frame, pd.DataFrame) else f"{name}.to_pandas()"


def names_source(shape: Shape) -> list[str]:
    """Return the lines that list the features."""
    lines = [f"features = {literals(shape.features)}"]
    if shape.words and shape.numbers:
        lines.append(f"words = {literals(shape.words)}")
        lines.append("numbers = [c for c in features if c not in words]")
    return lines


def matrix_source(shape: Shape, rows: str) -> list[str]:
    """Return the lines that make the matrix from the frame expression `rows`.

    LightGBM keeps the categories it was trained on in the model and maps those of later frames onto them.
    """
    x = shape.matrix
    to_number = '.astype("float64").replace([np.inf, -np.inf], np.nan)'
    to_word = '.astype("string").astype("category")'
    if not shape.words:
        lines = [f"{x} = {rows}[features]{to_number}"]
    elif not shape.numbers:
        lines = [f"{x} = {rows}[features]{to_word}"]
    else:
        lines = [f"{x} = {rows}[features].copy()", f"{x}[numbers] = {x}[numbers]{to_number}",
                 f"{x}[words] = {x}[words]{to_word}"]  # fmt: skip
    if not shape.plain:
        lines.append(f'{x}.columns = [f"x{{i}}" for i, _ in enumerate(features)]  # LightGBM refuses some characters')
    return lines


def imports_of_matrix(shape: Shape) -> list[str]:
    """Return the imports that `matrix_source` needs."""
    return ["import numpy as np"] if uses_numpy(shape) else []


def uses_numpy(shape: Shape) -> bool:
    """Return whether `matrix_source` needs `np`."""
    return bool(shape.numbers)


def scores_source(shape: Shape, model: str, call: str, n_rows: int, *, chunk: int = CHUNK) -> str:
    """Return the expression for `model.predict`, in chunks where the frame is large."""
    x = shape.matrix
    if n_rows <= chunk:
        return f"{model}.predict({x}{call})"
    return (
        "np.concatenate([\n"
        f"    {model}.predict({x}.iloc[i : i + {chunk:_}]{call}) for i in range(0, len({x}), {chunk:_})\n"
        "])"
    )


def target_source(
    frame: str, column: Any, values: pd.Series, positive: Any, *, complete: bool
) -> tuple[list[str], str]:
    """Return (lines that drop rows without a target into `known`, the expression for y)."""
    lines: list[str] = []
    rows, whole = frame, f"{frame}[{literal(column)}]"
    if positive is None:
        if not complete:
            lines = [f'target = {whole}.astype("float64")', f"known = {frame}[np.isfinite(target)]"]
            rows = "known"
        return lines, f'{rows}[{literal(column)}].astype("float64").to_numpy()'
    if not complete:
        lines, rows = [f"known = {frame}[{whole}.notna()]"], "known"
    picked = f"{rows}[{literal(column)}]"
    numeric = values.dtype.kind in "iufb" and not values.isna().any()
    if numeric and positive == 1 and set(values.unique().tolist()) == {0, 1}:
        return lines, f'{picked}.to_numpy(dtype="int32")'
    if is_literal(positive):
        return lines, f'({picked} == {literal(positive)}).to_numpy(dtype="int32")'
    return lines, f'({picked}.astype("string") == {literal(str(positive))}).to_numpy(dtype="int32")'
