"""Which columns of a frame can be features, as numbers or as words, and why the others cannot."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData, UnknownColumn

if TYPE_CHECKING:
    import pandas as pd

ID_NAME = re.compile(r"(^id$|_id$|^id_|[a-z]Id$|(^|[a-z_])ID$|^uuid$|^guid$|_uuid$|_key$)")
# Names that say a number identifies a case where it differs in every row; "paid" and "grid" end in id as well.
NUMBER_NAME = re.compile(
    r"_(no|nr|num|number|ref)$|^(c|u|p|cust|customer|client|loan|account|acc|acct|user|case|row|person|member|order|"
    r"policy|patient|emp|employee|rec|record|app|application|contract)(id|no|nr|num|number)$",
    re.IGNORECASE,
)
NAMES_THINGS = re.compile(r"(^|_| )(name|surname)s?$|[a-z]Name$|(first|last|full|user)name$|^e-?mail", re.IGNORECASE)
DATE_TEXT = r"^\s*\d{4}-\d{1,2}-\d{1,2}([T ].*)?$"
COUNTER = "a row counter"
FEW_KINDS = 12  # so many different texts are categories, whatever they are called
ROWS_A_NAME = 20  # rows that each name should have before names are categories
ROWS_A_KIND = 10  # rows that each other text should have, where there are more than a few
FEW_ROWS = 20  # below this nothing is called an identifier because its values differ


@dataclass(frozen=True)
class Columns:
    """The audited columns: `numbers`, `words` and `dates` are features, in the order of the frame."""

    features: tuple[Any, ...]
    words: tuple[Any, ...]
    left_out: tuple[tuple[str, str], ...]
    dates: tuple[Any, ...] = ()

    @property
    def numbers(self) -> tuple[Any, ...]:
        """Features that enter as float64."""
        return tuple(c for c in self.features if c not in self.words and c not in self.dates)

    def without(self, drop: Mapping[Any, str]) -> Columns:
        """Return the same with `drop` (column -> reason) left out."""
        return Columns(
            tuple(c for c in self.features if c not in drop),
            tuple(c for c in self.words if c not in drop),
            (*self.left_out, *((str(c), why) for c, why in drop.items())),
            tuple(c for c in self.dates if c not in drop),
        )


def as_pandas(frame: Any) -> Any:
    """Return `frame` (pandas, polars or Arrow) as pandas; a pandas frame as it is.

    Raises: BadData: not a table, or a column name stands twice (named).
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        if not hasattr(frame, "to_pandas"):
            raise BadData(f"A {type(frame).__name__} is not a table.", "", "Give a pandas, polars or Arrow frame.")
        frame = frame.to_pandas()
    twice = list(dict.fromkeys(str(c) for c in frame.columns[frame.columns.duplicated()]))
    if twice:
        raise BadData(
            f"Column names stand more than once: {', '.join(twice)}.",
            "It is not clear which of them is meant.",
            "Rename them, in SQL with AS.",
        )
    return frame


def require(frame: pd.DataFrame, wanted: Iterable[Any], *, where: str, next: str = "") -> None:
    """Return nothing when all `wanted` are there. Raises: UnknownColumn: the first missing, with the nearest."""
    for column in wanted:
        if column not in frame.columns:
            raise UnknownColumn.among(str(column), [str(c) for c in frame.columns], where=where, next=next)


def split_columns(
    frame: Any, *, not_features: Mapping[Hashable, str], features: tuple[Any, ...] | None, dates: bool = True
) -> Columns:
    """Return what can be learned from; `not_features` maps a column to the reason it must not be.

    An empty reason leaves the column out without naming it (the target, the entity). Columns listed in `features`
    are taken even when they look like identifiers. dates: whether dates are expanded, else they are left out.
    """
    chosen, words, when, left_out = [], [], [], []
    for column in frame.columns if features is None else features:
        if column in not_features:
            reason, kind = not_features[column], ""
            if features is not None and not reason:
                reason = "the target or the entity; never a feature"
        else:
            kind, reason = kind_of(frame[column], asked=features is not None)
        if kind == "dates" and not dates:
            kind, reason = "", "a date; not expanded into features"
        if kind:
            chosen.append(column)
            if kind != "numbers":
                (words if kind == "words" else when).append(column)
        elif reason:
            left_out.append((str(column), reason))
    return Columns(tuple(chosen), tuple(words), tuple(left_out), tuple(when))


