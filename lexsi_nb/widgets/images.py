"""Charts as pictures, drawn on this machine."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from lexsi_nb.artifacts.wording import drawable
from lexsi_nb.errors import MissingExtra


def png(spec: dict[str, Any], *, scale: float = 1.0) -> bytes:
    """Return the chart as PNG. Drawn by vl-convert: no network, no browser.

    Raises:
        MissingExtra: vl-convert-python is not installed.
    """
    return _png(json.dumps(drawable(spec), sort_keys=True, default=str), scale)


@lru_cache(maxsize=64)
def _png(spec: str, scale: float) -> bytes:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtra.of("vl-convert-python", "charts", "It draws charts as pictures.") from error
    from lexsi_nb.widgets.palette import smaller

    return smaller(vl_convert.vegalite_to_png(spec, vl_version="5.20", scale=scale, allowed_base_urls=[]))
