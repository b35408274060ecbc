"""What a run used is counted over all its requests, priced or said to be unknown, and kept within a budget."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import pytest

from lexsi_nb.agent.budget import Budget
from lexsi_nb.agent.planner import Decision, UsageReport
from lexsi_nb.agent.usage import Usage, price
from lexsi_nb.app.session import Session
from lexsi_nb.errors import BadData

SONNET = "anthropic:claude-sonnet-4-5"


class Paid:
    """A planner elsewhere that calls run_sql for ever and reports what each request used."""

    local = False

    def __init__(self, name: str = SONNET) -> None:
        self.name, self.asked = name, 0

    async def decide(self, turn):
        """Yield usage and one more call."""
        from lexsi_nb.agent.planner import ToolCall

        self.asked += 1
        yield UsageReport(1, 1_000, 100, cache_read_tokens=200, model=self.name)
        yield Decision(calls=(ToolCall("run_sql", {"sql": "SELECT 1 AS a", "label": f"made_{self.asked}"}),))


def asked(planner: Paid, **options):
    session = Session(namespace={"x": pd.DataFrame({"a": [1]})}, planner=planner, replay="off")
    return session.ask("q", **options)


def test_a_run_stops_before_the_request_that_would_exceed_its_tokens():
    planner = Paid()
    run = asked(planner, budget=6_000)
    assert run.status == "failed"
    assert "budget of 6,000 tokens" in run.answer
    assert run.usage.tokens <= 6_000
    assert planner.asked == run.usage.requests >= 1
    assert "made_1" in [v.name for v in run.variables], "what was made is kept"


def test_a_budget_in_money_and_an_unknown_price():
    assert price(SONNET, UsageReport(1, 1_000, 100, cache_read_tokens=200)) == Decimal("0.00396")
    planner = Paid()
    run = asked(planner, budget="0.03usd")
    assert "0.0300 USD" in run.answer
    assert run.usage.cost <= Decimal("0.03")
    unknown = Paid("nobody:nothing")
    run = asked(unknown, budget="1usd")
    assert "price of nobody:nothing is not known" in run.answer
    assert unknown.asked == 0
    assert asked(Paid("nobody:nothing"), max_steps=1).usage.cost is None


def test_usage_counts_by_model_and_merges():
    used = Usage()
    used.add(UsageReport(1, 10, 2, 3, 4, "a:b"))
    used.add(UsageReport(1, 5, 1), "a:c")
    total = Usage()
    total.merge(used)
    assert total == used
    assert used.models["a:c"]["input_tokens"] == 5
    assert (used.requests, used.input_tokens, used.cache_write_tokens) == (2, 15, 4)


@pytest.mark.parametrize(
    ("given", "tokens", "usd"),
    [("20k", 20_000, None), (500, 500, None), ("0.5usd", None, Decimal("0.5")), ("$2.5", None, Decimal("2.5")),
     ("1000, 0.1usd", 1000, Decimal("0.1")), (None, None, None)],
)  # fmt: skip
def test_a_budget_is_read(given, tokens, usd):
    assert Budget.of(given) == Budget(tokens, usd)


def test_what_is_no_budget_is_refused():
    with pytest.raises(BadData, match="20k"):
        Budget.of("plenty")


def test_the_magic_says_what_was_spent(ip, capsys):
    ip.run_line_magic("lexsi", "cost")
    assert capsys.readouterr().out.strip() == "No model was asked."
