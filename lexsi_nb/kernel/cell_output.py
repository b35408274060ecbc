"""The outputs of one cell, also once it has ended: what a click on a widget comes to stands where the widget does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Output = tuple[dict[str, Any], dict[str, Any]]  # MIME bundle, metadata


class CellOutput:
    """The outputs of the cell that is being run now, by the message that runs it."""

    def __init__(self, shell: Any) -> None:
        self._publisher: Any = getattr(shell, "display_pub", None)
        self._parent = dict(getattr(self._publisher, "parent_header", None) or {})
        self.before: list[Output] = []  # what stays above whatever comes next

    @property
    def message(self) -> str:
        """The id of the message that runs the cell, "" outside of a kernel."""
        return str(self._parent.get("msg_id", ""))

    def replace(self, outputs: Sequence[Output]) -> None:
        """Put outputs, below those that stay, in place of all that the cell shows."""
        if self._publisher is None:
            return
        if getattr(self._publisher, "session", None) is None:  # a shell without a kernel has no cell to go back to
            for data, metadata in outputs:
                self._publisher.publish(data, metadata)
            return
        self._send("clear_output", {"wait": True})
        for data, metadata in [*self.before, *outputs]:
            self._send("display_data", {"data": data, "metadata": metadata, "transient": {}})

    def _send(self, kind: str, content: dict[str, Any]) -> None:
        # Not by `display`: ipykernel 6 would send it to whichever message came last, which is the click.
        publisher = self._publisher
        publisher.session.send(publisher.pub_socket, kind, content, parent=self._parent, ident=publisher.topic)
