"""The order of a column's values without sorting all of them, where only the first are wanted."""

from __future__ import annotations

from typing import Any


def in_order(values: Any, *, descending: bool) -> Any:
    """Return the places of a Series' values in order, int64: ties as they stand, missing values last."""
    return values.reset_index(drop=True).sort_values(ascending=not descending, kind="stable").index.to_numpy()


def first_in_order(values: Any, wanted: int, *, descending: bool) -> Any:
    """Return the first `wanted` of `in_order`, None where they have to be sorted for that.

    Finds the last wanted value by partition, then sorts only what lies before it.
    """
    import numpy as np

    found = _threshold(values, wanted, descending=descending)
    if found is None:
        return None
    before, equal = found
    ahead = np.flatnonzero(before)
    ties = np.flatnonzero(equal)[: wanted - len(ahead)]
    candidates = np.sort(np.concatenate([ahead, ties]))
    return candidates[in_order(values.iloc[candidates], descending=descending)]


def last_in_order(values: Any, wanted: int, *, descending: bool) -> Any:
    """Return the last `wanted` of `in_order`, None where all values have to be sorted for that."""
    import numpy as np

    gaps = np.flatnonzero(values.isna().to_numpy())
    if len(gaps) >= wanted:
        return gaps[len(gaps) - wanted :]
    # The other way round: what is last is first, and ties stand the other way, too.
    first = first_in_order(values.iloc[::-1], wanted - len(gaps), descending=not descending)
    return None if first is None else np.concatenate([(len(values) - 1 - first)[::-1], gaps])


def _threshold(values: Any, wanted: int, *, descending: bool) -> tuple[Any, Any] | None:
    """Return (which values come before the last wanted one, which equal it); None where that is not known here."""
    import numpy as np

    kind = getattr(values.dtype, "kind", "O")
    if isinstance(values.dtype, np.dtype) and kind in "iufM":
        numbers = values.to_numpy()
        if kind == "M":
            numbers = numbers.view("int64")
            missing = numbers == np.iinfo("int64").min
        else:
            missing = np.isnan(numbers) if kind == "f" else np.zeros(0, dtype=bool)
        known = numbers[~missing] if missing.any() else numbers
        if len(known) < wanted:
            return None
        at = len(known) - wanted if descending else wanted - 1
        last = np.partition(known, at)[at]
        before = numbers > last if descending else numbers < last
        return (before & ~missing if missing.any() and descending is False else before), numbers == last
    if getattr(values.dtype, "storage", "") == "pyarrow":
        return _text_threshold(values, wanted, descending=descending)
    return None


def _text_threshold(values: Any, wanted: int, *, descending: bool) -> tuple[Any, Any] | None:
    from importlib import import_module

    import pyarrow as pa

    pc: Any = import_module("pyarrow.compute")  # its functions are made as it loads: no checker sees them
    words = pa.chunked_array(pa.array(values))
    if len(words) - words.null_count < wanted:
        return None
    options = pc.SelectKOptions(wanted, [("", "descending" if descending else "ascending")])
    last = words.take(pc.select_k_unstable(words, options=options)[-1:])[0]
    compare = pc.greater if descending else pc.less
    plain = [pc.fill_null(found, False).to_numpy() for found in (compare(words, last), pc.equal(words, last))]
    return plain[0], plain[1]
