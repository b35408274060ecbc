"""Content fingerprints: 16 hex digits that change when any cell, name, type or order changes."""

from __future__ import annotations

from typing import Any

from lexsi_nb.kernel.content import Content
from lexsi_nb.kernel.frames import frame_library


class Fingerprint(str):
    """16 hex digits. `exact` is False where some object could be told by its identity only, not by its content."""

    exact: bool

    def __new__(cls, text: str, *, exact: bool = True) -> Fingerprint:
        self = super().__new__(cls, text)
        self.exact = exact
        return self


def fingerprint(value: Any) -> Fingerprint:
    """Return the content fingerprint of a frame, an array or any other value.

    All data are read, nothing is sampled: values (to the bit), order, column names, types and index. How the bytes
    lie in memory (strides, slices, chunks) makes no difference. Numbers and Arrow strings are hashed where they
    lie, without a copy. Equal content gives the same digits in every process; other objects (models, connections)
    count as the same only while they are the same object of this process, and `exact` is False.

    >>> fingerprint("a") == fingerprint("a"), fingerprint(1) == fingerprint(1.0)
    (True, False)
    """
    content = Content()
    digest = content.digest(value)
    return Fingerprint(digest[:8].hex(), exact=content.exact)


def same(a: Any, b: Any) -> bool:
    """Return whether two values have the same content; frames of different libraries never have."""
    return a is b or (frame_library(a) == frame_library(b) and fingerprint(a) == fingerprint(b))
