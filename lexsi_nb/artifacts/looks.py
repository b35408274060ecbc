"""How a thing of ours shows itself as the last line of a cell."""

from __future__ import annotations

from typing import Any

# By name: what draws is a part below this one, and nothing of it loads before something is shown.
DRAWN_BY = "lexsi_nb.widgets.display"


class Shows:
    """A thing that IPython, and whoever asks for its MIME bundle, can show."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from importlib import import_module

        return import_module(DRAWN_BY).shown(self)


class Prints(Shows):
    """A thing that prints as it shows itself in plain text, for scripts and terminals."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self._repr_mimebundle_()["text/plain"])
