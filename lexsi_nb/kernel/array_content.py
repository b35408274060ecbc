"""Digests of numpy arrays: the bytes in C order, whatever the strides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.kernel.content import CHUNK, hasher, joined

if TYPE_CHECKING:
    import numpy as np

    from lexsi_nb.kernel.content import Content

TILE_BYTES = 1 << 18  # rows of strided columns that are read together stay in the processor's cache


def digest(content: Content, value: Any) -> bytes:
    """Return the digest of an array (masked ones too) or a numpy scalar."""
    import numpy as np

    if isinstance(value, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(value)
        data = value.filled(np.zeros((), value.dtype).item()) if not value.dtype.hasobject else value.filled(None)
        return joined("masked", digest(content, data), digest(content, mask))
    array = np.asarray(value)
    tag = f"{'array' if isinstance(value, np.ndarray) else 'scalar'} {type_text(array.dtype)} {array.shape}"
    if array.dtype.hasobject:
        return joined(tag, content.digest_all(array.ravel().tolist(), tag="objects"))
    if array.dtype.kind == "T":  # variable-width strings keep pointers, not text, in the buffer
        return joined(tag, content.digest_all(array.ravel().tolist(), tag="strings"))
    return joined(tag, raw(array))


def type_text(dtype: np.dtype[Any]) -> str:
    """Return the type with byte order, field names and units."""
    return repr(dtype.descr) if dtype.names else dtype.str


def raw(array: np.ndarray[Any, Any]) -> bytes:
    """Return the digest of the bytes in C order; nothing is copied when they lie in one piece."""
    h = hasher()
    feed(h, array)
    return h.digest()


def feed(h: Any, array: np.ndarray[Any, Any]) -> None:
    """Add the bytes of `array` to a hash state, in C order."""
    import numpy as np

    if array.size == 0:
        return
    if array.flags.c_contiguous:
        h.update(array.reshape(-1).view(np.uint8))
    elif array.ndim == 1:
        for at in range(0, len(array), CHUNK):
            h.update(np.ascontiguousarray(array[at : at + CHUNK]).view(np.uint8))
    else:
        rows = max(1, CHUNK * array.shape[0] // array.size)
        for at in range(0, array.shape[0], rows):
            h.update(np.ascontiguousarray(array[at : at + rows]).reshape(-1).view(np.uint8))


def raw_columns(columns: Sequence[np.ndarray[Any, Any]]) -> list[bytes]:
    """Return `raw` of each 1-d column of one length.

    Strided columns are read together, a few rows at a time: they share memory lines when they come from one 2-d
    array.
    """
    import numpy as np

    states = [hasher() for _ in columns]
    strided = []
    for h, column in zip(states, columns, strict=True):
        if column.flags.c_contiguous:
            feed(h, column)
        else:
            strided.append((h, column))
    if strided:
        width = sum(c.itemsize for _, c in strided)
        rows = max(256, TILE_BYTES // width)
        for at in range(0, len(strided[0][1]), rows):
            for h, column in strided:
                h.update(np.ascontiguousarray(column[at : at + rows]).view(np.uint8))
    return [h.digest() for h in states]
