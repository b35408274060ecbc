"""Pseudo-random numbers that are the same on every machine and with every numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


class Draws:
    """Numbers from the raw stream of PCG64, made with exact operations only.

    numpy promises a stable stream for the bit generator, not for `Generator.normal` and the like, and `exp` and
    `log` differ in the last bit between processors; so only integers, +, -, *, / and comparisons are used here.
    """

    def __init__(self, seed: int) -> None:
        import numpy as np

        self._np = np
        self._bits = np.random.PCG64(seed)

    def unit(self, n: int) -> np.ndarray:
        """Return float64, (n,), uniform in [0, 1)."""
        raw = self._bits.random_raw(n)
        return (raw >> self._np.uint64(11)).astype(self._np.float64) * 2.0**-53

    def whole(self, low: int, high: int, n: int) -> np.ndarray:
        """Return int64, (n,), uniform in [low, high]."""
        return low + (self.unit(n) * (high - low + 1)).astype(self._np.int64)

    def bell(self, n: int) -> np.ndarray:
        """Return float64, (n,), mean 0, variance 1: twelve uniform numbers added, less six."""
        total = self._np.zeros(n)
        for _ in range(12):
            total = total + self.unit(n)
        return total - 6.0

    def pick(self, weights: Sequence[int], n: int) -> np.ndarray:
        """Return int64, (n,): indices drawn in proportion to whole-number weights."""
        edges = self._np.cumsum(self._np.asarray(weights, dtype=self._np.int64))
        return self._np.searchsorted(edges, self.whole(0, int(edges[-1]) - 1, n), side="right")

    def order(self, n: int) -> np.ndarray:
        """Return int64, (n,): a permutation of 0..n-1."""
        return self._np.argsort(self._bits.random_raw(n), kind="stable")

    def sample(self, low: int, high: int, n: int) -> np.ndarray:
        """Return int64, (n,): distinct numbers of [low, high], ascending."""
        return self._np.sort(self.order(high - low + 1)[:n]) + low
