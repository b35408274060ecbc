"""Tools a user added: defined again in a cell, they replace themselves by the next question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import LexsiError
from lexsi_nb.toolkit.declare import is_toolset, tool_of

if TYPE_CHECKING:
    from lexsi_nb.kernel.variables import Variables
    from lexsi_nb.toolkit.registry import Registry


class AddedTools:
    """Remembers under which variable an added tool was found, and looks there again before each run."""

    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self._places: dict[str, tuple[str, Any, tuple[str, ...]]] = {}  # variable -> (variable, thing, tool names)

    def note(self, thing: Any, names: tuple[str, ...]) -> None:
        """Remember a tool that was added."""
        for variable, value in list(self.variables.namespace.items()):
            if value is thing and not variable.startswith("_"):
                self._places[variable] = (variable, thing, names)

    def forget(self, names: tuple[str, ...]) -> None:
        """Forget tools that were removed."""
        self._places = {v: place for v, place in self._places.items() if not set(place[2]) & set(names)}

    def renew(self, registry: Registry) -> None:
        """Put what the variables hold now in the place of what they held.

        Raises:
            BadTool: the new definition cannot be a tool; says every reason.
        """
        for variable, thing, names in list(self._places.values()):
            now = self.variables.namespace.get(variable)
            if now is None or now is thing or not _same_kind(now, thing):
                continue
            fresh = registry.add(now)  # in the place of the old one: the order is what a provider has cached
            for name in set(names) - set(fresh):
                if name in registry:
                    registry.remove(name)
            self._places[variable] = (variable, now, fresh)


def _same_kind(now: Any, before: Any) -> bool:
    """Say whether a value is the same function or toolset, defined again."""
    if is_toolset(before):
        return is_toolset(now) and type(now).__qualname__ == type(before).__qualname__
    try:
        return tool_of(now).origin == tool_of(before).origin
    except LexsiError:
        return False
