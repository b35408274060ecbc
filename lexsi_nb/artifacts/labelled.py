"""Which rows of a result a clause of text is about, by the labels it names: texts and ids that stand in those rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

MOST_CHARS = 60  # of a label; longer ones are prose
FEWEST_DIGITS = 3  # of an id; a shorter number is rather a count
_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]{2}")
_LINES = re.compile(r"(?<=[.!?;])\s+|\n+")
# Not at a colon: "Brno: 41".
_CLAUSES = re.compile(r"(?<=[.!?;,])\s+|\n+|\s+(?:and|but|while|whereas)\s+|\s[–—-]\s")
_ITEM = re.compile(r"(?:^|\n)[^\S\n]*[|*-][\s|*-]*$")
# A number beside such a word may be of another row than the one that is named.
COMPARES = re.compile(
    r"(?i)\b(?:than|unlike|others?|except|without|behind|ahead|after|before|below|above|next|runner|rest|besides?|"
    r"versus|vs|compared?|difference|more|less|fewer|higher|lower|twice|both|each|all|average|mean)\b"
)


@dataclass
class Labelled:
    """The numbers of a frame by row, and the rows of each label. `nouns`: what stands before a label that is an id."""

    values: list[list[float]] = field(default_factory=list)
    rows: dict[str, set[int]] = field(default_factory=dict)
    nouns: dict[str, str] = field(default_factory=dict)

    def about(self, labels: Iterable[str]) -> list[float] | None:
        """Return the numbers of the rows that have all the labels that are this frame's; None where none is."""
        named = [self.rows[label] for label in labels if label in self.rows]
        if not named:
            return None
        rows = set.intersection(*named) or set.union(*named)
        return [v for row in rows for v in self.values[row]]


def labelled(frame: Any) -> Labelled | None:
    """Return the numbers of a pandas frame by row and label; None where no row has a label of its own."""
    out = Labelled([[] for _ in range(len(frame))])
    for at in range(frame.shape[1]):
        name, column = str(frame.columns[at]), frame.iloc[:, at]
        if column.dtype.kind in "iuf":
            for row, value in enumerate(column.tolist()):
                if value == value:
                    out.values[row].append(abs(float(value)))
            noun = re.fullmatch(r"(?i)(\w*?)_?id", name)
            if noun and column.dtype.kind in "iu" and column.is_unique:
                for row, value in enumerate(column.tolist()):
                    if value >= 10 ** (FEWEST_DIGITS - 1):
                        out.rows.setdefault(str(value), set()).add(row)
                        out.nouns[str(value)] = noun[1].rpartition("_")[2]
        elif column.dtype.kind not in "bmM":
            for row, value in enumerate(column.tolist()):
                text = value.strip() if isinstance(value, str) else ""
                if len(text) <= MOST_CHARS and _LETTER.search(text):
                    out.rows.setdefault(text, set()).add(row)
                out.values[row] += [float(n) for n in re.findall(r"\d+(?:\.\d+)?", str(value))]
    every = len(out.values)
    return out if every > 1 and any(len(rows) < every for rows in out.rows.values()) else None


class Vocabulary:
    """The labels of several frames, found in text in time in line with its length."""

    def __init__(self, frames: Iterable[Labelled]) -> None:
        self._by_word: dict[str, list[str]] = {}
        self._nouns: dict[str, str] = {}
        for frame in frames:
            self._nouns.update(frame.nouns)
            for label in frame.rows:
                first = _WORD.search(label)
                if first is not None:
                    known = self._by_word.setdefault(first[0], [])
                    if label not in known:
                        known.append(label)
        for labels in self._by_word.values():
            labels.sort(key=len, reverse=True)

    def find(self, text: str) -> list[tuple[int, int, str]]:
        """Return where a text names labels: start, end, label; of several at one place the longest."""
        out: list[tuple[int, int, str]] = []
        end = 0
        for word in _WORD.finditer(text):
            if word.start() < end:
                continue
            for label in self._by_word.get(word[0], ()):
                start = word.start() - label.index(word[0])
                if start >= end and self._stands(text, start, label):
                    end = start + len(label)
                    out.append((start, end, label))
                    break
        return out

    def _stands(self, text: str, start: int, label: str) -> bool:
        end = start + len(label)
        if not text.startswith(label, start) or re.match(r"\w|[.,]\d", text[end : end + 2]):
            return False
        if label not in self._nouns:
            return True
        before = text[max(0, start - 40) : start]
        noun = re.escape(self._nouns[label])
        return bool(
            _ITEM.search(text[:start] if start < 40 else before)
            or (noun and re.search(rf"(?i)\b{noun}s?(?:[\s_]+(?:ids?|no|number|case))?[\s#:=]+$", before))
            or re.search(r"(?i)\b(?:ids?|cases?)[\s#:=]+$", before)
        )


def lines(text: str) -> Iterator[str]:
    """Yield the sentences and lines of a text."""
    yield from (part for part in _LINES.split(text) if part.strip())


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the clauses of a text stand; a row of a table is one."""
    start = 0
    for line in re.finditer(r"[^\n]+", text):
        if line[0].lstrip().startswith("|"):
            yield line.span()
            continue
        start = line.start()
        for gap in _CLAUSES.finditer(line[0]):
            yield start, line.start() + gap.start()
            start = line.start() + gap.end()
        yield start, line.end()
