"""How a column of a frame is shown, filtered and sorted, as expressions that a code cell can have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from lexsi_nb.modeling.source import literal

Kind = Literal["number", "date", "text"]
Form = Literal["plain", "string", "yes/no", "decimal", "object"]


@dataclass(frozen=True)
class Column:
    """One column by its place: names may be double. `form` says which expressions fit its values."""

    at: int
    label: Any
    name: str
    kind: Kind
    form: Form
    zone: Any = None  # of dates

    def picked(self, rows: str, *, by_name: bool) -> str:
        """Return the expression for the column of `rows`."""
        return f"{rows}[{literal(self.label)}]" if by_name else f"{rows}.iloc[:, {self.at}]"

    def words(self, column: str) -> str:
        """Return the expression for the column as text, missing values missing."""
        if self.form == "string":
            return column
        if self.form == "yes/no":
            return f'{column}.map({{True: "yes", False: "no"}})'
        return f'{column}.map(str, na_action="ignore")'

    def comparable(self, column: str) -> str:
        """Return the expression for the column as values that can be ordered."""
        if self.form == "decimal":
            return f'{column}.astype("float64")'
        return self.words(column) if self.form == "object" else column


def columns_of(frame: Any, places: list[int]) -> list[Column]:
    """Return the columns at these places of a pandas frame."""
    return [column_of(frame, at) for at in places]


def column_of(frame: Any, at: int) -> Column:
    """Return one column; of a column of Python objects all values are looked at."""
    from pandas.api import types

    values, label = frame.iloc[:, at], frame.columns[at]
    dtype, name = values.dtype, str(label)
    if types.is_bool_dtype(dtype):
        return Column(at, label, name, "text", "yes/no")
    if types.is_datetime64_any_dtype(dtype):
        return Column(at, label, name, "date", "plain", getattr(values.dt, "tz", None))
    if types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype):
        decimal = "decimal" in str(dtype)
        return Column(at, label, name, "number", "decimal" if decimal else "plain")
    if isinstance(dtype, _categorical()):
        return Column(at, label, name, "text", "object" if not dtype.ordered else "plain")
    if types.is_timedelta64_dtype(dtype):
        return Column(at, label, name, "text", "plain")
    if str(dtype) != "object" and types.is_string_dtype(dtype):
        return Column(at, label, name, "text", "string")
    held = types.infer_dtype(values, skipna=True)
    if held == "decimal":
        return Column(at, label, name, "number", "decimal")
    return Column(at, label, name, "text", "string" if held in ("string", "empty") else "object")


def in_arrow(dtype: Any) -> bool:
    """Return whether a column is text in Arrow's memory."""
    return str(dtype) != "object" and getattr(dtype, "storage", "") == "pyarrow"


def _categorical() -> type:
    from pandas import CategoricalDtype

    return CategoricalDtype
