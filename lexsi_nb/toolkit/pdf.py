"""Some pages of a PDF, checked before anybody reads them."""

from __future__ import annotations

import io
from dataclasses import dataclass

from lexsi_nb.artifacts.data_uri import MAX_BYTES
from lexsi_nb.errors import BadData, MissingExtra


@dataclass(frozen=True)
class PdfSelection:
    """A PDF that holds the pages `first_page` to `last_page` (1-based, both included) of one with `total_pages`."""

    data: bytes
    first_page: int
    last_page: int
    total_pages: int


def select_pdf_pages(
    data: bytes, page_range: tuple[int, int] | None = None, *, max_bytes: int = MAX_BYTES
) -> PdfSelection:
    """Return a checked PDF, or some of its pages; an end behind the last page means the last page.

    Raises:
        BadData: too large, no PDF, damaged, encrypted, empty, or the range begins behind its end.
        MissingExtra: pypdf is not installed.
    """
    if len(data) > max_bytes:
        raise BadData(f"The PDF has {len(data):,} bytes.", f"At most {max_bytes:,} are taken.")
    if data[:5] != b"%PDF-":
        raise BadData("The data are no PDF.", "They do not begin with %PDF-.")
    try:
        from pypdf import PdfReader, PdfWriter
        from pypdf.errors import PyPdfError
    except ImportError as error:
        raise MissingExtra.of("pypdf", "media", "It reads PDF pages.") from error
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted:
            raise BadData("The PDF is encrypted.", "", "Remove its password first.")
        total = len(reader.pages)
    except (PyPdfError, ValueError, KeyError, OSError, RecursionError) as error:
        raise BadData("The PDF cannot be read.", f"{type(error).__name__}: {error}.") from error
    if total == 0:
        raise BadData("The PDF has no pages.")
    first, last = page_range or (1, total)
    if first < 1 or last < first:
        raise BadData(f"The page range is {first} to {last}.", "", f"Pages count from 1 to {total}, first to last.")
    if first > total:
        raise BadData(f"The page range begins at {first}.", f"The PDF has {total} pages.")
    last = min(last, total)
    if (first, last) == (1, total):
        return PdfSelection(bytes(data), 1, total, total)
    writer = PdfWriter()
    try:
        for page in reader.pages[first - 1 : last]:
            writer.add_page(page)
        out = io.BytesIO()
        writer.write(out)
    except (PyPdfError, ValueError, KeyError, OSError, RecursionError) as error:
        raise BadData("The pages cannot be read.", f"{type(error).__name__}: {error}.") from error
    return PdfSelection(out.getvalue(), first, last, total)
