"""The rows that stand at some places of a column's order, without sorting the column.

A sample says between which two values the asked rows lie (R. W. Floyd, R. L. Rivest: Expected time bounds for
selection, CACM 18, 1975); partition finds the ends among those, and only the rows between the ends are sorted. That is
linear in the rows, for a page in the middle as for the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SAMPLE = 1 << 16  # values that say between which two the asked ones lie
Check = Callable[[], None]  # raises where nobody wants the answer any more


def no_check() -> None:
    """Go on."""


@dataclass(frozen=True)
class Keys:
    """Values as numbers of the same order. `missing`: bool, None where nothing is; `finer(rows)`: more of the same
    values, for rows (int64) that are equal in these numbers; None where they are equal then."""  # fmt: skip

    numbers: Any
    missing: Any = None
    finer: Callable[[Any], Keys | None] | None = None


def in_order(values: Any, *, descending: bool) -> Any:
    """Return the places of a Series' values in order, int64: ties as they stand, missing values last."""
    return values.reset_index(drop=True).sort_values(ascending=not descending, kind="stable").index.to_numpy()


def between(values: Any, start: int, stop: int, *, descending: bool, check: Check = no_check) -> Any:
    """Return `in_order(values)[start:stop]`, None where all values have to be sorted for that."""
    import numpy as np

    keys = keys_of(values)
    if keys is None:
        return None
    check()
    known, gaps = None, np.zeros(0, dtype="int64")
    if keys.missing is not None and keys.missing.any():
        known, gaps = np.flatnonzero(~keys.missing), np.flatnonzero(keys.missing)
    n_known, stop = len(values) - len(gaps), min(stop, len(values))
    found = np.zeros(0, dtype="int64")
    if start < n_known:
        found = _select(keys, known, start, min(stop, n_known), descending, check)
    return np.concatenate([found, gaps[max(0, start - n_known) : max(0, stop - n_known)]])


def keys_of(values: Any) -> Keys | None:
    """Return a Series as numbers of the same order; None where there are none (nested values, surrogates)."""
    import numpy as np

    dtype: Any = values.dtype
    if hasattr(values, "cat"):
        codes = values.cat.codes.to_numpy()
        return Keys(codes, codes < 0)
    kind = getattr(dtype, "kind", "O")
    if isinstance(dtype, np.dtype) and kind in "biufmM":
        return _of_numbers(values.to_numpy(), kind)
    if kind == "M" and getattr(dtype, "tz", None) is not None:
        return _of_numbers(values.to_numpy(dtype=f"datetime64[{values.dt.unit}]"), kind)
    if kind in "biuf":
        missing = values.isna().to_numpy()
        plain = values.to_numpy(dtype="bool" if kind == "b" else f"{kind}8", na_value=False if kind == "b" else 0)
        return Keys(plain, missing | np.isnan(plain) if kind == "f" else missing)
    return _of_text(values)


def _of_numbers(numbers: Any, kind: str) -> Keys:
    import numpy as np

    if kind in "mM":
        numbers = numbers.view("int64")
        return Keys(numbers, numbers == np.iinfo("int64").min)
    return Keys(numbers, np.isnan(numbers) if kind == "f" else None)


def _of_text(values: Any) -> Keys | None:
    import pyarrow as pa

    from lexsi_nb.widgets.live.columns import in_arrow
    from lexsi_nb.widgets.live.text_keys import text_keys

    try:
        kept = in_arrow(values.dtype)
        words = pa.array(values) if kept else pa.array(values, pa.large_string(), from_pandas=True)
    except (pa.ArrowException, TypeError, UnicodeEncodeError):  # values that are no text, or no text of Unicode
        return None
    return text_keys(words)


def _select(keys: Keys, rows: Any, start: int, stop: int, descending: bool, check: Check) -> Any:
    """Return which of `rows` (int64, None for all) stand at these places in order, stable."""
    import numpy as np

    numbers = keys.numbers if rows is None else keys.numbers[rows]
    check()
    inside, ahead = _bracket(numbers, start, stop, descending)
    if inside is not None:
        rows, numbers = inside if rows is None else rows[inside], numbers[inside]
        start, stop = start - ahead, stop - ahead
    elif rows is None:
        rows = np.arange(len(numbers))
    check()
    if descending:  # so that ties still stand as they are
        numbers = -numbers if numbers.dtype.kind == "f" else ~numbers
    low, high = _ends(numbers, start, stop)
    check()
    below = int(np.count_nonzero(numbers < low))

    def tied(value: Any, first: int, last: int) -> Any:
        same = rows[numbers == value]
        finer = keys.finer(same) if keys.finer is not None and len(same) > 1 else None
        check()
        return same[first:last] if finer is None else same[_select(finer, None, first, last, descending, check)]

    if low == high:
        return tied(low, start - below, stop - below)
    first = tied(low, start - below, int(np.count_nonzero(numbers == low)))
    between_ends = np.flatnonzero((numbers > low) & (numbers < high))
    last = tied(high, 0, stop - start - len(first) - len(between_ends))
    order = _all_in_order(keys, numbers[between_ends], rows[between_ends], descending)
    return np.concatenate([first, order, last])


def _bracket(numbers: Any, start: int, stop: int, descending: bool) -> tuple[Any, int]:
    """Return (the places between two values that have the asked ones between them, how many stand before them).

    The two values are those of a sample, some standard errors outside. (None, 0) where that leaves out too little.
    """
    import numpy as np

    n = len(numbers)
    if n < 8 * SAMPLE:
        return None, 0
    if descending:
        start, stop = n - stop, n - start
    sample = np.sort(numbers[np.random.default_rng(0).integers(0, n, SAMPLE)])
    ends = []
    for rank, side in ((start, -1), (stop, 1)):
        share = rank / n
        at = share * SAMPLE + side * (4 * (share * (1 - share) * SAMPLE) ** 0.5 + 4)
        ends.append(int(at))
    low = sample[ends[0]] if ends[0] >= 0 else None
    high = sample[ends[1]] if ends[1] < SAMPLE else None
    fits = np.ones(n, dtype=bool) if low is None else numbers >= low
    below = 0 if low is None else n - int(np.count_nonzero(fits))
    if high is not None:
        fits &= numbers <= high
    inside = np.flatnonzero(fits)
    if not below <= start <= stop <= below + len(inside):
        return None, 0
    return inside, n - below - len(inside) if descending else below


def _ends(numbers: Any, start: int, stop: int) -> tuple[Any, Any]:
    """Return the values that stand at `start` and at `stop - 1`, rising."""
    import numpy as np

    if (numbers[0] == numbers).all():  # many partition algorithms are slow on these
        return numbers[0], numbers[0]
    part = np.partition(numbers, [start, stop - 1])
    return part[start], part[stop - 1]


def _all_in_order(keys: Keys, numbers: Any, rows: Any, descending: bool) -> Any:
    """Return a few rows, in the frame's order, as they stand by their numbers and what is finer."""
    import numpy as np

    order = np.argsort(numbers, kind="stable")
    rows, numbers = rows[order], numbers[order]
    if keys.finer is None:
        return rows
    cuts = np.flatnonzero(numbers[1:] != numbers[:-1]) + 1
    groups = []
    for group in np.split(rows, cuts):
        finer = keys.finer(group) if len(group) > 1 else None
        groups.append(group if finer is None else group[_select(finer, None, 0, len(group), descending, no_check)])
    return np.concatenate(groups) if groups else rows
