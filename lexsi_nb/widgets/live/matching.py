"""Which rows of a frame fit conditions, a part of the rows at a time: on several cores, and to be given up between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lexsi_nb.widgets.live.ordering import Check

ROWS = 500_000  # at a time
SOME = 1000  # values that say whether the same ones come often
CORES = 4  # at most: the person's own work may run beside


def in_parts(fits: Callable[[Any], Any], frame: Any, check: Check) -> Any:
    """Return `fits(rows)` of all rows, bool, (n_rows,): what is true of a row must depend on that row alone."""
    import os
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    if len(frame) <= ROWS:
        return fits(frame)

    def part(begin: int) -> Any:
        check()
        return fits(frame.iloc[begin : begin + ROWS])

    with ThreadPoolExecutor(min(CORES, os.cpu_count() or 1)) as pool:
        futures = [pool.submit(part, begin) for begin in range(0, len(frame), ROWS)]
        try:
            return np.concatenate([f.result() for f in futures])
        finally:
            for future in futures:
                future.cancel()


def contains(values: Any, text: str) -> Any:
    """Return which values of a Series of text have `text` in them, whatever the case, bool; missing ones do not.

    The same as pandas' `str.contains(text, case=False, regex=False, na=False)` of text in Arrow's memory, in a tenth
    of the time: texts that come often are looked at once, and those of ASCII are made small, then compared as they are.
    """
    import numpy as np
    import pyarrow as pa

    words = pa.array(values)
    chunks = words.chunks if isinstance(words, pa.ChunkedArray) else [words]
    found = [_found(c, text).fill_null(False).to_numpy(zero_copy_only=False) for c in chunks]
    return np.concatenate([np.zeros(0, dtype=bool), *found])


def _found(chunk: Any, text: str) -> Any:
    from importlib import import_module

    pc: Any = import_module("pyarrow.compute")  # its functions are made as it loads: no checker sees them
    some = chunk.slice(0, SOME)
    if len(chunk) > SOME and len(some.unique()) < SOME / 5:
        coded = chunk.dictionary_encode()
        if len(coded.dictionary) < len(chunk) / 5:
            return _found(coded.dictionary, text).take(coded.indices)
    if not text.isascii():
        return pc.match_substring(chunk, text, ignore_case=True)
    plain = pc.match_substring(pc.ascii_lower(chunk), text.lower())
    if _is_ascii(chunk):
        return plain
    # Some letters beyond ASCII are letters of ASCII in another case.
    odd = pc.invert(pc.string_is_ascii(chunk)).fill_null(False)
    return pc.replace_with_mask(plain, odd, pc.match_substring(chunk.filter(odd), text, ignore_case=True))


def _is_ascii(chunk: Any) -> bool:
    from lexsi_nb.widgets.live.text_keys import bytes_of

    return int(bytes_of(chunk).max(initial=0)) < 128
