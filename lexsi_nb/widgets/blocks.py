"""Lines and tables with bars, as a terminal shows them in its width and colours, and plain text as characters."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lexsi_nb.widgets.table import aligned

WIDTH = 110
BAR = 20  # characters of the widest bar in plain text
SHADES = " .:*#"


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str
    look: Literal["plain", "strong", "quiet"] = "plain"


@dataclass(frozen=True)
class Rows:
    """A table of words. `bars`: a signed size for each row, drawn to both sides of a middle; 0 for none.

    `strips`: how many cases lie in each of some equal steps, a tuple a row; `about` heads the bars or strips.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[float, ...] = ()
    strips: tuple[tuple[int, ...], ...] = ()
    about: str = ""


Block = Words | Rows


def blocks_text(blocks: Sequence[Block]) -> str:
    """Return blocks as plain text, an empty line between them; bars are + and -."""
    return "\n\n".join(_words(b) if isinstance(b, Words) else _rows(b) for b in blocks)


def strip(counts: Sequence[int], shades: str = SHADES) -> str:
    """Return how many cases lie in each step as characters, the darkest where most are.

    >>> strip([0, 1, 8, 3])
    ' .#:'
    """
    most, steps = max(counts, default=0) or 1, len(shades) - 1
    return "".join(shades[-(-c * steps // most)] if c else shades[0] for c in counts)


def _words(block: Words) -> str:
    lines = block.text.splitlines()
    return "\n".join(line if line.startswith(" ") else textwrap.fill(line, WIDTH) for line in lines)


def _rows(block: Rows) -> str:
    heads, rows = list(block.heads), [list(r) for r in block.rows]
    widest = max(map(abs, block.bars), default=0.0) or 1.0
    for row, size in zip(rows, block.bars, strict=False):
        row.append(("+" if size > 0 else "-") * max(1, round(BAR * abs(size) / widest)) if size else "")
    for row, counts in zip(rows, block.strips, strict=False):
        row.append(f"|{strip(counts)}|")
    return aligned([*heads, block.about] if block.bars or block.strips else heads, rows, left=0)
