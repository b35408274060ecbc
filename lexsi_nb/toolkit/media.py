"""Images and PDFs in values: found without decoding, decoded within a limit, checked for what they really are."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexsi_nb.artifacts import data_uri
from lexsi_nb.artifacts.data_uri import MAX_BYTES
from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.errors import MissingExtra
from lexsi_nb.toolkit.image_size import image_size

# A picture of a few kilobytes can unpack to gigabytes; 64 million pixels are 8,000 x 8,000.
MAX_PIXELS = 64_000_000
_MAGIC: tuple[tuple[bytes, int, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"GIF87a", 0, "image/gif"),
    (b"GIF89a", 0, "image/gif"),
    (b"WEBP", 8, "image/webp"),
    (b"BM", 0, "image/bmp"),
    (b"II*\x00", 0, "image/tiff"),
    (b"MM\x00*", 0, "image/tiff"),
    (b"%PDF-", 0, "application/pdf"),
    (b"WAVE", 8, "audio/wav"),
    (b"ID3", 0, "audio/mpeg"),
    (b"OggS", 0, "audio/ogg"),
    (b"fLaC", 0, "audio/flac"),
    (b"ftyp", 4, "video/mp4"),
    (b"\x1a\x45\xdf\xa3", 0, "video/webm"),
)
# What a model can be shown; other media stay in the notebook.
ATTACHABLE = ("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf")
# What one result may show a model.
MOST_ATTACHED = 10
MOST_ATTACHED_BYTES = 25 * 2**20
_TURNED_TO_PNG = ("image/bmp", "image/tiff")


class UnrecognizedMediaError(ValueError):
    """Bytes that are no known kind of media."""


class UnsupportedModelMediaError(ValueError):
    """Media that can be shown in the notebook and not to a model: audio, video."""


@dataclass(frozen=True)
class InlineMediaCandidate:
    """A value that looks like media, looked at without decoding. `estimated_size`: bytes, None when unknown."""

    value: object
    declared_type: str | None
    estimated_size: int | None


@dataclass(frozen=True)
class InlineMediaItem:
    """A candidate, and where in a collection it stood."""

    candidate: InlineMediaCandidate
    index: int | None = None


def sniff(data: bytes) -> str | None:
    """Return the media type that the first bytes give away, None when none is known."""
    for magic, at, media_type in _MAGIC:
        if data[at : at + len(magic)] == magic:
            return media_type
    if data[:5] in (b"<?xml", b"<svg ") and b"<svg" in data[:1000]:
        return "image/svg+xml"
    return None


def to_binary_content(
    value: object, *, media_type: str | None = None, decode_plain_base64: bool = False, max_bytes: int = MAX_BYTES
) -> BinaryContent:
    """Return a value as checked media: bytes, a data URI, {"data": ..., "media_type": ...}, or a figure that has a PNG.

    What the bytes are beats what was declared. BMP and TIFF become PNG.

    Raises:
        ValueError: too large, or a picture of too many pixels.
        UnrecognizedMediaError: no known kind of media.
        MissingExtra: BMP or TIFF, and Pillow is not installed.
    """
    candidate = _candidate(value, media_type, decode_plain_base64)
    if candidate is None:
        raise UnrecognizedMediaError(f"{type(value).__name__} holds no media that is known here")
    if candidate.estimated_size is not None and candidate.estimated_size > max_bytes:
        raise ValueError(f"the data are about {candidate.estimated_size:,} bytes; at most {max_bytes:,} are taken")
    data = _bytes(candidate.value)
    found = sniff(data)
    if found is None:
        raise UnrecognizedMediaError(
            f"the bytes are no media that is known here (declared: {candidate.declared_type or 'nothing'})"
        )
    _check_pixels(data, found)
    title = value.title if isinstance(value, BinaryContent) else ""
    if found in _TURNED_TO_PNG:
        data, found = _png(data), "image/png"
        if len(data) > max_bytes:
            raise ValueError(f"as PNG the data are {len(data):,} bytes; at most {max_bytes:,} are taken")
    return BinaryContent(data, found, title)


def inspect_inline_media(value: object) -> tuple[InlineMediaItem, ...] | None:
    """Return the media in a value or in the first level of a collection, in order; None where there are none.

    Nothing is decoded. None among the items is skipped.

    Raises:
        ValueError: a collection of media and other things.
    """
    if isinstance(value, (list, tuple)):
        items = [(i, v, _candidate(v)) for i, v in enumerate(value) if v is not None]
        media = tuple(InlineMediaItem(c, i) for i, _, c in items if c is not None)
        if not media:
            return None
        if len(media) < len(items):
            other = next(i for i, _, c in items if c is None)
            raise ValueError(f"item {other} of the collection is no media, and others are; keep them apart")
        return media
    candidate = _candidate(value)
    return None if candidate is None else (InlineMediaItem(candidate),)


def materialize_inline_media(candidate: InlineMediaCandidate, *, max_bytes: int = MAX_BYTES) -> BinaryContent:
    """Return a candidate as an image or a PDF that a model can be shown.

    Raises:
        ValueError: larger than `max_bytes`, seen before decoding where the size is known.
        UnsupportedModelMediaError: audio, video or another kind that no model is shown.
    """
    content = to_binary_content(
        candidate.value, media_type=candidate.declared_type, decode_plain_base64=True, max_bytes=max_bytes
    )
    if content.media_type not in ATTACHABLE:
        raise UnsupportedModelMediaError(f"{content.media_type} can be shown in the notebook and not to a model")
    return content


def attachable(media: Sequence[BinaryContent]) -> tuple[BinaryContent, ...]:
    """Return those that a model can be shown, in order: images and PDFs, at most 10 of them and 25 MiB."""
    kept: list[BinaryContent] = []
    left = MOST_ATTACHED_BYTES
    for one in media:
        if one.media_type in ATTACHABLE and len(one.data) <= left and len(kept) < MOST_ATTACHED:
            kept.append(one)
            left -= len(one.data)
    return tuple(kept)


def _candidate(value: object, declared: str | None = None, plain: bool = False) -> InlineMediaCandidate | None:
    if isinstance(value, BinaryContent):
        return InlineMediaCandidate(value.data, declared or value.media_type, len(value.data))
    if isinstance(value, (bytes, bytearray, memoryview)):
        size = value.nbytes if isinstance(value, memoryview) else len(value)
        known = declared or sniff(bytes(value[:1100]))
        return InlineMediaCandidate(value, known, size) if known or plain else None
    if isinstance(value, str):
        found = data_uri.split(value)
        if found is not None:
            return InlineMediaCandidate(value, declared or found[0], data_uri.base64_size(value, found[1]))
        return InlineMediaCandidate(value, declared, data_uri.base64_size(value)) if plain else None
    if isinstance(value, Mapping):
        inner = value.get("data", value.get("bytes"))
        kind = declared or value.get("media_type") or value.get("mime_type")
        return _candidate(inner, kind, plain=True) if isinstance(inner, (str, bytes, bytearray)) and kind else None
    if callable(getattr(value, "_repr_png_", None)):
        return InlineMediaCandidate(value, "image/png", None)
    return None


def _bytes(value: object) -> bytes:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, str):
        found = data_uri.split(value)
        return data_uri.decode(value[found[1] :] if found else value)
    made = value._repr_png_()  # type: ignore[attr-defined]
    if not isinstance(made, bytes):
        raise UnrecognizedMediaError(f"{type(value).__name__} gave no picture")
    return made


def _check_pixels(data: bytes, media_type: str) -> None:
    size = image_size(data, media_type)
    if size is not None and size[0] * size[1] > MAX_PIXELS:
        raise ValueError(f"the picture has {size[0]:,} x {size[1]:,} pixels; at most {MAX_PIXELS:,} are taken")


def _png(data: bytes) -> bytes:
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtra.of("Pillow", "media", "It turns BMP and TIFF into PNG.") from error
    with Image.open(io.BytesIO(data)) as picture:
        if picture.width * picture.height > MAX_PIXELS:
            raise ValueError(f"the picture has {picture.width:,} x {picture.height:,} pixels")
        out = io.BytesIO()
        picture.convert("RGBA" if "A" in picture.getbands() else "RGB").save(out, "PNG")
    return out.getvalue()
