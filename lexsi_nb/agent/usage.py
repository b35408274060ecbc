"""What a run used: requests and tokens, side queries included, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from lexsi_nb.agent.planner import UsageReport

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

COUNTS = ("requests", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
UNKNOWN = "unknown"


@dataclass
class Usage:
    """Counts over the whole tree of calls of one run. All zero means that nothing was sent.

    Of `input_tokens` some were read from, or written to, the provider's cache. `models`: the same counts by model.
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    models: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, report: UsageReport, model: str = "") -> None:
        """Count one more report; `model` where the report names none."""
        own = self.models.setdefault(report.model or model, dict.fromkeys(COUNTS, 0))
        for name in COUNTS:
            count = getattr(report, name)
            setattr(self, name, getattr(self, name) + count)
            own[name] += count

    def merge(self, other: Usage) -> None:
        """Count what another run used."""
        for model, counts in other.models.items():
            self.add(_report(counts), model)

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens

    @property
    def cost(self) -> Decimal | None:
        """US dollars by the price list that is installed; None where the price of a model is not known."""
        prices = [price(model, _report(counts)) for model, counts in self.models.items() if any(counts.values())]
        known = [p for p in prices if p is not None]
        return sum(known, Decimal(0)) if len(known) == len(prices) else None

    @property
    def words(self) -> str:
        """Tokens and price in a line; "" where nothing was used.

        >>> used = Usage()
        >>> used.add(UsageReport(1, 1200, 80, model="nobody:nothing"))
        >>> used.words
        '1 request, 1,200 tokens in, 80 out; price unknown'
        """
        if not self.requests:
            return ""
        cached = f" ({self.cache_read_tokens:,} of them from the cache)" if self.cache_read_tokens else ""
        many = "request" if self.requests == 1 else "requests"
        return (
            f"{self.requests:,} {many}, {self.input_tokens:,} tokens in{cached}, {self.output_tokens:,} out; "
            f"price {money(self.cost)}"
        )


def _report(counts: dict[str, int]) -> UsageReport:
    requests, *tokens = (counts[name] for name in COUNTS)
    read, written, cache_read, cache_write = tokens
    return UsageReport(requests, read, written, cache_read, cache_write)


def price(model: str, used: UsageReport) -> Decimal | None:
    """Return what some use of `provider:model` costs in US dollars; None where that is not known."""
    provider, _, name = model.partition(":")
    listed = _listed(provider, name, used)
    return None if listed is None else listed.total_price


def window(model: str) -> int | None:
    """Return how many tokens `provider:model` reads at most, by the price list that is installed; None: not known."""
    provider, _, name = model.partition(":")
    if provider == "lexsi":  # behind its gateway: PROVIDER/MODEL
        provider, _, name = name.partition("/")
    listed = _listed(provider, name, UsageReport())
    return None if listed is None else listed.model.context_window


def _listed(provider: str, name: str, used: UsageReport) -> PriceCalculation | None:
    if not name:
        return None
    try:
        import genai_prices
    except ImportError:
        return None
    counts = genai_prices.Usage(
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cache_read_tokens=used.cache_read_tokens,
        cache_write_tokens=used.cache_write_tokens,
    )
    try:
        return genai_prices.calc_price(counts, name, provider_id=provider)
    except (LookupError, ValueError):
        return None


def money(amount: Decimal | None) -> str:
    """Return an amount of US dollars in words.

    >>> money(Decimal("0.00396")), money(None), money(Decimal("12.3"))
    ('0.0040 USD', 'unknown', '12.30 USD')
    """
    if amount is None:
        return UNKNOWN
    return f"{amount:.2f} USD" if amount >= 1 else f"{amount:.4f} USD"