def kind_of(values: Any, *, asked: bool = False) -> tuple[str, str]:
    """Return ("numbers" | "words" | "dates", "") for a usable column, else ("", reason)."""
    import pandas as pd
    from pandas.api import types

    known = values.dropna()
    if not len(known):
        return "", "no values"
    dtype = values.dtype
    if types.is_datetime64_any_dtype(dtype):
        return date_kind(known, values)
    if isinstance(dtype, pd.PeriodDtype):
        return "", "a period; not expanded into features"
    if types.is_timedelta64_dtype(dtype):
        return "", "a span of time; not expanded into features"
    if types.is_complex_dtype(dtype):
        return "", "complex numbers"
    if types.is_bool_dtype(dtype) or types.is_numeric_dtype(dtype):
        return number_kind(known, values, asked)
    inferred = "categorical" if isinstance(dtype, pd.CategoricalDtype) else types.infer_dtype(known)
    if inferred in {"date", "datetime", "datetime64"}:
        return date_kind(known, values)
    if inferred in {"time", "timedelta", "timedelta64", "period", "interval", "complex", "bytes"}:
        return "", f"{inferred} values; not expanded into features"
    if inferred in {"integer", "floating", "decimal", "boolean", "mixed-integer-float"}:
        if values.map(lambda v: v is pd.NA).any():
            return "", "numbers mixed with pd.NA; convert_dtypes() makes it usable"
        return number_kind(known, values, asked)
    if inferred != "string" and known.map(lambda v: hasattr(v, "__len__") and not isinstance(v, str)).any():
        return "", "nested values"
    return word_kind(known.astype("string"), len(values), asked)


def number_kind(known: Any, values: Any, asked: bool) -> tuple[str, str]:
    """Return the kind of a column of numbers or truth values."""
    import numpy as np

    numbers = known.astype("float64")
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return "", "no finite values"
    if numbers.min() == numbers.max() and len(numbers) == len(values):
        return "", f"constant: {numbers.iloc[0]:.6g} in every row"
    if asked:
        return "numbers", ""
    if ID_NAME.search(str(values.name)):
        return "", "an identifier by its name"
    if len(numbers) >= FEW_ROWS and len(numbers) == len(values) and (numbers % 1 == 0).all():
        consecutive = numbers.max() - numbers.min() + 1 == len(numbers)
        if consecutive and numbers.is_unique:
            return "", COUNTER
        if numbers.is_unique and NUMBER_NAME.search(str(values.name)):
            return "", "a number that differs in every row: an identifier by its name"
    return "numbers", ""


def date_kind(known: Any, values: Any) -> tuple[str, str]:
    """Return the kind of a column of dates."""
    if known.nunique() == 1 and len(known) == len(values):
        return "", f"constant: {known.iloc[0]} in every row"
    return "dates", ""


def word_kind(words: Any, n_rows: int, asked: bool) -> tuple[str, str]:
    """Return the kind of a column of words: few distinct ones are categories."""
    distinct = words.nunique()
    if distinct == 1 and len(words) == n_rows:
        return "", f"constant: {str(words.iloc[0])[:40]!r} in every row"
    if words.str.match(DATE_TEXT).all():
        return "dates", ""
    if len(words) >= FEW_ROWS and distinct > 0.9 * len(words):
        return "", "text with a different value in nearly every row: an identifier"
    if not asked and (why := only_names(words.name, distinct, n_rows)):
        return "", why
    limit = max(FEW_KINDS, min(1000, n_rows // ROWS_A_KIND))
    if distinct > limit:
        return "", f"text with {distinct:,} distinct values, too many for {n_rows:,} rows"
    if not asked and ID_NAME.search(str(words.name)):
        return "", "an identifier by its name"
    return "words", ""


def only_names(column: object, distinct: int, n_rows: int) -> str:
    """Return why a column of names cannot be learned from, or "": many names, each with few rows.

    >>> only_names("full_name", 56, 600), only_names("branch name", 8, 600), only_names("city", 56, 600)
    ('names: 56 different ones in 600 rows, too few rows each to learn from', '', '')
    """
    if not NAMES_THINGS.search(str(column)) or distinct <= FEW_KINDS or distinct * ROWS_A_NAME <= n_rows:
        return ""
    return f"names: {distinct:,} different ones in {n_rows:,} rows, too few rows each to learn from"
