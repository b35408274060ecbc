"""The same picture in fewer bytes: a chart has few colours, and a notebook keeps every picture it shows."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGBA = b"\x08\x06\x00\x00\x00"  # of the header: 8 bits a channel, four channels, not interlaced
COLOURS = 256
FEW = 16  # colours whose pixels take half a byte
SEEN = 32  # of 255: shades of the edge of a letter that are nearer than that in every channel are not told apart
LARGE_PART = 0.002  # of the picture: a colour of more keeps exactly
LARGE = 40_000  # bytes up to which a picture of many colours keeps them all
NONE, SUB, UP = 0, 1, 2  # the filters of a row that are undone here; see the PNG specification, section 9.2


def smaller(png: bytes) -> bytes:
    """Return a PNG of the same pixels with a palette where it has at most 256 colours, else packed tighter.

    Where 16 of its colours stand for all, as in a chart whose other shades are the edges of its letters, it has those:
    what is large keeps its colour exactly. One of more colours that is large even so, as thousands of points over each
    other are, gets the 256 that stand for them best. Anything that is not read here comes back as it was. A bar chart
    of 500 by 250 went from 49 KB to 4 KB.
    """
    if not png.startswith(SIGNATURE):
        return png
    parts = list(_chunks(png))
    header = dict(parts).get(b"IHDR", b"")
    if header[8:] != RGBA:
        return png
    width, height = struct.unpack(">II", header[:8])
    raw = zlib.decompress(b"".join(data for kind, data in parts if kind == b"IDAT"))
    pixels = _pixels(raw, width, height)
    made = None if pixels is None else _indexed(_few(pixels))
    if made is None:  # many colours, as in a heat map: the same rows, packed tighter
        made = [(b"IHDR", header), (b"IDAT", zlib.compress(raw, 9))]
        if pixels is not None and len(made[1][1]) > LARGE and (pixels[..., 3] == 255).all():
            made = _indexed(_fewer_colours(pixels)) or made
    density = [(kind, data) for kind, data in parts if kind == b"pHYs"]  # after the header, before the palette
    out = SIGNATURE + b"".join(_chunk(*part) for part in [made[0], *density, *made[1:], (b"IEND", b"")])
    return min(png, out, key=len)


def _pixels(raw: bytes, width: int, height: int) -> Any:
    """Return uint8 (height, width, 4); None where a row is filtered in a way not undone here."""
    import numpy as np

    rows = np.frombuffer(raw, np.uint8).reshape(height, 1 + 4 * width)
    filters, lines = rows[:, 0], rows[:, 1:].reshape(height, width, 4)
    if not set(filters.tolist()) <= {NONE, SUB, UP}:
        return None
    out = lines.copy()
    out[filters == SUB] = np.cumsum(lines[filters == SUB], axis=1, dtype=np.uint8)
    for y in np.flatnonzero(filters == UP):
        out[y] += out[y - 1] if y else 0
    return out


def _indexed(pixels: Any) -> list[tuple[bytes, bytes]] | None:
    """Return the header, palette, transparency and data of a picture with a palette; None for too many colours."""
    import numpy as np

    height, width, _ = pixels.shape
    flat = np.ascontiguousarray(pixels).view(np.uint32).reshape(-1)
    colours, index = np.unique(flat, return_inverse=True)
    if len(colours) > COLOURS:
        return None
    palette = colours.view(np.uint8).reshape(-1, 4)
    places, bits = index.reshape(height, width).astype(np.uint8), 8
    if len(colours) <= FEW:
        places, bits = np.pad(places, ((0, 0), (0, width % 2))), 4
        places = places[:, ::2] << 4 | places[:, 1::2]
    rows = np.zeros((height, 1 + places.shape[1]), np.uint8)  # filter none is best for a palette
    rows[:, 1:] = places
    made = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 3, 0, 0, 0)),
        (b"PLTE", palette[:, :3].tobytes()),
    ]
    if (palette[:, 3] < 255).any():
        made.append((b"tRNS", palette[:, 3].tobytes()))
    return [*made, (b"IDAT", zlib.compress(rows.tobytes(), 9))]


def _few(pixels: Any) -> Any:
    """Return the pixels in 16 of their colours, each the nearest of those; as they were where that would be seen.

    Colours of large parts are taken first; then, one by one, the colour that is furthest from those taken.
    """
    import numpy as np

    flat = np.ascontiguousarray(pixels).reshape(-1, 4)
    colours, index, counts = np.unique(flat.view(np.uint32), return_inverse=True, return_counts=True)
    if not FEW < len(colours) <= COLOURS:
        return pixels
    parts = colours.view(np.uint8).reshape(-1, 4).astype(np.int32)
    taken = np.flatnonzero(counts > LARGE_PART * counts.sum()).tolist() or [int(counts.argmax())]
    away = ((parts[:, None] - parts[taken]) ** 2).sum(-1).min(1)
    while len(taken) < FEW:
        taken.append(int((away * counts**0.2).argmax()))  # the more frequent of two that are about as far
        away = np.minimum(away, ((parts - parts[taken[-1]]) ** 2).sum(1))
    nearest = np.array(taken)[((parts[:, None] - parts[taken]) ** 2).sum(-1).argmin(1)]
    if len(taken) > FEW or np.abs(parts - parts[nearest]).max() > SEEN:
        return pixels
    return colours[nearest][index.reshape(-1)].view(np.uint8).reshape(pixels.shape)


def _fewer_colours(pixels: Any) -> Any:
    """Return opaque pixels in at most 256 of their colours, each the nearest of those.

    Colours that agree in the upper four bits of each channel are one group; the largest groups are kept, each as the
    colour that most of its pixels have: so plain areas, axes and text keep theirs exactly.
    """
    import numpy as np

    flat = np.ascontiguousarray(pixels).reshape(-1, 4)
    colours, index, counts = np.unique(flat.view(np.uint32), return_inverse=True, return_counts=True)
    rgb = colours.view(np.uint8).reshape(-1, 4)[:, :3].astype(np.int32)
    order = np.argsort(-counts, kind="stable")
    _, first, group = np.unique((rgb[order] >> 4) @ (256, 16, 1), return_index=True, return_inverse=True)
    sizes = np.bincount(group.reshape(-1), weights=counts[order])
    kept = order[first[np.argsort(-sizes, kind="stable")[:COLOURS]]]
    apart = [((rgb[part, None] - rgb[kept]) ** 2).sum(-1).argmin(1) for part in np.array_split(np.arange(len(rgb)), 64)]
    return colours[kept[np.concatenate(apart)]][index.reshape(-1)].view(np.uint8).reshape(pixels.shape)


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at + 8 <= len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += 12 + size


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
