"""Contributions as bars on one axis with a line at zero, as HTML of the live widgets; the numbers stand beside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Axis:
    """What all bars of a picture share: from where to where, zero in it."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Axis:
        """Return the axis that has all values and zero."""
        seen = [0.0, *values]
        return cls(min(seen), max(seen))

    def place(self, value: float) -> float:
        """Return where a value stands, in percent from the left.

        >>> Axis(-1.0, 3.0).place(0.0), Axis(0.0, 0.0).place(0.0)
        (25.0, 0.0)
        """
        return 100 * (value - self.low) / ((self.high - self.low) or 1.0)

    def bar(self, value: float, was: float | None = None) -> str:
        """Return a bar, with the outline of what it `was`; a screen reader hears the number beside it."""
        outline = "" if was is None else self._part(was, "lexsi-was")
        side = "lexsi-up" if value > 0 else "lexsi-down"
        return (
            f'<span class="lexsi-bar" aria-hidden="true" style="--zero:{self.place(0):.1f}%">'
            f"{self._part(value, side)}{outline}</span>"
        )

    def _part(self, value: float, look: str) -> str:
        if not value:
            return ""
        left, right = sorted((self.place(0), self.place(value)))
        return f'<i class="{look}" style="left:{left:.1f}%;width:{right - left:.1f}%"></i>'
