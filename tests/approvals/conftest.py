"""A shop whose refunds act outside the kernel, and sessions over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.session import DEFAULT_SCOPES, Session
from lexsi_nb.planners.scripted import ScriptedPlanner

SCOPES = DEFAULT_SCOPES | {"payments:write"}


@lx.toolset
class Shop:
    """A system outside the kernel: `ledger` is what really happened."""

    def __init__(self) -> None:
        self.ledger: list[tuple[str, float]] = []
        self.sent: list[int] = []
        self.lost = 0  # how many replies get lost after acting

    @lx.tool(scopes="payments:write", side_effect="write", needs_approval=lambda a: a["amount"] > 500, reveals="schema")
    def refund(self, customer: str, amount: float) -> str:
        """Refund a customer. Use it when the user asks for a refund; not for looking one up.

        Args:
            customer: Who.
            amount: How much, in euro.
        """
        self.ledger.append((customer, amount))
        if self.lost:
            self.lost -= 1
            raise ConnectionResetError("reply lost")
        return f"refunded {amount:.2f} to {customer}"

    @lx.tool(
        scopes="payments:write",
        side_effect="irreversible",
        cost_class="paid",
        effect=lambda args: {"to": "crm.example.com", "cost": "2.00 EUR"},
    )
    def upload(self, frame: str, ctx: lx.ContextRef) -> str:
        """Upload a frame to the CRM. Use it only when the user asks for it; it cannot be undone.

        Args:
            frame: Label of the frame.
        """
        self.sent.append(len(ctx.frame(frame)))
        return f"uploaded {len(ctx.frame(frame))} rows"

    @lx.tool(reveals="schema", parallel_safe=True, thread_safe=True)
    def look(self, customer: str) -> str:
        """Look a customer up. Use it to learn whether a customer exists; not for refunds.

        Args:
            customer: Who.
        """
        return f"{customer} exists"


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def orders() -> pd.DataFrame:
    return pd.DataFrame({"region": ["N", "S", "S"], "amount": [1.0, 2.0, 3.0]})


@pytest.fixture
def session_of(shop: Shop, orders: pd.DataFrame) -> Callable[..., Session]:
    """Return `session_of(lines, **options)`: a session with the shop's tools and a scripted planner."""

    def make(lines: list[Any], **options: Any) -> Session:
        options.setdefault("scopes", SCOPES)
        options.setdefault("namespace", {"orders": orders})
        session = Session(planner=ScriptedPlanner(lines), **options)
        session.add_tool(shop)
        return session

    return make
