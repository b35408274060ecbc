"""The card of a call that waits for a person: what will run, and *Approve*, *Decline*, *Change arguments*."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Approval
from lexsi_nb.errors import BadData
from lexsi_nb.toolkit.redaction import masked
from lexsi_nb.widgets.approval import approval_bundle, approval_rows
from lexsi_nb.widgets.live.base import Answer
from lexsi_nb.widgets.live.decision import Act, Decision


class ApprovalCard(Decision):
    """An approval that a person may answer once. It answers for what it shows, and for no later call.

    `act` is called with `approve=True`, `decline=reason` or `args={...}`.
    """

    kind: ClassVar[str] = "approval"

    def __init__(self, approval: Approval, act: Act, stop: Callable[[int], None]) -> None:
        self.approval = approval
        args = json.dumps(masked(approval.args), indent=2, ensure_ascii=False, default=str)
        rows = [list(row) for row in approval_rows(approval)]
        super().__init__(f"Approval of {approval.tool}", act, stop, rows=rows, args=args)

    def waiting_cell(self) -> CodeCell:
        """Return the cell that approves by a command."""
        return CodeCell(f"%lexsi approve {self.approval.id}\n", "Approve it from a cell, also after a restart")

    def static(self) -> dict[str, Any]:
        """Return the card as it stands: what can be typed, or what was decided."""
        return approval_bundle(self.approval, self.state["said"] if self.state["phase"] == "done" else "")

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "approve": self._approve, "decline": self._decline, "change": self._change}

    def _approve(self, _: Mapping[str, Any]) -> dict[str, Any]:
        return self.decide("Approved", approve=True)

    def _decline(self, content: Mapping[str, Any]) -> dict[str, Any]:
        reason = str(content.get("reason", "")).strip()
        return self.decide("Declined", note=reason, decline=reason)

    def _change(self, content: Mapping[str, Any]) -> dict[str, Any]:
        return self.decide("Changed", args=arguments(str(content["args"])))


def arguments(text: str) -> dict[str, Any]:
    """Return arguments that a person wrote.

    Raises:
        BadData: no JSON, with the place; or no object.
    """
    try:
        args = json.loads(text)
    except ValueError as error:
        raise BadData("The arguments are no JSON.", f"{error}.", 'Write them as {"name": value}.') from error
    if not isinstance(args, dict):
        raise BadData("The arguments are no JSON object.", "", 'Write them as {"name": value}.')
    return args
