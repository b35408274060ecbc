"""How large a picture is, read from its header: nothing is unpacked."""

from __future__ import annotations

import struct


def image_size(data: bytes, media_type: str) -> tuple[int, int] | None:
    """Return (width, height) in pixels, None where the header does not say or is of another kind."""
    read = _READERS.get(media_type)
    try:
        return read(data) if read is not None else None
    except (struct.error, IndexError):
        return None


def _png(data: bytes) -> tuple[int, int]:
    return struct.unpack(">II", data[16:24])


def _gif(data: bytes) -> tuple[int, int]:
    return struct.unpack("<HH", data[6:10])


def _bmp(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack("<ii", data[18:26])
    return width, abs(height)


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or 0xD0 <= marker <= 0xD9:
            at += 1 if marker == 0xFF else 2
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None


_READERS = {
    "image/png": _png, "image/gif": _gif, "image/bmp": _bmp, "image/webp": _webp, "image/jpeg": _jpeg,
}  # fmt: skip
