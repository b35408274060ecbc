"""The gates, in order, and that nothing a planner asks for runs without passing every one."""

from __future__ import annotations

import asyncio
import threading

import pytest

from lexsi_nb.errors import Cancelled
from lexsi_nb.toolkit.call import Approval, ApprovalRequest
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.finished import MemoryFinishedCalls
from lexsi_nb.toolkit.gates import digest_of
from lexsi_nb.toolkit.registry import Registry

PAY = frozenset({"payments:write"})


class Bank:
    """A system outside: what was refunded, in order."""

    def __init__(self) -> None:
        self.ledger: list[tuple[str, float]] = []
        self.asked: list[ApprovalRequest] = []

    @tool(
        scopes="payments:write",
        side_effect="write",
        needs_approval=lambda args: args["amount"] > 500,
        check=lambda args: (
            [] if args["customer_id"] == "C-100" else [f"No customer {args['customer_id']}. Find it first."]
        ),
    )
    def refund_payment(self, customer_id: str, amount: float) -> str:
        """Refund a payment."""
        self.ledger.append((customer_id, amount))
        return f"refunded {amount:.2f} to {customer_id}"

    def yes(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return True

    def no(self, request: ApprovalRequest) -> Approval:
        self.asked.append(request)
        return Approval(False, "too much")


def args(amount: float = 20, customer: str = "C-100") -> dict:
    return {"customer_id": customer, "amount": amount}


@pytest.fixture
def bank() -> Bank:
    return Bank()


@pytest.fixture
def registry(bank: Bank) -> Registry:
    return Registry([bank.refund_payment])


def test_an_unknown_tool_names_the_nearest_the_caller_may_use(call, registry):
    outcome = call(registry, args(), name="refund_paymnt", scopes=PAY)
    assert outcome.status == "unknown_tool"
    assert "refund_payment" in outcome.result.observation.text
    assert "refund_payment" not in call(registry, args(), name="refund_paymnt").result.observation.text


def test_a_caller_without_the_scope_learns_nothing_about_the_arguments(call, registry, bank):
    outcome = call(registry, {"wrong": 1})
    assert outcome.status == "denied"
    assert "payments:write" in outcome.result.observation.text
    for word in ("customer_id", "amount", "wrong"):
        assert word not in outcome.result.observation.text
    assert bank.ledger == []


def test_shape_comes_before_rules_and_both_before_acting(call, registry, bank):
    assert call(registry, {"customer_id": 1}, scopes=PAY).status == "invalid"
    rejected = call(registry, args(customer="C-999"), scopes=PAY)
    assert (rejected.status, rejected.result.observation.text) == ("rejected", "No customer C-999. Find it first.")
    assert bank.ledger == []


def test_a_dry_run_describes_and_changes_nothing_and_asks_nobody(call, registry, bank):
    outcome = call(registry, args(900), scopes=PAY, dry_run=True, approver=bank.yes)
    assert (outcome.status, outcome.is_error) == ("dry_run", False)
    assert outcome.result.observation.text == (
        'Dry run: would call refund_payment with {"amount": 900, "customer_id": "C-100"}. '
        "It would ask for approval first. Nothing was changed."
    )
    assert (bank.ledger, bank.asked) == ([], [])


def test_approval_is_asked_over_the_threshold_only(call, registry, bank):
    assert call(registry, args(), scopes=PAY, approver=bank.yes).status == "ok"
    assert bank.asked == []
    parked = call(registry, args(900), scopes=PAY)
    assert parked.status == "awaiting_approval"
    assert parked.result.meta["approval"]["digest"] == digest_of(
        "refund_payment", args(900), mark=registry.tool("refund_payment").mark
    )
    assert call(registry, args(900), scopes=PAY, approver=lambda request: None).status == "awaiting_approval"
    declined = call(registry, args(900), scopes=PAY, approver=bank.no)
    assert declined.status == "declined"
    assert "too much" in declined.result.observation.text
    assert "Do not retry; tell the user" in declined.result.observation.text
    assert bank.ledger == [("C-100", 20.0)]
    assert call(registry, args(900), scopes=PAY, approver=bank.yes).status == "ok"
    assert bank.asked[-1].args == args(900)


def test_an_approval_holds_for_the_arguments_that_were_shown(call, registry, bank):
    shown = digest_of("refund_payment", args(900), mark=registry.tool("refund_payment").mark)
    approver = lambda request: Approval(True, digest=shown)  # noqa: E731
    assert call(registry, args(9000), scopes=PAY, approver=approver).status == "awaiting_approval"
    assert call(registry, args(900), scopes=PAY, approver=approver).status == "ok"


@pytest.mark.parametrize("answer", ["yes", 1, [True], {"approved": True}])
def test_only_true_approves(call, registry, bank, answer):
    assert call(registry, args(900), scopes=PAY, approver=lambda request: answer).status == "declined"
    assert bank.ledger == []


def test_an_approver_may_be_asynchronous(call, registry):
    async def later(request: ApprovalRequest) -> bool:
        await asyncio.sleep(0)
        return True

    assert call(registry, args(900), scopes=PAY, approver=later).status == "ok"


def test_an_irreversible_tool_always_asks(call):
    @tool(side_effect="irreversible")
    def drop() -> None:
        """Drop it."""

    assert call(drop).status == "awaiting_approval"


def test_a_retry_with_the_same_key_acts_once_and_asks_nobody_again(call, registry, bank):
    options = {"scopes": PAY, "approver": bank.yes, "idempotency_key": "req-1"}
    first = call(registry, args(900), **options)
    second = call(registry, dict(reversed(args(900).items())), **options)
    assert (first.status, second.status, second.is_error) == ("ok", "duplicate", False)
    assert second.result.observation.text == first.result.observation.text
    assert (len(bank.ledger), len(bank.asked)) == (1, 1)


def test_a_key_is_bound_to_tool_arguments_and_principal(call, registry, bank):
    call(registry, args(20), scopes=PAY, idempotency_key="k")
    assert call(registry, args(30), scopes=PAY, idempotency_key="k").status == "rejected"
    assert call(registry, args(20), scopes=PAY, idempotency_key="k", principal="other").status == "ok"
    assert call(registry, args(20), scopes=PAY, idempotency_key="l").status == "ok"
    assert len(bank.ledger) == 3


def test_a_key_answers_no_caller_without_the_scope(call, registry):
    call(registry, args(20), scopes=PAY, idempotency_key="k")
    assert call(registry, args(20), idempotency_key="k").status == "denied"


def test_a_parked_declined_or_failed_call_leaves_its_key_free(call, registry, bank):
    for approver in (None, bank.no):
        call(registry, args(900), scopes=PAY, idempotency_key="k", approver=approver)
    assert call(registry, args(900), scopes=PAY, idempotency_key="k", approver=bank.yes).status == "ok"


def test_of_two_calls_at_once_with_one_key_one_acts():
    ran = []

    @tool(side_effect="write")
    async def act() -> str:
        """Act."""
        ran.append(1)
        await asyncio.sleep(0)
        return "done"

    async def both():
        registry = Registry([act])
        return await asyncio.gather(*(registry.call("act", {}, idempotency_key="k") for _ in range(2)))

    assert sorted(o.status for o in asyncio.run(both())) == ["ok", "rejected"]
    assert ran == [1]


def test_a_call_stopped_half_way_is_not_repeated_under_its_key():
    @tool(side_effect="write")
    async def send() -> None:
        """Send."""
        raise Cancelled("Stopped.")

    async def scene():
        registry = Registry([send])
        with pytest.raises(Cancelled):
            await registry.call("send", {}, idempotency_key="k")
        return await registry.call("send", {}, idempotency_key="k")

    outcome = asyncio.run(scene())
    assert outcome.status == "rejected"
    assert "may or may not have acted" in outcome.result.observation.text


def test_a_reply_that_comes_after_the_time_limit_answers_the_retry():
    go, ran = threading.Event(), []

    @tool(side_effect="write", timeout=0.02)
    def slow() -> str:
        """Act slowly."""
        go.wait(10)
        ran.append(1)
        return "acted"

    settled = threading.Event()

    class Store(MemoryFinishedCalls):
        def finish(self, principal, key, record):
            super().finish(principal, key, record)
            settled.set()

    async def scene():
        registry = Registry([slow], finished=Store())
        first = await registry.call("slow", {}, idempotency_key="k")
        second = await registry.call("slow", {}, idempotency_key="k")
        go.set()
        await asyncio.to_thread(settled.wait, 10)
        return first, second, await registry.call("slow", {}, idempotency_key="k")

    first, second, third = asyncio.run(scene())
    assert [first.status, second.status, third.status] == ["failed", "rejected", "duplicate"]
    assert third.result.observation.text == "acted"
    assert ran == [1]


def test_keys_expire():
    clock = [0.0]
    store = MemoryFinishedCalls(keep=10, now=lambda: clock[0])
    assert store.claim("p", "k", "d") is None
    assert store.claim("p", "k", "d") is not None
    clock[0] = 11
    assert store.claim("p", "k", "d") is None


def test_a_check_that_takes_the_context_gets_it_and_may_be_async(call):
    async def check(values, context):
        return [f"{values['a']} is not in {context}"] if values["a"] not in context else []

    @tool(check=check)
    def f(a: int) -> None:
        """Do."""

    assert call(f, {"a": 1}, context=[1]).status == "ok"
    assert call(f, {"a": 2}, context=[1]).result.observation.text == "2 is not in [1]"


@pytest.mark.parametrize("where", ["check", "needs_approval", "approver"])
def test_a_gate_that_raises_keeps_the_call_from_running(call, where):
    ran = []

    def broken(*args):
        raise KeyError("gate")

    options = {where: broken} if where != "approver" else {"needs_approval": True}

    @tool(**options)
    def f() -> None:
        """Do."""
        ran.append(1)

    outcome = call(f, approver=broken if where == "approver" else lambda r: True)
    assert outcome.status == "failed"
    assert "KeyError" in outcome.result.observation.text
    assert ran == []


def test_a_check_cannot_change_what_the_planner_sent(call):
    sent = {"a": [1]}

    @tool(check=lambda args: args["a"].clear() or [])
    def f(a: list[int]) -> None:
        """Do."""
        a.append(9)

    call(f, sent)
    assert sent == {"a": [1]}
