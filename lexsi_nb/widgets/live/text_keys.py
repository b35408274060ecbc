"""Text as numbers of the same order: seven bytes of UTF-8 at a time, whose order is that of code points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.widgets.live.ordering import Keys

if TYPE_CHECKING:
    import pyarrow as pa

BYTES = 7
ROWS = 1_000_000  # at a time, so that little memory is held


def text_keys(words: Any) -> Keys | None:
    """Return the keys of an array of text, from the first byte on that is not the same in all; None of other arrays."""
    import pyarrow as pa

    kind = words.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
        return None
    return _keys(words, _shared(words) or 0)


def _keys(words: Any, begin: int) -> Keys:
    import numpy as np
    import pyarrow as pa

    chunks = words.chunks if isinstance(words, pa.ChunkedArray) else [words]
    chunks = [c if _is_plain(c) else c.cast(pa.large_string()) for c in chunks]
    chunks = [c.slice(first, ROWS) for c in chunks for first in range(0, len(c), ROWS)]
    numbers = np.concatenate([np.zeros(0, dtype="uint64"), *(_numbers(c, begin) for c in chunks)])
    missing = None
    if words.null_count:
        missing = np.concatenate([c.is_null().to_numpy(zero_copy_only=False) for c in chunks])

    def finer(rows: Any) -> Keys | None:
        if int(numbers[rows[0]]) & 255 <= BYTES:  # they ended, so they are the same
            return None
        taken = words.take(pa.array(rows))
        shared = _shared(taken)  # so that long texts that are the same take no step for every few bytes
        return None if shared is None else _keys(taken, shared)

    return Keys(numbers, missing, finer)


def _is_plain(chunk: pa.Array) -> bool:
    import pyarrow as pa

    return pa.types.is_string(chunk.type) or pa.types.is_large_string(chunk.type)


def _shared(words: Any) -> int | None:
    """Return how many bytes at the start are the same in all, None where all are the same to their end."""
    from importlib import import_module

    pc: Any = import_module("pyarrow.compute")  # its functions are made as it loads: no checker sees them
    shared = 0
    for part in (words.slice(0, 1000), words):  # a few differ soon, as a rule
        ends = pc.min_max(part)  # what the first and the last in order share, all do
        low, high = (None if e.as_py() is None else e.as_py().encode() for e in (ends["min"], ends["max"]))
        if low is None or high is None:
            continue
        shared = None if low == high else _same_bytes(low, high)
        if shared == 0:
            return 0
    return shared


def _same_bytes(one: bytes, other: bytes) -> int:
    least = min(len(one), len(other))
    return next((i for i in range(least) if one[i] != other[i]), least)


def _numbers(chunk: pa.Array, begin: int) -> Any:
    """Return bytes `begin` to `begin + 7` of each text and how many there were as a number, uint64.

    Eight where there are more: what ends stands before what goes on, also with a zero.
    """
    import numpy as np

    offsets = _offsets(chunk)
    starts = offsets[:-1] + begin
    left = np.clip(offsets[1:] - starts, 0, BYTES + 1)
    data = _all_bytes(chunk)
    if len(data) < 8:
        data = np.concatenate([data, np.zeros(8, dtype="uint8")])
    # A number at each byte. The last few texts are read from before their start, and moved there.
    windows = np.ndarray((len(data) - 7,), dtype="<u8", buffer=data.data, strides=(1,))
    inside = np.clip(starts, 0, len(data) - 8)
    numbers = windows[inside].byteswap()
    last = np.flatnonzero(starts > inside)
    if len(last):
        numbers[last] <<= (8 * np.clip(starts[last] - inside[last], 0, 7)).astype("uint64")
    kept = np.array([2**64 - 2 ** (8 * (8 - n)) for n in (*range(BYTES + 1), BYTES)], dtype="uint64")
    return (numbers & kept[left]) | left.astype("uint64")


def _offsets(chunk: pa.Array) -> Any:
    """Return where each text starts and ends in the bytes, int64, (n + 1,)."""
    import numpy as np
    import pyarrow as pa

    kind = "int64" if pa.types.is_large_string(chunk.type) else "int32"
    held = chunk.buffers()[1]
    if held is None or not len(chunk):
        return np.zeros(len(chunk) + 1, dtype="int64")
    return np.frombuffer(held, dtype=kind)[chunk.offset : chunk.offset + len(chunk) + 1].astype("int64")


def bytes_of(chunk: pa.Array) -> Any:
    """Return the bytes of an array of text one after the other, uint8."""
    import pyarrow as pa

    plain = chunk if _is_plain(chunk) else chunk.cast(pa.large_string())
    offsets = _offsets(plain)
    return _all_bytes(plain)[offsets[0] : offsets[-1]]


def _all_bytes(chunk: pa.Array) -> Any:
    """Return the bytes that an array of text is in, those of its neighbours included."""
    import numpy as np

    held = chunk.buffers()[2]
    return np.frombuffer(held, dtype="uint8") if held is not None else np.zeros(0, dtype="uint8")
