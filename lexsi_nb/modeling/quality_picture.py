"""How good a model is, drawn with characters: so it is in a page, a terminal, a diff and on GitHub alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Quality

WIDE = 31  # characters of an axis
LABEL = 20
THIRDS = ("lowest third", "middle third", "highest third")
TENTHS = ("tenth 1", "tenth 5", "tenth 10")


def picture_of(quality: Quality) -> list[str]:
    """Return lines: the measure with its interval beside the plain regression and guessing, then scored and observed.

    Spaces of a line count; a line is at most 75 characters.
    """
    row = quality.frame.set_index("measure")
    metric = quality.metric
    low, step = (0.4, 0.1) if "AUC" in metric else (0.0, 0.2)
    axis = Axis(low, 1.0, step)
    lines = [axis.head(metric), axis.interval("this model", quality.value, quality.low, quality.high)]
    if quality.beside is not None:
        kind = quality.beside.kind
        ends = (float(row.at[f"{metric}, {kind}", end]) for end in ("low", "high"))
        lines.append(axis.interval(kind, quality.beside.value, *ends))
    lines.append(axis.dot(quality.baseline_text, quality.baseline))
    return [*lines, *_scored_and_observed(row)]


class Axis:
    """Places of values along a line of characters."""

    def __init__(self, low: float, high: float, step: float) -> None:
        self.low, self.high, self.step = low, high, step

    def at(self, value: float) -> int:
        """Return the place of a value; one beyond the axis is at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(share * (WIDE - 1))

    def head(self, name: str) -> str:
        """Return the axis with its numbers."""
        line = [" "] * (WIDE + 2)
        for n in range(round((self.high - self.low) / self.step) + 1):
            value = self.low + n * self.step
            text, at = f"{value:.1f}", self.at(value)
            line[at : at + len(text)] = text
        return f"{name:<{LABEL}} {''.join(line)}".rstrip()

    def interval(self, name: str, value: float, low: float, high: float) -> str:
        """Return a value in its interval, drawn and in numbers; without one where it is not known."""
        if low != low or high != high:
            return self.dot(name, value)
        a, b = self.at(low), self.at(high)
        marks = {c: "\u2500" for c in range(a, b + 1)} | {a: "\u251c", b: "\u2524", self.at(value): "\u25cf"}
        return self._line(name, marks, f"{value:.2f} ({low:.2f}-{high:.2f})")

    def dot(self, name: str, value: float) -> str:
        """Return a value without an interval."""
        return self._line(name, {self.at(value): "\u25cf"}, f"{value:.2f}") if value == value else name

    def pair(self, name: str, scored: float, observed: float) -> str:
        """Return the mean score as a ring and what came of it as a dot; a dot in a ring where they fall together."""
        a, b = self.at(scored), self.at(observed)
        marks = {a: "\u25cb", b: "\u25cf"} if a != b else {a: "\u25c9"}
        return self._line(name, marks, f"{scored:.2f}, {observed:.2f}")

    def _line(self, name: str, marks: dict[int, str], numbers: str) -> str:
        drawn = "".join(marks.get(c, " ") for c in range(WIDE))
        return f"{name:<{LABEL}} {drawn}  {numbers}"


def _scored_and_observed(row: Any) -> list[str]:
    for score in ("mean calibrated score", "mean score"):
        for parts in (THIRDS, TENTHS):
            if f"{score}, {parts[0]}" in row.index:
                return _pairs(row, score, parts)
    return []


def _pairs(row: Any, score: str, parts: Sequence[str]) -> list[str]:
    found = [(p, float(row.at[f"{score}, {p}", "value"]), float(row.at[f"{score}, {p}", "baseline"])) for p in parts]
    most = max(v for _, *pair in found for v in pair)
    high = next((h for h in (0.2, 0.4, 0.6, 0.8) if h >= most), 1.0)
    axis = Axis(0.0, high, high / 4 if high < 0.8 else 0.2)
    return [axis.head("\u25cb score  \u25cf observed"), *(axis.pair(*one) for one in found)]
