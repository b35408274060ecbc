"""Columns that were only known after the day a row is about, by their own date or that of a companion."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from lexsi_nb.modeling.columns import kind_of

if TYPE_CHECKING:
    import pandas as pd

DATE_SUFFIX = re.compile(r"[_ ](at|on|date|day|time|timestamp|ts|datetime|when)$")
DATE_PREFIX = re.compile(r"^(date|day|time|timestamp)[_ ](of[_ ])?")


def days_of(values: Any) -> pd.Series | None:
    """Return the days (midnights, UTC) of a column of dates, written in any way; None where it holds no dates.

    Whole numbers are dates where all of them read as YYYYMMDD.
    """
    import pandas as pd
    from pandas.api import types

    known = values.dropna()
    if not len(known) or types.is_bool_dtype(values.dtype):
        return None
    if types.is_numeric_dtype(values.dtype):
        inside = (known % 1 == 0).all() and known.between(19000101, 21001231).all()
        read = pd.to_datetime(values.astype("Int64").astype("string"), errors="coerce", utc=True, format="%Y%m%d") if (
            inside) else None  # fmt: skip
        return read.dt.normalize() if read is not None and read.notna().sum() == len(known) else None
    if kind_of(values)[0] != "dates" and not types.is_datetime64_any_dtype(values.dtype):
        return None
    return pd.to_datetime(values, errors="coerce", utc=True, format="ISO8601").dt.normalize()


def later_than(frame: Any, moment: Any, known: Mapping[Hashable, str]) -> dict[Any, str]:
    """Return the columns of labelled rows that postdate the row's own day `moment`, with the reason.

    A date that is later than `moment` in any row is one, and so is every column that it dates by its name:
    collections_date or collections_at dates collections and collections_flag. A later hour of the same day is none.
    known: columns that are left out anyway; their dates still date others.
    """
    if moment is None or moment not in frame.columns:
        return {}
    day = days_of(frame[moment])
    if day is None:
        return {}
    found: dict[Any, str] = {}
    for column in frame.columns:
        if column == moment:
            continue
        other = days_of(frame[column])
        late = 0 if other is None else int((other > day).sum())
        if other is None or not late:
            continue
        when = f"later than {moment} in {late:,} of {int(other.notna().sum()):,} rows"
        found.setdefault(column, f"{when}: not known on that day")
        stem = dated(str(column))
        for companion in frame.columns if stem else ():
            name = str(companion).lower()
            if companion not in (column, moment) and (name == stem or name.startswith((f"{stem}_", f"{stem} "))):
                found.setdefault(companion, f"dated by {column}, which is {when}: not known on that day")
    return {c: why for c, why in found.items() if c not in known}


def dated(column: str) -> str:
    """Return what a date column dates, by its name, or "" where the name does not say.

    >>> dated("collections_at"), dated("date_of_closing"), dated("date")
    ('collections', 'closing', '')
    """
    name = column.lower()
    stem = DATE_SUFFIX.sub("", name)
    if stem == name:
        stem = DATE_PREFIX.sub("", name)
    return stem if stem != name and len(stem) >= 3 else ""
