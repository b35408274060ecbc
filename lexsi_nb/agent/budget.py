"""The most that one run may spend, in tokens or money, side queries included."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from lexsi_nb.agent.planner import UsageReport
from lexsi_nb.agent.usage import Usage, money, price
from lexsi_nb.errors import BadData, LexsiError

_PART = re.compile(r"(?i)^(?:(?P<tokens>[\d_]+)(?P<k>k?)(?:\s*tokens?)?|\$?(?P<money>\d*\.?\d+)\s*(?P<unit>usd|\$)?)$")


class BudgetSpent(LexsiError):
    """The next request would go beyond the budget of the run, so it was not sent."""

    reveals = "schema"


@dataclass(frozen=True)
class Budget:
    """A limit; None for none. `usd`: US dollars."""

    tokens: int | None = None
    usd: Decimal | None = None

    @classmethod
    def of(cls, given: str | int | Budget | None) -> Budget:
        """Return the budget meant: a number of tokens, or a text such as "20000", "20k", "0.50usd", "20k, 0.5usd".

        Raises:
            BadData: it cannot be read.
        """
        if given is None or given == "":
            return cls()
        if isinstance(given, Budget):
            return given
        tokens, usd = None, None
        for part in str(given).split(","):
            found = _PART.match(part.strip())
            if found is None:
                raise BadData(f"No budget: {part.strip()!r}.", "", 'Write tokens, as in 20000 or 20k, or "0.50usd".')
            if found["tokens"] is not None:
                tokens = int(found["tokens"].replace("_", "")) * (1000 if found["k"] else 1)
            else:
                usd = Decimal(found["money"])
        return cls(tokens, usd)

    def check(self, used: Usage, model: str, tokens: int) -> None:
        """Raise where a request of about `tokens` to `model` would go beyond the budget.

        Raises:
            BudgetSpent: says what is spent; or that the price is not known, so that it cannot be kept.
        """
        if self.tokens is not None and used.tokens + tokens > self.tokens:
            raise BudgetSpent(
                f"The budget of {self.tokens:,} tokens is not enough for the next request of about {tokens:,}.",
                f"{used.tokens:,} are spent.",
                "Raise it with --budget, or ask for less.",
            )
        if self.usd is None:
            return
        spent, coming = used.cost, price(model, UsageReport(input_tokens=tokens))
        if spent is None or coming is None:
            raise BudgetSpent(
                f"The price of {model} is not known.", "So a budget in money cannot be kept.", "Give it in tokens."
            )
        if spent + coming > self.usd:
            raise BudgetSpent(
                f"The budget of {money(self.usd)} is not enough for the next request, about {money(coming)}.",
                f"{money(spent)} are spent.",
                "Raise it with --budget, or ask for less.",
            )
