"""Numbers in text that a model wrote, held against the numbers that the results have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from lexsi_nb.artifacts.labelled import COMPARES, Labelled, Vocabulary, clauses, labelled, lines

MARK = "[not in the results]"
_MARKED = re.compile(r"\[not in the results(?: for [^\]\n]{1,200})?\]")
# A reader sees no more of a frame than this, and among many rows of decimals any number would be found.
SEEN_ROWS = 1_000
_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mio": 1e6, "billion": 1e9, "bn": 1e9}
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = f"(?:{'|'.join(_MONTHS)})[a-z]*\\.?"
_IN_WORDS = re.compile(
    rf"(?i)\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_MONTH}),?\s+(?P<y1>\d{{4}})"
    rf"|(?P<m2>{_MONTH})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>\d{{4}}))\b"
)
_SHAPE = re.compile(r"(?i)[x×,]?\s*\b\d[\d,]*\s+columns?\b|\[\d+ part\(s\) withheld by the data policy\]")
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
    of_columns: bool = False  # "6 columns"


@dataclass
class Known:
    """The numbers and dates that results, observations and the question have.

    A number of a frame belongs to the labels of its row: a clause that names "Brno" is held against the rows of Brno.
    """

    values: list[float] = field(default_factory=list)  # of no row in particular
    dates: set[str] = field(default_factory=set)
    columns: set[float] = field(default_factory=set)  # how many columns frames have: counts of nothing else
    frames: list[Labelled] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    _held: _Held | None = field(default=None, repr=False)

    def add_text(self, text: str) -> None:
        """Take every number and date of a text, those left out that are marked as unknown."""
        text = _unmarked(text)
        self.dates.update(_dates(text))
        self.columns.update(f.value for f in figures(text) if f.of_columns)
        self.texts.append(text)
        self._held = None

    def add_values(self, values: Iterable[Any]) -> None:
        """Take plain numbers."""
        self.values += [abs(float(v)) for v in values if v == v]
        self._held = None

    def add_frame(self, frame: Any) -> None:
        """Take shape and cells of a frame: what a reader sees of it."""
        if hasattr(frame, "to_pandas"):
            frame = frame.to_pandas()
        self.add_values(frame.shape[:1])
        self.columns.add(float(frame.shape[1]))
        head = frame.head(SEEN_ROWS)
        rows = labelled(head)
        if rows is not None:
            self.frames.append(rows)
        for at in range(head.shape[1]):
            column = head.iloc[:, at]
            if column.dtype.kind in "iuf":
                self.add_values(column.tolist() if rows is None else ())
            elif column.dtype.kind != "b":
                text = "\n".join(str(v) for v in column.tolist())
                self.dates.update(_dates(text))
                self.add_text(text if rows is None or column.dtype.kind in "mM" else "")

    def has(self, figure: Figure, about: Sequence[str] = ()) -> bool:
        """Whether a figure is one of the numbers, rounded; with labels: one of their rows or of no row."""
        return self.held().supports(figure, about) or (figure.of_columns and figure.value in self.columns)

    def held(self) -> _Held:
        """Return the numbers sorted for looking up."""
        if self._held is None:
            self._held = _Held.of(self)
        return self._held


@dataclass
class _Held:
    """What is known, sorted: numbers of no row, of any row, and by label those that a text says of it."""

    general: list[float]
    anywhere: list[float]
    said: dict[str, list[float]]
    frames: list[Labelled]
    cells: list[list[float]]  # of each frame
    vocabulary: Vocabulary

    @classmethod
    def of(cls, known: Known) -> _Held:
        vocabulary = Vocabulary(known.frames)
        general, said = [abs(v) for v in known.values], dict[str, list[float]]()
        for line in (line for text in known.texts for line in lines(text)):
            labels = {label for _, _, label in vocabulary.find(line)} if known.frames else ()
            numbers = _numbers(line)
            for held in [said.setdefault(label, []) for label in labels] or [general]:
                held += numbers
        said = {label: sorted(values) for label, values in said.items()}
        cells = [sorted(v for row in frame.values for v in row) for frame in known.frames]
        anywhere = sorted(chain(general, *cells, *said.values()))
        return cls(sorted(general), anywhere, said, known.frames, cells, vocabulary)

    def supports(self, figure: Figure, about: Sequence[str]) -> bool:
        """Whether a figure is a number of no row, or of the rows that are spoken about."""
        if not about:
            return _near(self.anywhere, figure)
        return _near(self.general, figure) or self.of_rows(figure, about)

    def of_rows(self, figure: Figure, about: Sequence[str]) -> bool:
        """Whether a figure stands in the rows of all the labels, in a frame without them, or is said of one."""
        if any(_near(self.said.get(label, []), figure) for label in about):
            return True
        for frame, cells in zip(self.frames, self.cells, strict=True):
            mine = frame.about(about)
            if _near(cells if mine is None else sorted(mine), figure):
                return True
        return False

    def together(self, labels: Sequence[str]) -> bool:
        """Whether some row has all the labels."""
        return any(set.intersection(*(frame.rows.get(label, set()) for label in labels)) for frame in self.frames)


def _near(values: list[float], figure: Figure) -> bool:
    near = [(abs(figure.value), figure.tolerance)]
    if figure.percent:
        near.append((abs(figure.value) / 100, figure.tolerance / 100))
    return any(_within(values, value, tolerance) for value, tolerance in near)


def _numbers(text: str) -> list[float]:
    """Return the numbers of a text, also those in names (the 90 of balance_min_90d) and the years of dates."""
    text = _DATE.sub(lambda m: m[0][:4], text)
    text = _SHAPE.sub("", text)
    return [f.value for f in figures(text)] + [float(n) for n in re.findall(r"\d+(?:\.\d+)?", text)]


def _dates(text: str) -> Iterator[str]:
    """Yield the dates of a text as ISO; those in words too."""
    yield from _DATE.findall(text)
    for match in _IN_WORDS.finditer(text):
        month = _MONTHS.index((match["m1"] or match["m2"])[:3].lower()) + 1
        yield f"{match['y1'] or match['y2']}-{month:02}-{int(match['d1'] or match['d2']):02}"


def figures(text: str) -> list[Figure]:
    """Return the numbers of a text in order; numbers of lists, parts of names, dates and code are none.

    >>> [(f.value, f.percent) for f in figures("Of 4,500 accounts 12.5% (about 1.2 million) are in B2.")]
    [(4500.0, False), (12.5, True), (1200000.0, False)]
    """
    covered = [m.span() for p in (_DATE, _IN_WORDS, _LIST, _CODE) for m in p.finditer(text)]
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
        of_columns = re.match(r"(?i)\s+columns?\b", text[m.end() : m.end() + 12]) is not None
        out.append(Figure(m.start(), m.end(), value, unit * scale / 2, bool(m["percent"]), of_columns))
    return out


def unsupported(text: str, known: Known) -> list[tuple[int, int, str]]:
    """Return where a text has numbers or dates that are not known, in order, and the labels they are not known for."""
    numbers = figures(text)
    spans = [(f.start, f.end, "") for f in numbers if not known.has(f)]
    spans += [(*m.span(), "") for m in _DATE.finditer(text) if m[0] not in known.dates]
    spans += [(*m.span(), "") for m in _IN_WORDS.finditer(text) if next(_dates(m[0])) not in known.dates]
    if known.frames:
        spans += _of_another_row(text, known.held(), [f for f in numbers if known.has(f)])
    return sorted(spans)


def _of_another_row(text: str, held: _Held, numbers: list[Figure]) -> Iterator[tuple[int, int, str]]:
    """Yield numbers that are in the results, but not in the rows that their clause names.

    Only where the clause leaves no doubt: its labels stand in one row, it compares nothing, and none of its numbers
    is of that row (in a row of a table: whatever its other numbers are).
    """
    for start, end in clauses(text):
        clause = text[start:end]
        named = held.vocabulary.find(clause)
        inside = [
            f for f in numbers
            if start <= f.start < end and not any(a <= f.start - start < b for a, b, _ in named)
        ]  # fmt: skip
        about = list(dict.fromkeys(label for _, _, label in named))
        gaps = [0, *(at for a, b, _ in named for at in (a, b)), len(clause)]
        rest = " ".join(clause[a:b] for a, b in zip(gaps[::2], gaps[1::2], strict=True))
        if not inside or not about or COMPARES.search(rest) or not held.together(about):
            continue
        other = [f for f in inside if not held.supports(f, about)]
        right = [f for f in inside if held.of_rows(f, about)]
        if other and (not right or clause.lstrip().startswith("|")):
            yield from ((f.start, f.end, ", ".join(about)) for f in other)


def marked(text: str, known: Known) -> str:
    """Return the text with `MARK` behind each number that is not known, once; with the row where it is another's.

    >>> known = Known(); known.add_text("403 rows"); marked("403 loans, 17 of them late.", known)
    '403 loans, 17 [not in the results] of them late.'
    """
    for _, end, about in reversed(unsupported(text, known)):
        if text[end:].lstrip().startswith(MARK[:-1]):
            continue
        mark = f"{MARK[:-1]} for {about}]" if about else MARK
        text = f"{text[:end]} {mark}{text[end:]}"
    return text


def _unmarked(text: str) -> str:
    """Return the text without the words that are marked as unknown."""
    *marked_parts, rest = _MARKED.split(text)
    kept = [part.rstrip() for part in marked_parts]
    return " ".join([*(part[: len(part) - len((part.split() or [""])[-1])] for part in kept), rest])


def _within(values: list[float], value: float, tolerance: float) -> bool:
    from bisect import bisect_left

    slack = tolerance * (1 + 1e-9) + 1e-12
    at = bisect_left(values, value - slack)
    return at < len(values) and values[at] <= value + slack
