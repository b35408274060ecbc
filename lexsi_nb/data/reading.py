"""What the system says of a path that may not be read, as a clear error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lexsi_nb.errors import BadData


@contextmanager
def reading(path: str | Path) -> Iterator[None]:
    """Return a block in which files are looked for and read.

    Raises:
        BadData: the system refuses (no permission, a name too long, an unreachable drive); says which path and why.
    """
    try:
        yield
    except OSError as e:
        said = e.strerror or str(e).splitlines()[0][:200]
        what = f"{str(e.filename or path)!r} cannot be read."
        raise BadData(what, f"{said}.", "Check the path, and who may read it.") from e
