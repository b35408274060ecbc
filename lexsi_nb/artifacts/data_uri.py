"""Data URIs: how large they are without decoding them, and what they hold."""

from __future__ import annotations

import base64
import binascii
import re

from lexsi_nb.artifacts.media import BinaryContent

MAX_BYTES = 20_000_000
_HEAD = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w-]+=[^;,]*)*)(;base64)?,", re.ASCII)


def base64_size(text: str, start: int = 0) -> int:
    """Return how many bytes base64 text holds, padding counted, without decoding it."""
    length = len(text) - start
    padding = 2 if text.endswith("==") else 1 if text.endswith("=") else 0
    return max(0, length * 3 // 4 - (padding if length % 4 == 0 else 0))


def split(uri: str) -> tuple[str, int] | None:
    """Return (media type, where the base64 text begins) of a data URI, None where the text is none."""
    head = _HEAD.match(uri[:200])
    if head is None or head.group(3) is None:
        return None
    return (head.group(1) or "application/octet-stream").lower(), head.end()


def decode(text: str) -> bytes:
    """Return the bytes of base64 text.

    Raises:
        ValueError: it is no base64.
    """
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"it is no base64 ({error})") from error


def written(content: BinaryContent) -> str:
    """Return the data URI that `read` reads."""
    return f"data:{content.media_type};base64,{base64.b64encode(content.data).decode()}"


def read(uri: str, max_bytes: int = MAX_BYTES) -> BinaryContent:
    """Return what a data URI holds.

    Raises:
        ValueError: it is no base64 data URI, or holds more than `max_bytes`; nothing is decoded then.
    """
    found = split(uri)
    if found is None:
        raise ValueError("expected a data URI such as data:image/png;base64,iVBORw0...")
    media_type, start = found
    size = base64_size(uri, start)
    if size > max_bytes:
        raise ValueError(f"the data are about {size:,} bytes; at most {max_bytes:,} are taken")
    return BinaryContent(decode(uri[start:]), media_type)
