"""Numbers in text that a model wrote, held against the numbers that the results have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

MARK = "[not in the results]"
# A reader sees no more of a frame than this, and among many rows of decimals any number would be found.
SEEN_ROWS = 1_000
_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mio": 1e6, "billion": 1e9, "bn": 1e9}
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_NUMBER = re.compile(
    r"(?<![\w.,:/#-])(?P<sign>[-−+]?)(?P<whole>\d{1,3}(?:[ ,'\u00a0\u202f]\d{3})+|\d+)(?:\.(?P<decimals>\d+))?"
    r"(?:\s?(?P<scale>thousand|million|billion|mio|bn|k|m)\b)?(?P<percent>\s?(?:%|percent\b|per cent\b|pp\b))?(?![\w])"
)
_LIST = re.compile(r"(?m)^[^\S\n]*\d{1,2}[.)]\s")  # the numbers of a list
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


@dataclass(frozen=True)
class Figure:
    """A number as it was written: where it stands, its value, how far it may be off by rounding."""

    start: int
    end: int
    value: float
    tolerance: float
    percent: bool = False


@dataclass
class Known:
    """The numbers and dates that results, observations and the question have."""

    values: list[float] = field(default_factory=list)
    dates: set[str] = field(default_factory=set)
    _sorted: list[float] | None = field(default=None, repr=False)

    def add_text(self, text: str) -> None:
        """Take every number and date of a text, those left out that are marked as unknown."""
        text = _unmarked(text)
        self.dates.update(_DATE.findall(text))
        self.values += [f.value for f in figures(text)]
        # Also those inside names and dates: the year of 1998-07-08, the 90 of balance_min_90d.
        self.values += [float(n) for n in re.findall(r"\d+(?:\.\d+)?", text)]
        self._sorted = None

    def add_values(self, values: Iterable[Any]) -> None:
        """Take plain numbers."""
        self.values += [abs(float(v)) for v in values if v == v]
        self._sorted = None

    def add_frame(self, frame: Any) -> None:
        """Take shape, cells and column totals of a frame: what a reader sees of it."""
        if hasattr(frame, "to_pandas"):
            frame = frame.to_pandas()
        self.add_values(frame.shape)
        head = frame.head(SEEN_ROWS)
        for at in range(head.shape[1]):
            column = head.iloc[:, at]
            if column.dtype.kind in "iuf":
                self.add_values(column.tolist())
            elif column.dtype.kind != "b":
                self.add_text("\n".join(str(v) for v in column.tolist()))

    def has(self, figure: Figure) -> bool:
        """Whether a figure is one of the numbers, rounded."""
        if self._sorted is None:
            self._sorted = sorted(abs(v) for v in self.values)
        near = [(abs(figure.value), figure.tolerance)]
        if figure.percent:
            near.append((abs(figure.value) / 100, figure.tolerance / 100))
        return any(_within(self._sorted, value, tolerance) for value, tolerance in near)


def figures(text: str) -> list[Figure]:
    """Return the numbers of a text in order; numbers of lists, parts of names, dates and code are none.

    >>> [(f.value, f.percent) for f in figures("Of 4,500 accounts 12.5% (about 1.2 million) are in B2.")]
    [(4500.0, False), (12.5, True), (1200000.0, False)]
    """
    covered = [m.span() for p in (_DATE, _LIST, _CODE) for m in p.finditer(text)]
    out: list[Figure] = []
    for m in _NUMBER.finditer(text):
        if any(a <= m.start() < b for a, b in covered):
            continue
        digits = re.sub(r"\D", "", m["whole"])
        decimals, scale = m["decimals"] or "", _SCALES.get((m["scale"] or "").lower(), 1.0)
        value = float(f"{digits}.{decimals}" if decimals else digits) * scale
        unit = 10.0 ** -len(decimals)
        if not decimals:  # 151,000 may stand for 151,410; a round 100 or 2,000 stands for itself
            zeros = len(digits) - len(digits.rstrip("0"))
            unit = 10.0**zeros if len(digits) - zeros >= 2 else 1.0
        out.append(Figure(m.start(), m.end(), value, unit * scale / 2, percent=bool(m["percent"])))
    return out


def unsupported(text: str, known: Known) -> list[tuple[int, int]]:
    """Return where a text has numbers or dates that are not known, in order."""
    spans = [(f.start, f.end) for f in figures(text) if not known.has(f)]
    spans += [m.span() for m in _DATE.finditer(text) if m[0] not in known.dates]
    return sorted(spans)


def marked(text: str, known: Known) -> str:
    """Return the text with `MARK` behind each number that is not known, once.

    >>> known = Known(); known.add_text("403 rows"); marked("403 loans, 17 of them late.", known)
    '403 loans, 17 [not in the results] of them late.'
    """
    for _, end in reversed(unsupported(text, known)):
        if text[end:].lstrip().startswith(MARK):
            continue
        text = f"{text[:end]} {MARK}{text[end:]}"
    return text


def _unmarked(text: str) -> str:
    """Return the text without the words that are marked as unknown."""
    *marked_parts, rest = text.split(MARK)
    kept = [part.rstrip() for part in marked_parts]
    return " ".join([*(part[: len(part) - len((part.split() or [""])[-1])] for part in kept), rest])


def _within(values: list[float], value: float, tolerance: float) -> bool:
    from bisect import bisect_left

    slack = tolerance * (1 + 1e-9) + 1e-12
    at = bisect_left(values, value - slack)
    return at < len(values) and values[at] <= value + slack
